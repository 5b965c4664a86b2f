"""The view in the page's address: read once when a visitor arrives, kept up to date afterwards."""

import difflib
from collections.abc import Sequence

import streamlit as st

import models
from viz.colour import COLORMAPS
from viz.samples import sample_names
from viz.ui.words import LANGUAGES, say

DEFAULTS = {
    "model": "photonet",
    "weights": "pretrained",
    "colormap": "auto",
    "scale": "layer",
    "sample": "cat",
}


def restore() -> list[str]:
    """Put what the address says into the session's state; a sentence for each thing it asks for in vain.

    The layer, call and channel are only noted here: whether they exist is known once the model is.
    """
    asked = st.query_params.to_dict()
    if st.session_state.pop("acted", False) or asked == st.session_state.get("address_written"):
        return []
    st.session_state["address_written"] = asked
    language = asked.get("lang", st.session_state.get("lang", preferred_language()))
    st.session_state["lang"] = language if language in LANGUAGES else "en"
    notices = [notice for name in DEFAULTS if (notice := _restore_choice(name, asked))]
    for name in ("layer", "call", "channel"):
        st.session_state[f"asked_{name}"] = asked.get(name)
    st.session_state["serial"] = st.session_state.get("serial", 0) + 1
    if "sample" in asked:
        st.session_state["source"] = "sample"
    return notices


def write(view: dict[str, str]) -> None:
    """Bring the address up to date with the view on screen, leaving out what is empty."""
    wanted = {name: value for name, value in view.items() if value}
    if wanted != st.query_params.to_dict() or wanted != st.session_state["address_written"]:
        st.query_params.from_dict(wanted)
    st.session_state["address_written"] = wanted


def acted() -> None:
    """Note that the visitor did something: the address that came along may be older, so it waits."""
    st.session_state["acted"] = True


def closest(value: str, options: Sequence[str]) -> str:
    """A hint that names the options most like the value, or nothing."""
    near = difflib.get_close_matches(value, options, n=3, cutoff=0.5)
    return say(st.session_state["lang"], "did_you_mean", names=", ".join(near)) if near else ""


def preferred_language() -> str:
    """The visitor's browser language if the page speaks it, else English."""
    return "zh" if (st.context.locale or "").lower().startswith("zh") else "en"


def _options(name: str) -> Sequence[str]:
    match name:
        case "model":
            return models.names()
        case "weights":
            return ("pretrained", "random")
        case "colormap":
            return ("auto", *COLORMAPS)
        case "scale":
            return ("layer", "channel")
        case _:
            return sample_names()


def _restore_choice(name: str, asked: dict[str, str]) -> str | None:
    """Set one choice from the address, on the first run from its default; a sentence if it does not exist."""
    value = asked.get(name)
    if value is None or value in _options(name):
        if value is not None or name not in st.session_state:
            st.session_state[name] = value or DEFAULTS[name]
        return None
    instead = st.session_state.setdefault(name, DEFAULTS[name])
    key = "address_model" if name == "model" else "address_other"
    hint = closest(value, _options(name))
    return say(st.session_state["lang"], key, name=name, value=value[:80], hint=hint, instead=instead)
