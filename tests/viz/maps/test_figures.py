"""viz/maps/figures.py: what is on the figures, and that their files are complete and repeatable."""

import xml.etree.ElementTree as ET
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from tests.machine import patience
from viz.errors import LayoutError, RequestError
from viz.maps.colour.scaling import levels
from viz.maps.colour.tables import AUTO_ON_DARK, SIGNED_ON_DARK, colour_table
from viz.maps.figures import FORMATS, MOST_AXES, channel_figure, feature_map_figure, save_figure

MAPS = np.random.default_rng(2).standard_normal((5, 4, 7)).astype(np.float32)


def heatmaps(figure: Figure) -> list[np.ma.MaskedArray]:
    """The values of each heatmap on a figure, in drawing order."""
    return [image.get_array() for axes in figure.axes for image in axes.images]  # type: ignore[misc]


def test_every_channel_has_its_heatmap_and_its_number() -> None:
    """The values are unchanged, there is one scale, and there are no ticks."""
    figure = feature_map_figure(MAPS)
    *tiles, bar = figure.axes
    assert [axes.get_title() for axes in tiles] == ["0", "1", "2", "3", "4"]
    assert np.array_equal(np.stack(heatmaps(figure)), MAPS)
    assert {axes.images[0].get_clim() for axes in tiles} == {(float(MAPS.min()), float(MAPS.max()))}
    assert not any(len(axes.get_xticks()) for axes in tiles)
    assert bar.get_ylim() == pytest.approx((MAPS.min(), MAPS.max()))


def test_channels_are_shown_in_the_order_that_was_asked_for() -> None:
    """Under their own numbers, from left to right."""
    figure = feature_map_figure(MAPS, channels=[3, 0], columns=2)
    first, second, _ = figure.axes
    assert (first.get_title(), second.get_title()) == ("3", "0")
    assert first.get_position().x0 < second.get_position().x0
    assert np.array_equal(np.stack(heatmaps(figure)), MAPS[[3, 0]])


def test_a_scale_for_each_channel_stands_above_it() -> None:
    """The colour bar then has words instead of numbers."""
    figure = feature_map_figure(MAPS, scale="channel")
    limits = f"{MAPS[2].min():.3g} … {MAPS[2].max():.3g}".replace("-", "\N{MINUS SIGN}")
    assert figure.axes[2].get_title() == f"2: {limits}"
    assert figure.axes[2].images[0].get_clim() == (float(MAPS[2].min()), float(MAPS[2].max()))
    assert [label.get_text() for label in figure.axes[-1].get_yticklabels()] == ["min", "max"]


def test_a_pdf_embeds_its_fonts_as_truetype() -> None:
    """As its own objects say; Type 3, which journals refuse, is what matplotlib would choose."""
    file = save_figure(feature_map_figure(MAPS, title="Σ |x| − 1"), "pdf")
    assert b"/FontFile2" in file
    assert b"/Subtype /Type3" not in file


def test_a_title_is_plain_text() -> None:
    """Dollar signs do not start formulas, and underscores stay."""
    figure = feature_map_figure(MAPS, title="layer_1 $x_{$")
    assert [text.get_text() for text in figure.texts] == ["layer_1 $x_{$"]
    assert save_figure(figure, "png")


@pytest.mark.parametrize("maps", [MAPS[:1], MAPS, np.zeros((150, 3, 3))])
def test_a_long_title_stays_within_the_figure_and_above_the_maps(maps: np.ndarray) -> None:
    """As matplotlib itself measures the text; capital letters are wide."""
    figure = feature_map_figure(maps, title=" · ".join(["PICTURE OF A CAT", "edited: conv1:zero:0"] * 4))
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    (text,) = figure.texts
    extent = text.get_window_extent(canvas.get_renderer())
    assert extent.x1 < figure.bbox.x1
    assert extent.y0 > max(axes.get_tightbbox(canvas.get_renderer()).y1 for axes in figure.axes)


def test_hundreds_of_channels_share_one_pair_of_axes() -> None:
    """Rows are named after their first channels, and every value is there."""
    maps = np.random.default_rng(1).random((MOST_AXES + 6, 3, 3))
    figure = feature_map_figure(maps, columns=15)
    axes, _bar = figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == [str(n) for n in range(0, 150, 15)]
    assert axes.images[0].get_array().shape == (10 * 4 - 1, 15 * 4 - 1, 4)  # type: ignore[union-attr]


