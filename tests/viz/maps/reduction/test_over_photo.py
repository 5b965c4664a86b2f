"""viz/maps/reduction/over_photo.py against gradients, and pictures whose pixels say where they are."""

from typing import NamedTuple

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from PIL import Image
from torch import nn

import models
from tests.viz.receptive.oracles import box_of, smooth_twin
from viz.commands.capture import layer_values
from viz.commands.line.subject import activations, load_subject
from viz.errors import LayoutError
from viz.maps.layout import Layout, arrange
from viz.maps.reduction.over_photo import Backdrop, backdrop
from viz.maps.reduction.reduce import reduce_maps
from viz.pictures.photo import Photo, cropped, photograph
from viz.pictures.subject import Subject
from viz.request.arrangement import Lattice

SHAPES = ((400, 240), (240, 400), (300, 300), (640, 200))
NETS = (
    ("lenet", "conv2"),
    ("photonet", "stage1.1.conv2"),
    ("patchformer", "tokens"),
    ("resnet18", "layer2.1.bn2"),
    ("alexnet", "features.3"),
    ("regnet_x_400mf", "trunk_output.block2"),
    ("squeezenet1_1", "features.4"),
    ("mobilenet_v2", "features.7"),
    ("shufflenet_v2_x0_5", "stage2"),
    ("densenet121", "features.denseblock1"),
    ("mnasnet0_5", "layers.8"),
    ("googlenet", "inception3a"),
)
CASES = [(net, layer, SHAPES[place % 4]) for place, (net, layer) in enumerate(NETS)]
CASES += [(net, layer, size) for net, layer in NETS[:3] for size in SHAPES]


class Looked(NamedTuple):
    """A layer's maps of a photo, where they lie, and the model."""

    subject: Subject
    layout: Layout
    under: Backdrop
    arguments: tuple[torch.Tensor]


def photo_of(size: tuple[int, int]) -> Photo:
    """Bright noise of this (width, height)."""
    pixels = np.random.default_rng(4).integers(60, 256, (size[1], size[0], 3), np.uint8)
    return photograph(Image.fromarray(pixels))


def looked(model: str, layer: str, photo: Photo) -> Looked:
    """Look at a layer of a net whose gradients reach all that a cell can depend on."""
    subject = load_subject(model, "random")
    smooth_twin(subject.module)
    values = layer_values(activations(subject), subject, photo, layer)
    leaf = values.calls[0]["output"]
    layout = arrange(
        leaf.array, layer_type=values.type, image_size=values.image_size, arrangement=leaf.arrangement
    )
    window = models.describe(model).preprocessing.window(photo.image.size)
    under = backdrop(photo, window, layout, values.image_size, layer)
    return Looked(subject, layout, under, subject.arguments(photo.image))


