"""The class of ``bench/load``: teacher and students, what they check, and what is seen of the server."""

import asyncio
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import nn

from bench.load.crowd import crowd
from bench.load.events import events
from bench.load.oracle import check, outputs
from bench.load.plan import PRESETS
from bench.load.report import class_report, summary
from bench.load.student import Student
from bench.load.visitor import Place
from bench.load.watched import SIGHT, Watch, catches, watched

PLAN = replace(PRESETS["taught"], visitors=4, every=0.25, seconds=16, check_share=0.5)
HOOKED = """
import torch, time
net = torch.nn.Sequential(torch.nn.ReLU(), torch.nn.ReLU())
handles = [net[0].register_forward_hook(print), net.register_forward_pre_hook(print)]
handles[0].remove() if {removed} else None
print("ready", flush=True)
while True:
    time.sleep(1)
"""


@pytest.mark.slow
def test_a_class_follows_wanders_edits_answers_and_nothing_is_mixed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody saw the teacher's maps and their own, each as PyTorch has them; no hook stays."""
    for pause in ("teacher.SHOWS_EVERY", "student.THINKS"):  # a lesson at twice the usual speed
        monkeypatch.setattr(f"bench.load.{pause}", 2.5)
    with watched() as (address, watch):
        found = asyncio.run(crowd(address, PLAN, watch))
        watch.count_hooks(address)
    checks = check(found.visitors, PLAN.model, PLAN.weights)
    assert (checks.differ, found.failures) == ([], Counter())
    students = [each for each in found.visitors if isinstance(each, Student)]
    assert len(students) == 4
    assert all(each.followed and each.picks and each.answered for each in students)
    assert sum(each.edited for each in students) > 0
    numbers = summary(PLAN, found, checks, watch)
    assert numbers["class"]["answers_given"] == numbers["class"]["answers_heard"] == 4
    assert watch.hooks == 0
    assert watch.modules
    assert "0 hooks were left" in class_report(numbers)


def test_an_edit_changes_what_the_oracle_expects() -> None:
    """A channel that is silent is zero in what its layer returns, and in what follows."""
    net = nn.Sequential(nn.Identity(), nn.Conv2d(2, 1, 1, bias=False))
    nn.init.constant_(net[1].weight, 3.0)
    given = torch.tensor([[[[1.0]], [[10.0]]]])
    wanted = {("0", 0), ("1", 0)}
    plain, silent = outputs(net, given, wanted), outputs(net, given, wanted, ("0", 1))
    assert [plain["0", 0].tolist(), plain["1", 0].tolist()] == [[[[1.0]], [[10.0]]], [[[33.0]]]]
    assert [silent["0", 0].tolist(), silent["1", 0].tolist()] == [[[[1.0]], [[0.0]]], [[[3.0]]]]
    assert outputs(net, given, wanted)["1", 0].tolist() == [[[33.0]]]


def test_an_edit_stands_in_the_address() -> None:
    """As the page writes it."""
    assert Place("layer1", 1, (1,), ("conv1", 3)).look == {
        "layer": "layer1",
        "call": 2,
        "edit": "conv1:zero:3",
    }


@pytest.mark.parametrize(("removed", "left"), [(True, 1), (False, 2)])
def test_hooks_that_are_left_are_counted(tmp_path: Path, removed: bool, left: int) -> None:
    """In another process, which goes on."""
    with running(HOOKED.format(removed=removed), tmp_path) as process:
        assert process.stdout
        assert process.stdout.readline() == b"ready\n"
        assert catches(process.pid)
        watch = Watch(tmp_path)
        watch.count_hooks_of([process.pid])
        assert watch.hooks == left
        assert watch.modules is not None
        assert watch.modules >= 3
        assert process.poll() is None


def test_a_process_that_does_not_listen_is_not_asked() -> None:
    """The signal would end it."""
    with subprocess.Popen(["sleep", "60"]) as process:
        time.sleep(0.2)
        assert not catches(process.pid)
        process.kill()


def test_events_are_heard_by_name_until_the_line_ends() -> None:
    """A comment and a mark are no events."""
    said = b'retry: 5\n\n: hello\n\nid: 7\nevent: look\ndata: {"a": 1}\n\nevent: end\ndata: {}\n\n'
    assert asyncio.run(heard(b"HTTP/1.1 200 OK\r\n\r\n" + said)) == [("look", {"a": 1}), ("end", {})]


def test_a_line_that_is_refused_is_an_error() -> None:
    """Its status is named."""
    with pytest.raises(ConnectionError, match="404"):
        asyncio.run(heard(b"HTTP/1.1 404 Not Found\r\n\r\n"))


async def heard(said: bytes) -> list[tuple[str, object]]:
    """Return the events that a client reads of a server that says this and hangs up."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(said)
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        return [each async for each in events(f"http://127.0.0.1:{port}", "/events")]


@contextmanager
def running(code: str, folder: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """A Python process in which hooks can be counted."""
    sight = {"PYTHONPATH": str(SIGHT), "LAYERGLASS_SIGHT": str(folder)}
    command = [sys.executable, "-c", code]
    process = subprocess.Popen(command, env=os.environ | sight, stdout=subprocess.PIPE)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()
