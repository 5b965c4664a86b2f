"""Block of a map whose numbers are played, against every place of small maps."""

import itertools

import pytest

from viz.readings.block import MapBlock, around, fitted, is_drawn, one_row, side_for


@pytest.mark.parametrize(("height", "width"), [(1, 1), (2, 9), (7, 6), (30, 40)])
def test_a_block_is_within_the_map_and_holds_its_place(height: int, width: int) -> None:
    """Around every place; and its places are as many as it says, each once."""
    for at in itertools.product(range(height), range(width)):
        block = around(at, height, width, 6)
        places = list(block.places)
        assert at in places
        assert len(set(places)) == len(places) == block.rows * block.columns
        assert all(0 <= y < height and 0 <= x < width for y, x in places)
        assert (block.rows, block.columns) == (min(6, height), min(6, width)) or min(height, width) == 1


def test_a_map_of_one_row_has_a_longer_block_unless_windows_are_large() -> None:
    """Classes and signals have nothing above and below."""
    assert around((0, 20), 1, 1000, 6) == MapBlock(0, 16, 1, 8)
    assert around((0, 20), 1, 1000, 2) == MapBlock(0, 19, 1, 2)


def test_large_windows_leave_fewer_numbers() -> None:
    """So that what they cover can still be drawn."""
    assert [side_for(window) for window in (9, 49, 50, 256, 1000)] == [6, 6, 2, 2, 1]
    assert [is_drawn(window) for window in (1024, 1025)] == [True, False]


def test_a_block_shrinks_around_its_place_until_its_input_can_be_read() -> None:
    """Windows of seven with a stride of two: four of them cover thirteen places, three cover eleven."""
    block = around((10, 10), 20, 20, 6)
    less = fitted(block, (10, 10), lambda each: 7 + 2 * (max(each.rows, each.columns) - 1))
    assert (less.rows, less.columns) == (3, 3)
    assert (10, 10) in list(less.places)
    assert set(less.places) <= set(block.places)
    assert fitted(block, (10, 10), lambda _: 12) == block
    assert fitted(block, (10, 10), lambda _: 99).rows == 3
    assert fitted(one_row(block, 10), (10, 10), lambda _: 99) == MapBlock(10, 9, 1, 3)
