"""viz/maps/viewport.py: maps drawn as large as a screen has room for, each pixel the mean of its values."""

from itertools import product
from math import ceil, sqrt

import numpy as np
import pytest

from tests.viz.maps.parts import means_of_parts
from viz.maps.viewport import PAD, Tiles, Viewport, block_means, tiles_in

RNG = np.random.default_rng(11)


def size(tiles: Tiles, count: int) -> tuple[int, int]:
    """The width and the height of a mosaic of this many tiles."""
    rows = -(-count // tiles.columns)
    return tiles.columns * (tiles.width + PAD) - PAD, rows * (tiles.height + PAD) - PAD


def enlarged(count: int, height: int, width: int, columns: int, viewport: Viewport) -> float:
    """Return the largest zoom of tiles with one pixel per value, by equal numbers of a screen's pixels."""
    rows = -(-count // columns)

    def step(side: int, room: int, tiles: int) -> int:
        """Tried pixel by pixel: a tile with its gap has that many, and no gap ends the row."""
        return max((n for n in range(room + 2) if tiles * n - n * PAD / (side + PAD) <= room), default=0)

    down, across = step(height, viewport.height, rows), step(width, viewport.width, columns)
    return min(down / (height + PAD), across / (width + PAD))


@pytest.mark.parametrize(("height", "width"), [(12, 12), (12, 5), (224, 13), (7, 1), (33, 64)])
@pytest.mark.parametrize(("down", "across"), [(12, 12), (5, 4), (1, 1), (7, 3), (30, 61)])
def test_each_pixel_is_the_mean_of_the_values_behind_it(
    height: int, width: int, down: int, across: int
) -> None:
    """The oracle cuts each value into so many parts that whole ones lie behind each pixel."""
    down, across = min(down, height), min(across, width)
    maps = RNG.standard_normal((3, height, width))
    expected = means_of_parts(maps, down, across)
    np.testing.assert_allclose(block_means(maps, down, across), expected, rtol=1e-12, atol=1e-15)


def test_a_map_with_hardly_more_values_than_pixels_is_hardly_smoothed() -> None:
    """Stripes of 56 values on 55 pixels: where a pixel covers 98 % of a stripe, it has about its colour."""
    stripes = np.tile([-1.0, 1.0], 28)[None, :, None].repeat(56, 2)
    drawn = block_means(stripes, 55, 55)[0, :, 0]
    assert drawn[:2] == pytest.approx([-54 / 56, 52 / 56])  # 55 parts and 1; 54 and 2
    assert np.abs(drawn).mean() == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize("dtype", [np.float16, np.bool_, np.uint8, np.int64, np.float32])
def test_maps_of_any_precision_have_means(dtype: type[np.generic]) -> None:
    """Also those whose sums would be too large for their own type."""
    maps = (RNG.random((2, 20, 20)) * 120).astype(dtype)
    expected = means_of_parts(maps.astype(np.float64), 3, 7)
    np.testing.assert_allclose(block_means(maps, 3, 7), expected, rtol=1e-6)


@pytest.mark.parametrize("value", [np.finfo(np.float32).max, np.float64(1.7e308)])
def test_the_mean_of_the_largest_numbers_is_finite(value: np.floating) -> None:
    """Their sum is infinite, but their mean must not be."""
    maps = np.full((1, 8, 8), value)
    np.testing.assert_array_equal(block_means(maps, 2, 2), np.full((1, 2, 2), value))


@pytest.mark.parametrize("strange", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_stays_visible_in_its_block_alone(strange: float) -> None:
    """One value of a block of four by four is not a number."""
    maps = RNG.random((1, 8, 8)).astype(np.float32)
    whole = block_means(maps, 2, 2)
    maps[0, 5, 2] = strange
    found = block_means(maps, 2, 2)
    np.testing.assert_equal(found[0, 1, 0], strange)
    found[0, 1, 0] = whole[0, 1, 0]
    np.testing.assert_allclose(found, whole, rtol=1e-6)


def test_both_infinities_in_one_block_are_no_number() -> None:
    """Their mean is NaN, as arithmetic says."""
    assert np.isnan(block_means(np.array([[[np.inf, -np.inf]]]), 1, 1)).all()


CASES = [
    (*shape, Viewport(*viewport))
    for shape, viewport in product(
        [(64, 224, 224), (512, 28, 28), (6, 28, 28), (1, 1000, 1), (96, 56, 31), (1, 768, 197), (2048, 7, 7)],
        [(608, 448), (343, 420), (1216, 896), (2000, 90)],
    )
]


@pytest.mark.parametrize(("count", "height", "width", "viewport"), CASES)
def test_a_mosaic_fits_into_its_viewport_and_no_other_row_length_draws_it_much_larger(
    count: int, height: int, width: int, viewport: Viewport
) -> None:
    """Found by trying every number of columns, and every size of a tile that keeps its shape."""
    tiles = tiles_in(viewport, (count, height, width))
    across, down = size(tiles, count)
    assert across <= viewport.width
    assert down <= viewport.height
    if (tiles.height, tiles.width) == (height, width):
        zoom = enlarged(count, height, width, tiles.columns, viewport)
        best = max(enlarged(count, height, width, columns, viewport) for columns in range(1, count + 1))
        assert zoom**2 >= 0.9 * best**2
        return
    for columns in range(1, count + 1):
        longest, other = max(height, width), min(height, width)
        more = ceil(max(tiles.height, tiles.width) / sqrt(0.9)) + 1
        sides = (more, -(-more * other // longest))
        larger = Tiles(columns, *(sides if height >= width else reversed(sides)))
        assert size(larger, count)[0] > viewport.width or size(larger, count)[1] > viewport.height


@pytest.mark.parametrize(("count", "height", "width", "viewport"), CASES)
def test_a_map_keeps_its_shape(count: int, height: int, width: int, viewport: Viewport) -> None:
    """To less than a pixel, unless it would be less than one pixel wide."""
    tiles = tiles_in(viewport, (count, height, width))
    assert abs(tiles.width - tiles.height * width / height) <= max(1, width / height)


@pytest.mark.parametrize(
    ("viewport", "columns"),
    [((400, 200), 8), ((200, 400), 4), ((1000, 250), 11), ((1100, 60), 32), ((460, 460), 6)],
)
def test_the_row_length_follows_the_shape_of_the_viewport(viewport: tuple[int, int], columns: int) -> None:
    """Thirty-two maps of 32 by 32 could stand in rows of any length."""
    assert tiles_in(Viewport(*viewport), (32, 32, 32)).columns == columns


@pytest.mark.parametrize("room", [(594, 430), (668, 580), (1040, 640), (342, 500)])
@pytest.mark.parametrize(
    "shape",
    [(32, 112, 112), (16, 112, 112), (144, 28, 28), (112, 14, 14), (1280, 7, 7), (9, 1, 1)],
)
def test_maps_fill_most_of_the_width_or_of_the_height(
    room: tuple[int, int], shape: tuple[int, int, int]
) -> None:
    """Maps of any number and size do: shapes of EfficientNet-Lite0, in rooms of laptops and of a phone."""
    tiles = tiles_in(Viewport(*room), shape)
    across, down = size(tiles, shape[0])
    zoom = max(1.0, enlarged(shape[0], tiles.height, tiles.width, tiles.columns, Viewport(*room)))
    assert max(across * zoom / room[0], down * zoom / room[1]) >= 0.8


def test_the_number_of_columns_may_be_given() -> None:
    """The tiles are then as large as that number allows."""
    assert tiles_in(Viewport(100, 1000), (6, 50, 50), 2) == Tiles(2, 49, 49)


def test_uneven_maps_shrink_along_the_side_that_has_no_room() -> None:
    """Signals do: each channel keeps its own row while points in time share pixels."""
    assert tiles_in(Viewport(500, 300, uneven=True), (1, 32, 2000)) == Tiles(1, 32, 500)
    assert tiles_in(Viewport(500, 300), (1, 32, 2000)) == Tiles(1, 8, 500)


def test_where_not_even_one_pixel_each_fits_there_is_one_each() -> None:
    """The browser then has to shrink the picture."""
    tiles = tiles_in(Viewport(20, 10), (4096, 9, 9))
    assert (tiles.height, tiles.width) == (1, 1)
