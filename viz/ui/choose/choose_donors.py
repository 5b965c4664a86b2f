"""Pictures that edits can take values from: own ones and samples."""

import streamlit as st

from ...answers.subject import TitledPicture
from ...pictures.own_donors import own_name
from ...pictures.photo import Photo
from ...pictures.samples import sample_names
from ..visit.own_pictures import OwnPictures
from ..visit.picture_titles import picture_in_words
from .choose import is_new, note_read, problem_of, read_file
from .choose_files import forget_refusals, held_file, picture_box

FILES = ("upload", "other_upload")  # the sources whose files have a name that the visitor knows


def hold_own(photo: Photo, source: str, problem: str) -> None:
    """Keep the visitor's picture from this source during the visit.

    If the file could not be read or was removed, the picture on screen is another one.
    """
    brought = None if source == "sample" or problem else held_file(source)
    if brought is not None:
        _pictures().hold(photo, brought.name if source in FILES else "")


def choose_other_picture() -> str:
    """Draw the box for the other picture; return its file's problem."""
    with st.container(key="other_own"):
        file = picture_box(st, "other_upload", label_visibility="collapsed")
    if file is None:
        return ""
    state = st.session_state
    if is_new(file, "other_photo"):
        photo = read_file(file, "other_photo")
        if photo is not None:
            forget_refusals()
            state["other_photo"] = photo, file.name, file.file_id
        note_read(file, "other_photo")
    if "other_photo" in state:
        _pictures().hold(*state["other_photo"][:2])  # again in each run: it is the last to be dropped
    return problem_of("other_photo")


def donors_for_viewer() -> tuple[TitledPicture, ...]:
    """Return the titled donor pictures, without the one on screen."""
    state = st.session_state
    shown = own_name(state["photo"])
    samples = [name for name in sample_names() if name != state["sample"]]
    return (*(own for own in own_pictures() if own.name != shown), *map(_titled, samples))


def brought_picture() -> str:
    """Return the other picture's name and its upload; empty without one.

    The same picture uploaded twice was brought twice.
    """
    if held_file("other_upload") is None or "other_photo" not in st.session_state:
        return ""
    photo, _, upload = st.session_state["other_photo"]
    return f"{own_name(photo)} {upload}"


def own_pictures() -> tuple[TitledPicture, ...]:
    """The visit's own pictures, the newest first."""
    return tuple(_titled(name) for name, _ in _pictures().newest_first())


def _titled(name: str) -> TitledPicture:
    return TitledPicture(name=name, title=picture_in_words(name, _pictures(), st.session_state["lang"]))


def _pictures() -> OwnPictures:
    pictures: OwnPictures = st.session_state["visit"].pictures
    return pictures
