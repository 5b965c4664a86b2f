"""A small web server that misbehaves on request, and an empty folder in place of torch.hub's."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.machine import patience


class WeightsServer(ThreadingHTTPServer):
    """Serves the bytes in ``files``; ``manner`` says how.

    Attributes:
        version: an entity tag; with one, the server sends parts of files too.
        breaks: after so many bytes each of the next answers ends, and the connection with it.
        ranges: what each request said of the part that it wanted, and of which version.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.files: dict[str, bytes] = {}
        self.manner = "well"
        self.requests: list[str] = []
        self.version = ""
        self.breaks: list[int] = []
        self.ranges: list[tuple[str | None, str | None]] = []
        self.released = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: WeightsServer

    def do_GET(self) -> None:
        self.server.requests.append(self.path)
        self.server.ranges.append((self.headers["Range"], self.headers["If-Range"]))
        if self.server.manner == "silent":
            self.server.released.wait(patience(60))
            return
        content = self.server.files.get(self.path.lstrip("/"))
        if content is None:
            self.send_error(404)
            return
        if self.server.version:
            self._send_part(content)
        else:
            self._send(content)

    def _send_part(self, content: bytes) -> None:
        asked, version = self.headers["Range"], self.headers["If-Range"]
        start = int(asked[6:-1]) if asked and version in (None, self.server.version) else 0
        if start >= len(content):
            self.send_error(416)
            return
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("ETag", self.server.version)
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        end = start + self.server.breaks.pop(0) if self.server.breaks else len(content)
        self.wfile.write(content[start:end])
        self.wfile.flush()

    def _send(self, content: bytes) -> None:
        self.send_response(200)
        if self.server.manner != "no length":
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(
            content if self.server.manner in {"well", "no length"} else content[: len(content) // 2]
        )
        self.wfile.flush()
        if self.server.manner == "stalls":
            self.server.released.wait(patience(60))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the parent's name for it
        """Keep the test's output clean."""


@pytest.fixture
def server() -> Iterator[WeightsServer]:
    """A web server on this machine, gone after the test."""
    with WeightsServer() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield running
        running.released.set()
        running.shutdown()
        thread.join()


@pytest.fixture
def checkpoints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where torch.hub looks for weights: empty, and this test's own."""
    monkeypatch.setenv("TORCH_HOME", str(tmp_path))
    monkeypatch.delenv("LAYERGLASS_WEIGHTS_URL", raising=False)
    folder = tmp_path / "hub" / "checkpoints"
    folder.mkdir(parents=True)
    return folder
