"""Optimised pictures of nets whose optimum is known; the same wish, the same picture; where it ends."""

import numpy as np
import pytest
import torch
from torch import nn

from tests.viz.visualised.nets import begun, dead, finished, subject_of, wants_edges, wants_red
from viz.errors import CallError, LayoutError, RequestError, UnknownLayerError
from viz.hooks.activations import LayerActivations
from viz.request.optimised import NEAR, OptimisationSettings, Wish
from viz.visualised.inputs import inputs_of
from viz.visualised.study import Layer, OptimisedPictures


@pytest.mark.parametrize(("channel", "sign"), [(0, 1), (1, -1)])
def test_a_channel_that_wants_a_colour_gets_it(channel: int, sign: int) -> None:
    """Red, or all but red; the layer behind it raises if the pass goes on."""
    assert sign * redness(finished(wants_red(), Wish("0", channel=channel))) > 0.2


def redness(pictures: np.ndarray) -> float:
    """Return the excess of red over green, or over blue."""
    red, green, blue = pictures[0].mean((0, 1))
    return float(min(red - green, red - blue, key=abs))


def test_a_channel_that_wants_edges_gets_them_its_way() -> None:
    """Rows that differ from their neighbours, or columns, and never the other way round."""
    for channel in (0, 1):
        picture = finished(wants_edges(), Wish("0", channel=channel), steps=80)[0].mean(-1)
        down, across = np.abs(np.diff(picture, axis=0)).mean(), np.abs(np.diff(picture, axis=1)).mean()
        wanted, other = (down, across) if channel == 0 else (across, down)
        assert wanted > 1.5 * other


def test_one_cell_changes_what_it_looks_at() -> None:
    """Far from the cell the colours are those of the waves around it: no nearer to red than its own place."""
    net = wants_red()
    study, layers = begun(net, Wish("0", cell=(4, 11)), steps=60)
    study.go_on(layers, 60)
    value = layers.run(inputs_of(subject_of(net)).given(_tensor(study.pictures))[0], until="0")[0, 0]
    assert float(value[4, 11]) == pytest.approx(float(value.max()), abs=0.1)
    assert float(value[4, 11]) > float(value.mean()) + 1


def test_a_direction_goes_between_channels() -> None:
    """Channel 0 minus channel 1 is red; their sum is nothing, and no picture can be found for it."""
    assert redness(finished(wants_red(), Wish("0", direction=((0, 1.0), (1, -1.0))))) > 0.2
    study, layers = begun(wants_red(), Wish("0", direction=((0, 1.0), (1, 1.0))))
    study.go_on(layers, 60)
    assert study.stuck
    assert study.done < study.total


def test_dead_rectifiers_let_the_slope_through() -> None:
    """Without that, the first picture is the last one."""
    stuck, layers = begun(dead(), Wish("1"))
    stuck.go_on(layers, 60)
    assert stuck.stuck
    assert redness(finished(dead(), Wish("1"), rectifiers=("1",))) > 0.2


@pytest.mark.parametrize("way", ["fourier", "maco"])
def test_the_same_wish_makes_the_same_picture(way: str) -> None:
    """Bit for bit, whatever is drawn in between; another seed makes another."""
    one, layers = begun(wants_edges(), Wish("0"), way=way, steps=6)
    while not one.finished:
        one.step(layers)
        torch.rand(7)
    again = finished(wants_edges(), Wish("0"), way=way, steps=6)
    np.testing.assert_array_equal(one.pictures, (again * 255).round())
    other = finished(wants_edges(), Wish("0"), way=way, steps=6, seed=1)
    assert (again != other).mean() > 0.5


@pytest.mark.parametrize("way", ["fourier", "maco"])
def test_every_way_raises_what_is_wished_for(way: str) -> None:
    """Far above the picture that it began with."""
    study, layers = begun(wants_edges(), Wish("0"), way=way, steps=60)
    before = study.reached(layers).wish[0]
    study.go_on(layers, 60)
    assert study.reached(layers).wish[0] > 1.3 * before


