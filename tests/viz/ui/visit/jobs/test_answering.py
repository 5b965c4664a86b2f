"""Answers in processes of their own: nothing that one does reaches the page, or the next one."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.machine import patience
from viz.errors import RequestError
from viz.exercises.folder import find
from viz.pictures.samples import sample
from viz.sentences import Sentence
from viz.system import processes
from viz.ui.visit.jobs import answering
from viz.ui.visit.jobs.answering import LONGEST_SIDE, _small, check_answer, get_ready, runner

EXERCISE = find("keep-maps", "en")


@pytest.fixture(scope="module", autouse=True)
def running() -> Iterator[None]:
    """One nursery for these tests; it ends with them."""
    get_ready()
    yield
    runner().reader.close()


def answered(code: str, *, whole: bool = False) -> dict[str, Any]:
    """Return the verdict on an answer."""
    return check_answer(EXERCISE, code, sample("cat"), visitor="somebody", whole=whole)


def said(found: dict[str, Any]) -> list[str]:
    """Return the sentences about what is wrong with it."""
    return [Sentence.from_plain(each["says"]) for each in found["problems"]]


def test_a_system_that_copies_no_process_runs_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as Windows: it would run in the page itself."""
    monkeypatch.setattr(processes, "COPIES", False)
    with pytest.raises(RequestError, match="answers are not run"):
        answered(EXERCISE.solution)


def children() -> list[str]:
    """The processes that the nursery has running."""
    nursery = runner().reader._nursery
    assert nursery is not None
    return Path(f"/proc/{nursery.pid}/task/{nursery.pid}/children").read_text(encoding="ascii").split()


def expect_all_well() -> None:
    """The next answer is right, the nursery has one thread, and no process is left."""
    assert said(answered(EXERCISE.solution)) == []
    nursery = runner().reader._nursery
    assert nursery is not None
    assert nursery.poll() is None
    assert len([*Path(f"/proc/{nursery.pid}/task").iterdir()]) == 1
    until = time.monotonic() + patience(60)
    while children():
        assert time.monotonic() < until, "a process is left"
        time.sleep(0.1)


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("while True:\n    pass", "too many steps"),
        ("many = []\nwhile True:\n    many.append(torch.zeros(1000, 1000))", "more tensors"),
        ("torch.zeros(10 ** 12)", "larger"),
        ("net.__class__", "private"),
        ("import os", "imported"),
        ("maps = picture", "has the shape"),
    ],
)
def test_a_bad_answer_is_told_and_leaves_nothing(code: str, sentence: str) -> None:
    """Endless, greedy, hostile or only wrong."""
    assert sentence in said(answered(code))[0]
    expect_all_well()


@pytest.mark.parametrize(
    "code",
    [
        "while True:\n    pass",
        "x = bytearray(10 ** 10)",
        "x = torch.ones(10 ** 10)",
        "import ctypes\nctypes.string_at(0)",
        "import os\nos._exit(3)",
        "import time\ntime.sleep(1000)",
    ],
)
def test_the_system_holds_whole_python_to_its_limits(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No interpreter of ours stops these: time, memory, a crash, a sleep. Then the next one is right."""
    monkeypatch.setattr(answering, "BOUNDS", replace(answering.BOUNDS, seconds=2))  # and 6 by the clock
    try:
        found = said(answered(code, whole=True))
    except RequestError as error:
        found = [str(error)]
    monkeypatch.undo()
    assert any(each in found[0] for each in ("more time or memory", "memory", "Memory"))
    expect_all_well()


def test_whole_python_is_judged_like_the_subset() -> None:
    """With imports, and the real net."""
    code = "import torch\n" + EXERCISE.solution + "assert isinstance(net, torch.nn.Module)"
    assert said(answered(code, whole=True)) == []


def test_an_answer_is_known_soon() -> None:
    """Once the nursery is there; the net is loaded before it makes copies of itself."""
    answered(EXERCISE.solution)
    since = time.monotonic()
    answered(EXERCISE.solution)
    assert time.monotonic() - since < patience(10)  # 0.3 s on a quiet machine


def test_a_large_picture_is_made_smaller_before_it_is_sent() -> None:
    """And a small one is sent as it is."""
    assert max(_small(Image.new("L", (5000, 100))).size) == LONGEST_SIDE
    assert _small(Image.new("RGB", (300, 200))).size == (300, 200)
    assert _small(Image.new("RGB", (50_00, 1))).size == (LONGEST_SIDE, 1)


def test_the_nursery_ends_after_a_long_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """PyTorch in one more process takes memory; the next answer starts it again."""
    monkeypatch.setattr("viz.ui.visit.jobs.answering.IDLE_SECONDS", 0.1)
    answered(EXERCISE.solution)
    nursery = runner().reader._nursery
    assert nursery is None or nursery.wait(patience(60)) == 0
    monkeypatch.undo()
    expect_all_well()
