"""Counts since the server began, as Prometheus wants them.

They name kinds and never a visitor.
"""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics

from ...engine.watched import TaskOutcome
from .recent_waits import RecentWaits

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0)
WAITED = {"answered", "refused", "failed"}  # somebody waited until then; the other ends nobody saw

disable_created_metrics()  # a time beside each count doubles the answer
REGISTRY = CollectorRegistry()
WAITS = Histogram(
    "layerglass_wait_seconds",
    "From asking to the answer, for what visitors look at.",
    ["task"],
    buckets=SECONDS,
    registry=REGISTRY,
)
ANSWERS = Counter(
    "layerglass_answers",
    "Tasks by what became of them, prefetches too.",
    ["task", "outcome"],
    registry=REGISTRY,
)
REFUSALS = Counter(
    "layerglass_door_refusals", "Requests that the door refused.", ["status"], registry=REGISTRY
)
PAGES = Gauge("layerglass_sessions", "Pages that are open now.", registry=REGISTRY)
RECENT = RecentWaits()


def count_answer(ended: TaskOutcome) -> None:
    """Count the outcome of a task, and the time that it took."""
    ANSWERS.labels(ended.task, ended.outcome).inc()
    if ended.urgent and ended.outcome in WAITED:
        WAITS.labels(ended.task).observe(ended.seconds)
        RECENT.add(ended.seconds)


def count_refusal(status: int) -> None:
    """Count a request that was not let in."""
    REFUSALS.labels(str(status)).inc()


def answers_so_far() -> dict[tuple[str, str], int]:
    """Return the number of ended tasks, by kind and outcome."""
    return {
        (sample.labels["task"], sample.labels["outcome"]): int(sample.value)
        for family in ANSWERS.collect()
        for sample in family.samples
        if sample.name.endswith("_total")
    }


def refusals_so_far() -> dict[str, int]:
    """Return the number of requests that the door refused, by status."""
    return {
        sample.labels["status"]: int(sample.value)
        for family in REFUSALS.collect()
        for sample in family.samples
        if sample.name.endswith("_total")
    }


def pages_open() -> int:
    """Return the number of pages that are open now."""
    return int(next(iter(PAGES.collect())).samples[0].value)
