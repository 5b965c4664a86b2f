"""viz/take_home/sheet.py: sizes in millimetres, colours, letters and bars of a figure of several panels."""

from collections.abc import Sequence
from io import BytesIO

import numpy as np
import pytest
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from PIL import Image

from viz.errors import RequestError
from viz.maps.figures import FORMATS, save_figure
from viz.maps.reduction.over_photo import Backdrop
from viz.maps.reduction.reduce import reduce_maps
from viz.take_home.panels import Panel, PhotoPanel, SheetStyle, limits_of
from viz.take_home.sheet import MOST_PANELS, sheet_figure

PHOTO = Image.new("RGB", (90, 60), "green")
UNDER = Backdrop(PHOTO, (15.0, 0.0, 75.0, 60.0), (20.0, 10.0, 70.0, 50.0))


def panel(seed: int, how: str = "l2", head: str = "", *, over: bool = False, size: float = 1.0) -> Panel:
    """Maps by lot, as one picture of 4 × 7 values."""
    maps = np.random.default_rng(seed).standard_normal((6, 4, 7)).astype(np.float32) * (seed + 1) * size
    return Panel(head or f"layer {seed}", f"net {seed}", reduce_maps(maps, how), UNDER if over else None)


def boxes(figure: Figure, axes: Sequence[Axes]) -> np.ndarray:
    """Left, bottom, width and height in millimetres."""
    size = figure.get_size_inches() * 25.4
    return np.array([each.get_position().bounds for each in axes]) * [*size, *size]


def pictures(figure: Figure) -> list[Axes]:
    """The axes with pictures; colour bars are others."""
    return [each for each in figure.axes if each not in bars(figure)]


def bars(figure: Figure) -> list[Axes]:
    """The axes of colour bars: those beside rows have no picture, those below panels are flat."""
    return [each for each in figure.axes if not each.images or each.images[0].get_array().shape[0] == 1]


def texts(figure: Figure) -> list[str]:
    """All that is written beside the panels."""
    return [each.get_text() for each in figure.texts]


@pytest.mark.parametrize("width", [88.0, 180.0])
@pytest.mark.parametrize("scale", ["own", "row", "all"])
@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_a_figure_has_the_width_that_a_column_has(width: float, scale: str, size: float) -> None:
    """In millimetres; panels are equally wide, apart from each other, and inside with all that is written."""
    grid = [
        [panel(0, size=size), panel(1, "l2", over=True, size=size)],
        [panel(2, size=size), PhotoPanel("photo", "picture", PHOTO)],
    ]
    figure = sheet_figure(grid, SheetStyle(width, scale, rows=("first", "IMG_20230504_123456.jpg" * 3)))
    assert figure.get_size_inches()[0] * 25.4 == pytest.approx(width)
    found = boxes(figure, pictures(figure))
    np.testing.assert_allclose(found[:, 2], found[0, 2])
    ratios = np.array([4 / 7, 2 / 3, 4 / 7, 2 / 3])
    np.testing.assert_allclose(found[:, 3], found[:, 2] * ratios)
    every = boxes(figure, figure.axes)
    for at, one in enumerate(every):
        for other in every[at + 1 :]:
            apart = np.maximum(one[:2], other[:2]) - np.minimum(one[:2] + one[2:], other[:2] + other[2:])
            assert apart.max() >= 0.9
    drawn = figure.get_tightbbox(FigureCanvasAgg(figure).get_renderer()).extents * 25.4
    assert drawn[:2].min() >= 0
    assert drawn[2] <= width
    assert drawn[3] <= figure.get_size_inches()[1] * 25.4


@pytest.mark.parametrize("how", ["l2", "mean"])
def test_colours_are_matplotlibs_for_the_range_that_panels_share(how: str) -> None:
    """Each its own, one for a row, or one for all; symmetric around zero where values have both signs."""
    grid = [[panel(0, how), panel(1, how)], [panel(2, how), panel(3, how)]]
    every = [each for row in grid for each in row]
    for scale, groups in {
        "own": [[each] for each in every],
        "row": [row for row in grid for _ in row],
        "all": [every] * 4,
    }.items():
        figure = sheet_figure(grid, SheetStyle(scale=scale))
        for axes, one, group in zip(pictures(figure), every, groups, strict=True):
            values = np.concatenate([each.found.values for each in group])
            low, high = values.min(), values.max()
            colours = colormaps["viridis"]
            if how == "mean":
                low, high = -np.abs(values).max(), np.abs(values).max()
                colours = colormaps["coolwarm"]
            expected = colours(Normalize(low, high)(one.found.values), bytes=True)
            assert np.array_equal(axes.images[0].get_array(), expected)
        assert len(bars(figure)) == {"own": 4, "row": 2, "all": 1}[scale]


@pytest.mark.parametrize("size", [1e-6, 1e6, 1e30])
def test_numbers_below_bars_keep_apart_and_have_their_power_of_ten(size: float) -> None:
    """Six signed panels in one narrow column."""
    grid = [[panel(at, "mean", size=size) for at in range(6)]]
    figure = sheet_figure(grid, SheetStyle(88))
    renderer = FigureCanvasAgg(figure).get_renderer()
    said = [text for bar in bars(figure) for text in bar.texts]
    boxes_of = [text.get_window_extent(renderer) for text in said]
    for at, one in enumerate(boxes_of):
        assert not any(one.overlaps(other) for other in boxes_of[at + 1 :])
    for bar, one in zip(bars(figure), grid[0], strict=True):
        most = np.abs(one.found.values).max()
        numbers = [float(text.get_text().replace("−", "-")) for text in bar.texts]
        assert numbers[:2] == [pytest.approx(-most, rel=0.01), pytest.approx(most, rel=0.01)]


