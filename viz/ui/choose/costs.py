"""Costs are known before they are paid: the page asks before it does what would take much memory."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from ...catalogue import models
from ...engine.limits import Limits
from ...profile.cost import (
    Budget,
    budget,
    free_memory,
    graph_cost,
    layer_cost,
    megabytes,
    model_cost,
    pass_cost,
)
from ...profile.tree import LayerRow
from ...request.inspection import Inspection
from ..visit.faults import heard
from ..visit.markdown import escaped
from ..visit.service import DEFAULT_MODEL
from .choose import moved, words

Offer = tuple[str, Mapping[str, object]]
"""The words on a button, and what it puts into the session's state."""


def may_load(model: str, box: str = "model") -> bool:
    """Whether a model may be loaded; if that takes much memory, only once the visitor has agreed.

    ``box`` is where another one can be chosen.
    """
    cost = model_cost(models.describe(model).parameters)
    if model == DEFAULT_MODEL or _is_agreed(model, cost):
        return True
    other = model_cost(models.describe(DEFAULT_MODEL).parameters)
    offer = (_instead(DEFAULT_MODEL, other), {box: DEFAULT_MODEL})
    _ask(model, words("cost_load", **_numbers(cost), model=model), cost, offer)
    return False


def may_draw_all(rows: Sequence[LayerRow], wanted: Inspection) -> bool:
    """Whether all layers may be drawn on one canvas; the layer alone is offered instead."""
    return _may_draw("layers", pass_cost(rows, Limits.whole_pass), wanted)


def may_scale(rows: Sequence[LayerRow], wanted: Inspection) -> bool:
    """Whether the scale may be found. One for the whole model records every layer; the layer's is offered."""
    if wanted.scale != "model":
        return True
    offer = (words("cost_layer_scale"), {"scale": "layer"})
    return _may_draw("scale", scale_cost(rows), wanted, offer)


def scale_cost(rows: Sequence[LayerRow]) -> int:
    """The bytes that it takes to find one scale for the whole model."""
    return pass_cost(rows, Limits.whole_pass)


def may_draw_gradients(rows: Sequence[LayerRow], wanted: Inspection) -> bool:
    """Whether gradients may be computed, which keeps every layer's output; the layer alone is offered."""
    return _may_draw("gradients", graph_cost(rows), wanted)


def may_draw_hooks(rows: Sequence[LayerRow], wanted: Inspection) -> bool:
    """Whether the timeline may be computed, which keeps what gradients keep; the layer alone is offered."""
    return wanted.gradient is None or _may_draw("hooks", graph_cost(rows), wanted)


def asking_first(
    rows: Sequence[LayerRow], wanted: Inspection, box: str = "layer", *, ask: bool = True
) -> Sequence[LayerRow]:
    """The rows; a layer that takes much memory without the visitor's consent says why it is not shown.

    If the layer on screen is one of them, the visitor is asked; ``box`` is where another one can be chosen.
    """
    costs = {row.name: layer_cost(row) for row in rows}
    place = st.container()  # drawn even when empty: if what stands below it moved, it would be built again
    may = budget()  # asked once: it reads files of the system
    waiting = {name for name, cost in costs.items() if not _is_agreed(f"{wanted.model} {name}", cost, may)}
    if ask and wanted.layer in waiting:
        cost = costs[wanted.layer]
        sentence = words("cost_layer", **_numbers(cost), layer=wanted.layer)
        near = _nearest(rows, wanted.layer, waiting)
        offer = (_instead(near, costs[near]), {box: near, "call": 1, "channel": None}) if near else None
        with place:
            _ask(f"{wanted.model} {wanted.layer}", sentence, cost, offer)
    return [
        replace(row, reason=words("cost_waiting", cost=megabytes(costs[row.name])))
        if row.name in waiting
        else row
        for row in rows
    ]


def _may_draw(view: str, cost: int, wanted: Inspection, offer: Offer | None = None) -> bool:
    what = f"{view} of {wanted.model}"
    if _is_agreed(what, cost):
        return True
    offer = offer or (words("cost_alone", name=wanted.layer), {"view": "layer"})
    _ask(what, words(f"cost_{view}", **_numbers(cost), model=wanted.model), cost, offer)
    return False


def _is_agreed(what: str, cost: int, may: Budget | None = None) -> bool:
    may = may or budget()
    return cost <= may.ask or (cost <= may.refuse and what in st.session_state.get("agreed", ()))


def _ask(what: str, sentence: str, cost: int, offer: Offer | None) -> None:
    """Say what it costs, and what can be done instead; going on is offered where the server can bear it."""
    may = budget()
    if cost > may.refuse:
        sentence = words("cost_too_large", sentence=sentence, most=megabytes(may.refuse))
    st.warning(escaped(sentence))
    with st.container(key="cost", horizontal=True):
        if offer:
            st.button(escaped(offer[0]), key="cost_instead", type="primary", on_click=_take, args=(offer[1],))
        if cost <= may.refuse:
            st.button(words("cost_go_on"), key="cost_go_on", on_click=_agree, args=(what,))


@heard
def _agree(what: str) -> None:
    st.session_state["agreed"] = {*st.session_state.get("agreed", ()), what}
    moved()


@heard
def _take(choice: Mapping[str, object]) -> None:
    for name, value in choice.items():
        st.session_state[name] = value
    moved()


def _nearest(rows: Sequence[LayerRow], layer: str, waiting: set[str]) -> str:
    """The closest layer that ran and takes little memory; empty if there is none."""
    place = next(index for index, row in enumerate(rows) if row.name == layer)
    near = sorted(enumerate(rows), key=lambda entry: abs(entry[0] - place))
    return next((row.name for _, row in near if row.calls and row.name not in waiting), "")


def _instead(name: str, cost: int) -> str:
    return words("cost_instead", name=name, cost=megabytes(cost))


def _numbers(cost: int) -> dict[str, str]:
    return {"cost": megabytes(cost), "free": megabytes(free_memory())}
