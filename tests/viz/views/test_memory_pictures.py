"""The pictures of what is left in memory: the right channels, on one scale, as the report says."""

import io
import json

import numpy as np
import pytest
import torch
from PIL import Image
from torch import nn

from viz.answers.message import as_json
from viz.errors import LayoutError
from viz.hooks.activations import LayerActivations
from viz.maps.mosaic import render_mosaic
from viz.profile.memory import memory_report
from viz.views.memory_pictures import MemoryPictures, memory_facts
from viz.views.work.memory_pictures import memory_pictures


class Overwritten(nn.Module):
    """A layer whose output loses its negative values in channels 2 and 3, in place."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Identity()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.layer(x * 1)
        y[:, 2:4].relu_()
        return y


def pictures_of(net: nn.Module, x: torch.Tensor, layer: str = "layer") -> MemoryPictures:
    """The pictures for one layer of a net."""
    return memory_pictures(memory_report(LayerActivations(net, device="cpu"), layer, x))


@pytest.fixture
def x() -> torch.Tensor:
    """Twelve channels of 3 by 2, with both signs in each."""
    torch.manual_seed(0)
    values = torch.randn(1, 12, 3, 2)
    values[:, :, 0, 0] = -1.0
    return values


def pixels(png: bytes) -> np.ndarray:
    """The colours of a picture."""
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGBA"))


def test_the_pictures_are_of_the_value_then_and_now(x: torch.Tensor) -> None:
    """Against mosaics of the same numbers, worked out by hand; the changed channels are among them."""
    found = pictures_of(Overwritten(), x)
    assert {2, 3} <= set(found.channels)
    assert len(found.channels) == 9
    after = x.clone()
    after[:, 2:4] = after[:, 2:4].clamp(min=0)
    chosen = list(found.channels)
    reach = float(x[0, chosen].abs().max())
    assert [moment.writes for moment in found.moments] == [0, 1]
    for moment, value in zip(found.moments, (x, after), strict=True):
        expected = render_mosaic(
            value[0, chosen].numpy(), colormap="coolwarm", scale=(-reach, reach), columns=3
        )
        assert np.array_equal(pixels(moment.png), pixels(expected.png))


def test_each_moment_says_how_much_has_changed_and_where(x: torch.Tensor) -> None:
    """Nothing at the hook; then negative values of two channels, value by value as they lie in memory."""
    found = pictures_of(Overwritten(), x)
    lost = (x < 0) & (torch.arange(12)[:, None, None] // 2 == 1)
    first, last = found.moments
    assert first.changed == 0.0
    assert set(first.blocks) == {0.0}
    assert last.changed == found.changed == pytest.approx(float(lost.float().mean()))
    assert last.blocks == tuple(lost.flatten().float().tolist())
    assert found.value_bytes == x.nbytes
    assert [kept.wrong for kept in found.kept] == pytest.approx([found.changed] * 3 + [0.0])


def test_a_large_memory_is_told_in_blocks_of_equal_size() -> None:
    """Of 4,096 values the second half was written over."""

    class Half(Overwritten):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            y = self.layer(x * 1)
            y[:, 2:].zero_()
            return y

    last = pictures_of(Half(), torch.ones(1, 4, 32, 32)).moments[-1]
    assert last.blocks == (0.0,) * 128 + (1.0,) * 128


def test_an_untouched_value_shows_its_first_channels(x: torch.Tensor) -> None:
    """Nothing changed, so there is nothing to choose by."""
    found = pictures_of(nn.Sequential(nn.Identity()), x, "0")
    assert found.channels == tuple(range(9))
    assert (found.changed, found.writes, len(found.moments)) == (0.0, 0, 1)


def test_the_facts_are_plain_and_whole(x: torch.Tensor) -> None:
    """They are ready for JSON, with every picture."""
    facts = json.loads(as_json(memory_facts(pictures_of(Overwritten(), x), ("0",))))
    assert [kept["way"] for kept in facts["kept"]] == ["reference", "detach", "cpu", "clone"]
    assert [kept["copied"] for kept in facts["kept"]] == [0, 0, 0, x.nbytes]
    assert (facts["shape"], facts["written"], facts["bytes"]) == ([1, 12, 3, 2], ["0"], x.nbytes)
    assert [moment["writes"] for moment in facts["moments"]] == [0, 1]


def test_not_a_number_has_a_picture_too() -> None:
    """The scale is that of the other numbers."""
    values = torch.full((1, 2, 2, 2), torch.nan)
    assert pictures_of(nn.Sequential(nn.Identity()), values, "0").changed == 0.0


def test_channels_of_untouched_nans_are_not_those_that_changed_most(x: torch.Tensor) -> None:
    """Ten of twelve channels have no number, and the two that changed are shown."""
    x[:, 0:2], x[:, 4:] = torch.nan, torch.nan
    assert {2, 3} <= set(pictures_of(Overwritten(), x).channels)


def test_what_cannot_be_drawn_says_why() -> None:
    """An empty value gives a reason."""
    with pytest.raises(LayoutError, match="nothing in it to draw"):
        pictures_of(nn.Sequential(nn.Identity()), torch.zeros(1, 0, 2, 2), "0")
