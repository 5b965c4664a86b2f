"""Before and after: differences of values, and what edits do to the predictions."""

from dataclasses import replace

import numpy as np
import pytest

from viz.errors import LayoutError
from viz.findings.edit_effects import difference, prediction_changes
from viz.findings.values import LayerValues, Leaf
from viz.request.inspection import Inspection
from viz.views.drawing import draw_view


def values(*arrays: np.ndarray) -> LayerValues:
    """A layer whose calls returned these arrays."""
    return LayerValues(
        "conv", "Conv2d", "cpu", tuple({"output": Leaf(each, str(each.dtype))} for each in arrays)
    )


def wanted(**more: object) -> Inspection:
    """A request for the layer's difference."""
    return Inspection("0" * 64, "net", "random", "conv", show="difference", **more)


def test_a_difference_is_after_minus_before_call_by_call() -> None:
    """Values are taken as they are, in their own precision."""
    rng = np.random.default_rng(0)
    after, before = (rng.normal(size=(2, 1, 3, 4, 4)).astype(np.float32) for _ in range(2))
    found = difference(values(*after), values(*before))
    for call in range(2):
        np.testing.assert_array_equal(found.call(call)["output"].array, after[call] - before[call])


def test_unsigned_and_boolean_values_do_not_wrap_around() -> None:
    """Zero minus one is minus one."""
    found = difference(values(np.zeros((1, 1, 2, 2), np.uint8)), values(np.ones((1, 1, 2, 2), np.uint8)))
    assert (found.call(0)["output"].array == -1).all()
    flags = difference(values(np.zeros((1, 2), bool)), values(np.ones((1, 2), bool)))
    assert (flags.call(0)["output"].array == -1).all()


def test_infinity_minus_infinity_is_not_a_number_and_no_warning() -> None:
    """It is counted as NaN in the view."""
    same = np.array([[[[np.inf, 1.0]]]])
    view = draw_view(difference(values(same), values(same)), wanted())
    assert view.statistics.nan == 1


@pytest.mark.parametrize("sign", [1, -1])
def test_a_difference_has_diverging_colours_also_when_it_is_of_one_sign(sign: int) -> None:
    """Zero is in their middle; a colormap that was asked for is kept."""
    grown = np.abs(np.random.default_rng(1).normal(size=(1, 2, 3, 3))) * sign
    found = difference(values(grown), values(np.zeros((1, 2, 3, 3))))
    view = draw_view(found, wanted())
    assert view.colormap == "coolwarm"
    assert view.vmin == -view.vmax
    assert draw_view(found, wanted(colormap="magma")).colormap == "magma"


def test_a_difference_of_gradients_says_whose_they_are() -> None:
    """It has no Grad-CAM, which is not linear in gradients."""
    of_cat = replace(
        values(np.ones((1, 2, 3, 3))), score_of="class 'cat' (logit 2)", cams=(Leaf(np.ones(1), ""),)
    )
    found = difference(of_cat, of_cat)
    assert (found.score_of, found.cams) == (of_cat.score_of, ())


def test_what_changed_its_shape_has_no_difference() -> None:
    """The view says so in place of maps."""
    found = difference(values(np.ones((1, 2, 3, 3))), values(np.ones((1, 2, 4, 4))))
    with pytest.raises(LayoutError, match=r"from \(1, 2, 4, 4\) to \(1, 2, 3, 3\)"):
        draw_view(found, wanted())


def test_the_best_predictions_after_and_the_best_one_before_are_compared() -> None:
    """Also when the best one before is now the last of all."""
    before, after = np.array([0.7, 0.1, 0.1, 0.06, 0.04]), np.array([0.0, 0.5, 0.2, 0.2, 0.1])
    changes = prediction_changes(before, after, tuple("abcde"), count=2)
    assert [(each.label, each.before, each.after) for each in changes] == [
        ("b", 0.1, 0.5),
        ("c", 0.1, 0.2),
        ("a", 0.7, 0.0),
    ]
