"""A visit keeps few pictures in memory, however many its visitor tries."""

from PIL import Image

from viz.pictures.photo import photograph
from viz.request.inspection import Inspection
from viz.ui.visit import visit as visits
from viz.ui.visit.visit import LayerCalls, Visit, find_map_set

LAYERS = (LayerCalls("conv", 1),)


def test_old_pictures_go_when_the_new_ones_take_much_memory() -> None:
    """Three pictures of 120 MB: the first is forgotten, and its address with it; the newest stays."""
    stay = Visit("")
    tokens = []
    for shade in range(3):
        photo = photograph(Image.new("RGB", (8000, 5000), (shade, 0, 0)))
        tokens.append(stay.map_set(photo, Inspection(photo.fingerprint, "m", "random", "conv"), LAYERS).token)
    assert visits.BYTES_KEPT < 3 * 8000 * 5000 * 3
    assert find_map_set(tokens[0]) is None
    assert find_map_set(tokens[2]) is not None


def test_one_picture_is_counted_once_however_many_models_it_is_seen_through() -> None:
    """Ten map sets of one large picture share it."""
    stay = Visit("")
    photo = photograph(Image.new("RGB", (8000, 5000)))
    map_sets = [
        stay.map_set(photo, Inspection(photo.fingerprint, f"model {n}", "random", "conv"), LAYERS)
        for n in range(10)
    ]
    assert all(find_map_set(map_set.token) is map_set for map_set in map_sets)
