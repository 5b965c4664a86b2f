"""Health is whether a question gets an answer, not whether the server listens."""

import threading
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tests.machine import patience
from viz.engine.pulse import Pulse
from viz.engine.task import Bench
from viz.errors import BusyError, CaptureError, VizError
from viz.pictures.photo import Photo
from viz.ui.visit.service import engine
from viz.ui.visit.visit import SubjectEntry
from viz.ui.wire.routes import routes_health
from viz.ui.wire.routes.routes_health import health_routes
from viz.views.whole_model import Predict


class Hanging(Pulse):
    """A question that is not answered until the test lets it be."""

    opened, running = threading.Event(), threading.Event()

    def work(self, _: Bench) -> bool:
        """Wait."""
        self.running.set()
        return self.opened.wait(patience(60))


@pytest.fixture
def health() -> Iterator[TestClient]:
    """Asks for the server's health."""
    with TestClient(Starlette(routes=health_routes())) as client:
        yield client


def test_a_server_that_answers_is_well(health: TestClient) -> None:
    """It says how long a question waited; nobody may keep that."""
    found = health.get("/health")
    assert found.status_code == 200
    assert found.json()["ok"] is True
    assert 0 <= found.json()["seconds"] < 20
    assert found.headers["cache-control"] == "no-store"


def test_a_server_whose_models_hang_is_not_well_until_they_go_on(
    health: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """503 and a sentence; once the model goes on, all is well again."""
    monkeypatch.setattr(routes_health, "PATIENCE", 0.3)
    hanging = engine().do(Hanging("hanging", ""), visitor="eve")
    assert Hanging.running.wait(patience(60))
    found = health.get("/health")
    assert (found.status_code, found.json()["ok"]) == (503, False)
    assert "busy or hang" in found.json()["error"]
    Hanging.opened.set()
    assert hanging.result(patience(60))
    monkeypatch.undo()
    assert health.get("/health").status_code == 200


@pytest.mark.parametrize("kind", [CaptureError, BusyError])
def test_a_server_whose_model_cannot_answer_is_not_well_and_says_why(
    health: TestClient, monkeypatch: pytest.MonkeyPatch, kind: type[VizError]
) -> None:
    """As one that has been put aside, or for which the system makes no process: that is no bug."""

    def fail(*_: object) -> bool:
        raise kind("this model has been put aside.")

    monkeypatch.setattr(Pulse, "work", fail)
    found = health.get("/health")
    assert (found.status_code, found.json()["ok"]) == (503, False)
    assert found.json()["error"] == "this model has been put aside."


def test_who_waits_is_told_how_many_go_before(
    client: TestClient, subject: SubjectEntry, photo: Photo
) -> None:
    """Another visitor's question runs; one who waits for nothing has no place."""
    assert client.get(f"/maps/{subject.token}/place.json").json() == {"ahead": None}
    Waiting.opened.clear()
    busy = engine().do(Waiting("busy", ""), visitor="eve")
    assert Waiting.running.wait(patience(60))
    mine = engine().do(Predict(photo, "lenet", "random"), visitor=subject.visitor)
    found = client.get(f"/maps/{subject.token}/place.json")
    assert found.json() == {"ahead": 1}
    assert found.headers["cache-control"] == "no-store"
    Waiting.opened.set()
    assert busy.result(patience(60))
    assert mine.result(patience(60))


class Waiting(Hanging):
    """The same with gates of its own."""

    opened, running = threading.Event(), threading.Event()
