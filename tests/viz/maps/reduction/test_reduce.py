"""viz/maps/reduction/reduce.py against NumPy, SciPy and scikit-learn, on made maps and on real layers."""

import math
import warnings
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

import viz
from tests.viz.maps.reduction.formulas import FORMULAS, similar, strongest, three_components
from viz.commands.line.subject import activations, load_subject
from viz.errors import LayoutError, RequestError
from viz.maps.layout import arrange
from viz.maps.reduction.reduce import REDUCTIONS, reduce_maps
from viz.passes.forward import capture
from viz.pictures.photo import photograph
from viz.pictures.samples import sample

MAPS = np.random.default_rng(3).standard_normal((11, 5, 7)).astype(np.float32)
SINGLE = np.finfo(np.float32).eps / 2  # what one rounding to single precision may change
SCALARS = [how for how in REDUCTIONS if how != "pca"]
BAD = (np.nan, np.inf, -np.inf)


@pytest.mark.parametrize("how", SCALARS)
def test_each_reduction_equals_its_formula(how: str) -> None:
    """In double precision, rounded once: half a unit in the last place of single precision."""
    found = viz.reduce_maps(MAPS, how)
    assert (found.values.dtype, found.values.shape, found.how, found.explained) == (
        np.float32,
        (5, 7),
        how,
        (),
    )
    np.testing.assert_allclose(found.values, FORMULAS[how](MAPS.astype(np.float64)), rtol=SINGLE * 1.001)