def test_principal_components_have_no_bar() -> None:
    """Their colours are no one scale's."""
    assert not bars(sheet_figure([[panel(0, "pca"), panel(1, "pca")]], SheetStyle()))


def test_maps_lie_on_their_cells_over_the_whole_photo() -> None:
    """And a frame shows what the model saw; a photo alone has none."""
    figure = sheet_figure([[panel(0, over=True), PhotoPanel("photo", "picture", PHOTO)]], SheetStyle())
    over, alone = pictures(figure)
    assert [each.get_extent() for each in over.images] == [[0, 90, 60, 0], [20, 70, 50, 10]]
    assert {tuple(each.get_bbox().extents) for each in over.patches} == {UNDER.seen}
    assert not alone.patches
    assert alone.images[0].get_extent() == [0, 90, 60, 0]


def test_letters_and_titles_stand_above_their_panels() -> None:
    """Row by row, past z; a title that is too long goes on below; named rows have titles above the first."""
    grid = [[panel(at, head=f"a rather long title {at}") for at in range(14)] for _ in range(2)]
    figure = sheet_figure(grid, SheetStyle(width=180))
    said = texts(figure)
    assert [each for each in said if each.startswith("(")][24:] == ["(y)", "(z)", "(aa)", "(ab)"]
    assert sum("\n" in each for each in said) == 28
    named = texts(sheet_figure(grid, SheetStyle(width=1000, rows=("cat", "dog"), lettered=False)))
    assert sum("rather" in each for each in named) == 14
    assert "(" not in "".join(named)
    assert [each for each in named if each in ("cat", "dog")] == ["cat", "dog"]


def test_text_is_shown_as_it_is() -> None:
    """A dollar sign begins no formula."""
    figure = sheet_figure([[panel(0, head="$x_1$ costs 5$")]], SheetStyle())
    save_figure(figure, "svg")
    assert "$x_1$ costs 5$" in texts(figure)


def test_a_pdf_has_the_size_of_the_figure_and_fonts_that_are_embedded() -> None:
    """As TrueType, which journals want, in points of 1/72 inch; the same bytes each time."""
    grid = [[panel(0), panel(1)]]
    data = save_figure(sheet_figure(grid, SheetStyle(88)), "pdf")
    assert data == save_figure(sheet_figure(grid, SheetStyle(88)), "pdf")
    box = data[data.index(b"/MediaBox") :].split(b"]")[0].split(b"[")[1].split()
    assert float(box[2]) == pytest.approx(88 / 25.4 * 72, abs=0.01)
    assert b"/FontFile2" in data
    assert b"/Type3" not in data


def test_a_png_has_the_resolution_that_is_asked_for() -> None:
    """In pixels to an inch."""
    figure = sheet_figure([[panel(0)]], SheetStyle(88))
    with Image.open(BytesIO(save_figure(figure, "png", 300))) as picture:
        assert picture.width == pytest.approx(88 / 25.4 * 300, abs=1)


@pytest.mark.parametrize("form", FORMATS)
def test_a_figure_that_no_machine_should_draw_is_refused(form: str) -> None:
    """In a sentence, before any memory is taken."""
    figure = sheet_figure([[panel(0)]], SheetStyle(1000))
    with pytest.raises(RequestError, match=r"a figure of 47244 × \d+ pixels is too large"):
        save_figure(figure, form, 1200)


def test_panels_without_a_finite_value_leave_the_scale_to_others() -> None:
    """Zero is no value of theirs."""
    nothing = Panel("", "", reduce_maps(np.full((2, 3, 3), np.nan), "l2"))
    one = panel(1)
    low, high = limits_of([nothing, one])
    assert (low, high) == (pytest.approx(one.found.values.min()), pytest.approx(one.found.values.max()))
    assert limits_of([nothing]) == (0, 0)


@pytest.mark.parametrize(
    ("grid", "style", "said"),
    [
        ([[]], SheetStyle(), "1 to 144 panels"),
        ([[PhotoPanel("", "", PHOTO)]], SheetStyle(), "of which one is a layer"),
        ([[panel(0)]] * (MOST_PANELS + 1), SheetStyle(), "1 to 144 panels"),
        ([[panel(0)] * 10], SheetStyle(88), "10 panels do not fit beside each other into 88 mm"),
        ([[panel(0), panel(1, "mean")]], SheetStyle(), "reduced by one formula"),
        ([[panel(0)]] * 9, SheetStyle(1000), "would be 5.* mm high: take more columns"),
        ([[panel(0)]], SheetStyle(20), "a figure is 30 to 1000 mm wide"),
        ([[panel(0)]], SheetStyle(float("nan")), "a figure is 30 to 1000 mm wide"),
        ([[panel(0)]], SheetStyle(scale="column"), "there is no scale 'column' of a figure"),
        ([[panel(0, "pca")]], SheetStyle(scale="all"), "leave the scale at own"),
        ([[panel(0)]], SheetStyle(colormap="virids"), "no colormap named"),
    ],
)
def test_what_no_figure_can_be_gets_a_sentence(
    grid: list[list[Panel | PhotoPanel]], style: SheetStyle, said: str
) -> None:
    """It says what to do."""
    with pytest.raises(RequestError, match=said):
        sheet_figure(grid, style)
