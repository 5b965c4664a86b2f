"""What Python says to the stage: the subject, once for each; what is looked at, the browser knows itself."""

from collections.abc import Sequence

import streamlit as st

from ...answers.message import as_plain
from ...answers.subject import CostFacts, PartFacts, SubjectFacts
from ...engine.limits import Limits
from ...layer_names import is_operation
from ...maps.colour import AUTO, COLORMAPS, DIVERGING, SIGNED_ON_DARK, colour_stops
from ...pictures.own_donors import own_name
from ...profile.chain import chain
from ...profile.cost import budget, free_memory, graph_cost, pass_cost
from ...profile.rows import first_layer
from ..browser.modules import browser_part
from ..choose.address import go_to, in_address
from ..choose.choose import words
from ..choose.choose_crop import take_frame
from ..choose.choose_donors import donors_for_viewer, own_pictures
from ..choose.choose_weights import weights_in_words
from ..locale.layer_types import types_in_words
from ..locale.words import browser_words
from ..visit.catalogue.known import describe
from ..visit.faults import guarded
from ..visit.own_weights import is_own_weights
from ..visit.visit import SubjectEntry
from ..wire.rows import link_facts, row_facts
from .frame import frame_facts
from .layer_sentences import sentences

_stage = browser_part("stage", "stage/stage.js")
_side = browser_part("side", "stage/side.js")
_seen = browser_part("seen", "side/seen.js")


def draw_style() -> None:
    """The one word on the page that Streamlit only has in English, for the page's style sheet."""
    st.html(f"<style>:root {{ --lg-upload: '{words('upload_button')}'; }}</style>")


def draw_seen(subject: SubjectEntry) -> None:
    """The picture after preprocessing and the predictions; what else they show comes with the stage."""
    _seen(key="seen", data=as_plain(PartFacts(subject=subject.token)), on_crop_change=take_frame)


def draw_side(subject: SubjectEntry) -> None:
    """The layer's box and the module tree; what else they show comes with the stage."""
    _side(key="side", data=as_plain(PartFacts(subject=subject.token)))


def draw_stage(subject: SubjectEntry, notices: Sequence[str]) -> None:
    """All ways of looking at the subject, below the notices until the visitor looks at something else."""
    _stage(key="stage", data=as_plain(subject_facts(subject, notices)), on_subject_change=_gone_back)


def subject_facts(subject: SubjectEntry, notices: Sequence[str]) -> SubjectFacts:
    """What the browser has to know of a subject, in the visitor's language."""
    language, model, weights = st.session_state["lang"], subject.model, subject.weights
    card = describe(model)
    first = first_layer([row for row in subject.rows if not is_operation(row.name)])
    said, sentence_of = sentences(subject.rows, first, language)
    return SubjectFacts(
        subject=subject.token,
        notices=tuple(notices),
        model=model,
        address=in_address(model, "" if is_own_weights(weights) else weights, subject.photo.crop),
        picture=own_name(subject.photo.original),
        rows=tuple(row_facts(row, language) for row in subject.rows),
        first=first,
        chain=tuple(map(link_facts, chain(subject.rows))),
        kinds=types_in_words(subject.rows, language),
        sentences=said,
        sentence_of=sentence_of,
        trained=weights_in_words(weights, model),
        untrained=weights == "random",
        classes=len(card.classes),
        input=card.input_size,
        signal=card.input_size[0] == 1,
        frame=frame_facts(subject.photo, card.preprocessing),
        donors=donors_for_viewer(),
        own=own_pictures(),
        colormaps=(AUTO, *COLORMAPS),
        colours={name: colour_stops(name) for name in (*COLORMAPS, SIGNED_ON_DARK)},
        diverging=DIVERGING,
        costs=_costs(subject),
        words=browser_words(language),
    )


def _costs(subject: SubjectEntry) -> CostFacts:
    may = budget()
    return CostFacts(
        ask=may.ask,
        refuse=may.refuse,
        free=free_memory(),
        all=pass_cost(subject.rows, Limits.whole_pass),
        back=graph_cost(subject.rows),
    )


@guarded
def _gone_back() -> None:
    """The visitor went back to another subject in the browser's history."""
    asked = (st.session_state.get("stage") or {}).get("subject")
    if asked:
        go_to(asked)
