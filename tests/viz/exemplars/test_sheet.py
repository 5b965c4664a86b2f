"""A sheet shows what the files say: the right parts of the right pictures, of channels drawn by lot."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from torch import Tensor, nn

from tests.viz.exemplars.folders import Small, noise, rows, searched
from tests.viz.subjects import subject
from viz.errors import RequestError
from viz.exemplars.finished.card import card_of
from viz.exemplars.sheet import GAP, SIDE, OneChannel, crop, drawn_by_lot, sheet_figure


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder ``pictures``, and its results in ``out``."""
    place = tmp_path_factory.mktemp("sheet")
    searched(noise(place / "pictures", 30), place / "out", Small())
    return place


def test_one_channel_is_drawn_from_each_part_of_the_net_in_its_order(place: Path) -> None:
    """The same seed draws the same ones; over many seeds each channel comes up."""
    calls = [(each["layer"], each["call"]) for each in card(place)]
    assert len(calls) == 4
    four = drawn_by_lot(place / "out", 4)
    assert [(each.layer, each.call) for each in four] == calls
    assert drawn_by_lot(place / "out", 4) == four
    assert len(drawn_by_lot(place / "out", 12)) == 4
    drawn = {each for seed in range(200) for each in drawn_by_lot(place / "out", 2, seed)}
    every = {(each["layer"], each["call"], n) for each in card(place) for n in range(each["channels"])}
    assert drawn == every


def test_a_crop_is_the_part_of_the_picture_that_the_strongest_cell_sees(place: Path) -> None:
    """A cell of a convolution of 3 × 3 sees 3 × 3 pixels, from its own row and column on."""
    small = subject(Small())
    for row in rows(place / "out" / "exemplars.parquet"):
        if row["layer"] != "first":
            continue
        pixels = np.asarray(Image.open(place / "pictures" / row["picture"]))
        top, left = row["row"], row["column"]
        seen = np.asarray(crop(place / "pictures", small, row))
        np.testing.assert_array_equal(seen, pixels[top : top + 3, left : left + 3])


def test_the_sheet_has_a_strip_for_each_channel_with_its_strongest_picture_first(place: Path) -> None:
    """Its name and its values stand above it; they go down the first column, then the second."""
    channels = [OneChannel("first", 0, 2), OneChannel("relu", 1, 3), OneChannel("second", 0, 0)]
    small = subject(Small())
    figure = sheet_figure(place / "out", place / "pictures", small, channels)
    made = card_of(place / "out")
    assert figure.get_suptitle() == f"{made.model}, {made.weights}"
    titled = [axes for axes in figure.axes if axes.get_title(loc="left")]
    assert [axes.get_title(loc="left").split(":")[0] for axes in titled] == [
        *("first, channel 2", "second, channel 0", "relu, call 2, channel 3")
    ]
    shown = titled[0].get_images()[0].get_array()
    assert shown is not None
    assert shown.shape == (SIDE, 9 * (SIDE + GAP) - GAP, 3)
    kept = [row for row in rows(place / "out" / "exemplars.parquet") if row["layer"] == "first"]
    first = next(row for row in kept if (row["channel"], row["rank"]) == (2, 0))
    assert f"{first['value']:.3g}" in titled[0].get_title(loc="left")
    corner = np.asarray(crop(place / "pictures", small, first))[0, 0]
    np.testing.assert_array_equal(shown[0, 0], corner)


def test_a_folder_without_a_capture_is_refused(tmp_path: Path) -> None:
    """It says where there is none."""
    with pytest.raises(RequestError, match="is no finished capture"):
        drawn_by_lot(tmp_path, 12)


def card(place: Path) -> list[dict[str, Any]]:
    """The calls of the capture, with their channels."""
    found: list[dict[str, Any]] = json.loads((place / "out" / "card.json").read_text())["channels"]
    return found


class Padded(nn.Module):
    """A convolution that sees nothing but padding at its corners, where it is strongest."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 1, 1, padding=1)
        nn.init.constant_(self.conv.weight, -1)

    def forward(self, images: Tensor) -> Tensor:
        """Return (N, 1, 10, 10) of (N, 3, 8, 8)."""
        maps: Tensor = self.conv(images)
        return maps


def test_a_cell_that_sees_only_padding_leaves_its_square_white(tmp_path: Path) -> None:
    """There is no part of the picture to show."""
    net, out = Padded(), tmp_path / "out"
    searched(noise(tmp_path / "pictures", 3), out, net)
    kept = rows(out / "exemplars.parquet")
    assert [row["box"] for row in kept] == [[0, 0, 0, 0]] * 3
    figure = sheet_figure(out, tmp_path / "pictures", subject(net), [OneChannel("conv", 0, 0)])
    shown = figure.axes[0].get_images()[0].get_array()
    assert shown is not None
    assert shown.shape == (SIDE, 3 * (SIDE + GAP) - GAP, 3)
    assert (shown == 255).all()
