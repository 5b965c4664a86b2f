"""Choose the other side of a comparison: its picture, model, weights and layer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from ...catalogue import models
from ...pictures.photo import Photo
from ...pictures.samples import sample_names
from ...profile.tree import LayerRow, first_layer
from ...request.edit_request import EditRequest
from ...request.inspection import Inspection
from ...views.comparison import FARTHEST
from ..visit.faults import heard
from ..visit.markdown import escaped
from ..visit.own_weights import is_own_weights
from ..visit.visit import Visit
from .address import acted, in_vain
from .choose import moved, photo_of, sample_photo, shown_title, words
from .choose_donors import hold_own
from .choose_edits import edits_in_words
from .choose_files import give_up_file, held_file, lost_file, picture_box
from .choose_weights import weights_kinds
from .loading import ready_model

SAME, WITHOUT = "same", "none"
PARAMETERS = {"with_sample": "other_sample"} | {
    name: name for name in ("with_model", "with_weights", "with_layer", "with_call", "with_edits")
}
"""What the address says, and the key of the widget that chooses it."""


@dataclass(frozen=True)
class Other:
    """The other side.

    Attributes:
        photo: its picture.
        wanted: its layer, as a request.
        rows: every layer of its model.
        follows: whether it flips along when the first side flips to a layer that both have.
        title: what its picture shows.
    """

    photo: Photo = field(repr=False)
    wanted: Inspection
    rows: Sequence[LayerRow] = field(repr=False)
    follows: bool
    title: str


def choose_other(
    visit: Visit, photo: Photo, rows: Sequence[LayerRow], wanted: Inspection
) -> tuple[Other | None, list[str]]:
    """The other side, or None if its model is not ready; a sentence for each thing that does not exist."""
    row = st.container(key="other", horizontal=True, vertical_alignment="center")
    with row:
        st.caption(words("against"), width="content")
        (picture, title), *notices = _choose_picture(photo)
        uploaded = st.session_state.get("other_source") == "upload"
        hold_own(picture, "other_upload" if uploaded else "sample", notices[-1])
        model, notice = _chosen("with_model", models.names())
        kinds = weights_kinds(wanted.model if model == SAME else model)
        weights, vain = _chosen("with_weights", ("pretrained", "random"), kinds)
        layer_place = st.container(key="with_layer_place")
        edits_place = st.container(horizontal=True, vertical_alignment="center")
    model = wanted.model if model == SAME else model
    weights = _weights(weights, model, wanted)
    with st.container():
        others = _rows(model, weights, rows, wanted, visit)
    if others is None:
        return None, [*notices, notice, vain]
    with layer_place:
        layer, absent = _chosen("with_layer", [each.name for each in others])
        found = next(each for each in others if each.name == _layer(layer, others, wanted))
        call, uncalled = _call(found, layer, wanted)
    with edits_place:
        edits, unedited = _edits(wanted, model)
        if wanted.in_force:
            st.caption(escaped(edits_in_words(wanted.in_force)))
    request = replace(wanted, image=picture.fingerprint, model=model, weights=weights, edits=edits)
    request = replace(request, layer=found.name, call=call)
    other = Other(picture, request, others, layer == SAME, title)
    return other, [*notices, notice, vain, absent, uncalled, unedited]


def choose_before() -> None:
    """Compare what is on screen with itself: with the edits as A, without them as B."""
    state = st.session_state
    state["view"] = "compare"
    for name in PARAMETERS:
        state[f"asked_{name}"] = SAME
    state["asked_with_call"], state["asked_with_edits"] = None, WITHOUT


def comparison_in_address() -> dict[str, str]:
    """The other side as the address says it, without defaults; empty in other views."""
    state = st.session_state
    if state["view"] != "compare":
        return {}
    first = {"with_sample": _another_sample()}
    chosen = {name: state.get(key) or "" for name, key in PARAMETERS.items()}
    said = {name: value for name, value in chosen.items() if value != first.get(name, SAME)}
    layer = state.get("other_layer")
    said |= {"with_order": state["with_order"]} if state["with_order"] != FARTHEST else {}
    return said | ({"with_layer": layer} if layer and chosen["with_layer"] == SAME else {})


def _choose_picture(photo: Photo) -> tuple[tuple[Photo, str], str, str]:
    """The picture and what it shows, then sentences about an address and an upload that cannot be used."""
    state, problem = st.session_state, ""
    if state.get("asked_with_sample") is not None:
        state["other_source"] = "sample"
    vain = _restored("with_sample", (*sample_names(), SAME), _another_sample())
    own = state.get("other_source") == "upload"
    if own:
        state["other_sample"] = None
    labels = {SAME: words("same_sample")} | {name: shown_title(name) for name in sample_names()}
    st.selectbox(
        words("other_sample"),
        list(labels),
        index=None,
        placeholder=words("own_picture"),
        key="other_sample",
        format_func=lambda name: labels.get(name, name),
        on_change=_use_sample,
        label_visibility="collapsed",
        width=170,
    )
    file = _upload_box()
    state["other_choices"]["with_sample"] = state["other_sample"]
    if own and file is not None:
        state["other_photo"], problem = photo_of(file, "other_photo")
        state["other_title"] = state["other_title"] if problem else words("own_picture")
    elif not own:
        chosen = state["other_sample"] or _another_sample()
        same = chosen == SAME
        state["other_photo"] = photo if same else sample_photo(chosen)
        state["other_title"] = title_of_first() if same else shown_title(chosen)
        problem = lost_file("other_upload")
    return (state["other_photo"], state["other_title"]), vain, problem


def _upload_box() -> Any:
    with st.container(key="other_own", width=130):
        return picture_box(st, "other_upload", on_change=_use_upload, label_visibility="collapsed")


def title_of_first() -> str:
    """What the picture of the first side shows."""
    state = st.session_state
    own = state["source"] != "sample" or not state["sample"]
    return words("own_picture") if own else shown_title(state["sample"])


@heard
def _use_sample() -> None:
    moved()
    state = st.session_state
    if state["other_sample"]:
        give_up_file("other_upload")
    state["other_source"], state["other_sample"] = "sample", state["other_sample"] or _another_sample()


@heard
def _use_upload() -> None:
    """Take the uploaded picture; an emptied uploader changes nothing: it may be filled again."""
    acted()
    if held_file("other_upload") is not None:
        moved()
        st.session_state["other_source"], st.session_state["other_sample"] = "upload", None


def _another_sample() -> str:
    return next(name for name in sample_names() if name != st.session_state["sample"])


def _chosen(name: str, choices: Sequence[str], called: Mapping[str, str] | None = None) -> tuple[str, str]:
    """What a box chose, with ``SAME`` as its first option; a sentence if the address asks for another.

    ``called`` has the labels of choices that are not shown by their own names.
    """
    names = (SAME, *choices)
    notice = _restored(name, names, SAME)
    labels = _named(name, choices) | dict(called or {})
    chosen: str = st.selectbox(
        words(name),
        names,
        key=PARAMETERS[name],
        format_func=lambda each: labels.get(each, each),
        on_change=_moved_on,
        label_visibility="collapsed",
        width=150,
    )
    st.session_state["other_choices"][name] = chosen
    return chosen, notice


def _named(name: str, choices: Sequence[str]) -> dict[str, str]:
    """The labels of the choices that are not shown by their own names."""
    if name == "with_call":
        return {SAME: words("call_number", call=1)} | {
            each: words("call_number", call=each) for each in choices
        }
    without = {WITHOUT: words("without_edits")} if name == "with_edits" else {}
    return {SAME: words(f"same_{name.removeprefix('with_')}")} | without


@heard
def _moved_on() -> None:
    moved()
    st.session_state["other_layer"] = None


def _restored(name: str, choices: Sequence[str], first: str) -> str:
    """Set a choice from the address, or as it was when the visitor last left this view."""
    state, key = st.session_state, PARAMETERS[name]
    kept: dict[str, Any] = state.setdefault("other_choices", {})
    asked = state.pop(f"asked_{name}", None)
    if asked is None:
        before = state.get(key, kept.get(name))
        state[key] = before if before in choices else first
        return ""
    state[key] = asked if asked in choices else first
    return "" if asked in choices else in_vain(name, asked, choices, state[key])


def _weights(chosen: str, model: str, wanted: Inspection) -> str:
    """The weights; "same" means trained ones if the first side has own weights for another model."""
    if chosen != SAME:
        return chosen
    return "pretrained" if is_own_weights(wanted.weights) and model != wanted.model else wanted.weights


def _rows(
    model: str, weights: str, rows: Sequence[LayerRow], wanted: Inspection, visit: Visit
) -> Sequence[LayerRow] | None:
    if (model, weights) == (wanted.model, wanted.weights):
        return rows
    return ready_model(model, weights, visit.visitor, "with_")


def _layer(chosen: str, rows: Sequence[LayerRow], wanted: Inspection) -> str:
    """The layer's name: that of the first side if this model has it, else where this side was before."""
    names = {row.name for row in rows}
    here = st.session_state.get("other_layer")
    st.session_state["other_layer"] = None
    if chosen != SAME:
        return chosen
    if wanted.layer in names:
        return wanted.layer
    st.session_state["other_layer"] = here if here in names else first_layer(rows)
    return str(st.session_state["other_layer"])