def test_components_equal_those_of_scikit_learn() -> None:
    """Scores with their signs, and shares of variance; it makes the largest loading positive too."""
    found = reduce_maps(MAPS, "pca")
    scores, shares = three_components(MAPS.astype(np.float64))
    assert found.values.dtype == np.float32
    np.testing.assert_allclose(found.values, scores, rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(found.explained, shares, rtol=1e-12)


def real_layers(model: str) -> Iterator[tuple[str, NDArray[np.generic]]]:
    """Yield the maps of all that each layer of a trained model returns for a photo."""
    subject, photo = load_subject(model, "pretrained"), photograph(sample("cat"))
    layers = activations(subject)
    arguments = subject.arguments(photo.image)
    for name, values in capture(layers, arguments, tuple(layers.names)).items():
        for call in values.calls:
            for leaf in call.values():
                yield name, arrange(leaf.array).maps


@pytest.mark.parametrize(("model", "least"), [("lenet", 8), ("photonet", 30), ("patchformer", 30)])
def test_every_layer_of_a_real_net_is_reduced_exactly(model: str, least: int) -> None:
    """Together more than 40 layers, maps, tokens and vectors."""
    found = list(real_layers(model))
    assert len(found) >= least
    for name, maps in found:
        doubles = maps.astype(np.float64)
        for how in SCALARS:
            expected, values = FORMULAS[how](doubles), reduce_maps(maps, how).values
            tiny = 1e-9 * max(1.0, float(np.abs(doubles).max()))  # where SciPy's own terms cancel
            np.testing.assert_allclose(values, expected, rtol=1e-6, atol=tiny, err_msg=f"{name} {how}")


@pytest.mark.parametrize("model", ["lenet", "photonet", "patchformer"])
def test_components_of_every_layer_of_a_real_net_are_those_of_scikit_learn(model: str) -> None:
    """All shares, and the scores of each component whose variance no other one nearly has."""
    for name, maps in real_layers(model):
        found = reduce_maps(maps, "pca")
        scores, shares = three_components(maps.astype(np.float64))
        np.testing.assert_allclose(found.explained, shares, rtol=1e-6, atol=1e-12, err_msg=name)
        gaps = -np.diff(np.concatenate([[np.inf], shares]))
        alone = (gaps > 1e-4) & (np.append(gaps[1:], shares[-1]) > 1e-4)
        tiny = 1e-6 * max(1.0, float(np.abs(scores).max()))
        np.testing.assert_allclose(found.values[..., alone], scores[..., alone], atol=tiny, err_msg=name)


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("how", SCALARS)
def test_a_place_with_a_number_that_is_not_finite_is_nan(how: str, bad: float) -> None:
    """That place alone, without a warning; the numbers elsewhere are those of the formula."""
    maps = MAPS.copy()
    maps[strongest(MAPS.astype(np.float64), 1)[0], 1, 2] = bad
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = reduce_maps(maps, how).values
    assert np.argwhere(~np.isfinite(found)).tolist() == [[1, 2]]
    assert np.isnan(found[1, 2])
    maps[:, 1, 2] = 0
    if how != "top":  # whose channels are those of the finite numbers
        expected = reduce_maps(maps, how).values
        assert np.array_equal(np.delete(found.ravel(), 9), np.delete(expected.ravel(), 9))


@pytest.mark.parametrize("bad", BAD)
def test_components_are_fitted_to_the_finite_places(bad: float) -> None:
    """As scikit-learn fits them without that place; its own scores are NaN."""
    maps = MAPS.copy()
    maps[4, 1, 2] = bad
    found = reduce_maps(maps, "pca")
    others = np.delete(MAPS.reshape(11, -1), 9, axis=1)[:, None].astype(np.float64)
    scores, shares = three_components(others)
    assert np.isnan(found.values[1, 2]).all()
    np.testing.assert_allclose(np.delete(found.values.reshape(-1, 3), 9, axis=0), scores[0], rtol=1e-6)
    np.testing.assert_allclose(found.explained, shares, rtol=1e-12)


@pytest.mark.parametrize("how", REDUCTIONS)
def test_maps_without_a_finite_number_are_nan_throughout(how: str) -> None:
    """And components explain nothing."""
    found = reduce_maps(np.full((2, 2, 2), np.nan, np.float32), how)
    assert np.isnan(found.values).all()
    assert sum(found.explained) == 0


def test_a_channel_that_is_not_summed_makes_no_place_nan() -> None:
    """Its strength is that of its finite numbers; a channel without any comes last."""
    maps = np.stack([np.full((1, 2), value) for value in (1.0, 3.0, np.nan, 2.0)])
    maps[0, 0, 0] = np.inf
    found = reduce_maps(maps, "top", top=2)
    assert (found.values.tolist(), found.channels) == ([[5.0, 5.0]], (1, 3))
    assert reduce_maps(maps, "top", top=9).channels == (1, 3, 0, 2)


def test_the_strongest_channels_come_first_and_ties_go_to_the_lower_index() -> None:
    """By the mean of absolute values: −4 is stronger than 3."""
    maps = np.array([3.0, -4.0, 0.5, 3.0, -4.0])[:, None, None]
    found = reduce_maps(maps, "top", top=3)
    assert (found.channels, found.values.item()) == ((1, 4, 0), -5.0)
    assert reduce_maps(maps, "top", channels=[3, 2, 0], top=2).channels == (0, 3)
    assert reduce_maps(maps, "top").channels == (1, 4, 0, 3, 2)
    assert len(reduce_maps(MAPS, "top").channels) == 8


@pytest.mark.parametrize("how", REDUCTIONS)
def test_chosen_channels_are_reduced_as_if_there_were_no_others(how: str) -> None:
    """Bit for bit, in whatever order they are given; an index is the channel's own."""
    found, alone = reduce_maps(MAPS, how, channels=[9, 2, 5]), reduce_maps(MAPS[[2, 5, 9]], how)
    own = np.array([2, 5, 9], np.float32)
    expected = own[alone.values.astype(int)] if how == "argmax" else alone.values
    assert np.array_equal(found.values, expected)
    assert found.channels == tuple(int(own[place]) for place in alone.channels)
    assert found.explained == alone.explained


def test_one_channel_has_the_values_that_follow_from_the_formulas() -> None:
    """Its softmax is 1, so that its entropy is 0; its only component is itself minus its mean."""
    one = MAPS[:1]
    for how, expected in {
        "mean": one[0],
        "abs-mean": np.abs(one[0]),
        "max": one[0],
        "l2": np.abs(one[0]),
        "std": np.zeros((5, 7)),
        "entropy": np.zeros((5, 7)),
        "argmax": np.zeros((5, 7)),
        "top": one[0],
        "similar": np.sign(one[0]) * np.sign(one[0].ravel()[np.abs(one[0]).argmax()]),
    }.items():
        np.testing.assert_allclose(reduce_maps(one, how).values, expected, rtol=SINGLE * 2, err_msg=how)
    found = reduce_maps(one, "pca")
    np.testing.assert_allclose(found.values[..., 0], one[0] - one[0].astype(np.float64).mean(), rtol=1e-6)
    assert not found.values[..., 1:].any()
    assert found.explained == (1.0, 0.0, 0.0)


@pytest.mark.parametrize("factor", [1.0, 1e-200, 1e200])
def test_places_are_compared_with_any_one_by_their_directions(factor: float) -> None:
    """Also of lengths whose squares overflow."""
    maps = MAPS.astype(np.float64) * factor
    maps[:, 4, 6], maps[:, 0, 0] = -3 * maps[:, 2, 3], 0
    found = reduce_maps(maps, "similar", at=(2, 3))
    expected = similar(maps / factor, 2 * 7 + 3)
    np.testing.assert_allclose(found.values, expected, rtol=SINGLE * 2, atol=1e-15)
    assert (found.at, found.values[2, 3], found.values[4, 6], found.values[0, 0]) == ((2, 3), 1, -1, 0)


def test_without_a_choice_places_are_compared_with_the_strongest() -> None:
    """The first of several; of a net that is silent everywhere, all similarities are 0."""
    maps = np.zeros((2, 2, 3))
    maps[:, 0, 2] = maps[:, 1, 0] = 5
    maps[0, 1, 1] = np.inf
    assert reduce_maps(maps, "similar").at == (0, 2)
    silent = reduce_maps(np.zeros((2, 2, 3)), "similar")
    assert (silent.at, silent.values.any()) == ((0, 0), False)
    assert np.isnan(reduce_maps(maps, "similar", at=(1, 1)).values).all()


@pytest.mark.parametrize(
    ("at", "said"), [((5, 0), "no place 5, 0: these maps have 5 rows"), ((0, -1), "0, -1")]
)
def test_a_place_that_is_not_there_is_refused(at: tuple[int, int], said: str) -> None:
    """Nothing counts from the end."""
    with pytest.raises(RequestError, match=said):
        reduce_maps(MAPS, "similar", at=at)
    with pytest.raises(RequestError, match="goes with the reduction similar, not with mean"):
        reduce_maps(MAPS, "mean", at=(0, 0))


@pytest.mark.parametrize("value", [0.0, 0.1, 1e5 + 0.3])
def test_constant_maps_have_components_of_exactly_zero(value: float) -> None:
    """No remainder of rounding, which would be stretched over all colours."""
    found = reduce_maps(np.full((4, 9, 9), value, np.float32), "pca")
    assert not found.values.any()
    assert found.explained == (0.0, 0.0, 0.0)
    assert reduce_maps(np.full((4, 9, 9), value), "entropy").values[0, 0] == np.float32(math.log(4))


def test_components_beyond_the_rank_are_exactly_zero() -> None:
    """Three multiples of one channel have one component."""
    maps = np.stack([MAPS[0] * np.float32(factor) for factor in (1, 2, -4)])
    found = reduce_maps(maps, "pca")
    assert not found.values[..., 1:].any()
    assert found.explained[1:] == (0.0, 0.0)
    assert found.explained[0] == pytest.approx(1, abs=1e-15)


def test_the_loading_of_largest_absolute_value_is_positive() -> None:
    """Of equally large ones that of the lowest channel, for maps and for their negatives."""
    ramp = np.arange(6.0).reshape(2, 3) - 2.5
    for sign in (1, -1):
        first = reduce_maps(np.stack([ramp, -3 * ramp]) * sign, "pca").values[..., 0]
        np.testing.assert_allclose(first, -math.sqrt(10) * ramp * sign, rtol=1e-6)
        tied = reduce_maps(np.stack([ramp, -ramp]) * sign, "pca").values[..., 0]
        np.testing.assert_allclose(tied, math.sqrt(2) * ramp * sign, rtol=1e-6)


def test_entropy_keeps_its_digits_where_one_channel_has_nearly_all() -> None:
    """Two channels 40 apart: e⁻⁴⁰ (1 + 40), to first order; 1e30 apart leave nothing."""
    found = reduce_maps(np.array([40.0, 0.0])[:, None, None], "entropy").values.item()
    assert found == pytest.approx(41 * math.exp(-40), rel=1e-6)
    assert reduce_maps(np.array([1e30, -1e30, 0.0])[:, None, None], "entropy").values.item() == 0


def test_numbers_near_the_end_of_double_precision_are_no_trouble() -> None:
    """Infinite, once single precision cannot hold them; shares of variance need no squares of it."""
    huge = MAPS.astype(np.float64) * 1e300
    for how in REDUCTIONS:
        reduce_maps(huge, how)
    assert reduce_maps(huge, "pca").explained == pytest.approx(reduce_maps(MAPS, "pca").explained)
    assert np.isinf(reduce_maps(huge, "l2").values).all()


def test_a_large_layer_is_reduced_in_parts_to_the_same_numbers() -> None:
    """More places than are worked on at once."""
    maps = np.random.default_rng(1).standard_normal((40, 200, 300)).astype(np.float32)
    np.testing.assert_allclose(
        reduce_maps(maps, "l2").values, np.linalg.norm(maps.astype(np.float64), axis=0), rtol=1e-7
    )


def test_truth_values_integers_and_half_precision_are_maps_too() -> None:
    """And so are a single map, and a vector."""
    assert reduce_maps(np.array([[[True]], [[False]]]), "mean").values.item() == 0.5
    assert reduce_maps(np.array([[[-128]], [[127]]], np.int8), "abs-mean").values.item() == 127.5
    assert reduce_maps(np.full((2, 1, 1), 60000, np.float16), "top").values.item() == 120000
    assert reduce_maps(np.ones((2, 3)), "mean").values.shape == (2, 3)
    assert reduce_maps(np.arange(4.0), "mean").values.tolist() == [[1.5]]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"how": "median"}, "no reduction 'median': choose one of mean, abs-mean, max"),
        ({"channels": [11]}, "no channel 11: this layer has channels 0 to 10"),
        ({"channels": [0, -1]}, "no channel -1"),
        ({"channels": []}, "no channel is chosen"),
        ({"channels": [2, 2]}, "a channel is chosen twice"),
        ({"how": "top", "top": 0}, "sums at least 1 channel, not 0"),
        ({"top": 3}, "goes with the reduction top, not with mean"),
    ],
)
def test_what_cannot_be_reduced_is_refused_in_a_sentence(wrong: dict[str, object], said: str) -> None:
    """Each of them says what is possible."""
    with pytest.raises(RequestError, match=said):
        reduce_maps(MAPS, **{"how": "mean"} | wrong)


@pytest.mark.parametrize("at", [(1,), (1, 2, 3), (1.0, 1), ()])
def test_a_place_is_two_whole_numbers(at: object) -> None:
    """In a sentence, and never another place instead."""
    with pytest.raises(RequestError, match="a place is a row and a column, two whole numbers"):
        reduce_maps(MAPS, "similar", at=at)  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_the_strongest_place_is_found_at_every_size(size: float) -> None:
    """Also where squares are beyond all numbers."""
    maps = np.ones((3, 4, 5)) * size
    maps[:, 2, 3] *= 5
    assert reduce_maps(maps, "similar").at == (2, 3)


@pytest.mark.parametrize("shape", [(0, 3, 3), (3, 0, 3), (2, 3, 4, 5)])
def test_empty_maps_and_other_shapes_are_refused(shape: tuple[int, ...]) -> None:
    """As everywhere where maps are drawn."""
    with pytest.raises(LayoutError):
        reduce_maps(np.zeros(shape), "mean")
    with pytest.raises(LayoutError):
        reduce_maps(np.zeros((2, 2, 2), complex), "pca")
