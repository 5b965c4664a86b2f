"""Attribution in slices: the numbers of one go, and of autograd by hand; nothing stays open between."""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from tests.viz.subjects import Counting, photo, prepare
from viz.errors import LayoutError, RequestError
from viz.hooks.activations import LayerActivations
from viz.passes.integrated_gradients import integrated_gradients, layer_conductance
from viz.passes.occlusion import occlusion
from viz.passes.studies import ConductanceStudy, GradientStudy, OcclusionStudy, Study

TARGET = 1
IMAGES = prepare(photo(3).image)
STUDIES: dict[str, Callable[[], Study]] = {
    "integrated": lambda: GradientStudy(IMAGES, TARGET, 9),
    "conductance": lambda: ConductanceStudy(IMAGES, TARGET, 9, "second", 0),
    "occlusion": lambda: OcclusionStudy(IMAGES, TARGET, 3, 2),
}


def finished(study: Study, layers: LayerActivations) -> Study:
    """The study, after as many slices as it has steps: no slice may take any time."""
    for done in range(1, study.total + 1):
        assert not study.finished
        study.go_on(layers, 0)
        assert study.done == done
    assert study.finished
    return study


@pytest.mark.parametrize("name", STUDIES)
def test_slices_make_the_numbers_of_the_service(name: str) -> None:
    """A step at a time, with another run of the model between two of them."""
    layers = LayerActivations(Counting(), "cpu")
    expected = {
        "integrated": lambda: integrated_gradients(layers, IMAGES, TARGET, steps=9).values,
        "conductance": lambda: layer_conductance(layers, IMAGES, "second", TARGET, steps=9).values,
        "occlusion": lambda: occlusion(layers, IMAGES, TARGET, window=3, stride=2),
    }[name]()
    study = finished(STUDIES[name](), layers)
    np.testing.assert_allclose(study.values, expected, rtol=1e-5, atol=1e-9)
    assert study.values.shape == expected.shape
    assert study.bytes >= study.values.nbytes


def test_integrated_gradients_are_autograds_mean_on_the_way() -> None:
    """By hand: a plain net, plain autograd, and NumPy's quadrature; the rise is that of the score."""
    net = Counting()
    study = finished(GradientStudy(IMAGES, TARGET, 9), LayerActivations(Counting(), "cpu"))
    places, weights = np.polynomial.legendre.leggauss(9)
    total = np.zeros(tuple(IMAGES.shape))
    for place, weight in zip((1 + places) / 2, weights / 2, strict=True):
        point = (float(place) * IMAGES).requires_grad_()
        (slope,) = torch.autograd.grad(net(point)[0, TARGET], point)
        total += weight * slope.double().numpy() * IMAGES.double().numpy()
    np.testing.assert_allclose(study.values, total, rtol=1e-4, atol=1e-9)
    with torch.no_grad():
        rise = float(net(IMAGES)[0, TARGET] - net(torch.zeros_like(IMAGES))[0, TARGET])
    assert study.rise == pytest.approx(rise, rel=1e-5)


def test_half_of_an_occlusion_is_that_of_the_windows_so_far() -> None:
    """The first row of windows is known, and everything below is 0."""
    study = OcclusionStudy(IMAGES, TARGET, 4, 4)
    layers, net = LayerActivations(Counting(), "cpu"), Counting()
    for _ in range(2):
        study.go_on(layers, 0)
    covered = IMAGES.clone()
    covered[..., :4, 4:] = 0
    with torch.no_grad():
        fall = float(net(IMAGES)[0, TARGET] - net(covered)[0, TARGET])
    np.testing.assert_allclose(study.values[:4, 4:], fall, rtol=1e-4)
    assert not study.values[4:].any()
    assert (study.done, study.total) == (2, 4)


def test_a_slice_ends_when_its_time_is_over_but_never_without_a_step() -> None:
    """With time enough it is one slice; with none it is one step."""
    layers = LayerActivations(Counting(), "cpu")
    study = STUDIES["occlusion"]()
    study.go_on(layers, 0)
    assert study.done == 1
    study.go_on(layers, 1000)
    assert study.finished
    study.go_on(layers, 1000)
    assert study.done == study.total


def test_edits_are_those_that_are_open_in_a_slice() -> None:
    """A study opens nothing of its own: without the edit, the second half sees the plain model."""
    layers, values = LayerActivations(Counting(), "cpu"), []
    for edited in (True, False):
        study = OcclusionStudy(IMAGES, TARGET, 4, 4)
        for half in (True, False):
            edit: Any = layers.edit("first", output=torch.zeros_like) if half or edited else nullcontext()
            with edit:
                study.go_on(layers, 0)
                study.go_on(layers, 0)
        values.append(study.values)
    assert not values[0].any()
    assert not values[1][:4].any()
    assert values[1][4:].all()


class Blind(nn.Module):
    """Scores that no picture changes."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Identity()

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return zeros (N, 3)."""
        return torch.zeros(len(self.layer(images)), 3)


def test_what_cannot_be_told_is_refused_in_words() -> None:
    """Scores that depend on nothing, too many runs, and windows that do not fit."""
    layers = LayerActivations(Blind(), "cpu")
    with pytest.raises(LayoutError, match="no integrated gradients"):
        finished(GradientStudy(IMAGES, TARGET, 2), layers)
    with pytest.raises(LayoutError, match="'layer' has no conductance"):
        finished(ConductanceStudy(IMAGES, TARGET, 2, "layer", 0), layers)
    with pytest.raises(RequestError, match="would take 5001 runs of the model, more than the 5000"):
        GradientStudy(IMAGES, TARGET, 5001)
    with pytest.raises(RequestError, match="does not fit into a picture of 8"):
        OcclusionStudy(IMAGES, TARGET, 9, 2)
    with pytest.raises(RequestError, match="leaves out pixels"):
        OcclusionStudy(IMAGES, TARGET, 2, 3)
