"""The view that compares: two sides on one scale, their difference, and one channel of all three large."""

from collections.abc import Sequence

import streamlit as st

from ...pictures.photo import Photo
from ...profile.tree import LayerRow
from ...request.inspection import Inspection
from ..browser.modules import browser_part
from ..choose.address import told
from ..choose.choose import words
from ..choose.choose_comparison import Other, choose_other, title_of_first
from ..choose.choose_layer import follow
from ..choose.choose_weights import weights_in_words
from ..choose.costs import asking_first, may_scale
from ..choose.loading import predict_changes, predict_top
from ..locale.words import browser_words
from ..visit.faults import heard
from ..visit.markdown import escaped
from ..visit.visit import LayerCalls, MapSet, Visit
from .components import layer_facts
from .layer_types import types_in_words

_compare = browser_part("compare", "compare/compare.js")


def draw_comparison(
    visit: Visit, photo: Photo, rows: Sequence[LayerRow], wanted: Inspection, map_set: MapSet
) -> None:
    """The choice of the other side, and both beside each other once all models are there."""
    notice_place = st.container()
    other, notices = choose_other(visit, photo, rows, wanted)
    with notice_place:
        for sentence in filter(None, notices):
            st.warning(escaped(sentence))
    if other is None or not may_scale(other.rows, other.wanted):
        return
    first = asking_first(rows, wanted)
    others = asking_first(
        other.rows, other.wanted, "with_layer", ask=not _is_waiting(first, rows, wanted.layer)
    )
    other_set = visit.map_set(
        other.photo, other.wanted, tuple(LayerCalls(row.name, row.calls) for row in other.rows)
    )
    labels = (
        _label(wanted, photo, visit, _titled(title_of_first(), wanted, other.wanted)),
        _label(other.wanted, other.photo, visit, _titled(other.title, other.wanted, wanted)),
    )
    _draw((map_set, other_set), (first, others), other, wanted, labels)


def _draw(
    map_sets: tuple[MapSet, MapSet],
    rows: tuple[Sequence[LayerRow], Sequence[LayerRow]],
    other: Other,
    wanted: Inspection,
    labels: tuple[str, str],
) -> None:
    state = st.session_state
    data = {
        "book": map_sets[0].token,
        "other_book": map_sets[1].token,
        "pages": [layer_facts(row) for row in rows[0]],
        "others": [layer_facts(row) for row in rows[1]],
        "layer": wanted.layer,
        "call": wanted.call,
        "other_layer": other.wanted.layer,
        "other_call": other.wanted.call,
        "follows": other.follows,
        "alike": (wanted.model, wanted.weights) == (other.wanted.model, other.wanted.weights),
        "channel": state.get("channel"),
        "serial": state["serial"],
        "heard": state.setdefault("heard", 0),
        "passed": sorted(state["passed"]),
        "labels": labels,
        "words": browser_words(state["lang"]),
        "present": state["present"],
        "kinds": types_in_words(rows[0], state["lang"]),
    }
    _compare(key="compare", data=data, on_at_change=_moved)


def _is_waiting(asked: Sequence[LayerRow], rows: Sequence[LayerRow], layer: str) -> bool:
    """Whether the page already asks the visitor about this layer's cost."""
    return any(ask.reason != row.reason for ask, row in zip(asked, rows, strict=True) if row.name == layer)


def _label(wanted: Inspection, photo: Photo, visit: Visit, title: str) -> str:
    """The label of a side: the model, its weights, the picture, and what the model takes it for."""
    best = _predictions(wanted, photo, visit)[:1] if wanted.weights != "random" else ()
    predicted = [words("guess", label=label, share=f"{100 * share:.0f}") for label, share in best]
    return " · ".join((wanted.model, weights_in_words(wanted.weights, wanted.model), title, *predicted))


def _predictions(wanted: Inspection, photo: Photo, visit: Visit) -> Sequence[tuple[str, float]]:
    """The predictions, best first, with the edits if there are any; empty if the model fails with them."""
    changes = predict_changes(wanted, photo, visit)
    if changes is None:
        return ()
    after = sorted(((each.label, each.after) for each in changes), key=lambda share: -share[1])
    return after or predict_top(wanted, photo, visit).top


def _titled(title: str, wanted: Inspection, across: Inspection) -> str:
    """What each side's picture shows; if only one side has the edits, also which one."""
    if bool(wanted.in_force) == bool(across.in_force):
        return title
    return " · ".join((title, words("with_the_edits" if wanted.in_force else "without_edits")))


@heard
def _moved() -> None:
    """The visitor flipped in the browser: take over what is on screen, on both sides."""
    at = told("compare", "at")
    if at:
        follow(at)
        st.session_state["other_layer"] = at["other"]
