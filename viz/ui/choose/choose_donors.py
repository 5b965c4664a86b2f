"""The pictures that edits can take values from: the visit's own, and the samples."""

import streamlit as st

from ...pictures.own_donors import is_own_picture, own_name
from ...pictures.photo import Photo
from ...pictures.samples import sample_names
from ..visit.own_pictures import OwnPictures
from .choose import shown_title, words
from .choose_files import held_file

FILES = ("upload", "other_upload")  # the sources whose files have a name that the visitor knows


def hold_own(photo: Photo, source: str, problem: str) -> None:
    """Keep the picture that the visitor brought through this source, for as long as the visit lasts.

    If the file could not be read or was removed, the picture on screen is another one.
    """
    brought = None if source == "sample" or problem else held_file(source)
    if brought is not None:
        _pictures().hold(photo, brought.name if source in FILES else "")


def donors_for_viewer() -> list[tuple[str, str]]:
    """The pictures that values can be taken from, and what they are called: all but the one on screen."""
    state = st.session_state
    shown = own_name(state["photo"])
    own = [(name, donor_title(name)) for name, _ in _pictures().newest_first() if name != shown]
    return own + [(name, shown_title(name)) for name in sample_names() if name != state["sample"]]


def donor_title(donor: str) -> str:
    """What a donor is called: a sample by what it shows, an own picture as the visitor's file."""
    if not is_own_picture(donor):
        return shown_title(donor)
    held = _pictures().find(donor)
    if held is None:
        return words("missing_picture")
    name = held.file or words("own_picture")
    return name if held.number == 1 else f"{name} ({held.number})"


def is_missing(donor: str) -> bool:
    """Whether this visit does not hold the picture, even if another visit does."""
    return is_own_picture(donor) and _pictures().find(donor) is None


def in_use(donors: list[str]) -> None:
    """Note which donors the edits in force need, so that the others are dropped first."""
    _pictures().use(donors)


def _pictures() -> OwnPictures:
    pictures: OwnPictures = st.session_state["visit"].pictures
    return pictures
