"""SIGTERM with everything under way at once: an upload, a hanging model, a killed process, open pages."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path

import pytest

from models.own.own_model_name import SETTING
from tests.browser.serving import serving
from tests.hostile.attacks import children
from tests.hostile.hanging_model import hanging_model
from tests.hostile.left_behind import alive, orphaned_memory
from tests.hostile.server_process import process_of
from tests.hostile.visitor import Visitor, ask
from tests.machine import patience

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="hosts are copies of a nursery"),
    pytest.mark.slow,  # each needs a real server
]
SOON = 5.0  # seconds in which the server ends, on a quiet machine


@pytest.fixture(params=["process", ""])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A server with a model that loops for ever, with either engine."""
    (tmp_path / "temporary").mkdir()
    settings = {
        "LAYERGLASS_ENGINE": request.param,
        SETTING: hanging_model(tmp_path, "loops"),
        "PYTHONPATH": str(tmp_path),
        "TMPDIR": str(tmp_path / "temporary"),
    }
    with serving(tmp_path, settings=settings) as address:
        yield address


def slow_file() -> Iterator[bytes]:
    """The form of a file of weights that comes for a minute."""
    yield b'--edge\r\nContent-Disposition: form-data; name="file"; filename="w.pt"\r\n\r\n'
    for _ in range(600):
        yield bytes(10_000)
        time.sleep(0.1)


def begun(work: Callable[[], object]) -> threading.Thread:
    """A thread that does it; the server's end is no error there."""

    def run() -> None:
        with suppress(OSError, HTTPException):
            work()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def test_everything_ends_within_five_seconds_and_nothing_is_left(server: str, tmp_path: Path) -> None:
    """No process, no shared memory and no temporary file; those who wait read a sentence or are cut off."""
    process = int(process_of(server).name)
    with Visitor(server, model="lenet") as ada, Visitor(server, model="lenet") as eve:
        place = f"/_stcore/upload_file/{ada.session}/11111111-1111-1111-1111-111111111111"
        kind = {"Content-Type": "multipart/form-data; boundary=edge"} | ada.proof
        upload = begun(lambda: ask(server, place, "PUT", body=slow_file(), headers=kind))
        eve.send_run("model=hazardous&layer=conv")
        asked = begun(lambda: ask(server, f"/maps/{ada.subject}/layer.json?layer=conv1&columns=3"))
        time.sleep(1.5)
        assert upload.is_alive()
        descendants = list(children(process))
        assert descendants
        os.kill(process, signal.SIGTERM)
        until = time.monotonic() + patience(SOON)
        while alive(process) and time.monotonic() < until:
            time.sleep(0.02)
        assert not alive(process)
    until = time.monotonic() + patience(SOON)
    while (left := [each for each in descendants if alive(each)]) and time.monotonic() < until:
        time.sleep(0.02)
    assert left == []
    assert orphaned_memory([process, *descendants]) == []
    assert not [each for each in (tmp_path / "temporary").rglob("*") if "torchinductor" not in str(each)]
    for thread in (upload, asked):
        thread.join(patience(SOON))
        assert not thread.is_alive()
