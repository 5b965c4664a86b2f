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
from viz.engine.watched import Ended, Watched
from viz.ui.folders import passes
from viz.ui.folders.passes import Pass
from viz.ui.folders.sources import ServedFolder
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
def visitor_who_waits(engine: Watched, until: threading.Event) -> Iterator[None]:
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

    def told(ended: Ended) -> None:
        if (ended.task, ended.outcome) == (PeaksOfNext.__name__, "refused"):
            refused.set()

    engine = Watched(LocalEngine(load_subject, device="cpu"), told)
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
