"""Places of boxes: layers and orders that one can see, and the nearest rising numbers by another way."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from sklearn.isotonic import isotonic_regression

from viz.maps.graph.layering import BETWEEN, GAP, Layout, layered, layers, rising

SIZE = (100.0, 40.0)


def laid_out(count: int, edges: list[tuple[int, int]]) -> Layout:
    """Return the layout of boxes of one size."""
    return layered([SIZE] * count, edges)


def test_a_box_is_one_layer_below_the_lowest_that_it_takes_from() -> None:
    """A residual: the sum is below the longer way. A constant stands right above its reader."""
    assert layers(5, [(0, 1), (1, 2), (0, 3), (2, 3), (4, 3)]) == [0, 1, 2, 3, 2]


def test_a_chain_stands_straight_below_itself() -> None:
    """All middles are equal, and layers are a box and a gap apart."""
    found = laid_out(4, [(0, 1), (1, 2), (2, 3)])
    assert [x for x, _ in found.places] == [0.0] * 4
    assert [y for _, y in found.places] == [(SIZE[1] + BETWEEN) * layer for layer in range(4)]
    assert found.size == (SIZE[0], 4 * SIZE[1] + 3 * BETWEEN)
    assert found.routes[0, 1] == ((50.0, 40.0), (50.0, 40.0 + BETWEEN))


def test_boxes_never_overlap_and_lie_inside() -> None:
    """Also where many stand beside each other, as in a random graph with long edges."""
    generator = np.random.default_rng(1)
    for _ in range(10):
        edges = [(int(generator.integers(0, target)), target) for target in range(1, 30)] + [(0, 29), (3, 28)]
        found = laid_out(30, sorted(set(edges)))
        for (x, y), (other_x, other_y) in combinations(found.places, 2):
            assert abs(y - other_y) >= SIZE[1] or abs(x - other_x) >= SIZE[0] + GAP - 1e-6
        points = [point for route in found.routes.values() for point in route]
        for x, y in [*points, *((x + SIZE[0], y + SIZE[1]) for x, y in found.places)]:
            assert -1e-6 <= x <= found.size[0] + 1e-6
            assert -1e-6 <= y <= found.size[1] + 1e-6


def test_an_edge_that_passes_a_layer_runs_beside_its_boxes() -> None:
    """A skip around two boxes; at their heights it is outside of them, and it only goes down."""
    found = laid_out(4, [(0, 1), (1, 2), (2, 3), (0, 3)])
    route = found.routes[0, 3]
    assert len(route) == 2 + 2 * 2
    assert all(above <= below for (_, above), (_, below) in pairwise(route))
    for box in (1, 2):
        left, top = found.places[box]
        beside = [x for x, y in route if top <= y <= top + SIZE[1]]
        assert beside
        assert all(x < left or x > left + SIZE[0] for x in beside)


def test_the_order_undoes_crossings() -> None:
    """Two strands whose boxes come in turns: left of the right one all the way."""
    edges = [(0, 3), (1, 2), (2, 5), (3, 4), (4, 7), (5, 6)]
    places = laid_out(8, edges).places
    sides = {places[left][0] < places[right][0] for left, right in ((0, 1), (3, 2), (4, 5), (7, 6))}
    assert len(sides) == 1


def test_edges_of_one_box_share_their_way() -> None:
    """Three readers far below: the routes are the same up to the layer above each reader."""
    found = laid_out(5, [(0, 1), (1, 2), (2, 3), (3, 4), (0, 3), (0, 4)])
    assert found.routes[0, 4][:5] == found.routes[0, 3][:5]


@pytest.mark.parametrize("seed", range(5))
def test_rising_numbers_are_the_nearest_of_all(seed: int) -> None:
    """scikit-learn's isotonic regression is another program for the same definition."""
    generator = np.random.default_rng(seed)
    values, weights = generator.normal(size=20), generator.uniform(0.1, 8, size=20)
    np.testing.assert_allclose(
        rising(values.tolist(), weights.tolist()), isotonic_regression(values, sample_weight=weights)
    )


def test_nothing_is_laid_out_to_nothing() -> None:
    """No boxes take no room."""
    assert layered([], []) == Layout((), {}, (0.0, 0.0))
