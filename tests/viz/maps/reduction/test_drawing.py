"""viz/maps/reduction/drawing.py against matplotlib's colours, and what is on its figures."""

from io import BytesIO

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import Normalize
from matplotlib.patches import Rectangle
from PIL import Image

from viz.errors import RequestError
from viz.maps.figures import FORMATS, save_figure
from viz.maps.reduction.drawing import pixels, reduced_figure, reduced_png
from viz.maps.reduction.over_photo import Backdrop
from viz.maps.reduction.reduce import REDUCTIONS, Reduced, reduce_maps

MAPS = np.random.default_rng(8).standard_normal((6, 4, 7)).astype(np.float32)
MAGENTA = [255, 0, 255, 255]
UNDER = Backdrop(Image.new("RGB", (90, 60), "green"), (15.0, -5.0, 75.0, 55.0), (10.0, 0.0, 80.0, 40.0))


def test_colours_are_those_that_matplotlib_chooses() -> None:
    """One range from the lowest value to the highest; symmetric about zero where both signs occur."""
    positive, signed = reduce_maps(MAPS, "l2"), reduce_maps(MAPS, "mean")
    low, high = positive.values.min(), positive.values.max()
    expected = mpl.colormaps["magma"](Normalize(low, high)(positive.values), bytes=True)
    assert np.array_equal(pixels(positive, "magma"), expected)
    most = np.abs(signed.values).max()
    expected = mpl.colormaps["coolwarm"](Normalize(-most, most)(signed.values), bytes=True)
    assert np.array_equal(pixels(signed), expected)
    with pytest.raises(RequestError, match="no colormap named"):
        pixels(positive, "virids")


def test_components_are_red_green_and_blue_from_their_own_lowest_to_their_highest() -> None:
    """NumPy's interpolation, a channel of colour at a time."""
    found = reduce_maps(MAPS, "pca")
    colours = pixels(found)
    for component in range(3):
        scores = found.values[..., component].astype(np.float64)
        expected = np.interp(scores, (scores.min(), scores.max()), (0, 255))
        assert np.abs(colours[..., component] - expected).max() <= 0.5 + 1e-9
    assert (colours[..., 3] == 255).all()


def test_a_component_that_is_not_there_is_dark() -> None:
    """Two channels have no third one, and constant maps have none."""
    assert not pixels(reduce_maps(MAPS[:2], "pca"))[..., 2].any()
    assert not pixels(reduce_maps(np.ones((3, 2, 2)), "pca"))[..., :3].any()


@pytest.mark.parametrize("how", REDUCTIONS)
def test_places_that_are_not_finite_are_magenta(how: str) -> None:
    """They alone; the others keep the colours that they have without them."""
    maps = MAPS.copy()
    maps[:, 2, 3] = np.nan
    colours = pixels(reduce_maps(maps, how))
    assert colours[2, 3].tolist() == MAGENTA
    assert np.count_nonzero((colours == MAGENTA).all(axis=2)) == 1
    assert (pixels(reduce_maps(np.full((2, 3, 3), np.nan), how)) == MAGENTA).all()
    infinite = Reduced(np.array([[np.inf, 1.0]], np.float32), "max", (0,))
    assert pixels(infinite)[0, 0].tolist() == MAGENTA


@pytest.mark.parametrize("how", REDUCTIONS)
def test_the_png_has_one_pixel_per_value(how: str) -> None:
    """Read by Pillow."""
    found = reduce_maps(MAPS, how)
    with Image.open(BytesIO(reduced_png(found))) as picture:
        assert np.array_equal(np.asarray(picture.convert("RGBA")), pixels(found))


def test_the_figure_numbers_cells_and_its_bar_has_the_pictures_limits() -> None:
    """Cell 0 is centred on tick 0, and the colours drawn are those of the picture."""
    found = reduce_maps(MAPS, "l2")
    figure = reduced_figure(found, title="a $title", caption="a caption")
    axes, bar = figure.axes
    (image,) = axes.images
    assert np.array_equal(image.get_array(), pixels(found))
    assert list(image.get_extent()) == [-0.5, 6.5, 3.5, -0.5]
    assert (axes.get_xlim(), axes.get_ylim()) == ((-0.5, 6.5), (3.5, -0.5))
    assert bar.get_ylim() == pytest.approx((found.values.min(), found.values.max()))
    assert {text.get_text() for text in figure.texts} == {"a $title", "a caption"}


def test_components_have_a_bar_each_with_its_own_limits() -> None:
    """None for a component that is not there."""
    found = reduce_maps(MAPS, "pca")
    _, *bars = reduced_figure(found).axes
    limits = [(scores.min(), scores.max()) for scores in np.moveaxis(found.values, 2, 0)]
    assert [bar.get_ylim() for bar in bars] == [pytest.approx(each) for each in limits]
    assert len(reduced_figure(reduce_maps(MAPS[:2], "pca")).axes) == 3
    assert len(reduced_figure(reduce_maps(np.ones((3, 2, 2)), "pca")).axes) == 1


def test_over_a_photo_the_cells_lie_where_they_belong_and_the_frame_is_what_was_seen() -> None:
    """The axes are the whole photo's pixels, and the border of five pixels that was added above it."""
    found = reduce_maps(MAPS, "l2")
    axes = reduced_figure(found, backdrop=UNDER).axes[0]
    photo, picture = axes.images
    assert (list(photo.get_extent()), list(picture.get_extent())) == ([0, 90, 60, 0], [10, 80, 40, 0])
    assert (photo.get_array() == (0, 128, 0)).all()
    assert np.array_equal(picture.get_array(), pixels(found))
    assert picture.get_alpha() == 0.6
    frames = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    assert {(frame.get_xy(), frame.get_width(), frame.get_height()) for frame in frames} == {
        ((15, -5), 60, 60)
    }
    assert (axes.get_xlim(), axes.get_ylim()) == ((0, 90), (60, -5))


@pytest.mark.parametrize("form", FORMATS)
def test_figures_of_long_maps_and_of_one_value_are_files(form: str) -> None:
    """With a long caption, and the same bytes each time."""
    for shape in ((3, 1, 400), (3, 90, 1), (3, 1, 1)):
        found = reduce_maps(np.random.default_rng(0).random(shape), "mean")
        files = [save_figure(reduced_figure(found, caption="so it is " * 40), form) for _ in range(2)]
        assert files[0] == files[1]
