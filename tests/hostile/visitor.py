"""A visitor without a browser: reaches the page's script over its websocket, the rest over HTTP."""

import http.client
import json
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, Self
from urllib.parse import urlencode, urlsplit

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect

from tests import machine
from tests.hostile.conversation import Conversation

PATIENCE = machine.patience(120)  # seconds: a loaded machine is not a broken one
LONGEST = 50_000_000
BREATH = 0.01  # seconds between two requests: more of them would be an attack in themselves
# Pause after a request, in its waits: who never pauses has soon used much time, and then gives way to
# whatever else is done on the machine (``viz.engine.purse``). Of each second, 0.3 are free.
PAUSE = 3


class Answer:
    """Answer over HTTP, if any came."""

    def __init__(self, status: int, headers: dict[str, str], data: bytes, seconds: float) -> None:
        self.status, self.headers, self.data, self.seconds = status, headers, data, seconds

    @property
    def said(self) -> dict[str, Any]:
        """The JSON in it."""
        facts: dict[str, Any] = json.loads(self.data)
        return facts


def ask(
    address: str,
    path: str,
    method: str = "GET",
    *,
    body: Any = None,
    headers: dict[str, str] | None = None,
    patience: float = PATIENCE,
) -> Answer:
    """One request on a connection of its own; ``path`` goes out as it is."""
    start = time.perf_counter()
    line = http.client.HTTPConnection(urlsplit(address).netloc, timeout=patience)
    try:
        with suppress(BrokenPipeError, ConnectionResetError):  # it no longer reads, but has answered
            line.request(method, path, body=body, headers=headers or {})
        answer = line.getresponse()
        data = answer.read()
        found = {name.lower(): value for name, value in answer.getheaders()}
        return Answer(answer.status, found, data, time.perf_counter() - start)
    finally:
        line.close()


def form(name: str, data: bytes, kind: str = "application/octet-stream") -> tuple[bytes, str]:
    """A file as a form's only part, and the form's content type."""
    edge = uuid.uuid4().hex
    head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
    whole = b"".join([f"{head}Content-Type: {kind}\r\n\r\n".encode(), data, f"\r\n--{edge}--\r\n".encode()])
    return whole, f"multipart/form-data; boundary={edge}"


