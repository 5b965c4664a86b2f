"""The simulated crowd of ``bench/simulation.py``: where a formula knows the answer, it comes to the same."""

import statistics

import pytest

pytest.importorskip("ray", reason="Ray is optional: pip install -r requirements-ray.txt")

from bench.simulation import Crowd, Result, Times, by_model, row, shorter_of_two, simulated

pytestmark = pytest.mark.ray

ALWAYS = Times(new=[0.01], kept=[0.01], loading=[0.0])


def test_one_replica_is_the_queue_that_theory_knows() -> None:
    """Many visitors who come rarely are a Poisson stream; equal service times make the queue M/D/1.

    Source: Pollaczek, Khinchine: the mean wait is r / (2 (1 - r)) service times at a load of r.
    """
    crowd = Crowd(visitors=2000, every=40.0, models=1)
    found = simulated(crowd, 1, ALWAYS, by_model(), seconds=400)
    load = 2000 / 40 * 0.01
    expected = 0.01 * (1 + load / (2 * (1 - load)))
    assert found.busy == pytest.approx(load, rel=0.05)
    assert statistics.mean(found.waits) == pytest.approx(expected, rel=0.05)


def test_nobody_waits_where_there_is_always_a_free_replica() -> None:
    """Then an answer takes as long as it takes to work it out."""
    crowd = Crowd(visitors=1, every=1.0, models=1)
    found = simulated(crowd, 3, ALWAYS, by_model())
    assert min(found.waits) == pytest.approx(0.01)
    assert max(found.waits) == pytest.approx(0.01)
    assert found.loads == 0


def test_models_stay_where_they_are_if_there_is_room_for_them() -> None:
    """By model nothing is loaded twice; by queues every replica needs every model, and has no room."""
    times, crowd = Times([0.01], [0.01], [0.5]), Crowd(visitors=100, models=16)
    assert simulated(crowd, 4, times, by_model(), room=16).loads <= 1
    assert simulated(crowd, 4, times, shorter_of_two(), room=8).loads > 100


def test_a_row_says_what_was_found() -> None:
    """Shares in per cent, waits in milliseconds."""
    assert row("any", 4, Result([0.1] * 99 + [2.0], 0.5, 3.0)) == "| 4 | any | 50% | 100 | 100 | 1.0% | 3 |"