def test_one_map_can_be_drawn_large() -> None:
    """With numbered axes and its title."""
    values = MAPS[1].copy()
    values[0, 0] = np.nan
    figure = channel_figure(values, title="channel 1", colormap="coolwarm")
    axes = figure.axes[0]
    assert len(axes.get_xticks()) > 1
    assert axes.images[0].get_clim() == (-np.nanmax(np.abs(values)), np.nanmax(np.abs(values)))
    picture = np.asarray(Image.open(BytesIO(save_figure(figure, "png"))).convert("RGB"))
    assert (picture == (255, 0, 255)).all(axis=2).any()


def test_a_stack_of_maps_is_not_drawn_as_its_first() -> None:
    """It is refused in words; a stack of one is that one."""
    with pytest.raises(LayoutError, match=r"of one map .*, not of 2"):
        channel_figure(MAPS[:2])
    drawn = channel_figure(MAPS[:1]).axes[0].images[0].get_array()
    assert np.array_equal(drawn, MAPS[0])


ODD = np.where(np.eye(4, 7) > 0, [np.nan, np.inf, -np.inf, np.nan, 0, 0, 0], MAPS)


@pytest.mark.parametrize(
    ("figure", "said"),
    [
        (feature_map_figure(ODD), "magenta: 10 NaN, 5 ∞, 5 −∞"),
        (feature_map_figure(ODD, channels=[3, 0]), "magenta: 4 NaN, 2 ∞, 2 −∞"),
        (channel_figure(ODD[0]), "magenta: 2 NaN, 1 ∞, 1 −∞"),
        (channel_figure(ODD[0, :1]), "magenta: 1 NaN"),
        (feature_map_figure(ODD.reshape(140, 1, 1)), "magenta: 10 NaN, green: 5 ∞, cyan: 5 −∞"),
    ],
    ids=["maps", "two of them", "channel", "only NaN", "mosaic"],
)
def test_values_that_are_no_numbers_are_counted_below_the_maps(figure: Figure, said: str) -> None:
    """By the names of their colours; nothing lies over the axes, as matplotlib itself measures it."""
    (text,) = figure.texts
    assert text.get_text() == said
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    extent, renderer = text.get_window_extent(canvas.get_renderer()), canvas.get_renderer()
    assert 0 <= extent.x0 < extent.x1 <= figure.bbox.x1
    assert extent.y0 >= 0
    assert extent.y1 < min(axes.get_tightbbox(renderer).y0 for axes in figure.axes)


def test_figures_of_finite_values_say_nothing_of_others() -> None:
    """Numbers, whole ones and yes or no."""
    for maps in (MAPS, MAPS.astype(int), MAPS > 0):
        assert not feature_map_figure(maps).texts
        assert not channel_figure(maps[0]).texts


@pytest.mark.parametrize(
    "maps", [np.zeros((2, 3, 3)), np.full((1, 2, 2), np.nan), np.eye(3, dtype=bool), np.ones((9, 1, 1))]
)
@pytest.mark.parametrize("scale", ["layer", "channel", (0.0, 0.0)])
def test_dull_maps_are_drawn_without_a_warning(maps: np.ndarray, scale: str | tuple[float, float]) -> None:
    """Constant, nothing but NaN, two values only, and single values."""
    assert save_figure(feature_map_figure(maps, scale=scale), "png")


@pytest.mark.parametrize("form", FORMATS)
def test_the_same_maps_give_the_same_file(form: str) -> None:
    """No dates, no random ids."""
    first, second = (save_figure(feature_map_figure(MAPS, title="twice"), form) for _ in range(2))
    assert first == second


def test_files_have_the_format_that_was_asked_for() -> None:
    """A reader of each format recognises its file."""
    figure = feature_map_figure(MAPS)
    assert Image.open(BytesIO(save_figure(figure, "png"))).format == "PNG"
    assert ET.fromstring(save_figure(figure, "svg")).tag.endswith("svg")
    assert save_figure(figure, "pdf").startswith(b"%PDF")
    with pytest.raises(RequestError, match="not as 'gif'"):
        save_figure(figure, "gif")


