"""Consent to the cost of a model that takes much memory."""

import streamlit as st

from ...profile.cost import budget, free_memory, megabytes, model_cost
from ..visit.catalogue.known import describe
from ..visit.faults import guarded
from ..visit.markdown import escaped
from ..visit.service import DEFAULT_MODEL
from .choose import more, words


def may_load(model: str) -> bool:
    """Return whether a model may be loaded; show its cost if not."""
    cost, may = model_cost(describe(model).parameters), budget()
    agreed = cost <= may.refuse and model in st.session_state.get("agreed", ())
    if model == DEFAULT_MODEL or cost <= may.ask or agreed:
        return True
    _ask(model, cost, may.refuse)
    return False


def _ask(model: str, cost: int, most: int) -> None:
    """Show the cost; offer the first model, or this one if possible."""
    sentence = words("cost_load", cost=megabytes(cost), free=megabytes(free_memory()), model=model)
    if cost > most:
        sentence = words("cost_too_large", sentence=sentence, most=megabytes(most))
    st.warning(escaped(sentence) + more("limits#how-much-memory-may-it-all-take"))
    other = model_cost(describe(DEFAULT_MODEL).parameters)
    instead = escaped(words("cost_instead", name=DEFAULT_MODEL, cost=megabytes(other)))
    with st.container(key="cost", horizontal=True):
        st.button(instead, key="cost_instead", type="primary", on_click=_take_first)
        if cost <= most:
            st.button(words("cost_go_on"), key="cost_go_on", on_click=_agree, args=(model,))


@guarded
def _agree(model: str) -> None:
    st.session_state["agreed"] = {*st.session_state.get("agreed", ()), model}


@guarded
def _take_first() -> None:
    st.session_state["model"] = DEFAULT_MODEL
