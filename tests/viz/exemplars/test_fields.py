"""The part of the picture that a kept cell sees, beside ``viz.receptive`` and beside changing pixels."""

from pathlib import Path
from typing import cast

import numpy as np
import pytest
import torch
from PIL import Image
from torch import Tensor, nn

from tests.viz.exemplars.folders import Small, noise, request_of, rows, search_of, searched
from tests.viz.subjects import as_seen, prepare, subject
from viz.exemplars.chosen import ChosenLayer, chosen_layers
from viz.exemplars.fields import box_of, boxes_of
from viz.exemplars.ranking import nothing
from viz.exemplars.search import Search, exemplars
from viz.hooks.activations import LayerActivations
from viz.passes.forward import BLANK
from viz.pictures.images import read_image
from viz.pictures.subject import Subject
from viz.receptive import receptive_field


class Mixed(nn.Module):
    """Windows of several sizes, a pooling with padding, channels at the end, and one number for each."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.conv = nn.Conv2d(3, 4, 3, padding=1)
        self.pool = nn.MaxPool2d(3, 2, padding=1)
        self.wide = nn.Conv2d(4, 6, (1, 3), dilation=(1, 2), padding=(0, 2))
        self.norm = nn.LayerNorm(6)
        self.head = nn.Linear(6, 2)

    def forward(self, images: Tensor) -> Tensor:
        """Return (N, 2) of (N, 3, H, W)."""
        maps = self.norm(self.wide(self.pool(self.conv(images))).permute(0, 2, 3, 1))
        scores: Tensor = self.head(maps.mean((1, 2)))
        return scores


def test_boxes_are_the_receptive_fields_of_their_cells(tmp_path: Path) -> None:
    """Of every kept cell of every kind of layer, asked for one by one; at the borders they are cut off."""
    net, out = Mixed(), tmp_path / "out"
    names = ("conv", "pool", "wide", "norm", "head")
    searched(noise(tmp_path / "pictures", 30), out, net, *names, top=4)
    layers, images = LayerActivations(net, "cpu"), torch.rand(1, 3, 8, 8)
    found = rows(out / "exemplars.parquet")
    assert len(found) == 4 * (4 + 4 + 6 + 6 + 2)
    for row in found:
        place, channel = (row["row"], row["column"]), row["channel"]
        cell = {"norm": (0, *place, channel), "head": (0, channel)}.get(row["layer"], (0, channel, *place))
        field = receptive_field(layers, images, row["layer"], 0, cell)
        assert tuple(row["box"]) == box_of(field) == (field.left, field.top, field.right, field.bottom)
    assert len({tuple(row["box"]) for row in found if row["layer"] == "conv"}) > 10


def test_nothing_outside_a_box_changes_its_value(tmp_path: Path) -> None:
    """Noise around the box leaves the maximum's number as it is, and noise inside does not."""
    folder, net = noise(tmp_path / "pictures", 12), Small()
    searched(folder, tmp_path / "out", net, "first", "second", top=1)
    for row in rows(tmp_path / "out" / "exemplars.parquet"):
        images = prepare(read_image((folder / row["picture"]).read_bytes()))
        left, top, right, bottom = row["box"]
        inside = torch.zeros(8, 8, dtype=torch.bool)
        inside[top:bottom, left:right] = True
        layers = LayerActivations(net, "cpu")

        def value(changed: Tensor, row: dict[str, int] = row, layers: LayerActivations = layers) -> float:
            with layers.capture(row["layer"]) as record:
                layers.run(changed)
            return float(record[row["layer"]].output[0, row["channel"], row["row"], row["column"]])

        other = torch.rand_like(images)
        assert value(torch.where(inside, images, other)) == pytest.approx(row["value"], abs=1e-6)
        assert abs(value(torch.where(inside, other, images)) - row["value"]) > 1e-4


def as_it_is(image: Image.Image) -> Tensor:
    """The picture as the model's input, at its own size."""
    return torch.from_numpy(np.asarray(image, np.float32)).permute(2, 0, 1)[None] / 255


def test_pictures_of_other_shapes_have_boxes_of_their_own(tmp_path: Path) -> None:
    """A pooling over everything sees all of each picture, whatever its size."""
    net = nn.Sequential(nn.Conv2d(3, 2, 3), nn.AdaptiveMaxPool2d(1))
    for number, size in enumerate([(6, 9), (12, 5), (6, 9), (7, 7)]):
        noisy = torch.randint(0, 256, (*size, 3), dtype=torch.uint8).numpy()
        Image.fromarray(noisy).save(tmp_path / f"{number}.png")
    base = search_of(tmp_path, tmp_path / "out", net, "1")
    subject_as_is = Subject(net, as_it_is, as_seen)
    search = Search(tmp_path, base.out, base.layers, subject_as_is, base.chosen, 0)
    exemplars(search, request_of(search))
    boxes = {row["picture"]: row["box"] for row in rows(tmp_path / "out" / "exemplars.parquet")}
    assert boxes == {
        "0.png": [0, 0, 9, 6],
        "1.png": [0, 0, 5, 12],
        "2.png": [0, 0, 9, 6],
        "3.png": [0, 0, 7, 7],
    }


