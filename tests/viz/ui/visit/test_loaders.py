"""Models from the catalogue are the same in the page's process and in another one."""

import os
import random
from collections.abc import Iterator

import pytest

from tests.viz.random_tasks import Asking, Refused, asking, bits, outcome, random_task
from viz.engine.engine import Engine, LocalEngine
from viz.engine.process import ProcessEngine
from viz.ui.visit import loaders

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="hosts are copies of a nursery")
SEEDS = range(8)
EACH = 10
MODELS = ("lenet", "photonet", "patchformer", "signalnet")


def nobodys(weights: str) -> dict[str, object]:
    """No visitor has brought weights."""
    raise LookupError(weights)


@pytest.fixture(scope="module")
def here() -> Iterator[LocalEngine]:
    """An engine in this process."""
    engine = LocalEngine(loaders.subject_loader(nobodys), device="cpu")
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def there() -> Iterator[ProcessEngine]:
    """An engine with two processes, so that models are in one or the other."""
    place = f"{loaders.__name__}:{loaders.loader_apart.__name__}"
    engine = ProcessEngine(place, device="cpu", hosts=2, modules=["viz.views.one_layer", "viz.number.tasks"])
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def about(here: LocalEngine) -> Asking:
    """Return the pictures and layers that the questions are about."""
    return asking(here, MODELS)


@pytest.mark.parametrize("seed", SEEDS)
def test_any_question_has_the_same_answer_in_both_bit_for_bit(
    here: Engine, there: Engine, about: Asking, seed: int
) -> None:
    """Views, values, edits, gradients, single numbers, predictions, ablations, hooks, and refusals."""
    chance = random.Random(seed)
    for task in [random_task(chance, about) for _ in range(EACH)]:
        found, expected = (outcome(each.do(task, visitor="ann")) for each in (there, here))
        assert bits(found) == bits(expected), task


def test_most_of_these_questions_have_an_answer(here: Engine, about: Asking) -> None:
    """Equal refusals alone would prove little."""
    chance = random.Random(0)
    found = [outcome(here.do(random_task(chance, about), visitor="ann")) for _ in range(40)]
    assert sum(isinstance(each, Refused) for each in found) < len(found) / 4
