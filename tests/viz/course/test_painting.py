"""Values as pictures: one scale for what belongs together, and no shape that is guessed."""

import io

import numpy as np
import pytest
import torch
from PIL import Image

from viz.course.painting import maps_of, painted_choices, painted_together
from viz.errors import LayoutError


def none() -> bytes:
    """Nobody asks for the photo."""
    raise AssertionError


def test_equal_shapes_share_a_scale_and_others_do_not() -> None:
    """Colours compare only there."""
    small, large, other = torch.zeros(2, 4, 4), torch.full((2, 4, 4), 9.0), torch.ones(1, 3, 3)
    first, second, third = painted_together([small, large, other], None, none)
    assert (first.low, first.high) == (second.low, second.high) == (0, 9)
    assert (third.low, third.high) == (1, 1)


def test_zero_is_neutral_where_both_signs_occur() -> None:
    """In all pictures of one scale, those to choose among too: blue is below zero, and nothing else is."""
    signed, positive = torch.tensor([[-2.0, 5.0]]), torch.tensor([[0.0, 5.0]])
    for painted in (painted_together([signed, positive], None, none), painted_choices([signed, positive])):
        assert [(each.low, each.high) for each in painted] == [(-5, 5), (-5, 5)]


def test_a_batch_is_drawn_by_its_first_and_a_row_as_a_row() -> None:
    """The shapes that steps have, and the values as they were."""
    values = torch.arange(24.0).reshape(2, 3, 2, 2)
    np.testing.assert_array_equal(maps_of(values), values[0].numpy())
    assert maps_of(torch.zeros(5)).shape == (1, 1, 5)
    assert maps_of(torch.zeros(5, 6)).shape == (1, 5, 6)
    assert maps_of(torch.zeros(1, 200, 2, 2)).shape == (64, 2, 2)
    with pytest.raises(LayoutError, match="not \\(1, 1, 1, 1, 1\\)"):
        maps_of(torch.zeros(1, 1, 1, 1, 1))


def test_the_picture_itself_is_drawn_as_what_it_shows() -> None:
    """Without a scale, because it is a photo."""
    picture, buffer = torch.zeros(1, 3, 8, 8), io.BytesIO()
    Image.new("RGB", (8, 6)).save(buffer, "PNG")
    (painted,) = painted_together([picture], picture, buffer.getvalue)
    assert (painted.png, painted.width, painted.height, painted.photo) == (buffer.getvalue(), 8, 6, True)


def test_names_with_numbers_become_bars_and_maps_become_their_pixels() -> None:
    """A picture of maps has one pixel for each value."""
    (bars,) = painted_together([{"cat": 0.5}], None, none)
    assert (bars.bars, bars.png) == ((("cat", 0.5),), b"")
    (alone,) = painted_choices([torch.rand(7, 9)])
    assert Image.open(io.BytesIO(alone.png)).size == (alone.width, alone.height) == (9, 7)


def test_a_few_large_values_leave_the_others_their_colours() -> None:
    """The scale ends where nearly all values do, and says that some lie beyond."""
    values = torch.rand(1, 1, 100, 100)
    values[0, 0, 0, :3] = 1000
    (drawn,) = painted_together([values], None, none)
    assert drawn.high < 1
    assert drawn.beyond == (False, True)
    (both,) = painted_together([values - 0.5], None, none)
    assert (both.low, both.high) == pytest.approx((-0.5, 0.5), abs=0.01)
    assert len(both.colours) > 2
