"""Choose where to look: the layer, its call, and how it is drawn."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from ...hooks.functional import is_operation
from ...profile.cost import megabytes
from ...profile.tree import LayerRow, first_layer
from ...views.comparison import FARTHEST
from ..visit.faults import heard
from .address import in_vain, told
from .choose import moved, words
from .costs import scale_cost
from .options import FIRST, options

ANY_NUMBER = 100_000


def choose_layer(rows: Sequence[LayerRow], model: str) -> tuple[str, str]:
    """The layer's name, and a sentence if the address asked for one that the model does not have."""
    state, names = st.session_state, [row.name for row in rows]
    asked, notice = state.pop("asked_layer", None), ""
    if asked in names:
        state["layer"] = asked
    elif state.get("layer") not in names:
        state["layer"] = first_layer(rows)
    if asked is not None and asked not in names:
        notice = in_vain("layer", asked, names, state["layer"], model=model)
    if not state.pop("lagging", False):
        state["passed"] = set()  # the box agrees with the page: it has caught up
    st.selectbox(words("layer"), names, key="layer", on_change=_chosen)
    return state["layer"], notice


def choose_operations(rows: Sequence[LayerRow]) -> Sequence[LayerRow]:
    """The rows to show: operations only when the visitor, or the address, asks for them."""
    state, operations = st.session_state, sum(is_operation(row.name) for row in rows)
    if is_operation(state.get("asked_layer") or ""):
        state["operations"] = True
    if not operations:
        return rows
    shown = st.toggle(
        words("operations", count=operations),
        key="operations",
        help=words("operations_help"),
        on_change=moved,
    )
    return rows if shown else [row for row in rows if not is_operation(row.name)]


def choose_view() -> str:
    """Which way of looking, one of ``viz.ui.choose.options.VIEWS``."""
    views = {name: words(f"view_{name}") for name in options("view")}
    chosen = st.segmented_control(
        words("view"),
        list(views),
        key="view",
        format_func=views.__getitem__,
        label_visibility="collapsed",
        required=True,
        on_change=moved,
        width="content",
    )
    return chosen or "layer"


def choose_drawing(rows: Sequence[LayerRow], *, compared: bool = False) -> tuple[str, ...]:
    """The colormap, the scale and the order of channels; with ``compared``, for both sides at once."""
    state = st.session_state
    for name in ("order", "with_order"):  # set again, or Streamlit forgets the one that is not on screen
        state[name] = state.get(name, FIRST[name])
    if compared and state["scale"] == "channel":
        state["scale"] = "layer"
    places = st.container(key="drawing", horizontal=True)
    # Names are looked up here and not in format_func, which also runs where there is no session.
    choices = {
        "colormap": {name: name for name in options("colormap")} | {"auto": words("colormap_auto")},
        "scale": {name: words(f"scale_{name}") for name in options("scale")},
        "order": {name: words(f"order_{name}") for name in options("order")},
    }
    if compared:
        first = {FARTHEST: words(f"order_{FARTHEST}")}
        choices["with_order"] = first | choices.pop("order")
        choices["scale"] |= {"layer": words("scale_both")}
        del choices["scale"]["channel"]
    return tuple(
        places.selectbox(
            words(name),
            list(labels),
            key=name,
            format_func=labels.__getitem__,
            help=words("scale_help", cost=megabytes(scale_cost(rows))) if name == "scale" else None,
            on_change=moved,
        )
        for name, labels in choices.items()
    )


def kept_drawing() -> tuple[str, ...]:
    """The same choices while they are not on screen; set again, or Streamlit forgets them."""
    state = st.session_state
    for name in ("colormap", "scale", "order", "with_order"):
        state[name] = state.get(name, FIRST[name])
    return state["colormap"], state["scale"], state["order"]


def chosen_call(rows: Sequence[LayerRow], layer: str) -> tuple[int, list[str]]:
    """The call on screen, counted from 0; a sentence if the address asks for a wrong call or channel."""
    state, row = st.session_state, next(row for row in rows if row.name == layer)
    shape = (row.shapes or (None,))[0]
    channels = shape[1] if shape and len(shape) == 4 else ANY_NUMBER  # noqa: PLR2004  (N, C, H, W)
    asked = state.get("asked_channel")
    notices = [_take("call", range(1, max(1, row.calls) + 1)), _take("channel", range(channels))]
    if channels == ANY_NUMBER and asked and not notices[1]:
        state["drawn_as"]["channel"] = str(state["channel"])  # the viewer knows how many channels there are
    if not 1 <= state.get("call", 0) <= row.calls:
        state["call"] = 1
    return int(state["call"]) - 1, [notice for notice in notices if notice]


def follow(at: Mapping[str, Any]) -> None:
    """Take over what a viewer in the browser has on screen, whatever the page's own boxes say."""
    state = st.session_state
    state["passed"], state["lagging"] = {*state.get("passed", ()), state["layer"], at["layer"]}, True
    state["layer"], state["call"], state["channel"] = at["layer"], at["call"] + 1, at["channel"]
    state["heard"], state["present"], state["followed"] = at["move"], bool(at["present"]), at["layer"]


def _take(name: str, choices: range) -> str:
    """Take a number from the address; a sentence if there is no such call or channel."""
    asked = st.session_state.pop(f"asked_{name}", None)
    if asked is None:
        return ""
    number = int(asked) if re.fullmatch("[0-9]{1,5}", asked) else -1
    if number in choices:
        st.session_state[name] = number
        return ""
    return in_vain(name, asked, (), choices[0])


@heard
def _chosen() -> None:
    state = st.session_state
    if told("viewer", "at") or told("compare", "at"):
        return  # the viewer has moved; this box only looks changed because it has not followed yet
    if state["layer"] in state.get("passed", ()):
        # Another box changed before this one followed; for a choice made here, the viewer would have spoken.
        state["layer"], state["lagging"] = state["followed"], True
        return
    moved()
    state["call"], state["channel"] = 1, None
