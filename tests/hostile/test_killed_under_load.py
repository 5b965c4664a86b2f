"""The real server with processes for models, which somebody kills while twenty visitors look."""

import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from tests.browser.oracle import lenet_outputs
from tests.browser.pictures import photo, png
from tests.browser.serving import serving
from tests.hostile.attacks import children
from tests.hostile.left_behind import alive, nothing_left_behind
from tests.hostile.server_process import process_of
from tests.hostile.visitor import Visitor, ask
from tests.machine import patience
from viz.engine.process.settings import USUAL

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="hosts are copies of a nursery"),
    pytest.mark.slow,  # it needs a real server
]

VISITORS, KILLS = 20, 4
SOON = 5.0  # seconds in which everybody goes on, on a quiet machine
LAYERS = ("conv1", "relu1", "pool1", "conv2", "relu2", "pool2")


class Looking(threading.Thread):
    """A visitor with a photo of their own, who asks for one channel's numbers after the other.

    Attributes:
        right: how many answers agreed with PyTorch's own functions.
        said: the sentences that came instead of an answer.
        wrong: everything else.
    """

    def __init__(self, server: str, number: int) -> None:
        super().__init__(daemon=True)
        self.visitor, self.over = Visitor(server, model="lenet"), threading.Event()
        assert self.visitor.upload("upload", "own.png", png(photo(number))).status < 300
        self.outputs = lenet_outputs(photo(number))
        self.chance = random.Random(number)
        self.right, self.said, self.wrong = 0, list[str](), list[str]()

    def run(self) -> None:
        """Ask until it is over."""
        while not self.over.wait(0.05):
            try:
                self.look()
            except Exception as error:  # noqa: BLE001  whatever it is, it is what a visitor got
                self.wrong.append(repr(error)[:300])

    def look(self) -> None:
        """One question."""
        layer = self.chance.choice(LAYERS)
        channel = self.chance.randrange(len(self.outputs[layer]))
        address = f"/maps/{self.visitor.subject}/values?layer={layer}&channel={channel}"
        answer = ask(self.visitor.address, address)
        if answer.status == 422:
            self.said.append(answer.said["error"])
            return
        assert answer.status == 200, answer.data[:200]
        found = np.frombuffer(answer.data, "<f4")
        np.testing.assert_allclose(found, self.outputs[layer][channel].ravel(), rtol=1e-4, atol=1e-5)
        self.right += 1


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """A server of which nothing is left when it has ended."""
    (tmp_path / "temporary").mkdir()
    settings = {"LAYERGLASS_ENGINE": "process", "TMPDIR": str(tmp_path / "temporary")}
    with nothing_left_behind(tmp_path / "temporary"), serving(tmp_path, settings=settings) as address:
        yield address


def hosts(process: int) -> list[int]:
    """The processes that run models: the children of the nursery that makes them."""
    found: list[int] = []
    for child in children(process):
        with suppress(OSError):  # it has just ended
            if b"viz.engine.process.nursery" in Path(f"/proc/{child}/cmdline").read_bytes():
                found += children(child)
    return found


def test_everybody_goes_on_with_the_right_numbers(server: str) -> None:
    """Each answer is right or a sentence, nobody waits longer than seconds, and no killed process stays."""
    process = int(process_of(server).name)
    looking = [Looking(server, number) for number in range(VISITORS)]
    before = set(hosts(process))
    for each in looking:
        each.start()
    for _ in range(KILLS):
        assert all_go_on(looking, 60)
        for host in hosts(process):
            os.kill(host, signal.SIGKILL)
    soon = all_go_on(looking, SOON)
    for each in looking:
        each.over.set()
    for each in looking:
        each.join(patience(60))
        each.visitor.close()
    assert [problem for each in looking for problem in each.wrong] == []
    said = [sentence for each in looking for sentence in each.said]
    assert all("ended from outside" in sentence for sentence in said)
    assert len(said) <= VISITORS
    assert sum(each.right for each in looking) > VISITORS
    assert soon
    assert before
    assert not [host for host in before if alive(host)]
    assert len(hosts(process)) <= USUAL


def all_go_on(looking: list[Looking], seconds: float) -> bool:
    """Return whether each visitor gets one more right answer within seconds of a quiet machine."""
    before, until = [each.right for each in looking], time.monotonic() + patience(seconds)
    while not (done := all(each.right > count for each, count in zip(looking, before, strict=True))):
        if time.monotonic() > until:
            break
        time.sleep(0.05)
    return done