@pytest.mark.parametrize(
    "make",
    [
        lambda: feature_map_figure(MAPS, channels=[9]),
        lambda: feature_map_figure(MAPS, colormap="rainbo"),
        lambda: feature_map_figure(MAPS, columns=0),
    ],
)
def test_what_does_not_exist_is_refused(make: Callable[[], object]) -> None:
    """The error is our own and names it."""
    with pytest.raises(RequestError):
        make()


def test_what_is_no_set_of_maps_is_refused() -> None:
    """The mosaic refuses the same arrays."""
    with pytest.raises(LayoutError):
        feature_map_figure(np.ones((1, 2, 3, 4)))


def test_eight_threads_draw_eight_different_figures_at_once() -> None:
    """Each gets its own, as drawn alone."""

    def drawn(seed: int) -> bytes:
        maps = np.random.default_rng(seed).random((3, 5, 5))
        return save_figure(feature_map_figure(maps, title=str(seed)), "png")

    alone = [drawn(seed) for seed in range(8)]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(drawn, range(8), timeout=patience(60)))
    assert together == alone


@pytest.mark.parametrize("power", [1020, -1000, -1060])
def test_numbers_at_the_ends_of_their_range_are_drawn_like_others(power: int) -> None:
    """The same numbers times a power of two have the same colours, and the bar says how large they are."""
    maps = np.random.default_rng(3).normal(size=(2, 4, 5))
    usual, extreme = (feature_map_figure(each, colormap="gray") for each in (maps, np.ldexp(maps, power)))
    for plain, other in zip(usual.axes[:2], extreme.axes[:2], strict=True):
        colours = [image.to_rgba(image.get_array()) for image in (plain.images[0], other.images[0])]
        np.testing.assert_allclose(*colours, atol=1 / 255)
    extreme.canvas.draw()
    labels = [
        float(label.get_text().replace("\N{MINUS SIGN}", "-")) for label in extreme.axes[-1].get_yticklabels()
    ]
    assert len(labels) >= 3
    assert labels == sorted(labels)
    assert max(abs(label) for label in labels) == pytest.approx(np.ldexp(np.abs(maps).max(), power), rel=0.6)


def test_the_largest_numbers_of_all_make_a_figure() -> None:
    """Their difference is more than a number can hold."""
    largest = np.finfo(np.float64).max
    figure = feature_map_figure(np.array([[[largest, -largest, 0.0]]]), colormap="gray")
    image = figure.axes[0].images[0]
    np.testing.assert_allclose(image.to_rgba(image.get_array())[0, :, 0], [1.0, 0.0, 0.5], atol=1 / 255)
    assert save_figure(figure, "png")


@pytest.mark.parametrize("maps", [np.zeros((200, 7, 7)), np.zeros((4096, 1, 1)), np.zeros((144, 70, 7))])
def test_a_single_column_of_many_maps_fits_into_a_png(maps: np.ndarray) -> None:
    """With 65,535 pixels as the most that a side of it has."""
    figure = feature_map_figure(maps, columns=1)
    width, height = figure.get_size_inches()
    assert 0 < width < height < 65_535 / 150
    boxes = [axes.get_position() for axes in figure.axes]
    assert all(0 <= box.x0 < box.x1 <= 1 and 0 <= box.y0 < box.y1 <= 1 for box in boxes)


def test_a_mosaic_that_is_made_less_tall_keeps_its_ratio() -> None:
    """Two hundred maps of 7 × 7 below each other, with gaps of one."""
    figure = feature_map_figure(np.zeros((200, 7, 7)), columns=1)
    box, (width, height) = figure.axes[0].get_position(), figure.get_size_inches()
    assert box.height * height / (box.width * width) == pytest.approx((200 * 8 - 1) / 7)


@pytest.mark.parametrize("colormap", [AUTO_ON_DARK, SIGNED_ON_DARK])
def test_a_figure_has_the_colours_of_a_dark_page(colormap: str) -> None:
    """Those of its mosaic, which matplotlib does not know by name."""
    image = feature_map_figure(MAPS, colormap=colormap).axes[0].images[0]
    colours = image.to_rgba(image.get_array(), bytes=True)
    reach = float(np.abs(MAPS).max())
    expected = colour_table(SIGNED_ON_DARK)[levels(MAPS[:1], -reach, reach, 256)[0]]
    assert np.array_equal(colours, expected)
