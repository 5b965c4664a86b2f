"""Questions of the layer and of the shape: against what plain modules return."""

import numpy as np
import pytest
import torch

from tests.viz.quiz.asking import NETS, net_and_input, passed, pixels, several, wrong
from viz.quiz import Question
from viz.quiz.layers import which_layer, which_shape


def as_maps(found: Question, value: torch.Tensor) -> torch.Tensor:
    """A value (1, ...) as maps (channels, height, width), by hand for each of the four nets."""
    value = value[0]
    if found.model == "signalnet":
        return value[None]
    if value.ndim == 2:
        return value[1:].T.unflatten(1, (8, 8))
    return value


def sizes(lengths: torch.Size) -> str:
    """``6 × 28 × 28``."""
    return " × ".join(map(str, lengths))


@pytest.mark.parametrize("net", NETS)
def test_the_layer_is_the_one_whose_maps_are_shown(net: str) -> None:
    """By size and range; the maps of all others have another size."""
    for found in several(which_layer, net):
        values = passed(found)
        maps = as_maps(found, values[found.layer])
        assert found.choices[found.right] == found.layer
        assert found.facts["sides"] == sizes(maps.shape[1:])
        assert found.facts["minimum"] == f"{maps.min():.3g}".replace("-", "−")
        assert all(as_maps(found, values[name]).shape != maps.shape for name in wrong(found))
        shape = sizes(maps.shape[1:] if net == "signalnet" else maps.shape)
        assert found.facts["shape"] == shape
        assert all(f"{name}: " in found.facts["others"] for name in wrong(found))


@pytest.mark.parametrize("net", NETS)
def test_the_picture_of_a_layer_is_that_layers_picture(net: str) -> None:
    """Its first tile: one colour for each value, in the order of the values by hand."""
    found = several(which_layer, net)[0]
    first = as_maps(found, passed(found)[found.layer])[0].double()
    tile = pixels(found.pictures[0])[: first.shape[0], : first.shape[1]].astype(np.int64)
    codes = (tile @ (65536, 256, 1, 0)).ravel()[np.argsort(first.flatten().numpy(), kind="stable")]
    ranks = {int(code): rank for rank, code in enumerate(dict.fromkeys(codes))}
    assert [ranks[int(code)] for code in codes] == sorted(ranks[int(code)] for code in codes)
    assert len(ranks) > 3


def test_a_net_of_tokens_is_asked_about_attention_too() -> None:
    """Heads of attention, and tokens laid out on their grid, each with a sentence of its own."""
    assert {found.ask for found in several(which_layer, "patchformer")} == {
        "layer",
        "layer_tokens",
        "layer_attention",
    }


@pytest.mark.parametrize("net", NETS)
def test_the_right_shape_is_what_the_layer_returns(net: str) -> None:
    """The input is what a plain pre-hook gets; no other choice has that shape."""
    for found in several(which_shape, net):
        model, picture = net_and_input(found)
        given: list[torch.Tensor] = []
        model.get_submodule(found.layer).register_forward_pre_hook(
            lambda _, args, given=given: given.append(args[0])
        )
        with torch.no_grad():
            model(picture)
        right = sizes(passed(found)[found.layer].shape[1:])
        assert found.choices[found.right] == right
        assert right not in wrong(found)
        assert (found.facts["given"], found.facts["shape"]) == (sizes(given[0].shape[1:]), right)
        kind = type(model.get_submodule(found.layer)).__name__
        reasons = {"Linear": "linear", "Flatten": "flatten"}
        expected = reasons.get(kind, "average" if "Avg" in kind else "window")
        assert found.why == f"shape_{expected}"
