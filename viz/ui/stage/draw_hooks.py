"""The view of hooks, which lives in the browser: a pass as a timeline, its maps, what is left in memory."""

import re

import streamlit as st

from ...request.inspection import Inspection
from ..browser.modules import browser_part
from ..choose.address import in_vain, told
from ..locale.words import browser_words
from ..visit.faults import heard
from ..visit.markdown import escaped
from ..visit.visit import SubjectEntry
from .components import look_fields

_hooks = browser_part("hooks", "hooks/hooks.js")


def draw_hooks(subject: SubjectEntry, wanted: Inspection) -> None:
    """Every hook of one pass, and of the way back if ``wanted`` has a class."""
    step, notice = _step(wanted)
    if notice:
        st.warning(escaped(notice))
    data = {
        "subject": subject.token,
        "look": look_fields(wanted),
        "back": wanted.gradient is not None,
        "layer": wanted.layer,
        "call": wanted.call,
        **step,
        "serial": st.session_state["serial"],
        "words": browser_words(st.session_state["lang"]),
    }
    _hooks(key="hooks", data=data, on_layer_change=_chosen, on_at_change=_stepped)


def step_in_address() -> str:
    """The step of the timeline as the address says it; empty for the first one shown, and in other views."""
    state = st.session_state
    return str(state["step"]["step"]) if state["view"] == "hooks" and state.get("step") else ""


def _step(wanted: Inspection) -> tuple[dict[str, object], str]:
    """The step, from 1, and whether the address ``"asked"`` for it; a sentence if it is not a step at all.

    A step belongs to one layer's timeline: another layer begins at its own. Only the browser knows how many
    steps there are, and says so if the address asks for a step beyond the last.
    """
    state, notice = st.session_state, ""
    at, asked = {"layer": wanted.layer, "call": wanted.call}, state.pop("asked_step", None)
    if asked and re.fullmatch("[1-9][0-9]{0,5}", asked):
        state["step"] = at | {"step": int(asked), "asked": True}
    elif asked:
        notice = in_vain("step", asked, (), wanted.layer)
    step = state.get("step") or {}
    if step | at != step:
        state["step"] = step = {}
    return {"step": step.get("step"), "asked": step.get("asked", False)}, notice


@heard
def _stepped() -> None:
    """The visitor stopped at another step; the address follows."""
    at = told("hooks", "at")
    if at:
        st.session_state["step"] = {name: at[name] for name in ("layer", "call", "step")}


@heard
def _chosen() -> None:
    """The visitor went to another layer in the browser: the page follows, and stays in this view."""
    layer = told("hooks", "layer")
    if layer:
        state = st.session_state
        state["layer"], state["call"], state["channel"] = layer, 1, None
        state["serial"] += 1
