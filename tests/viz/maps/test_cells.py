import numpy as np
import pytest

from viz.errors import RequestError
from viz.maps.cells import cell_at
from viz.maps.layout import arrange


@pytest.mark.parametrize(
    ("shape", "layer_type", "kind"),
    [
        ((2, 3, 4, 5), "Conv2d", "auto"),
        ((2, 4, 5, 3), "Linear", "channels-last"),
        ((2, 17, 6), "EncoderBlock", "tokens"),
        ((2, 7), "Linear", "vector"),
        ((2, 3, 4, 5, 6), "Conv3d", "volume"),
    ],
)
def test_the_cell_holds_the_number_that_is_drawn_at_the_place(
    shape: tuple[int, ...], layer_type: str, kind: str
) -> None:
    """Every place of the second row's maps leads to its own number."""
    values = np.random.default_rng(0).random(shape)
    maps = arrange(values, kind=kind, row=1, layer_type=layer_type).maps
    for place in np.ndindex(*maps.shape):
        assert values[cell_at(shape, place, kind=kind, row=1, layer_type=layer_type)] == maps[place]


def test_a_place_outside_the_maps_is_refused() -> None:
    """Negative places are outside too."""
    for place in ((3, 0, 0), (0, 4, 0), (0, 0, -1)):
        with pytest.raises(RequestError, match="3 × 4 × 5"):
            cell_at((1, 3, 4, 5), place)
