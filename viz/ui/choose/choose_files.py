"""Boxes for files, which are requested again after the server restarts.

The browser reconnects by itself with the state of its boxes, but the new server has none of their files.
"""

from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import DeletedFile

from ...pictures.images import MAX_BYTES
from ..locale.words import say


def file_box(place: Any, label: str, *, key: str, **more: Any) -> Any:
    """Draw the box with this key; return its file, or None.

    If the server lost it, ``lost_file`` has a sentence. A box takes a file of any name: what is in it
    decides. The browser empties a box that it takes for a new one. Streamlit tells boxes with one key apart
    by the endings that they accept; a blank one is no ending.
    """
    state, turn = st.session_state, st.session_state.get(f"{key}_turn", 0)
    file = place.file_uploader(label, [" " * turn], key=key, **more)
    if isinstance(state.get(key), DeletedFile):
        state[f"{key}_turn"], state[f"{key}_lost"] = turn + 1, True
        state["box_to_empty"] = True
    return file


def picture_box(place: Any, key: str, **more: Any) -> Any:
    """Draw the box for a picture; return its file, or None.

    It is a ``file_box`` whose label is the sentence with that key.
    """
    label = say(st.session_state["lang"], key)
    return file_box(place, label, key=key, max_upload_size=MAX_BYTES // 1_000_000, **more)


def draw_emptied_boxes() -> None:
    """Draw the page again if a box is to be emptied.

    The address is read again as well, so that the next run has the same sentences about it. Call it at the
    end of a run: Streamlit forgets the state of every box that a run did not reach.
    """
    if st.session_state.pop("box_to_empty", False):
        st.session_state["has_arrived"] = False
        st.rerun()


def held_file(key: str) -> Any:
    """Return the file in this box; None if empty or lost."""
    found = st.session_state.get(key)
    return None if isinstance(found, DeletedFile) else found


def lost_file(key: str) -> str:
    """Return a sentence if the server lost the file in a box."""
    state = st.session_state
    if held_file(key) is not None:
        state[f"{key}_lost"] = False
    lost = state.get(f"{key}_lost") or isinstance(state.get(key), DeletedFile)
    return say(state["lang"], f"lost_{key}") if lost else ""


def forget_refusals() -> None:
    """Forget why files could not be read: another picture is chosen now."""
    for place in ("photo", "folder", "other_photo"):
        st.session_state[f"{place}_problem"] = ""


def give_up_file(key: str) -> None:
    """Note that the visitor no longer wants a lost file."""
    st.session_state[f"{key}_lost"] = False
