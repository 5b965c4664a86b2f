"""A visitor's picture and weights after a reload, from the visit before."""

from collections.abc import Mapping

import streamlit as st

from ...errors import RequestError
from ..folders.named import is_here, is_of_own_folder
from ..visit.own_weights import find_weights, is_own_weights
from ..visit.visit import SubjectEntry, Visit, find_anywhere


def take_back(asked: Mapping[str, str]) -> Mapping[str, str]:
    """Take the picture and weights back from the visit before.

    A reload begins another visit, whose boxes are empty. ``asked["kept"]`` is the token of the subject that
    was on screen: nothing else led to the picture before, and only the browser's tab that showed it has kept
    it. What the address names, such as a sample, was not brought, except for a picture of the visitor's
    folder. If that visit has ended, the page says so, and such a picture is asked for no longer: what is
    returned is without it. The subject that a teacher has lent to a class stays the teacher's.
    """
    state, before, sample = st.session_state, find_anywhere(asked["kept"]), asked.get("sample")
    if before is not None and not before.lent:
        _take_over(before, own_picture=sample is None)
    elif sample is None:
        state["upload_lost"] = True
    elif not is_of_own_folder(sample):
        state["own_weights_lost"] = True
    if sample is None or not is_of_own_folder(sample) or is_here(sample, state["visit"]):
        return asked
    state["upload_lost"] = True
    return {name: value for name, value in asked.items() if name != "sample"}


def _take_over(before: SubjectEntry, *, own_picture: bool) -> None:
    state, visit = st.session_state, before.visit()
    state["visit"].pictures.take_over(before.pictures)
    if isinstance(visit, Visit):
        state["visit"].folder.take_over(visit.folder)
    if own_picture:
        state["frozen"], state["own_source"] = before.photo.original, "frozen"  # the address says the crop
    if is_own_weights(before.weights):
        _take_back_weights(before.weights)


def keep_own_weights() -> None:
    """Want own weights again, if there are any.

    The page's own addresses leave out no other weights. Nobody has moved the switch.
    """
    state = st.session_state
    if state["visit"].own is not None:
        state["own_wanted"], state["weights_left"] = True, state["weights"]


def _take_back_weights(weights: str) -> None:
    state = st.session_state
    try:
        state["own_before"], state["own_wanted"] = find_weights(weights), True
    except RequestError:
        state["own_weights_lost"] = True
