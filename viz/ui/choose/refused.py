"""Weights that could not be had: a notice with ways out.

Only a notice comes: the page stays with the last model that it could show. On arrival there is none, and the
model is shown untrained.
"""

from dataclasses import dataclass

import streamlit as st

from ...catalogue import models
from ..locale.translated import translated
from ..visit.faults import guarded
from ..visit.markdown import escaped
from ..visit.weights_words import MISSING_WEIGHTS
from .choose import more, words
from .choose_weights import draw_own_weights

SWITCHES = ("model", "weights")


@dataclass(frozen=True)
class RefusedWeights:
    """Trained weights that could not be had.

    Attributes:
        model: whose.
        reason: one sentence.
        instead: model and weights, as the boxes say them, that stay on screen.
        by_file: whether the visitor wants to choose a file with them.
    """

    model: str
    reason: str
    instead: tuple[str, str]
    by_file: bool = False


def take_back() -> None:
    """Set the boxes back to the shown subject after a refusal.

    Call it before they are drawn. The notice ends with the next choice.
    """
    state = st.session_state
    refused = state.get("refused")
    if refused is None:
        return
    if state.pop("refused_now", False):
        state["model"], state["weights"] = refused.instead
    elif (state["model"], state["weights"]) != refused.instead:
        del state["refused"]


def refuse(model: str, error: models.ModelError) -> None:
    """Keep the subject on screen with a notice, and end the run."""
    state = st.session_state
    shown, wanted = state.get("choice_shown"), (model, "pretrained")
    instead = shown if shown and shown != wanted else (model, "random")
    state["refused"], state["refused_now"] = RefusedWeights(model, str(error), instead), True
    st.rerun()


def note_shown() -> None:
    """Note the boxes' model and weights: they can be shown."""
    state = st.session_state
    state["choice_shown"] = tuple(state[name] for name in SWITCHES)


def is_by_file() -> bool:
    """Return whether the box for own weights stands in the notice."""
    refused = st.session_state.get("refused")
    return refused is not None and refused.by_file


def draw_refused() -> None:
    """Draw the notice about missing weights, with ways out."""
    state = st.session_state
    refused: RefusedWeights | None = state.get("refused")
    if refused is None:
        return
    model, kept = refused.model, refused.instead[0]
    said = words("refused_untrained", model=model)
    if kept != model:
        said = words("refused_kept", model=model, shown=kept)
    with st.container(key="refused"):
        reason = escaped(translated(refused.reason, state["lang"]))
        st.warning(f"**{escaped(said)}** {reason}.{more(MISSING_WEIGHTS)}")
        _draw_ways_out(refused)


def _draw_ways_out(refused: RefusedWeights) -> None:
    model = refused.model
    with st.container(horizontal=True):
        st.button(words("refused_again"), key="refused_again", on_click=_choose, args=(model, "pretrained"))
        if refused.instead[0] != model:
            untrained = words("refused_show", model=model)
            st.button(untrained, key="untrained", on_click=_choose, args=(model, "random"))
        if models.own.size_limit() and not refused.by_file:
            st.button(words("refused_file"), key="refused_file", on_click=_choose_file, args=(refused,))
    if refused.by_file:
        draw_own_weights(st.session_state["visit"], model)


@guarded
def _choose(model: str, weights: str) -> None:
    state = st.session_state
    state["model"], state["weights"] = model, weights
    state.pop("refused", None)


@guarded
def _choose_file(refused: RefusedWeights) -> None:
    state, instead = st.session_state, (refused.model, "random")
    state["model"], state["weights"] = instead
    state["refused"] = RefusedWeights(refused.model, refused.reason, instead, by_file=True)
