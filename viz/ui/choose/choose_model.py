"""Widgets for the model and its weights."""

import streamlit as st

from ...catalogue import models
from ..visit.catalogue.known import describe
from ..visit.markdown import escaped
from ..visit.own_weights import OWN
from ..visit.visit import Visit
from ..visit.weights_words import needs_in_words
from .choose import words
from .choose_weights import begin_trained, draw_own_weights, offered_weights
from .refused import is_by_file


def choose_model(visit: Visit) -> tuple[str, str, str]:
    """Draw the boxes; return the model, its weights and a notice.

    The notice is about own weights that cannot be used; else it is empty.
    """
    model = _choose_name()
    with st.container():  # a fixed place for the spinner while a file is read, so that nothing below moves
        kinds, notice = offered_weights(visit, model)
    row = st.container(key="weights_row", horizontal=True, horizontal_alignment="distribute")
    weights = row.segmented_control(
        words("weights"),
        list(kinds),
        key="weights",
        label_visibility="collapsed",
        required=True,
        format_func=kinds.__getitem__,
        width="content",
    )
    more = row.container(key="weights_more", horizontal=True, width="content")
    if models.own.size_limit() and not is_by_file():
        with more.popover(words("own_place"), type="tertiary"):
            draw_own_weights(visit, model)
    with more.popover(words("about"), type="tertiary"):
        describe_model(model)
    if weights == OWN and visit.own is not None:
        return model, visit.own.id, notice
    return model, weights or "pretrained", notice


def _choose_name() -> str:
    """Draw the box of models; return the chosen id."""
    state, needs = st.session_state, needs_in_words(st.session_state["lang"])
    if state.get("model_needs") != needs:
        state["model"], state["model_needs"] = (
            state["model"],
            needs,
        )  # the browser knows a choice by its words
    # The box's search ranks a name the lower the longer its label is beside what was typed: with equally long
    # needs, which blanks make, a name that was typed whole comes before longer names.
    width = max(map(len, needs.values()))
    model: str = st.selectbox(
        words("model"),
        list(needs),
        key="model",
        format_func=lambda name: f"{name} · {needs.get(name, ''):{width}}",
        on_change=begin_trained,
    )
    return model


def describe_model(model: str) -> None:
    """Show the model's card: source, parameters, weights, licence, accuracy, preprocessing."""
    card = describe(model)
    facts = {
        "about_source": card.source,
        "about_parameters": f"{card.parameters:,}",
        "about_weights": card.weights_origin,
        "about_licence": card.weights_licence,
        "about_accuracy": card.accuracy,
        "about_preparation": card.preprocessing.describe(),
        "about_notes": card.notes,
    }
    lines = [f"**{escaped(card.title)}**"]
    lines += [f"{words(key)}: {escaped(fact)}" for key, fact in facts.items() if fact]
    st.markdown("\n\n".join(lines))
