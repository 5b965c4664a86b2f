"""Weights on their way: fetched once for all who ask, with the progress, and again after a failure."""

import threading
from collections.abc import Callable, Iterator

import pytest

import models
from tests.machine import patience
from viz.ui.visit.catalogue.fetching import fetched
from viz.ui.visit.catalogue.tasks import Fetch


class Line:
    """A download that goes on when a test says so."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.told = threading.Event()
        self.go_on = threading.Event()
        self.failure: models.ModelError | None = None

    def download(self, model: str, progress: Callable[[int, int], None]) -> None:
        """Tell of 3 of 9 bytes, then wait."""
        self.begun.append(model)
        progress(3, 9)
        self.told.set()
        self.go_on.wait(patience(60))
        if self.failure:
            raise self.failure


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch) -> Iterator[Line]:
    """In place of the catalogue's downloads."""
    line = Line()
    monkeypatch.setattr(models, "download", line.download)
    monkeypatch.setattr(models, "is_ready", lambda model: model == "here")
    yield line
    line.go_on.set()


def test_all_who_ask_share_one_download(line: Line) -> None:
    """Each hears how far it is."""
    fetched("slow")
    line.told.wait(patience(60))
    assert fetched("slow") == fetched("slow") == (3, 9)
    assert line.begun == ["slow"]
    line.go_on.set()
    assert fetched("slow", 10) is None


def test_weights_that_are_here_have_no_progress(line: Line) -> None:
    """However slow the machine is, no page shows a bar for them."""
    assert fetched("here", 0) is None
    assert not line.begun


def test_a_download_that_failed_is_said_and_begun_again(line: Line) -> None:
    """The network may be back by then."""
    line.failure = models.WeightsUnavailableError("no network")
    line.go_on.set()
    with pytest.raises(models.WeightsUnavailableError, match="no network"):
        fetched("lost", 10)
    line.failure = None
    assert fetched("lost", 10) is None
    assert line.begun == ["lost", "lost"]


def test_a_download_goes_on_until_the_weights_are_here(line: Line) -> None:
    """So that the process which fetches them does not end before."""
    question = Fetch("left")
    assert question.goes_on(fetched("left"))
    line.go_on.set()
    assert not question.goes_on(fetched("left", 10))