def test_a_photograph_stays_near() -> None:
    """It is raised, and changed by no more than it may be."""
    net, photo = wants_red(), torch.rand(1, 3, 16, 16, generator=torch.Generator().manual_seed(3))
    layers, inputs = LayerActivations(net, "cpu"), inputs_of(subject_of(net))
    making = OptimisationSettings(steps=60, from_photo=True, count=4)
    study = OptimisedPictures(inputs, Wish("0"), making, Layer("Conv2d"), photo)
    before = study.reached(layers).wish[0]
    study.go_on(layers, 60)
    after, found = study.reached(layers).wish, study.pictures / 255
    assert (len(found), after[0] > before + 0.3) == (1, True)
    far = np.sqrt(np.mean((found[0] - photo[0].permute(1, 2, 0).numpy()) ** 2))
    assert 0.5 * NEAR < far <= NEAR + 1 / 255


def test_several_pictures_are_raised_together() -> None:
    """Each is raised, and none is another's copy."""
    torch.manual_seed(0)
    net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Conv2d(8, 4, 3))
    together, layers = begun(net, Wish("2"), steps=30, count=3)
    before = together.reached(layers).wish
    together.go_on(layers, 60)
    assert together.pictures.shape == (3, 16, 16, 3)
    assert len(np.unique(together.pictures.reshape(3, -1), axis=0)) == 3
    assert (together.reached(layers).wish > before).all()


def test_steps_stop_between_slices_and_go_on() -> None:
    """One step for no time; nothing stays on the model in between."""
    study, layers = begun(wants_red(), Wish("0"), steps=3)
    for done in (1, 2, 3):
        study.go_on(layers, 0)
        assert study.done == done
        assert not any(module._forward_hooks for module in layers.model.modules())
        assert all(weight.requires_grad for weight in layers.model.parameters())
    assert study.finished
    assert study.bytes > study.pictures.nbytes


def test_what_is_measured_is_the_picture_that_is_shown() -> None:
    """By a plain call of the layer; a photograph is measured in the same way."""
    net = wants_red()
    study, layers = begun(net, Wish("0"), steps=5)
    study.go_on(layers, 60)
    inputs = inputs_of(subject_of(net)).given(_tensor(study.pictures))
    with torch.no_grad():
        maps = net[0](inputs[0])[0].numpy()
    reached = study.reached(layers)
    np.testing.assert_allclose(reached.peaks[0], maps.max((1, 2)), rtol=1e-5)
    assert maps[0].min() < 0  # else a mean of which cells below zero count less would be the same
    np.testing.assert_allclose(reached.wish[0], maps[0].mean(), rtol=1e-4)
    np.testing.assert_allclose(study.peaks_of(layers, inputs), reached.peaks[0], rtol=1e-6)


@pytest.mark.parametrize(
    ("wish", "error"),
    [
        (Wish("0", channel=2), RequestError),
        (Wish("0", cell=(16, 0)), RequestError),
        (Wish("0", direction=((2, 1.0),)), RequestError),
        (Wish("0", call=1), CallError),
    ],
)
def test_a_wish_that_cannot_be_is_refused_before_the_first_step(wish: Wish, error: type[Exception]) -> None:
    """With one of our errors, whose sentence a visitor can act on."""
    net = nn.Sequential(wants_red()[0])
    study, layers = begun(net, wish)
    with pytest.raises(error):
        study.step(layers)
    assert study.done == 0


def test_layers_without_numbers_or_slope_are_refused() -> None:
    """Whole numbers have no slope, and neither has what is detached."""
    with pytest.raises(UnknownLayerError):
        begun(wants_red(), Wish("nowhere"))

    class Detached(nn.Module):
        def forward(self, images: torch.Tensor) -> torch.Tensor:
            return images.detach() * 2

    class Whole(nn.Module):
        def forward(self, images: torch.Tensor) -> torch.Tensor:
            return images.round().long()

    for layer in (Detached(), Whole()):
        study, layers = begun(nn.Sequential(layer), Wish("0"))
        with pytest.raises(LayoutError):
            study.step(layers)


def _tensor(pictures: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 255
