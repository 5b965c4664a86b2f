"""Layouts that are known, against places written down by hand: no network, no PyTorch."""

import numpy as np
import pytest

from viz.errors import LayoutError
from viz.maps.cells import cell_at
from viz.maps.layout import arrange, kinds
from viz.request.arrangement import Arrangement

ORDER = (4, 1, 6, 3, 2, 5)  # which token belongs in each of two rows of three places; 0 and 7 in none
TOKENS = Arrangement((1, 8, 2), places=(1,), grid=(1, 2, 3), order=ORDER)


def values(*shape: int) -> np.ndarray:
    """Numbers that are all different."""
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


def test_tokens_are_drawn_in_their_places_and_others_are_left_out() -> None:
    """Each place by indexing, and what the description says of it."""
    found = values(1, 8, 2)
    layout = arrange(found, arrangement=TOKENS)
    assert (layout.kind, layout.known, layout.rows, layout.slices) == ("placed", True, 1, 1)
    for place, token in enumerate(ORDER):
        assert np.array_equal(layout.maps[:, place // 3, place % 3], found[0, token])
    assert "2 channels of 2 by 3" in layout.description
    assert "2 that sit nowhere on it are left out" in layout.description


def test_a_known_layout_is_the_first_choice_and_every_other_stays_possible() -> None:
    """A visitor may still choose what the shape suggests; that is no longer known."""
    offered = kinds((1, 8, 2), arrangement=TOKENS)
    assert offered[0] == "placed"
    assert sorted(offered[1:]) == sorted(kinds((1, 8, 2)))
    table = arrange(values(1, 8, 2), kind="table", arrangement=TOKENS)
    assert (table.kind, table.known) == ("table", False)
    assert kinds((1, 8, 6, 6), "Mlp", arrangement=Arrangement((1, 8, 6, 6), (2, 3), (1, 6, 6)))[0] == "maps"


def test_an_arrangement_of_another_shape_says_nothing() -> None:
    """Such as a picture of another size: then the shape is guessed from, as ever."""
    found = values(1, 9, 2)
    plain, told = arrange(found), arrange(found, arrangement=TOKENS)
    assert (told.kind, told.known) == (plain.kind, False)
    with pytest.raises(LayoutError, match="not known where"):
        arrange(found, kind="placed", arrangement=TOKENS)
    with pytest.raises(LayoutError, match="not known where"):
        arrange(found, kind="placed")


@pytest.mark.parametrize(
    ("shape", "places", "grid", "kind"),
    [
        ((1, 6, 5, 4), (2, 3), (1, 5, 4), "maps"),
        ((1, 5, 4, 6), (1, 2), (1, 5, 4), "channels-last"),
        ((1, 3, 2, 5, 4), (2, 3, 4), (2, 5, 4), "volume"),
        ((1, 2, 5, 4, 3), (1, 2, 3), (2, 5, 4), "volume-last"),
        ((1, 2, 5, 4, 3), (2, 3), (1, 5, 4), "volume-last"),
        ((1, 20, 6), (1,), (1, 5, 4), "tokens"),
        ((20, 1, 6), (0,), (1, 5, 4), "sequence-first"),
        ((1, 6, 20), (2,), (1, 5, 4), "placed"),
        ((1, 1, 20, 6), (1, 2), (1, 5, 4), "placed"),
        ((4, 5, 6), (0, 1), (1, 5, 4), "placed"),
    ],
)
def test_the_usual_layouts_keep_their_names(
    shape: tuple[int, ...], places: tuple[int, ...], grid: tuple[int, int, int], kind: str
) -> None:
    """One way to draw, by whichever name: the maps are those of indexing along the axes of places."""
    order = (*range(0, 20, 4), *range(1, 20, 4), *range(2, 20, 4), *range(3, 20, 4))
    arrangement = Arrangement(shape, places, grid, order[:20] if shape == (4, 5, 6) else ())
    found = values(*shape)
    layout = arrange(found, image_size=(50, 40), arrangement=arrangement)
    assert (layout.kind, layout.known) == (kind, True)
    assert layout.maps.shape[1:] == grid[1:]
    for place in ((0, 0, 0), (1, 2, 3), (2, 4, 1)):
        cell = cell_at(shape, place, image_size=(50, 40), arrangement=arrangement)
        assert found[cell] == layout.maps[place]


def test_several_axes_of_channels_become_one() -> None:
    """Heads and features of tokens: (batch, heads, tokens, features)."""
    found, arrangement = values(2, 3, 4, 5), Arrangement((2, 3, 4, 5), (2,), (1, 2, 2), (3, 2, 1, 0))
    layout = arrange(found, row=1, arrangement=arrangement)
    assert (layout.maps.shape, layout.rows) == ((15, 2, 2), 2)
    assert layout.maps[7, 0, 1] == found[1, 1, 2, 2]
    assert arrangement.channels == (1, 3)


def test_the_phase_of_complex_values_is_laid_out_in_the_same_way() -> None:
    """Angles, each in its place."""
    found = np.exp(1j * values(1, 8, 2) / 10).astype(np.complex64)
    layout = arrange(found, kind="phase", arrangement=TOKENS)
    assert layout.kind == "phase"
    assert layout.maps[1, 0, 2] == pytest.approx(1.3)  # token 6, feature 1


def test_six_axes_are_drawn_if_their_places_are_known() -> None:
    """Windows as axes of their own: (batch, windows down, across, rows, columns, channels)."""
    found = values(1, 2, 2, 2, 2, 3)
    order = (0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15)
    layout = arrange(found, arrangement=Arrangement(found.shape, (1, 2, 3, 4), (1, 4, 4), order))
    assert layout.maps[2, 1, 2] == found[0, 0, 1, 1, 0, 2]


def test_a_value_without_places_is_known_only_where_nothing_is_to_choose() -> None:
    """A vector is a vector; three axes may mean anything."""
    assert arrange(values(1, 9), arrangement=Arrangement((1, 9))).known
    assert not arrange(values(1, 9, 4), arrangement=Arrangement((1, 9, 4))).known