def kept_one(row: int, column: int) -> dict[tuple[str, int], np.ndarray]:
    """One picture kept for one channel of a layer, and a second rank that is empty."""
    kept = nothing(2, 1)
    kept[0, 0] = (1.0, 0, row, column, 0)
    return {("0", 0): kept}


class Numpy(nn.Module):
    """Leaves PyTorch on its way, so that nobody can follow it."""

    def forward(self, images: Tensor) -> Tensor:
        """Return the images (N, 3, H, W) from a new memory."""
        return torch.from_numpy(images.numpy().copy())


def test_a_cell_that_depends_on_no_picture_sees_nothing() -> None:
    """As far as can be followed; an empty rank has no box either."""
    net = nn.Sequential(Numpy())
    layers = LayerActivations(net, "cpu")
    boxes = boxes_of(
        layers, subject(net), kept_one(2, 3), {"0": ChosenLayer("0", "Conv2d", "maps")}, [BLANK.size]
    )
    assert boxes["0", 0].shape == (2, 1, 4)
    assert not boxes["0", 0].any()


class Fickle(nn.Module):
    """Cannot run on plain grey."""

    def forward(self, images: Tensor) -> Tensor:
        """Return the images (N, 3, H, W)."""
        if images.std() == 0:
            raise ZeroDivisionError
        return images


def test_a_model_that_cannot_be_followed_sees_the_whole_picture() -> None:
    """That is true of every cell, though it says little."""
    net = nn.Sequential(Fickle())
    layers = LayerActivations(net, "cpu")
    boxes = boxes_of(
        layers, subject(net), kept_one(2, 3), {"0": ChosenLayer("0", "Conv2d", "maps")}, [BLANK.size]
    )
    assert boxes["0", 0].tolist() == [[[0, 0, 8, 8]], [[0, 0, 0, 0]]]


class Tokens(nn.Module):
    """Patches of 2 by 2 pixels as tokens, behind a class token that is told of all of them."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.patches = nn.Conv2d(3, 4, 2, 2)
        self.with_class = nn.Identity()

    def forward(self, images: Tensor) -> Tensor:
        """Return (N, 17, 4) of (N, 3, 8, 8)."""
        tokens = self.patches(images).flatten(2).transpose(1, 2)
        return cast(
            "Tensor", self.with_class(torch.cat([tokens.mean(1, keepdim=True) + self.bias, tokens], 1))
        )

    bias = torch.tensor([9.0, -9.0, -9.0, -9.0])


def test_a_token_sees_its_patch_and_a_class_token_all(tmp_path: Path) -> None:
    """Channel 0 is strongest in the class token, which has no place; the others in one patch each."""
    net, out = Tokens(), tmp_path / "out"
    searched(noise(tmp_path / "pictures", 6), out, net, "with_class", top=2)
    for row in rows(out / "exemplars.parquet"):
        top, left = 2 * row["row"], 2 * row["column"]
        if row["channel"] == 0:
            assert (row["row"], row["column"], tuple(row["box"])) == (-1, -1, (0, 0, 8, 8))
        else:
            assert tuple(row["box"]) == (left, top, left + 2, top + 2)


class Listed(nn.Module):
    """Takes a list of pictures, as detectors do."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 2, 3)

    def forward(self, images: list[Tensor]) -> Tensor:
        """Return (N, 2, 6, 6) of N pictures (3, 8, 8)."""
        maps: Tensor = self.conv(torch.stack(images))
        return maps


def test_a_cell_of_a_model_of_lists_sees_its_window(tmp_path: Path) -> None:
    """A convolution of 3 × 3 sees 3 × 3 pixels, from its own row and column on."""
    net, out = Listed(), tmp_path / "out"
    base = search_of(noise(tmp_path / "pictures", 6), out, nn.Sequential(nn.Conv2d(3, 2, 3)))
    found = Subject(net, lambda image: [prepare(image)[0]], lambda images: as_seen(images[0][None]))
    layers = LayerActivations(net, "cpu")
    search = Search(base.folder, out, layers, found, chosen_layers(layers, found.arguments(BLANK), ()), 0)
    exemplars(search, request_of(search))
    kept = rows(out / "exemplars.parquet")
    assert len(kept) == 12
    for row in kept:
        left, top = row["column"], row["row"]
        assert row["box"] == [left, top, left + 3, top + 3]
