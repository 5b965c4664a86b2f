"""The subject in the page's address, read when a visitor arrives."""

import logging
from collections.abc import Mapping, Sequence

import msgspec
import streamlit as st

from ...answers.message import Notice, as_plain, heard
from ...answers.subject import SubjectNames
from ...pictures.photo import Crop
from ..folders.named import is_here, is_of_folder
from ..locale.catalogues import best, languages
from ..locale.vain import vain_notice
from ..locale.words import say
from .choose_files import forget_refusals
from .choose_kept import keep_own_weights, take_back
from .options import FIRST, options

_LONGEST_OF_ALL = 32_000  # characters of names and values, as the door lets them in
log = logging.getLogger(__name__)


def restore() -> list[Notice]:
    """Restore the choices from the address; return sentences about impossible ones.

    The address of the arrival is read once. Later, Streamlit still shows that one, or if it was bare, what
    the browser has written since. What the visitor goes back to, the stage says (``go_to``).
    """
    state = st.session_state
    asked = came_back = state.get("asked_subject")
    if asked and "kept" in asked:
        asked = take_back(asked)
    if asked is None:
        if state.get("has_arrived"):
            return []
        asked = st.query_params.to_dict()
    too_long = sum(len(name) + len(value) for name, value in asked.items()) > _LONGEST_OF_ALL
    asked = {} if too_long else asked
    notices = [_restore_language(asked), *(_restore_choice(name, asked) for name in FIRST)]
    if came_back:
        forget_refusals()
        if "weights" not in asked:
            keep_own_weights()
    ask_crop(asked.get("crop", ""))
    state["source"] = "sample" if "sample" in asked else state.get("own_source", "sample")
    if state["source"] != "sample":
        state["sample"] = None
    if too_long:
        sentence = say(state["lang"], "door_query", most=f"{_LONGEST_OF_ALL:,}")
        notices.append(Notice(sentence, "limits#why-was-a-request-refused"))
    state["has_arrived"] = True  # only now: after a run that ended half-way the next one begins anew
    state.pop("asked_subject", None)
    return [notice for notice in notices if notice]


def go_to(asked: object) -> None:
    """Note the subject that the visitor went back to."""
    try:
        names = heard(asked, SubjectNames)
    except msgspec.DecodeError as error:
        log.warning("a browser went back to no subject: %s", error)
    else:
        st.session_state["asked_subject"] = as_plain(names)


def ask_crop(crop: str) -> None:
    """Note the crop for the next run; empty for none."""
    st.session_state["crop"] = crop
    st.session_state.pop("crop_of", None)


def in_address(model: str, weights: str, crop: Crop | None) -> dict[str, str]:
    """Return the subject's names in the address, without a visitor's files."""
    state = st.session_state
    said = {
        "model": model,
        "weights": weights,
        "sample": state["sample"] if state["source"] == "sample" else "",
        "crop": str(crop) if crop else "",
        "lang": state["lang"] if state["lang"] != preferred_language() else "",
    }
    return {name: value for name, value in said.items() if value}


def in_vain(name: str, value: str, options: Sequence[str], instead: object, **more: object) -> Notice:
    """Return the sentence about an address's value that does not exist."""
    return vain_notice(st.session_state["lang"], name, value, options, instead, **more)


def preferred_language() -> str:
    """The visitor's browser language if the page speaks it, else English."""
    return best(st.context.locale or "")


def _restore_language(asked: Mapping[str, str]) -> Notice | None:
    """Set the language by address or browser; return a sentence if unknown."""
    language = asked.get("lang", preferred_language())
    st.session_state["lang"] = language if language in languages() else preferred_language()
    known = language in languages()
    return None if known else in_vain("lang", language, list(languages()), st.session_state["lang"])


def _is_of_folder(name: str, value: str) -> bool:
    """Return whether a sample is a folder's picture for this visitor."""
    visit = st.session_state.get("visit")
    return name == "sample" and visit is not None and is_of_folder(value) and is_here(value, visit)


def _restore_choice(name: str, asked: Mapping[str, str]) -> Notice | None:
    """Set one choice from the address; return a sentence if impossible.

    What does not exist changes nothing: the visitor keeps the choice on screen.
    """
    value, known = asked.get(name, FIRST[name]), options(name)
    if value in known or _is_of_folder(name, value):
        st.session_state[name] = value
        return None
    return in_vain(name, value, known, st.session_state.setdefault(name, FIRST[name]))
