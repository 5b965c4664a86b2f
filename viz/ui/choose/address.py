"""The view in the page's address: read once when a visitor arrives, kept up to date afterwards."""

import difflib
import re
from collections.abc import Sequence
from typing import Any

import streamlit as st

from ...request.inspection import SHOWS
from ..locale.catalogues import best, languages
from ..locale.words import say
from ..visit.faults import heard
from .options import FIRST, options

# What the comparison needs to know about its other side.
OTHER_SIDE = ("with_sample", "with_model", "with_weights", "with_layer", "with_call", "with_edits")

# How a copied link draws its layer. The browser starts from this; later changes stay in the browser.
DRAWN_AS = ("leaf", "kind", "row", "index", "show")
_COUNTED = ("row", "index")  # from 0; only drawing the layer shows whether it has so many
_YES_OR_NO = ("1", "0")
_LONGEST = 200
_LONGEST_OF_ALL = 32_000  # characters of names and values, as the door lets them in


def restore() -> list[str]:
    """Put what the address says into the session's state; a sentence for each thing that does not exist.

    The layer, call, channel and class are only noted here: checking them needs the model.
    """
    state, asked = st.session_state, st.query_params.to_dict()
    state["address_read"] = not state.pop("acted", False) and asked != state.get("address_written")
    if not state["address_read"]:
        return []
    state["address_written"] = asked
    too_long = sum(len(name) + len(value) for name, value in asked.items()) > _LONGEST_OF_ALL
    asked = {} if too_long else asked
    notices = [_restore_language(asked), *(_restore_choice(name, asked) for name in FIRST)]
    for name in ("layer", "call", "channel", "target", "edit", "seed", "step", *OTHER_SIDE):
        state[f"asked_{name}"] = asked.get(name)
        state.pop(name, None)
    state["present"] = asked.get("present") == _YES_OR_NO[0]
    state["serial"] = state.get("serial", 0) + 1
    notices += _restore_drawing(asked)
    state["drawn_as_for"] = state["serial"]
    state["source"] = "sample" if "sample" in asked else state.get("own_source", "sample")
    if state["source"] != "sample":
        state["sample"] = None
    if too_long:
        notices.append(say(state["lang"], "door_query", most=f"{_LONGEST_OF_ALL:,}"))
    return [notice for notice in notices if notice]


def read_again() -> None:
    """Make the next run read the address again, so that it says the same about it as this one."""
    if st.session_state["address_read"]:
        st.session_state["address_written"] = None


def drawn_as() -> dict[str, str] | None:
    """How the link that the visitor opened draws its layer; None once the visitor has moved on."""
    state = st.session_state
    return (state["drawn_as"] or None) if state["drawn_as_for"] == state["serial"] else None


def write(view: dict[str, str]) -> None:
    """Bring the address up to date with the view on screen, leaving out what is empty."""
    wanted = {name: value for name, value in view.items() if value}
    if wanted != st.query_params.to_dict() or wanted != st.session_state["address_written"]:
        st.query_params.from_dict(wanted)
    st.session_state["address_written"] = wanted


@heard
def acted() -> None:
    """Note that the visitor did something: the address of this run may be older, so it is not read."""
    st.session_state["acted"] = True


def told(part: str, what: str) -> Any:
    """What the visitor did in one of the browser's parts; None if the page no longer has that part."""
    acted()
    return (st.session_state.get(part) or {}).get(what)


def in_vain(name: str, value: str, options: Sequence[str], instead: object, **more: object) -> str:
    """The sentence for something that the address asks for and that does not exist."""
    language, value = st.session_state["lang"], "".join(filter(str.isprintable, value[:80]))
    near = difflib.get_close_matches(value, options, n=3, cutoff=0.5)
    hint = say(language, "did_you_mean", names=", ".join(near)) if near else ""
    key = f"address_{name}" if name in ("model", "layer", "seed") else "address_other"
    return say(language, key, name=name, value=value, hint=hint, instead=instead, **more)


def preferred_language() -> str:
    """The visitor's browser language if the page speaks it, else English."""
    return best(st.context.locale or "")


def _restore_language(asked: dict[str, str]) -> str:
    """Set the language from the address, or from the browser; a sentence if the page does not speak it."""
    language = asked.get("lang", preferred_language())
    st.session_state["lang"] = language if language in languages() else preferred_language()
    known = language in languages()
    return "" if known else in_vain("lang", language, list(languages()), st.session_state["lang"])


def _restore_drawing(asked: dict[str, str]) -> list[str]:
    """Note how the address draws its layer; a sentence for each part that is wrong for every layer."""
    said = {name: asked[name][:_LONGEST] for name in DRAWN_AS if name in asked}
    vain = {name: "0" for name in _COUNTED if name in said and not re.fullmatch("[0-9]{1,5}", said[name])}
    if said.get("show", SHOWS[0]) not in SHOWS:
        vain["show"] = SHOWS[0]
    if asked.get("present", "0") not in _YES_OR_NO:
        vain["present"] = "0"
    st.session_state["drawn_as"] = {name: value for name, value in said.items() if name not in vain}
    return [in_vain(name, asked[name], SHOWS, instead) for name, instead in vain.items()]


def _restore_choice(name: str, asked: dict[str, str]) -> str:
    """Set one choice from the address, or from its default; a sentence if it does not exist.

    What does not exist changes nothing: the visitor keeps the choice on screen.
    """
    value, known = asked.get(name, FIRST[name]), options(name)
    if value in known:
        st.session_state[name] = value
        return ""
    return in_vain(name, value, known, st.session_state.setdefault(name, FIRST[name]))
