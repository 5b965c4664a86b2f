"""Edits in words: what is done where, in both languages."""

import pytest

from viz.pictures.photo import Photo
from viz.request.edit_request import edits_from
from viz.ui.visit.visit import Visit
from viz.ui.wire.edit_words import edits_listed


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ("conv1:zero:3,17", ("conv1", "3, 17")),
        ("conv1:zero:1-5", ("1–5",)),
        ("conv1@2:zero:0", ("call 2",)),
        ("conv1:scale:1:-2", ("× −2",)),
        ("conv1:clamp:3:-1", ("±1",)),
        ("conv1:swap:2:coffee", ("A cup of coffee",)),
    ],
)
def test_an_edit_says_what_it_does_where(visit: Visit, edit: str, said: tuple[str, ...]) -> None:
    """A negative amount has a minus sign, but not after ±; channels read like a list."""
    text = edits_listed(edits_from(edit), visit.pictures, "en")
    assert all(part in text for part in said), text


def test_many_channels_are_cut_short(visit: Visit) -> None:
    """The list would fill the screen."""
    channels = ",".join(str(2 * number) for number in range(100))
    assert len(edits_listed(edits_from(f"conv1:zero:{channels}"), visit.pictures, "en")) < 120


def test_an_own_picture_has_the_name_of_its_file(visit: Visit, photo: Photo) -> None:
    """In this visit; in another one it is a picture that is not there."""
    visit.pictures.hold(photo, "holiday.png")
    ((name, _),) = visit.pictures.newest_first()
    edits = edits_from(f"conv1:swap:2:{name}")
    assert "holiday.png" in edits_listed(edits, visit.pictures, "en")
    assert "holiday.png" not in edits_listed(edits, Visit("other").pictures, "en")


def test_it_speaks_every_language_of_the_page(visit: Visit) -> None:
    """The sample's name as well."""
    assert "一杯咖啡" in edits_listed(edits_from("conv1:swap:2:coffee"), visit.pictures, "zh")
