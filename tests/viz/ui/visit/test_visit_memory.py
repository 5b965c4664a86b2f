"""A visit keeps few pictures in memory, however many its visitor tries."""

from PIL import Image

from viz.pictures.photo import photograph
from viz.ui.visit import visit as visits
from viz.ui.visit.visit import Visit, find_subject


def test_old_pictures_go_when_the_new_ones_take_much_memory() -> None:
    """Three pictures of 120 MB: the first is forgotten, and its address with it; the newest stays."""
    stay = Visit("")
    tokens = []
    for shade in range(3):
        photo = photograph(Image.new("RGB", (8000, 5000), (shade, 0, 0)))
        tokens.append(stay.subject(photo, "m", "random", ()).token)
    assert visits.BYTES_KEPT < 3 * 8000 * 5000 * 3
    assert find_subject(tokens[0]) is None
    assert find_subject(tokens[2]) is not None


def test_one_picture_is_counted_once_however_many_models_it_is_seen_through() -> None:
    """Ten subjects of one large picture share it."""
    stay = Visit("")
    photo = photograph(Image.new("RGB", (8000, 5000)))
    subjects = [stay.subject(photo, f"model {n}", "random", ()) for n in range(10)]
    assert all(find_subject(subject.token) is subject for subject in subjects)
