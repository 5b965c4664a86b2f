"""viz/maps/tiling.py: every pixel of a mosaic back to its channel."""

import numpy as np
import pytest

from viz.errors import RequestError
from viz.maps.tiling import default_columns, tiling


def test_a_pixel_leads_back_to_the_channel_that_was_ordered_there() -> None:
    """We check the original numbering at both corners of every tile."""
    order = [4, 0, 3]
    mosaic = tiling((6, 4, 7), order, 2)
    for channel in order:
        left, top, right, bottom = mosaic.tile_box(channel)
        assert mosaic.channel_at(left, top) == mosaic.channel_at(right - 1, bottom - 1) == channel
        assert mosaic.channel_at(right, bottom - 1) != channel
    assert (mosaic.count, mosaic.rows, mosaic.order) == (3, 2, (4, 0, 3))


@pytest.mark.parametrize(
    "point", [(-1, 0), (0, -0.5), (15, 0), (0, 9), (7, 0), (0, 4), (8, 5), (float("nan"), 0)]
)
def test_no_channel_is_drawn_outside_between_or_in_empty_cells(point: tuple[float, float]) -> None:
    """Three tiles of 4 by 7 in two columns; the fourth cell is empty."""
    mosaic = tiling((3, 4, 7), columns=2)
    assert (mosaic.width, mosaic.height) == (15, 9)
    assert mosaic.channel_at(*point) is None


@pytest.mark.parametrize(
    ("count", "aspect", "columns"),
    [
        (64, 1, 8),
        (128, 1, 16),
        (512, 1, 32),
        (96, 1, 12),
        (3, 1, 3),
        (1, 1, 1),
        (7, 1, 3),
        (2048, 1, 64),
        (64, 4, 4),
    ],
)
def test_mosaics_are_wider_than_tall_and_mostly_full(count: int, aspect: float, columns: int) -> None:
    """They are near 4:3 if the number of channels allows it."""
    assert default_columns(count, aspect) == columns


@pytest.mark.parametrize("count", [1, 2, 13, 97, 509, 1000])
@pytest.mark.parametrize("aspect", [0.001, 0.3, 1.0, 7.0, 1000.0])
def test_any_number_of_any_tiles_gets_columns(count: int, aspect: float) -> None:
    """At least one and at most one per tile."""
    assert 1 <= default_columns(count, aspect) <= count


def test_more_columns_than_tiles_are_not_left_empty() -> None:
    """The picture is as wide as its tiles."""
    assert tiling((3, 2, 2), columns=10**9).columns == 3


@pytest.mark.parametrize("order", [[0, 0], [3], [-1], [], ["a"], [0.0], 1, np.array([[0]])])
def test_an_impossible_order_is_refused(order: object) -> None:
    """Channels that are not there, come twice or are no whole numbers."""
    with pytest.raises(RequestError):
        tiling((3, 2, 2), order=order)  # type: ignore[arg-type]


@pytest.mark.parametrize("columns", [0, -1, 2.0, "2", True])
def test_an_impossible_number_of_columns_is_refused(columns: object) -> None:
    """Only whole numbers from one up."""
    with pytest.raises(RequestError, match="columns"):
        tiling((3, 2, 2), columns=columns)  # type: ignore[arg-type]


def test_a_channel_that_is_not_shown_has_no_tile() -> None:
    """The message says how many there are."""
    with pytest.raises(RequestError, match="no channel 1"):
        tiling((3, 2, 2), order=[0, 2]).tile_box(1)
