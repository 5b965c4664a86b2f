"""viz/maps/mosaic.py: every pixel against matplotlib, and every pixel back to its channel."""

from io import BytesIO

import matplotlib as mpl
import numpy as np
import pytest
import torch
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import ListedColormap, Normalize
from matplotlib.figure import Figure
from numpy.typing import NDArray
from PIL import Image

from tests.viz.maps.parts import means_of_parts
from tests.viz.random_tasks import bits
from viz.errors import LayoutError
from viz.maps import mosaic as drawing
from viz.maps.colour.scaling import scaling
from viz.maps.colour.tables import colour_table
from viz.maps.layout import arrange
from viz.maps.mosaic import Mosaic, drawn_mosaic, render_mosaic
from viz.maps.tiling import tiling
from viz.maps.viewport import Viewport

RNG = np.random.default_rng(3)


def pixels(mosaic: Mosaic) -> NDArray[np.uint8]:
    """The decoded picture, (height, width, 4)."""
    return np.asarray(Image.open(BytesIO(mosaic.png)).convert("RGBA"))


def tile(mosaic: Mosaic, channel: int) -> NDArray[np.uint8]:
    """The decoded tile of one channel, (tile height, tile width, 4)."""
    left, top, right, bottom = mosaic.tile_box(channel)
    return pixels(mosaic)[top:bottom, left:right]


def imshow_pixels(values: NDArray[np.float32], low: float, high: float, colormap: str) -> NDArray[np.uint8]:
    """Return the pixels that matplotlib's imshow draws at one screen pixel per value."""
    height, width = values.shape
    figure = Figure(figsize=(width / 100, height / 100), dpi=100)
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    known = colormap in mpl.colormaps
    cmap = mpl.colormaps[colormap] if known else ListedColormap(colour_table(colormap) / 255)
    axes.imshow(values, cmap=cmap, norm=Normalize(low, high), aspect="auto", interpolation="nearest")
    canvas.draw()
    return np.array(canvas.buffer_rgba())


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("colormap", ["viridis", "hot", "berlin", "gray", "magma_root", "coolwarm_root"])
def test_every_tile_equals_imshow(colormap: str, dtype: type[np.floating]) -> None:
    """Asymmetrical tiles, so that swapped axes would show."""
    maps = RNG.standard_normal((6, 40, 61)).astype(dtype)
    mosaic = render_mosaic(maps, colormap=colormap)
    for channel, values in enumerate(maps):
        expected = imshow_pixels(values, mosaic.vmin, mosaic.vmax, colormap)  # type: ignore[arg-type]
        assert np.array_equal(tile(mosaic, channel), expected)


@pytest.mark.parametrize("colormap", ["viridis", "magma", "tab10", "twilight"])
def test_pixels_stay_exact_when_every_level_is_used(colormap: str) -> None:
    """Then gaps have no free palette entry, or only those of repeated colours."""
    maps = np.linspace(0, 1, 8 * 640).reshape(5, 32, 32)
    maps[3, 2, 1], maps[1, 0, 0], maps[2, 0, 0] = np.nan, np.inf, -np.inf
    mosaic = render_mosaic(maps, colormap=colormap)
    with np.errstate(invalid="ignore"):
        expected = mpl.colormaps[colormap](Normalize(0, 1)(maps), bytes=True)
    expected[3, 2, 1], expected[1, 0, 0] = drawing.NAN_COLOUR, drawing.POSITIVE_INFINITY_COLOUR
    expected[2, 0, 0] = drawing.NEGATIVE_INFINITY_COLOUR
    for channel in range(5):
        assert np.array_equal(tile(mosaic, channel), expected[channel])


def test_the_default_colormap_always_fits_a_palette() -> None:
    """Viridis repeats two colours, which leaves an entry for the gaps whatever the values are."""
    mosaic = render_mosaic(RNG.random((4, 64, 64)))
    assert Image.open(BytesIO(mosaic.png)).mode == "P"


