"""Counts say kinds and outcomes, and Prometheus' own parser reads them."""

from collections import Counter
from typing import get_args

import pytest
from prometheus_client.exposition import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from viz.engine.watched import Outcome, TaskOutcome
from viz.ui.tally.counts import PAGES, REGISTRY, answers_so_far, count_answer, pages_open


def sample(name: str, **labels: str) -> float:
    """One number of what Prometheus would read; 0 if there is none."""
    families = text_string_to_metric_families(generate_latest(REGISTRY).decode())
    return next(
        (
            each.value
            for family in families
            for each in family.samples
            if (each.name, each.labels) == (name, labels)
        ),
        0.0,
    )


def test_each_end_of_a_task_is_counted_under_its_name() -> None:
    """Every outcome that the engine knows."""
    before = Counter(answers_so_far())
    for outcome in get_args(Outcome):
        count_answer(TaskOutcome("TaskOfATest", outcome, 0.02, urgent=True))
    added = Counter(answers_so_far()) - before
    assert added == {("TaskOfATest", outcome): 1 for outcome in get_args(Outcome)}
    assert sample("layerglass_answers_total", task="TaskOfATest", outcome="left") >= 1


def test_only_what_somebody_waited_for_is_a_wait() -> None:
    """Neither prefetches nor what was superseded or given up; each lands in the bucket of its seconds."""

    def waits(most: str) -> float:
        return sample("layerglass_wait_seconds_bucket", task="WaitOfATest", le=most)

    before = [waits("0.25"), waits("0.5"), waits("+Inf")]
    count_answer(TaskOutcome("WaitOfATest", "answered", 0.3, urgent=True))
    count_answer(TaskOutcome("WaitOfATest", "failed", 500.0, urgent=True))
    count_answer(TaskOutcome("WaitOfATest", "answered", 0.3, urgent=False))
    count_answer(TaskOutcome("WaitOfATest", "superseded", 0.3, urgent=True))
    after = [waits("0.25"), waits("0.5"), waits("+Inf")]
    assert [late - early for late, early in zip(after, before, strict=True)] == [0, 1, 2]


def broken() -> None:
    """A page whose connection breaks."""
    with PAGES.track_inprogress():
        raise OSError("the connection is gone")


def test_a_page_counts_while_it_is_open() -> None:
    """Also if it ends by an error."""
    before = pages_open()
    with PAGES.track_inprogress():
        assert pages_open() == before + 1
    with pytest.raises(OSError, match="gone"):
        broken()
    assert pages_open() == before
