"""Each model has its replica, and keeps it when others come or go."""

from collections import Counter

import pytest

pytest.importorskip("ray", reason="Ray is optional: pip install -r requirements-ray.txt")

from viz.engine.ray.routing import MODELS, SPILL, Homes, order

pytestmark = pytest.mark.ray

REPLICAS = {f"replica {number}": 0 for number in range(4)}
ASKED = [f"model {number}" for number in range(40)]


def firsts(homes: Homes, replicas: dict[str, int]) -> dict[str, str]:
    """The replica of every model."""
    return {model: homes.of(model, replicas)[0] for model in ASKED}


def test_models_spread_evenly_and_stay() -> None:
    """Forty models over four replicas: ten each, and one or two more or less."""
    homes = Homes()
    found = firsts(homes, REPLICAS)
    counts = Counter(found.values())
    assert set(counts) == set(REPLICAS)
    assert all(8 <= count <= 12 for count in counts.values())
    assert firsts(homes, dict(reversed(REPLICAS.items()))) == found


def test_pages_agree_about_most_models_without_talking() -> None:
    """The order in which they are asked for them does not matter."""
    there, elsewhere = firsts(Homes(), REPLICAS), Homes()
    for model in reversed(ASKED):
        elsewhere.of(model, REPLICAS)
    same = sum(there[model] == first for model, first in firsts(elsewhere, REPLICAS).items())
    assert same > len(ASKED) / 2


def test_when_a_replica_goes_only_its_models_move() -> None:
    """And when one comes, none does."""
    homes = Homes()
    before = firsts(homes, REPLICAS)
    fewer = {name: 0 for name in REPLICAS if name != "replica 2"}
    after = firsts(homes, fewer)
    for model in ASKED:
        assert after[model] == before[model] or before[model] == "replica 2"
    assert firsts(homes, REPLICAS) == after


def test_only_models_asked_for_lately_are_remembered() -> None:
    """However many there are."""
    homes = Homes()
    for number in range(MODELS + 50):
        homes.of(f"another {number}", REPLICAS)
    assert len(homes._homes) == MODELS


def test_a_model_spills_only_when_many_more_wait_at_its_first_replica() -> None:
    """Not because the other one has a little less to do; and the farther, the later."""
    near = Homes().of("model", REPLICAS)
    first, second, _, fourth = near
    assert order(near, REPLICAS | {first: SPILL - 1})[0] == first
    assert order(near, REPLICAS | {first: SPILL + 1})[0] == second
    assert order(near, dict.fromkeys(REPLICAS, 3 * SPILL))[0] == first
    others_full = dict.fromkeys(REPLICAS, 10 * SPILL) | {fourth: 0, first: 2 * SPILL - 1}
    assert order(near, others_full)[0] == first
    assert order(near, others_full | {first: 2 * SPILL + 1})[0] == fourth