def _edits(wanted: Inspection, model: str) -> tuple[tuple[EditRequest, ...], str]:
    """The edits of this side: those of the first side, or none; a sentence if there are none to leave out."""
    state = st.session_state
    if model == wanted.model and wanted.in_force:
        chosen, notice = _chosen("with_edits", (WITHOUT,))
        return (wanted.edits if chosen == SAME else ()), notice
    asked, state["with_edits"] = state.pop("asked_with_edits", None) or SAME, SAME
    return (), "" if asked == SAME else in_vain("with_edits", asked, (), SAME)


def _call(row: LayerRow, chosen: str, wanted: Inspection) -> tuple[int, str]:
    """Which call: that of the first side if this side follows it, else the chosen one."""
    state = st.session_state
    if state.get("asked_with_call") == "1":
        state["asked_with_call"] = None  # the first one is shown anyway
    if chosen == SAME or row.calls < 2:  # noqa: PLR2004  several
        state["other_choices"].pop("with_call", None)
        same, asked = max(0, min(wanted.call, row.calls - 1)), state.pop("asked_with_call", None)
        return same, in_vain("with_call", asked, (), same + 1) if asked else ""
    call, notice = _chosen("with_call", [str(number) for number in range(2, row.calls + 1)])
    return (0 if call == SAME else int(call) - 1), notice
