"""A model that hangs or crashes, on the real server with a process for models: nobody else notices."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from models.own.own_model_name import SETTING
from tests.browser.serving import serving
from tests.hostile.attacks import children
from tests.hostile.hanging_model import HAZARDS, hanging_model
from tests.hostile.server_process import process_of
from tests.hostile.visitor import Visitor, ask
from tests.machine import patience
from viz.engine.process.settings import ANSWER_SECONDS

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="hosts are copies of a nursery"),
    pytest.mark.slow,  # each needs a real server
]

SECONDS = round(patience(4))  # that a task may take
SOON = 5.0  # seconds in which everybody else goes on, and in which the server ends, on a quiet machine
SAID = {
    "loops": f"longer than the {SECONDS} seconds",
    "hangs": f"longer than the {SECONDS} seconds",
    "crashes": "crashed (SIGSEGV)",
}


@pytest.fixture(params=HAZARDS)
def hazard(request: pytest.FixtureRequest) -> str:
    """Return the name of the model's hazard."""
    return str(request.param)


@pytest.fixture
def server(hazard: str, tmp_path: Path) -> Iterator[str]:
    """A server with this model."""
    settings = {
        "LAYERGLASS_ENGINE": "process",
        SETTING: hanging_model(tmp_path, hazard),
        ANSWER_SECONDS: str(SECONDS),
        "PYTHONPATH": str(tmp_path),
    }
    with serving(tmp_path, settings=settings) as address:
        yield address


def test_one_visitor_gets_a_sentence_and_another_goes_on(server: str, hazard: str) -> None:
    """A visitor of another model waits no longer than seconds, and sees the same numbers as before."""
    with Visitor(server, model="lenet") as ada:
        before = ada.map_json("conv2", width=300)["statistics"]
        with Visitor(server, model="hazardous", layer="conv") as eve:
            guilty = ask(server, f"/maps/{eve.subject}/layer.json?layer=conv")
            refused = time.monotonic()
            assert guilty.status == 422
            assert SAID[hazard] in guilty.said["error"] or "put aside" in guilty.said["error"]
            assert ada.map_json("conv2", width=301)["statistics"] == before
            assert ada.map_json("relu1", width=302)["shape"]
            assert time.monotonic() - refused < patience(SOON)


def test_a_server_that_is_told_to_end_does_so_at_once(server: str) -> None:
    """Within seconds, whatever its models do, and none of its processes is left."""
    process = process_of(server)
    left = list(children(int(process.name)))
    with Visitor(server, model="lenet") as visitor:
        visitor.send_run("model=hazardous&layer=conv")
        time.sleep(1)
        until = time.monotonic() + patience(SOON)
        os.kill(int(process.name), signal.SIGTERM)
        while alive(process) and time.monotonic() < until:
            time.sleep(0.05)
    assert not alive(process)
    assert left
    until = time.monotonic() + patience(SOON)
    while (over := [each for each in left if alive(Path("/proc", str(each)))]) and time.monotonic() < until:
        time.sleep(0.02)
    assert over == []


def alive(process: Path) -> bool:
    """Return whether a process runs; one that has ended may wait for its parent to say so."""
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
