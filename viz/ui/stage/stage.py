"""The stage and its parts, with each subject sent once.

The browser keeps the look.
"""

from collections.abc import Sequence

import streamlit as st
from msgspec.structs import replace

from ...answers.message import Notice, as_plain
from ...answers.subject import PartFacts, SubjectFacts
from ...pictures.own_donors import own_name
from ..browser.modules import browser_part
from ..choose.address import go_to, in_address
from ..choose.choose import words
from ..choose.choose_crop import take_frame
from ..choose.choose_donors import brought_picture, donors_for_viewer, own_pictures
from ..visit.catalogue.known import describe
from ..visit.faults import guarded
from ..visit.own_weights import is_own_weights
from ..visit.visit import SubjectEntry
from .frame import frame_facts
from .subject_facts import facts_of

_stage = browser_part("stage", "stage/stage.js")
_side = browser_part("side", "stage/side.js")
_seen = browser_part("seen", "side/seen.js")


def draw_style() -> None:
    """Draw the style that translates Streamlit's one English word."""
    st.html(f"<style>:root {{ --lg-upload: '{words('upload_button')}'; }}</style>")


def draw_seen(subject: SubjectEntry) -> None:
    """Draw the places of the preprocessed picture and the predictions.

    Their content comes with the stage.
    """
    _seen(key="seen", data=as_plain(PartFacts(subject=subject.token)), on_crop_change=take_frame)


def draw_side(subject: SubjectEntry) -> None:
    """Draw the places of the layer's box and the module tree.

    Their content comes with the stage.
    """
    _side(key="side", data=as_plain(PartFacts(subject=subject.token)))


def draw_stage(subject: SubjectEntry, notices: Sequence[Notice]) -> None:
    """Draw the stage: all views of the subject, below the notices.

    The notices stay until the look changes.
    """
    _stage(key="stage", data=as_plain(subject_facts(subject, notices)), on_subject_change=_gone_back)


def subject_facts(subject: SubjectEntry, notices: Sequence[Notice]) -> SubjectFacts:
    """Return the facts of this page's subject, in the visitor's language."""
    weights = "" if is_own_weights(subject.weights) else subject.weights
    preprocessing = describe(subject.model).preprocessing
    return replace(
        facts_of(subject, st.session_state["lang"]),
        notices=tuple(notices),
        address=in_address(subject.model, weights, subject.photo.crop),
        picture=own_name(subject.photo.original),
        frame=frame_facts(subject.photo, preprocessing),
        donors=donors_for_viewer(),
        own=own_pictures(),
        brought=brought_picture(),
    )


@guarded
def _gone_back() -> None:
    """The visitor went back to another subject in the browser's history."""
    asked = (st.session_state.get("stage") or {}).get("subject")
    if asked:
        go_to(asked)
