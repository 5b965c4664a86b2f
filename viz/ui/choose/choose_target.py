"""Choose the class whose gradients are shown."""

import re
from collections.abc import Sequence

import streamlit as st

from ...request.inspection import Prediction
from .address import in_vain
from .choose import moved, words

VIEWS_BACK = ("gradients", "hooks")  # these show gradients of a class
TOP = -1  # the most probable class of each picture; a number from 0 is that class for every picture


def choose_target(classes: Sequence[str], prediction: Prediction) -> tuple[int | None, str]:
    """The class, counted from 0, and a sentence if the address asked for one that does not exist.

    None if the model's output is not one logit for each of the ``classes``.
    """
    if not prediction.classes:
        st.session_state.pop("asked_target", None)  # it was meant for this model, not for the next one
        return None, words("no_target")
    best = prediction.top[0][0]
    notice = _restored(tuple(classes), best)
    labels = {TOP: words("target_top", label=best)}
    labels |= {place: f"{label} · {place}" for place, label in enumerate(classes)}
    chosen: int = st.selectbox(
        words("target"),
        list(labels),
        key="target",
        format_func=lambda place: labels.get(place, str(place)),
        on_change=moved,
        label_visibility="collapsed",
        width=320,
    )
    return (prediction.classes[0] if chosen == TOP else chosen), notice


def target_in_address() -> str:
    """The chosen class as the address says it; empty for the most probable one, and in other views."""
    state = st.session_state
    chosen = state.get("target", TOP)
    if state["view"] not in VIEWS_BACK:
        state["target"] = chosen  # set again, or Streamlit forgets it while its box is not on screen
        return ""
    return "" if chosen == TOP else str(chosen)


def _restored(classes: tuple[str, ...], best: str) -> str:
    """Set the choice from the address, as far as the model allows; a sentence if there is no such class."""
    state = st.session_state
    asked, places = state.pop("asked_target", None), range(len(classes))
    if asked:
        number = int(asked) if re.fullmatch("[0-9]{1,5}", asked) else TOP
        state["target"] = number if number in places else TOP
    elif state.get("target_classes") != classes or state.get("target") not in {TOP, *places}:
        state["target"] = TOP
    state["target_classes"] = classes
    return in_vain("target", asked, (), best) if asked and state["target"] == TOP else ""
