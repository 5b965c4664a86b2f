"""Question of the edit: we repeat every choice with a plain hook; only the right one makes the maps shown."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

from tests.viz.quiz.asking import passed, pixels, several
from viz.maps.mosaic import render_mosaic
from viz.quiz import Picture, Question
from viz.quiz.changes import which_edit
from viz.request.edit_request import edits_from

WITH_RELU = ("lenet", "photonet", "patchformer")
Change = Callable[[torch.Tensor], torch.Tensor]


def by_hand(choice: str, seed: int) -> Change:
    """The edit of a choice such as ``clamp:0.5``, in plain torch."""
    kind, amount = choice.split(":", maxsplit=1)[0], float(choice.split(":")[1])

    def noisy(value: torch.Tensor) -> torch.Tensor:
        return value + torch.randn(value.shape, generator=torch.Generator().manual_seed(seed)) * amount

    return {
        "zero": torch.zeros_like,
        "scale": torch.neg,
        "mean": lambda value: value.mean((2, 3), keepdim=True).expand_as(value).clone(),
        "noise": noisy,
        "clamp": lambda value: value.clamp(-amount, amount),
    }[kind]


def maps_after(found: Question, choice: str) -> np.ndarray:
    """The ReLU's first maps with the edit of a choice."""
    (edit,) = edits_from(found.facts["edit"])
    change = by_hand(choice, edit.seed)
    return passed(found, {found.layer: change})[found.facts["after"]][0][:16].numpy()


def drawn(maps: np.ndarray, scale: tuple[float, float]) -> np.ndarray:
    """Their colours on a scale."""
    return pixels(Picture(render_mosaic(maps, scale=scale, columns=4).png, ""))


@pytest.mark.parametrize("net", WITH_RELU)
def test_the_lower_maps_are_those_of_the_right_edit_alone(net: str) -> None:
    """They share a scale with the maps before; the other edits' maps differ visibly."""
    for found in several(which_edit, net)[:5]:
        before = passed(found)[found.facts["after"]][0][:16].numpy()
        right = maps_after(found, found.choices[found.right])
        scale = (float(min(before.min(), right.min())), float(max(before.max(), right.max())))
        shown = [pixels(picture) for picture in found.pictures]
        assert (drawn(before, scale) != shown[0]).any(axis=2).mean() < 0.001
        assert (drawn(right, scale) != shown[1]).any(axis=2).mean() < 0.001
        for place, choice in enumerate(found.choices):
            if place != found.right:
                far = np.abs(maps_after(found, choice) - right) > 0.09 * (scale[1] - scale[0])
                assert far.mean() >= 0.02


def test_every_edit_is_asked_about_and_explained() -> None:
    """Over several seeds each of the five is right once; the explanation is that of the right one."""
    questions = several(which_edit, *WITH_RELU)
    kinds = [found.choices[found.right].split(":")[0] for found in questions]
    assert set(kinds) == {"zero", "scale", "mean", "noise", "clamp"}
    assert [found.why for found in questions] == [f"edit_{kind}" for kind in kinds]


@pytest.mark.parametrize("net", WITH_RELU)
def test_the_explanations_are_true(net: str) -> None:
    """Zero leaves nothing, a flipped sign passes what was stopped, means are flat, a limit caps values."""
    for found in several(which_edit, net):
        before = passed(found)[found.facts["after"]][0][:16].numpy()
        choice = found.choices[found.right]
        after, amount = maps_after(found, choice), float(choice.split(":")[1])
        match choice.split(":")[0]:
            case "zero":
                assert not after.any()
            case "scale":
                assert not (before * after).any()
                assert after.any()
            case "mean":
                assert all(np.ptp(each) < 1e-5 for each in after)
            case "clamp":
                assert after.max() <= amount
                assert np.array_equal(after[before < amount], before[before < amount])
            case "noise":
                assert after[before == 0].any()