@pytest.mark.parametrize("colormap", ["viridis", "magma"])
def test_gaps_and_empty_cells_are_transparent_and_belong_to_no_channel(colormap: str) -> None:
    """Each pixel is either transparent or has a channel."""
    maps = np.linspace(0, 1, 5 * 1200).reshape(5, 30, 40)
    mosaic = render_mosaic(maps, colormap=colormap, columns=3)
    opaque = pixels(mosaic)[..., 3] == 255
    owned = [[mosaic.channel_at(x, y) is not None for x in range(mosaic.width)] for y in range(mosaic.height)]
    assert np.array_equal(opaque, owned)
    assert opaque.sum() == maps.size


def test_ordered_channels_keep_the_scale_of_the_whole_layer() -> None:
    """So brightness can be compared whatever is shown."""
    maps = np.arange(24.0).reshape(4, 2, 3)
    whole, part = render_mosaic(maps), render_mosaic(maps, order=[2])
    assert (part.vmin, part.vmax) == (0.0, 23.0)
    assert np.array_equal(tile(whole, 2), tile(part, 2))


def test_limits_per_channel_are_numbered_like_the_channels() -> None:
    """They are not numbered like the tiles."""
    maps = np.arange(24.0).reshape(4, 2, 3)
    mosaic = render_mosaic(maps, scale="channel", order=[3, 1])
    assert np.array_equal(mosaic.vmin, [0, 6, 12, 18])
    assert np.array_equal(tile(mosaic, 3), tile(render_mosaic(maps[3]), 0))


def test_the_callers_array_is_left_alone() -> None:
    """Also where it holds NaN, is read-only and a strided view."""
    maps = np.full((8, 6, 3), 2.0)
    maps[::2, 0, 0] = np.nan
    before = maps.copy()
    view = maps.transpose(2, 0, 1)
    view.flags.writeable = False
    render_mosaic(view)
    assert np.array_equal(maps, before, equal_nan=True)


def test_one_map_fills_the_whole_picture() -> None:
    """A single tile has no gaps."""
    mosaic = render_mosaic(np.eye(3, 5, dtype=np.bool_))
    assert (mosaic.width, mosaic.height, mosaic.columns, mosaic.count) == (5, 3, 1, 1)
    assert (mosaic.vmin, mosaic.vmax, mosaic.constant) == (0.0, 1.0, False)


def test_a_layer_of_nothing_but_nan_is_drawn_as_nan() -> None:
    """Without a warning, and not called constant."""
    mosaic = render_mosaic(np.full((2, 2, 2), np.nan, dtype=np.float32))
    assert not mosaic.constant
    assert (tile(mosaic, 1) == drawing.NAN_COLOUR).all()


def test_maps_without_pixels_are_refused() -> None:
    """Otherwise they would give an empty file."""
    with pytest.raises(LayoutError, match="nothing to draw"):
        render_mosaic(np.ones((3, 0, 2)))


