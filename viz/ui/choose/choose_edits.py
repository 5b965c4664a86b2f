"""The edits in force: from the address and the viewer into the session, and back as words."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from ...errors import VizError
from ...passes.applied_edits import check_edits
from ...profile.tree import LayerRow
from ...request.edit_request import MOST_TEXT, EditRequest, edits_from, edits_text
from ...request.inspection import SHOWS
from ..locale.translated import translated
from .address import in_vain
from .choose import words
from .choose_donors import donor_title, in_use, is_missing

Edits = tuple[EditRequest, ...]
MOST_STEPS_BACK = 100
MOST_HEARD = 100  # in one message; the browser repeats the rest until it knows that they arrived
LONGEST_LIST = 60  # characters of an edit's channels that are read out
BOTH_WAYS = ("noise", "clamp")  # shown with ± before the amount


def chosen_edits(rows: Sequence[LayerRow], model: str) -> tuple[Edits, str]:
    """The edits in force for this model, and a sentence if some that were asked for cannot be made.

    Another model begins without edits: its layers are different ones, even if their names are the same.
    """
    state = st.session_state
    notice = ""
    if "asked_edit" in state:
        asked = state.pop("asked_edit") or ""
        state["edits"], notice = _possible(asked, rows, "edits_in_vain")
        notice = notice or _unshown(state["edits"])
        state["edits_past"] = []
    elif state.get("edits_model") != model:
        state["edits"], state["edits_past"] = (), []
    elif state.get("edits_wanted") is not None:
        kept = state["edits"]
        state["edits"], notice = _possible(state["edits_wanted"], rows, "edit_refused")
        state["edits"] = kept if notice else state["edits"]
    state["edits_wanted"], state["edits_model"] = None, model
    state["edits"], gone = _with_pictures(state["edits"])
    in_use([edit.donor for edit in state["edits"]])
    return state["edits"], notice or gone


def hear_edits(asked: Sequence[Mapping[str, Any]]) -> None:
    """Note what was done: ``{"add": text}``, ``{"undo": text, "place": place}``, ``{"clear": 1}``.

    ``{"back": 1}`` takes back the last of these.

    Each has a ``"number"`` and is sent until the browser knows that it arrived; only the first copy counts.
    """
    state = st.session_state
    for one in asked[:MOST_HEARD]:
        if one["number"] > state["heard_edits"]:
            state["heard_edits"] = one["number"]
            wanted = state.get("edits_wanted")
            now = edits_text(state["edits"]) if wanted is None else wanted
            past = state.setdefault("edits_past", [])
            state["edits_wanted"] = _earlier(now, past) if "back" in one else _after(one, now)
            if "back" not in one:
                state["edits_past"] = [*past, now][-MOST_STEPS_BACK:]


def _earlier(edits: str, past: list[str]) -> str:
    """The edits, as text, before the last change; refused requests changed nothing."""
    while past:
        before = past.pop()
        if before != edits:
            return before
    return edits


def _after(asked: Mapping[str, Any], edits: str) -> str:
    """The edits, as text, after one more change."""
    if "clear" in asked:
        return ""
    if "undo" in asked:
        parts = edits.split(";")
        places = [place for place, text in enumerate(parts) if text == asked["undo"]]
        # the list that was clicked may be older: the edit may have another place by now, or be gone
        gone = asked["place"] if asked["place"] in places else next(iter(places), len(parts))
        return ";".join(parts[:gone] + parts[gone + 1 :])
    # a text this long will be refused as a whole, so it need not grow
    return edits if len(edits) > MOST_TEXT else ";".join(filter(None, (edits, str(asked["add"])[:2000])))


def stacked(edits: Edits) -> Edits:
    """The same edits, joined where one edit can say what several did.

    Removing a removed channel again puts it back. Any other edit joins the one before it if that does the
    same to other channels.
    """
    found: list[EditRequest] = []
    for edit in edits:
        again = next((old for old in found if _removes_the_same(old, edit)), None)
        if again is not None:
            rest = tuple(channel for channel in again.channels if channel not in edit.channels)
            place = found.index(again)
            found[place : place + 1] = [replace(again, channels=rest)] if rest else []
        elif found and _joins(found[-1], edit):
            found[-1] = replace(edit, channels=(*found[-1].channels, *edit.channels))
        else:
            found.append(edit)
    return tuple(found)


def edit_in_words(edit: EditRequest) -> str:
    """One edit as a visitor reads it: ``layer1.0.conv1: channels 3, 17 removed``."""
    layer = edit.layer if edit.call is None else words("edit_call", layer=edit.layer, call=edit.call + 1)
    layer = words(f"edit_{edit.side}", layer=layer) if edit.side != "output" else layer
    text = edit.listed if edit.channels else ""
    key = "edit_layer" if not text else "edit_channel" if text.isdigit() else "edit_channels"
    where = words(key, layer=layer, channels=_shortened(text).replace(",", ", ").replace("-", "–"))
    donor = donor_title(edit.donor) if edit.donor else ""
    key = "edit_zero_gradient" if edit.backward and edit.kind == "zero" else f"edit_{edit.kind}"
    amount = abs(edit.amount) if edit.kind in BOTH_WAYS else edit.amount
    return words(key, where=where, amount=f"{amount:g}".replace("-", "−"), donor=donor)


def _shortened(channels: str) -> str:
    return channels if len(channels) <= LONGEST_LIST else f"{channels[:LONGEST_LIST].rpartition(',')[0]},…"


def edits_in_words(edits: Edits) -> str:
    """All edits in one sentence."""
    return words("edited_all", edits="; ".join(map(edit_in_words, edits)))


def edits_for_viewer(edits: Edits) -> list[dict[str, object]]:
    """What the viewer needs to list them, and to tell whether a channel has been removed."""
    return [
        {
            "text": edit.text,
            "label": edit_in_words(edit),
            "layer": edit.layer,
            "call": edit.call,
            "side": edit.side,
            "backward": edit.backward,
            "removed": list(edit.channels) if edit.kind == "zero" else [],
        }
        for edit in edits
    ]


def _possible(text: str, rows: Sequence[LayerRow], refusal: str) -> tuple[Edits, str]:
    try:
        edits = stacked(edits_from(text))
        check_edits(edits, rows)
    except VizError as error:
        return (), words(refusal, error=translated(str(error), st.session_state["lang"]))
    return _with_pictures(edits)


def _with_pictures(edits: Edits) -> tuple[Edits, str]:
    """The edits whose pictures this visit may use, and a sentence if some were left out.

    A link does not open another visitor's picture, even for someone who knows its name.
    """
    missing = tuple(edit for edit in edits if is_missing(edit.donor))
    if not missing:
        return edits, ""
    said = words("edit_without_picture", edits="; ".join(map(edit_in_words, missing)))
    return tuple(edit for edit in edits if edit not in missing), said


def _unshown(edits: Edits) -> str:
    """A sentence if the address asks for what the edits changed, and there are none."""
    asked = st.session_state["drawn_as"].get("show", SHOWS[0])
    return "" if edits or asked == SHOWS[0] else in_vain("show", asked, (), SHOWS[0])


def _removes_the_same(old: EditRequest, new: EditRequest) -> bool:
    """Whether ``new`` removes one channel that ``old`` has removed already."""
    same = (old.layer, old.call, old.side) == (new.layer, new.call, new.side)
    both = old.kind == new.kind == "zero" and len(new.channels) == 1
    return same and both and set(new.channels) <= set(old.channels)


def _joins(old: EditRequest, new: EditRequest) -> bool:
    alike = replace(old, channels=()) == replace(new, channels=())
    return alike and bool(old.channels and new.channels) and not set(old.channels) & set(new.channels)
