"""Question of a gradient's fate: the same backward passes with plain tensor hooks."""

from dataclasses import replace

import numpy as np
import pytest

from tests.viz.quiz.asking import NETS, PHOTOS, Question, came_back, engine, passed, several, wrong
from viz.engine.engine import LocalEngine
from viz.engine.limits import Limits
from viz.errors import TooLargeError
from viz.findings.values import LayerValues, Leaf
from viz.quiz import FatesTask, gradient_fates
from viz.quiz.fates import CHANGED, SAME, ZERO, which_fate
from viz.request.edit_request import EditRequest
from viz.request.inspection import Inspection


def fate(found: Question, layer: str) -> str:
    """Return the fate of the gradient at a layer's output, by hand."""
    before, after = came_back(found)[layer].numpy(), came_back(found, found.layer)[layer].numpy()
    if not after.any():
        return ZERO
    return SAME if np.allclose(before, after, rtol=1e-5, atol=1e-7 * np.abs(before).max()) else CHANGED


@pytest.mark.parametrize("net", NETS)
def test_the_right_layer_alone_has_that_fate(net: str) -> None:
    """The explanation says for all four what became of their gradients."""
    for found in several(which_fate, net)[:5]:
        fates = [fate(found, layer) for layer in found.choices]
        assert list(found.steps) == fates
        assert fates.count(found.ask.removeprefix("fate_")) == 1
        assert found.ask == f"fate_{fates[found.right]}"
        ran = [name for name in passed(found) if name in (found.layer, *found.choices)]
        assert found.facts["order"] == ", ".join(ran)


def test_a_net_with_identity_paths_has_gradients_that_change_and_stay() -> None:
    """Around a block of PhotoNet the gradient has another way: some are neither zero nor as before."""
    steps = {step for found in several(which_fate, "photonet") for step in found.steps}
    assert steps == {SAME, CHANGED, ZERO}


def test_in_a_chain_every_layer_in_front_loses_all() -> None:
    """LeNet has only one path, so a gradient is either zero or unchanged."""
    for found in several(which_fate, "lenet"):
        assert CHANGED not in found.steps
        assert found.layer not in found.choices
        assert len(wrong(found)) == 3


def values(*numbers: float) -> LayerValues:
    """A gradient of these numbers."""
    leaf = Leaf(np.array(numbers, np.float32), "float32")
    return LayerValues("layer", "Linear", "cpu", ({"output": leaf},))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ((1, 2), (1, 2), (("layer", SAME),)),
        ((1, 2), (0, 0), (("layer", ZERO),)),
        ((1, 2), (1, 3), (("layer", CHANGED),)),
        ((1, 2), (1, 2.001), ()),
        ((0, 0), (0, 0), ()),
        ((0, 0), (1, 0), ()),
    ],
)
def test_a_fate_is_said_only_where_it_is_sure(
    before: tuple[float, ...], after: tuple[float, ...], expected: tuple[tuple[str, str], ...]
) -> None:
    """A gradient that was zero tells nothing, nor does one that hardly changed."""
    assert gradient_fates({"layer": values(*before)}, {"layer": values(*after)}) == expected


def test_the_engine_keeps_fates_by_what_they_depend_on() -> None:
    """They depend on picture, net, class and edits, but not on the layer."""
    edit = EditRequest("conv2", side="gradient")
    wanted = Inspection(PHOTOS["cat"].fingerprint, "lenet", "pretrained", "conv2", gradient=3, edits=(edit,))
    task = FatesTask(wanted, PHOTOS["cat"])
    assert task.key == FatesTask(replace(wanted, layer="conv1"), PHOTOS["cat"]).key
    assert task.key != FatesTask(replace(wanted, gradient=2), PHOTOS["cat"]).key
    assert task.key != FatesTask(replace(wanted, edits=()), PHOTOS["cat"]).key
    found = dict(engine().do(task, visitor="test").result())
    assert (found["conv1"], found["relu2"], found["fc3"]) == (ZERO, SAME, SAME)


def test_passes_that_are_too_large_are_refused() -> None:
    """In one sentence, before they run."""
    frugal = LocalEngine(engine()._load, device="cpu", limits=Limits(capture=1000))
    wanted = Inspection(PHOTOS["cat"].fingerprint, "lenet", "pretrained", "conv2", gradient=3)
    with pytest.raises(TooLargeError, match="the gradients of all layers would take about"):
        frugal.do(FatesTask(wanted, PHOTOS["cat"]), visitor="test").result()
    frugal.close()
