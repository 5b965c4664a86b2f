"""A pass beside visitors who want the models too: it waits for them, and goes on."""

import threading
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.browser.pictures import photo as noise
from tests.browser.pictures import png
from tests.machine import patience
from viz.engine.engine import LocalEngine
from viz.engine.task import Bench, Question, Shelf, kind_of
from viz.engine.watched import TaskOutcome, WatchedEngine
from viz.ui.folders import passes
from viz.ui.folders.passes import Pass
from viz.ui.folders.sources import ServedFolder
from viz.ui.visit.jobs import reading
from viz.ui.visit.service import load_subject
from viz.views.folder.tasks import PeaksOfNext


@dataclass(frozen=True)
class Waits(Question[bool]):
    """A visitor's question that is not answered before something has happened."""

    happened: threading.Event
    shelf: Shelf = ""

    @property
    def key(self) -> Hashable:
        """Its own."""
        return id(self)

    def work(self, _: Bench) -> bool:
        """See ``Task``."""
        return self.happened.wait(patience(60))


@contextmanager
def visitor_who_waits(engine: WatchedEngine, until: threading.Event) -> Iterator[None]:
    """Somebody else's question is under way, so that whoever has used much is asked to come back."""
    asked = engine.do(Waits(until), visitor="ann")
    yield
    assert asked.result(patience(60))


def test_a_pass_that_has_used_much_time_waits_for_others_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine refuses its picture at once, as it would a visitor's; no picture is left out for that."""
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for seed in range(2):
        (pictures / f"{seed}.png").write_bytes(png(noise(seed)))
    refused = threading.Event()

    def told(ended: TaskOutcome) -> None:
        if (ended.task, ended.outcome) == (PeaksOfNext.__name__, "refused"):
            refused.set()

    engine = WatchedEngine(LocalEngine(load_subject, device="cpu"), told)
    monkeypatch.setattr(passes, "engine", lambda: engine)
    source = ServedFolder(pictures)
    made = Pass(source, "lenet", "pretrained", tmp_path / "kept")
    assert isinstance(engine.engine, LocalEngine)
    purses, photo = engine.engine._purses, source.photo("0.png", "bob")
    purses.took(kind_of(PeaksOfNext(photo, "lenet", "pretrained")), 10.0)
    purses.spend([made._visitor], purses.rates.kept)
    with visitor_who_waits(engine, refused):
        made.start("bob", lambda: True)
        made.wait()
    assert refused.is_set()
    found = made.progress()
    assert (found.state, found.done, found.problem) == ("done", 2, "")
    assert made.store.unreadable == {}
    engine.close()


def test_a_pass_waits_for_room_for_its_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A class that fills the memory for a moment is no fault of a picture; and nobody waits for ever."""
    (tmp_path / "0.png").write_bytes(png(noise(0)))
    engine, full = LocalEngine(load_subject, device="cpu"), threading.Event()

    def most_of_all() -> int:
        if full.is_set():
            return 1 << 30
        full.set()
        return 0

    monkeypatch.setattr(passes, "engine", lambda: engine)
    monkeypatch.setattr(reading, "most_of_all", most_of_all)
    made = Pass(ServedFolder(tmp_path), "lenet", "pretrained", tmp_path / "kept")
    made.start("bob", lambda: True)
    made.wait()
    assert (made.progress().state, made.progress().done, made.store.unreadable) == ("done", 1, {})
    monkeypatch.setattr(reading, "most_of_all", int)
    never = Pass(ServedFolder(tmp_path), "lenet", "pretrained", tmp_path / "never")
    never.start("bob", lambda: False)
    never.wait()
    assert (never.progress().done, never.store.unreadable) == (0, {})
    engine.close()