class Visitor:
    """Opens the page on a view, and waits until its script has run.

    Attributes:
        cookie: the token that every upload must send twice.
    """

    def __init__(self, address: str, *, patience: float = PATIENCE, **view: str) -> None:
        self.address, self.patience = address, patience
        self._page = Conversation(**view)
        self.cookie = ask(address, "/_stcore/health").headers["set-cookie"].split(";")[0].partition("=")[2]
        self._open = ExitStack()
        opening = connect(
            f"{address.replace('http', 'ws', 1)}/_stcore/stream",
            subprotocols=["streamlit"],  # type: ignore[list-item]
            additional_headers={"Origin": address, "Cookie": f"_streamlit_xsrf={self.cookie}"},
            max_size=LONGEST,
            open_timeout=patience,
            max_queue=None,  # what nobody reads must not keep the end of the connection from being heard
        )
        self.line: ClientConnection = self._open.enter_context(opening)
        self.run()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave the page."""
        self._open.close()

    def run(self, query: str | None = None) -> float:
        """Let the script run, and return the seconds until it has ended."""
        start = time.perf_counter()
        self.send_run(query)
        self._listen(lambda message: message.WhichOneof("type") == "script_finished")
        return time.perf_counter() - start

    def send_run(self, query: str | None = None) -> None:
        """Ask for a run of the script, and do not wait for it."""
        self.line.send(self._page.ask_for_run(query))

    @property
    def session(self) -> str:
        """Streamlit's name of this stay."""
        return self._page.session

    @property
    def subject(self) -> str:
        """The secret in the addresses of what is on the page."""
        return str(self.part("layerglass_stage")["subject"])

    def part(self, name: str) -> dict[str, Any]:
        """The data of one of the page's parts that live in the browser.

        Raises:
            LookupError: the page has no such part.
        """
        return self._page.part(name)

    def notices(self) -> list[str]:
        """Return the texts of the page's boxes: problems, and what does not exist."""
        told = self._page.parts().get("layerglass_stage", {})
        return [*self._page.notices(), *(notice["text"] for notice in told.get("notices", []))]

    def put(self, data: bytes, name: str = "file", *, where: str | None = None) -> Answer:
        """Upload a file to an address of this visit, by default a new one, without putting it into a box."""
        body, kind = form(name, data)
        path = where or f"/_stcore/upload_file/{self.session}/{uuid.uuid4()}"
        return ask(self.address, path, "PUT", body=body, headers={"Content-Type": kind} | self.proof)

    @property
    def proof(self) -> dict[str, str]:
        """The headers with which an upload shows that it comes from the page."""
        return {"X-Xsrftoken": self.cookie, "Cookie": f"_streamlit_xsrf={self.cookie}"}

    def upload(self, box: str, name: str, data: bytes) -> Answer:
        """Upload a file to the box with a key, and let the page's script run with it; the upload's answer."""
        urls = self._place(name)
        answer = self.put(data, name, where=urls.upload_url)
        if answer.status < 300:
            self._page.put_into_box(box, urls, name, len(data))
            self.run()
        return answer

    def map_json(self, layer: str = "", **options: object) -> dict[str, Any]:
        """The facts about one layer's maps, at first the model's first, as the browser gets them.

        Raises:
            RuntimeError: they were refused.
        """
        query = urlencode({"layer": layer} | options)
        answer = ask(self.address, f"/maps/{self.subject}/layer.json?{query}", patience=self.patience)
        if answer.status != 200:
            raise RuntimeError(f"{answer.status}: {answer.data[:300]!r}")
        return answer.said

    def _place(self, name: str) -> Any:
        """Return the address at which the server wants a file."""
        asked, request = self._page.ask_for_place(name)
        self.line.send(request)
        self._listen(lambda _: self._page.place(asked) is not None)
        return self._page.place(asked)

    def _listen(self, is_last: Callable[[ForwardMsg], bool]) -> None:
        until = time.monotonic() + self.patience
        while True:
            message = self._page.hear(bytes(self.line.recv(timeout=until - time.monotonic())))  # type: ignore[arg-type]
            if is_last(message):
                return


class Bystander(threading.Thread):
    """Another visitor, who looks at one layer after the other, as fast as one may who is not heavy.

    Attributes:
        waits: seconds that each of the maps took.
        problems: what went wrong, in words.
    """

    def __init__(self, address: str, *, patience: float = PATIENCE, **view: str) -> None:
        super().__init__(daemon=True)
        self.visitor = Visitor(address, patience=patience, **view)
        self.waits: list[float] = []
        self.problems: list[str] = []
        self._over = threading.Event()

    def run(self) -> None:
        """Look at layers until ``leave``, each time at another width, so that not every map is cached."""
        shown = [row["name"] for row in self.visitor.part("layerglass_stage")["rows"] if row["calls"]]
        columns = 0
        while not self._over.is_set():
            columns = columns % 60 + 1
            start = time.perf_counter()
            try:
                self.visitor.map_json(shown[columns % len(shown)], columns=columns)
            except (OSError, RuntimeError, http.client.HTTPException) as error:
                self.problems.append(f"{type(error).__name__}: {error}")
                self._over.wait(0.2)
            self.waits.append(time.perf_counter() - start)
            self._over.wait(BREATH + PAUSE * self.waits[-1])

    def leave(self) -> None:
        """Stop looking."""
        self._over.set()
        self.join(self.visitor.patience)
        self.visitor.close()

    @property
    def longest(self) -> float:
        """The longest wait in seconds; infinite if nothing ever came."""
        return max(self.waits, default=float("inf"))

    @property
    def usual(self) -> float:
        """Return the wait that 95 of 100 stay below, in seconds; infinite if nothing ever came."""
        return sorted(self.waits)[int(len(self.waits) * 0.95)] if self.waits else float("inf")


@contextmanager
def bystander(address: str, **view: str) -> Iterator[Bystander]:
    """Another visitor, looking for as long as the block lasts."""
    looking = Bystander(address, **view)
    looking.start()
    try:
        yield looking
    finally:
        looking.leave()