def strongest_inside(reduced: NDArray[np.float32]) -> tuple[int, int]:
    """Return the place of the largest value in the middle, where no border cuts a receptive field off."""
    inside = np.full(reduced.shape, -np.inf)
    middle = tuple(slice(side * 2 // 5, side - side * 2 // 5) for side in reduced.shape)
    inside[middle] = reduced[middle]
    row, column = np.unravel_index(inside.argmax(), inside.shape)
    return int(row), int(column)


def gradient_centre(subject: Subject, layer: str, images: torch.Tensor, place: int) -> tuple[float, float]:
    """Return the (row, column) in the middle of all input pixels with a gradient of one place's numbers.

    ``place`` counts from the end, so that a class token in front does not matter.
    """
    kept: list[torch.Tensor] = []
    subject.module.get_submodule(layer).register_forward_hook(lambda *called: kept.append(called[2]))
    for each in subject.module.modules():
        if isinstance(each, nn.BatchNorm2d):
            each.register_forward_hook(_with_gradients_in_order)
    images = images.clone().requires_grad_()
    subject.module(images)
    numbers = kept[0][0].flatten(1) if kept[0].ndim == 4 else kept[0][0].T
    numbers[:, place].sum().backward()
    assert images.grad is not None
    top, left, bottom, right = box_of(images.grad[0].abs().sum(0) > 0)
    assert min(top, left) > 0
    assert (bottom < images.shape[2], right < images.shape[3]) == (True, True)
    return (top + bottom - 1) / 2, (left + right - 1) / 2


def _with_gradients_in_order(_layer: nn.Module, _inputs: object, output: torch.Tensor) -> None:
    """PyTorch 2.15 misplaces gradients in batch norm on a processor if their memory is in another order."""
    output.register_hook(lambda gradient: gradient.contiguous())


def on_the_photo(subject: Subject, size: tuple[int, int], axis: int, at: float) -> float:
    """Return the photo's row, or column, at a row or column of the input: a ramp of brightness tells it."""
    width, height = size
    length = (height, width)[axis]
    ramp = np.round((np.arange(length) + 0.5) * 255 / length).astype(np.uint8)
    shaded = np.broadcast_to(ramp[:, None] if axis == 0 else ramp, (height, width))
    lines = [
        subject.prepare(Image.fromarray(np.stack([pixels] * 3, axis=2)))[0, 0].mean(1 - axis).numpy()
        for pixels in (shaded, np.zeros_like(shaded), np.full_like(shaded, 255))
    ]
    shares = (lines[0] - lines[1]) / (lines[2] - lines[1])
    return float(np.interp(at, np.arange(len(shares)), shares)) * length


@pytest.mark.parametrize(("model", "layer", "size"), CASES)
def test_the_strongest_cell_lies_where_its_gradient_says(
    model: str, layer: str, size: tuple[int, int]
) -> None:
    """In pixels of the whole photo, to the pixel and a half that 256 steps of brightness leave open."""
    photo = photo_of(size)
    subject, layout, under, arguments = looked(model, layer, photo)
    row, column = strongest_inside(reduce_maps(layout.maps, "l2").values)
    _, rows, columns = layout.maps.shape
    at = gradient_centre(subject, layer, arguments[0], row * columns + column - rows * columns)
    left, top, right, bottom = under.cells
    found = (top + (row + 0.5) * (bottom - top) / rows, left + (column + 0.5) * (right - left) / columns)
    expected = [on_the_photo(subject, size, axis, at[axis]) for axis in (0, 1)]
    assert found == pytest.approx(expected, abs=max(1.5, max(size) / 255))


def test_a_part_of_a_photo_lies_in_its_place_on_the_whole() -> None:
    """The same boxes as for the part alone, moved by its corner; the picture is the whole one."""
    whole = photo_of((400, 240))
    part = cropped(whole, "90,30,120,160")
    alone = looked("lenet", "conv2", photograph(part.image)).under
    found = looked("lenet", "conv2", part).under
    assert found.image is whole.image
    for box, moved in ((alone.cells, found.cells), (alone.seen, found.seen)):
        assert moved == pytest.approx(np.add(box, (90, 30, 90, 30)))


def test_maps_whose_places_are_not_known_are_not_laid_over_a_photo() -> None:
    """Guessed maps, tokens by tokens, and several pictures in a batch; the sentence says which."""
    photo, window = photo_of((40, 30)), (0, 0, 40, 30)
    for layout in (arrange(np.zeros((1, 4, 5, 5))), arrange(np.zeros((1, 2, 9, 9)), kind="attention")):
        with pytest.raises(LayoutError, match="conv cannot be laid over the photo: it is not known"):
            backdrop(photo, window, layout, (32, 32), "conv")
    lattice = Lattice((0, 0), (8, 8))
    several = Layout("maps", np.zeros((4, 5, 5)), ("channel", "height", "width"), "", 2, lattice=lattice)
    with pytest.raises(LayoutError, match="values for several pictures"):
        backdrop(photo, window, several, (32, 32), "conv")
