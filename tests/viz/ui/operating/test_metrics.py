"""Every metric is read by Prometheus' own parser, described in the documents, and free of visitors."""

import re
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.machine import patience
from tests.viz.subjects import Shelf
from viz.engine.engine import LocalEngine
from viz.engine.engine_state import EngineState, ProcessState
from viz.engine.watched import WatchedEngine
from viz.ui.operating import metrics as module
from viz.ui.operating.metrics import metrics
from viz.ui.visit.service import engine
from viz.views.whole_model import Survey

GUIDE = Path(__file__).parents[4] / "docs" / "watch.md"


def read(text: bytes) -> dict[str, dict[tuple[str, ...], float]]:
    """Each sample's number, by its name and the values of its labels in the order of their names."""
    found: dict[str, dict[tuple[str, ...], float]] = {}
    for family in text_string_to_metric_families(text.decode()):
        for sample in family.samples:
            labels = tuple(value for _, value in sorted(sample.labels.items()))
            found.setdefault(sample.name, {})[labels] = sample.value
    return found


def test_the_engine_of_the_page_is_read_as_it_is() -> None:
    """Its caches by process, its queue, the page's memory."""
    engine().do(Survey("lenet", "pretrained"), visitor="ann").result(patience(60))
    found = read(metrics())
    assert found["layerglass_cache_bytes"]["models", "page"] > 0
    assert found["layerglass_cache_misses_total"]["models", "page"] >= 1
    assert ("uploads", "page") not in found["layerglass_cache_hits_total"]
    assert found["layerglass_queue_waiting"][()] == 0
    assert found["layerglass_memory_bytes"][("page",)] > 10_000_000
    assert found["layerglass_sessions_limit"][()] == 500
    assert found["layerglass_wait_seconds_count"][("Survey",)] >= 1


def test_what_went_wrong_is_read_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that has lost processes, and a model that is put aside; its reason is not for a label."""
    state = EngineState(
        processes=(ProcessState("models-1", 7),),
        memory_limit=900,
        restarts=4,
        put_aside={'timm/"odd"\n': "it hung"},
    )
    monkeypatch.setattr(module, "state_of", lambda _: state)
    text = metrics()
    found = read(text)
    assert found["layerglass_restarts_total"][()] == 4
    assert found["layerglass_models_memory_limit_bytes"][()] == 900
    assert found["layerglass_model_put_aside"] == {('timm/"odd"\n',): 1.0}
    assert found["layerglass_memory_bytes"][("models-1",)] == 7
    assert b"it hung" not in text


def test_the_documents_know_every_metric_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the name that a query uses."""
    monkeypatch.setattr(module, "state_of", lambda _: EngineState(memory_limit=1))
    families = text_string_to_metric_families(metrics().decode())
    here = {each.name + ("_total" if each.type == "counter" else "") for each in families}
    told = set(re.findall(r"^\| `(layerglass_\w+)`", GUIDE.read_text("utf-8"), re.MULTILINE))
    assert told == here


def test_an_engine_of_any_kind_has_metrics() -> None:
    """Also one that says nothing of itself: the queue is empty then, as far as anybody knows."""

    class Silent(LocalEngine):
        state = None  # type: ignore[assignment]

    silent = WatchedEngine(Silent(Shelf(), device="cpu"), lambda _: None)
    assert silent.state() == EngineState()
    silent.close()
