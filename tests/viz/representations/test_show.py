from io import BytesIO

import matplotlib as mpl
import numpy as np
import pytest
import torch
from PIL import Image

import viz
from tests.viz.random_tasks import bits
from viz.errors import CallError, LayoutError
from viz.hooks.records import Call, LayerRecord


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int64])
def test_a_tensor_is_drawn_as_matplotlib_colours_it(dtype: torch.dtype) -> None:
    """Pixel by pixel, two maps with the gap between them; a tensor that needs a gradient too."""
    tensor = (torch.randn(2, 3, 4) * 5).to(dtype)
    mosaic = viz.show(tensor.requires_grad_() if dtype.is_floating_point else tensor, columns=2)
    values = tensor.detach().float().numpy()
    scaled = (values - values.min()) / (values.max() - values.min())
    expected = mpl.colormaps["viridis"](scaled, bytes=True)
    drawn = np.asarray(Image.open(BytesIO(mosaic.png)).convert("RGBA"))
    assert np.array_equal(drawn[:, :4], expected[0])
    assert np.array_equal(drawn[:, 5:], expected[1])


def test_a_picture_says_what_it_is_in_a_line_and_shows_itself() -> None:
    """The text has no bytes of the file, which a notebook asks for as PNG."""
    mosaic = viz.show(np.arange(24.0).reshape(2, 3, 4), columns=2)
    assert repr(mosaic) == (
        "Mosaic(2 maps of 3 × 4 in 2 columns, viridis from 0 to 23, a PNG of 9 × 3 pixels)"
    )
    assert mosaic._repr_png_() == mosaic.png


def test_a_captured_call_is_shown_and_what_cannot_be_is_said() -> None:
    """The record of one call, tokens as their grid, and sentences otherwise."""
    record = LayerRecord("block")
    with pytest.raises(CallError, match="never ran"):
        viz.show(record)
    record.append(Call(torch.rand(1, 197, 16)))
    assert viz.show(record, kind="tokens").map_height == 14
    assert bits(viz.show(record[0]).png) == bits(viz.show(record).png)
    assert [viz.show(torch.rand(shape)).count for shape in ((7, 9), (6, 7, 9), (2, 6, 7, 9))] == [1, 6, 6]
    with pytest.raises(LayoutError):
        viz.show("word")
