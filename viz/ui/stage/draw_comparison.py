"""The view that compares: two sides on one scale, their difference, and one channel of all three large."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from ...pictures.photo import Photo
from ...profile.tree import LayerRow
from ...request.inspection import Inspection
from ...request.look import Look
from ...views.comparison import FARTHEST
from ..browser.modules import browser_part
from ..choose.address import told
from ..choose.choose import words
from ..choose.choose_comparison import WITHOUT, Other, choose_other, title_of_first
from ..choose.choose_layer import follow
from ..choose.choose_weights import weights_in_words
from ..choose.costs import asking_first, may_scale
from ..choose.loading import predict_changes, predict_top
from ..locale.words import browser_words
from ..visit.faults import heard
from ..visit.markdown import escaped
from ..visit.visit import SubjectEntry, Visit
from .components import layer_facts, look_fields
from .layer_types import types_in_words

_compare = browser_part("compare", "compare/compare.js")


def draw_comparison(
    visit: Visit, subject: SubjectEntry, rows: Sequence[LayerRow], wanted: Inspection
) -> None:
    """The choice of the other side, and both beside each other once all models are there."""
    photo, notice_place = subject.photo, st.container()
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
    same = (subject.model, subject.weights) == (other.wanted.model, other.wanted.weights)
    every = subject.rows if same else tuple(other.rows)
    beside = visit.subject(other.photo, other.wanted.model, other.wanted.weights, every)
    labels = (
        _label(wanted, photo, visit, _titled(title_of_first(), wanted, other.wanted)),
        _label(other.wanted, other.photo, visit, _titled(other.title, other.wanted, wanted)),
    )
    _draw((subject, beside), (first, others), other, wanted, labels)


def _draw(
    subjects: tuple[SubjectEntry, SubjectEntry],
    rows: tuple[Sequence[LayerRow], Sequence[LayerRow]],
    other: Other,
    wanted: Inspection,
    labels: tuple[str, str],
) -> None:
    state = st.session_state
    data = {
        "subject": subjects[0].token,
        "other_subject": subjects[1].token,
        "look": _look_of_both(wanted, other.wanted),
        "other_look": _look_alone(other.wanted),
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


def _look_of_both(wanted: Inspection, other: Inspection) -> dict[str, object]:
    """What the look says of both sides: their channels have one order, and B may do without the edits."""
    look = _look_alone(wanted) | ({"with_order": wanted.order} if wanted.order != FARTHEST else {})
    return look | ({"with_edits": WITHOUT} if other.edits != wanted.edits else {})


def _look_alone(wanted: Inspection) -> dict[str, object]:
    """What the look says of one side alone; the order of channels is one of both."""
    return look_fields(replace(wanted, order=Look().order))


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