@pytest.mark.parametrize("scale", ["layer", "channel"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_shrunken_tile_has_the_colours_of_block_means_on_the_scale_of_all_values(
    scale: str, dtype: type[np.floating]
) -> None:
    """Parts of values, matplotlib's colours; a mean on the border of two colours may get either."""
    maps, order = RNG.standard_normal((7, 60, 90)).astype(dtype), [6, 0, 3]
    mosaic = render_mosaic(maps, scale=scale, order=order, colormap="coolwarm", viewport=Viewport(120, 100))
    assert mosaic.shrunk
    means = means_of_parts(maps, mosaic.tile_height, mosaic.tile_width)
    for channel in order:
        reach = np.abs(maps[channel] if scale == "channel" else maps).max()
        nearby = [means[channel] + shift * reach for shift in (-1e-6, 0, 1e-6)]
        colours = [mpl.colormaps["coolwarm"](Normalize(-reach, reach)(each), bytes=True) for each in nearby]
        found = tile(mosaic, channel)
        assert np.any([(found == each).all(axis=-1) for each in colours], axis=0).all()
        assert channel == mosaic.channel_at(*mosaic.tile_box(channel)[:2])


@pytest.mark.parametrize(
    "viewport", [Viewport(97, 53), Viewport(640, 400), Viewport(50, 2000), Viewport(4000, 9)]
)
@pytest.mark.parametrize("shape", [(64, 30, 40), (5, 300, 7), (33, 1, 1), (1, 8, 900)])
def test_no_picture_is_larger_than_its_viewport(shape: tuple[int, int, int], viewport: Viewport) -> None:
    """If each map gets at least one pixel, the file has no more pixels than asked for."""
    mosaic = render_mosaic(RNG.random(shape), viewport=viewport)
    width, height = Image.open(BytesIO(mosaic.png)).size
    assert (width, height) == (mosaic.width, mosaic.height)
    if (mosaic.tile_width, mosaic.tile_height) > (1, 1):
        assert width <= viewport.width
        assert height <= viewport.height


@pytest.mark.parametrize(
    ("strange", "colour"),
    [
        (np.nan, drawing.NAN_COLOUR),
        (np.inf, drawing.POSITIVE_INFINITY_COLOUR),
        (-np.inf, drawing.NEGATIVE_INFINITY_COLOUR),
    ],
)
def test_one_value_that_is_no_number_shows_in_a_shrunken_map(
    strange: float, colour: tuple[int, int, int, int]
) -> None:
    """Its whole block has the colour for NaN, and no other block has."""
    maps = RNG.random((1, 400, 400))
    maps[0, 123, 321] = strange
    found = pixels(render_mosaic(maps, viewport=Viewport(100, 100)))
    ys, xs = np.nonzero((found == colour).all(axis=-1))
    assert (ys.tolist(), xs.tolist()) == ([30], [80])


def test_a_viewport_that_is_large_enough_changes_no_pixel() -> None:
    """One for each value, as without a viewport."""
    maps = RNG.random((6, 10, 12))
    plain, roomy = render_mosaic(maps, columns=3), render_mosaic(maps, columns=3, viewport=Viewport(38, 21))
    assert bits(plain.png) == bits(roomy.png)
    assert not roomy.shrunk


@pytest.mark.parametrize("kind", [torch.bfloat16, torch.float16, torch.float8_e4m3fn, torch.float64], ids=str)
def test_a_tensor_is_drawn_as_its_numbers_are(kind: torch.dtype) -> None:
    """With a graph behind it, and in types that NumPy does not have."""
    tensor = torch.arange(24.0).reshape(2, 3, 4).to(kind)
    plain = tensor.float()
    assert bits(render_mosaic(tensor).png) == bits(render_mosaic(plain.numpy()).png)
    graph = plain.clone().requires_grad_() * 1
    assert graph.grad_fn is not None
    assert bits(render_mosaic(graph).png) == bits(render_mosaic(plain.numpy()).png)
    assert np.array_equal(arrange(tensor[None]).maps, plain.numpy())


def test_a_vector_is_a_map_of_one_value_for_each_channel() -> None:
    """As (channels, 1, 1) is; a batch and a volume are told what to take."""
    vector = np.array([1.0, 2.0, 5.0])
    assert bits(render_mosaic(vector).png) == bits(render_mosaic(vector[:, None, None]).png)
    with pytest.raises(
        LayoutError, match=r"one row of a batch, maps\[0\], or one slice of a volume, maps\[:, 0\]"
    ):
        render_mosaic(np.zeros((2, 3, 4, 5)))


@pytest.mark.parametrize("colormap", ["viridis", "gray", "tab10"])
def test_blank_pixels_are_transparent_and_no_others_change(colormap: str) -> None:
    """Also where the values behind them are no numbers, and where all colours of the table are used."""
    maps = RNG.random((1, 20, 30))
    blank = np.zeros(maps.shape, bool)
    blank[0, 19, 4:] = True
    plain = render_mosaic(maps, colormap=colormap)
    scale, given = scaling(maps, colormap, "layer"), np.where(blank, np.nan, maps)
    found = pixels(drawn_mosaic(given, scale, tiling(maps.shape), blank))
    assert not found[blank[0], 3].any()
    assert np.array_equal(found[~blank[0]], pixels(plain)[~blank[0]])
