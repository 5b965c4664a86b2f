"""Each model has its replica, and keeps it when others come or go."""

from collections import Counter

import pytest

pytest.importorskip("ray", reason="Ray is optional: pip install -r requirements-ray.txt")

from viz.engine.ray.routing import SPILL, order

REPLICAS = {f"replica {number}": 0 for number in range(4)}
MODELS = [f"model {number}" for number in range(400)]


def test_models_spread_evenly_and_always_in_the_same_way() -> None:
    """Whatever the order in which the replicas are known."""
    firsts = Counter(order(model, REPLICAS)[0] for model in MODELS)
    assert set(firsts) == set(REPLICAS)
    assert all(70 < count < 130 for count in firsts.values())
    backwards = dict(reversed(REPLICAS.items()))
    assert all(order(model, REPLICAS) == order(model, backwards) for model in MODELS)


def test_when_a_replica_goes_only_its_models_move() -> None:
    """And when it comes, only those move that become its own."""
    fewer = {name: 0 for name in REPLICAS if name != "replica 2"}
    for model in MODELS:
        (first, second, *_), left = order(model, REPLICAS), order(model, fewer)[0]
        assert left == (second if first == "replica 2" else first)


def test_a_model_spills_to_its_second_replica_only_when_many_wait_at_its_first() -> None:
    """Not because the other one has a little less to do."""
    first, second, _, fourth = order("model", REPLICAS)
    assert order("model", REPLICAS | {first: SPILL - 1})[0] == first
    assert order("model", REPLICAS | {first: SPILL + 1})[0] == second
    assert order("model", dict.fromkeys(REPLICAS, 3 * SPILL))[0] == first
    others_full = dict.fromkeys(REPLICAS, 10 * SPILL) | {fourth: 0, first: 2 * SPILL - 1}
    assert order("model", others_full)[0] == first
    assert order("model", others_full | {first: 2 * SPILL + 1})[0] == fourth
