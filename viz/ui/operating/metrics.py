"""Metrics for Prometheus: counts, and states of engine, caches and visits."""

from collections.abc import Iterator

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from ...engine.engine_state import EngineState, state_of
from ..tally.counts import REGISTRY
from ..visit.service import engine
from ..visit.visit import open_visits
from .moments import caches_of, door_limits, memory_of

__all__ = ["CONTENT_TYPE_LATEST", "metrics"]


def metrics() -> bytes:
    """Return all metrics as Prometheus text, of the type ``CONTENT_TYPE_LATEST``."""
    now = CollectorRegistry()
    now.register(_PresentMetrics(state_of(engine())))
    return generate_latest(REGISTRY) + generate_latest(now)


class _PresentMetrics(Collector):
    """Metrics that are read on request, not counted as things happen."""

    def __init__(self, state: EngineState) -> None:
        self._state = state

    def collect(self) -> Iterator[Metric]:
        """Each metric with its samples."""
        yield from self._engine()
        yield from self._caches()
        memory = GaugeMetricFamily("layerglass_memory_bytes", "Memory of each process.", labels=["process"])
        for name, size in memory_of(self._state).items():
            memory.add_metric([name], size)
        yield memory
        yield _gauge("visits", "Visits that are kept, those that may come back too.", open_visits())
        yield _gauge("sessions_limit", "Pages that may be open.", door_limits().sockets)

    def _engine(self) -> Iterator[Metric]:
        state = self._state
        yield _gauge("queue_waiting", "Tasks that wait for their turn.", state.waiting)
        yield _gauge("queue_running", "Tasks that are worked on.", state.running)
        yield _gauge("processes", "Processes that run models.", len(state.processes))
        if state.memory_limit is not None:
            told = "Memory that the processes for models may take together."
            yield _gauge("models_memory_limit_bytes", told, state.memory_limit)
        told = "Processes for models that were replaced."
        yield CounterMetricFamily("layerglass_restarts", told, value=state.restarts)
        aside = GaugeMetricFamily("layerglass_model_put_aside", "Models that are refused.", labels=["model"])
        for model in state.put_aside:
            aside.add_metric([model], 1)
        yield aside

    def _caches(self) -> Iterator[Metric]:
        which = ["process", "cache"]
        gauges = [
            GaugeMetricFamily("layerglass_cache_bytes", "What a cache holds.", labels=which),
            GaugeMetricFamily("layerglass_cache_limit_bytes", "What a cache may hold.", labels=which),
        ]
        counts = [
            CounterMetricFamily("layerglass_cache_hits", "Look-ups that found something.", labels=which),
            CounterMetricFamily("layerglass_cache_misses", "Look-ups that did not.", labels=which),
        ]
        for kept in caches_of(self._state):
            named = [kept.process, kept.cache]
            for gauge, size in zip(gauges, (kept.bytes, kept.limit), strict=True):
                gauge.add_metric(named, size)
            for count, number in zip(counts, (kept.hits, kept.misses), strict=True):
                if number is not None:
                    count.add_metric(named, number)
        yield from (*gauges, *counts)


def _gauge(name: str, told: str, value: float) -> Metric:
    return GaugeMetricFamily(f"layerglass_{name}", told, value=value)
