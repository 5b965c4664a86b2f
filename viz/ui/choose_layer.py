"""Choose where to look: the layer, its call, and how it is drawn."""

import re
from collections.abc import Sequence

import streamlit as st

from viz.colour import COLORMAPS
from viz.tree import LayerRow
from viz.ui.address import closest
from viz.ui.choose import moved, words


def choose_layer(rows: Sequence[LayerRow], model: str) -> tuple[str, str]:
    """The layer's name, and a sentence if the address asked for one that the model does not have."""
    state, names = st.session_state, [row.name for row in rows]
    asked, notice = state.pop("asked_layer", None), ""
    if asked in names:
        state["layer"] = asked
    elif state.get("layer") not in names:
        state["layer"] = first_layer(rows)
    if asked is not None and asked not in names:
        notice = words(
            "address_layer", value=asked[:80], model=model, hint=closest(asked, names), instead=state["layer"]
        )
    st.selectbox(words("layer"), names, key="layer", on_change=_chosen)
    return state["layer"], notice


def first_layer(rows: Sequence[LayerRow]) -> str:
    """The layer to begin with: the first convolution that ran, else the first layer that ran."""
    ran = [row for row in rows if row.calls]
    convolutions = [row for row in ran if row.type.startswith("Conv")]
    return (convolutions or ran or list(rows))[0].name


def choose_drawing() -> tuple[str, str]:
    """The colormap and the scale."""
    places = st.container(key="drawing", horizontal=True)
    # Names are looked up here and not in format_func, which also runs where there is no session.
    colormaps = {name: name for name in ("auto", *COLORMAPS)} | {"auto": words("colormap_auto")}
    scales = {name: words(f"scale_{name}") for name in ("layer", "channel")}
    colormap = places.selectbox(
        words("colormap"),
        list(colormaps),
        key="colormap",
        format_func=colormaps.__getitem__,
        on_change=moved,
    )
    scale = places.selectbox(
        words("scale"),
        list(scales),
        key="scale",
        format_func=scales.__getitem__,
        help=words("scale_help"),
        on_change=moved,
    )
    return colormap, scale


def chosen_call(rows: Sequence[LayerRow], layer: str) -> int:
    """The call on screen, counted from 0; the first one where the layer does not run so often."""
    state = st.session_state
    asked = state.pop("asked_call", None)
    if asked and re.fullmatch("[0-9]{1,5}", asked):
        state["call"] = int(asked)
    calls = next(row.calls for row in rows if row.name == layer)
    if not 1 <= state.get("call", 0) <= calls:
        state["call"] = 1
    return int(state["call"]) - 1


def _chosen() -> None:
    if (st.session_state.get("viewer") or {}).get("at"):
        return  # the viewer reports a move; this box only looks changed because it has not followed yet
    moved()
    st.session_state["call"], st.session_state["channel"] = 1, None
