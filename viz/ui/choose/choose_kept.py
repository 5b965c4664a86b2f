"""A visitor's picture and weights after a reload, from the visit before."""

from collections.abc import Mapping

import streamlit as st

from ...errors import RequestError
from ..visit.own_weights import find_weights, is_own_weights
from ..visit.visit import Visit, find_anywhere


def take_back(asked: Mapping[str, str]) -> None:
    """Take the picture and weights back from the visit before.

    A reload begins another visit, whose boxes are empty. ``asked["kept"]`` is the token of the subject that
    was on screen: nothing else led to the picture before, and only the browser's tab that showed it has kept
    it. What the address names, such as a sample, was not brought. If that visit has ended, the page says so.
    The subject that a teacher has lent to a class stays the teacher's.
    """
    state, before = st.session_state, find_anywhere(asked["kept"])
    own_picture = "sample" not in asked
    if before is None or before.lent:
        state["upload_lost" if own_picture else "own_weights_lost"] = True
        return
    state["visit"].pictures.take_over(before.pictures)
    visit = before.visit()
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
