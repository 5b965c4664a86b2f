"""Choices for the other side: offered, made, and impossible ones."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, get_args

from ....answers.message import Notice
from ....profile.rows import LayerRow
from ....request.inspection import Inspection
from ....request.look import Look, Order
from ....views.comparison import FARTHEST
from ...locale.vain import vain_notice
from ...locale.words import say
from ...visit.catalogue.known import names
from ...visit.own_weights import is_own_weights
from ...visit.visit import SubjectEntry
from ...visit.weights_words import words_for_weights
from .place import SAME, WITHOUT, calls_offered

Labels = Mapping[str, str]


class BoxChoice(NamedTuple):
    """A box's choice, and a sentence if the look's does not exist."""

    name: str
    notice: Notice | None = None


class OtherModel(NamedTuple):
    """The other side's model and weights, with their boxes' choices."""

    model: str
    weights: str
    boxes: Mapping[str, BoxChoice]


def model_beside(subject: SubjectEntry, look: Look, language: str) -> OtherModel:
    """The other side's model and weights.

    The same weights are trained ones if the first side has a visitor's own and the model is another one.
    """
    model = _chosen(look, "with_model", names(), language)
    weights = _chosen(look, "with_weights", ("pretrained", "random"), language)
    name = subject.model if model.name == SAME else model.name
    kind = weights.name
    if kind == SAME:
        own_elsewhere = is_own_weights(subject.weights) and name != subject.model
        kind = "pretrained" if own_elsewhere else subject.weights
    return OtherModel(name, kind, {"with_model": model, "with_weights": weights})


def layer_boxes(
    look: Look, rows: Sequence[LayerRow], row: LayerRow, language: str
) -> Mapping[str, BoxChoice]:
    """Return the choices in the boxes of layer and call."""
    layer = _chosen(look, "with_layer", [each.name for each in rows], language)
    offered = calls_offered(row, look)
    if offered:
        asked = "" if look.with_call == "1" else look.with_call  # the first one is shown anyway
        return {"with_layer": layer, "with_call": _chosen(look, "with_call", offered, language, asked)}
    vain = look.with_call not in ("", SAME, "1")
    shown = max(1, min(look.call + 1, row.calls))
    notice = vain_notice(language, "with_call", look.with_call, (), shown) if vain else None
    return {"with_layer": layer, "with_call": BoxChoice(SAME, notice)}


def edits_box(look: Look, wanted: Inspection, model: str, language: str) -> BoxChoice:
    """Return the choice of edits, which only the same model can have."""
    if model == wanted.model and wanted.in_force:
        return _chosen(look, "with_edits", (WITHOUT,), language)
    vain = look.with_edits not in ("", SAME)
    return BoxChoice(SAME, vain_notice(language, "with_edits", look.with_edits, (), SAME) if vain else None)


def order_box(look: Look, language: str) -> BoxChoice:
    """The order of both sides' channels; at first those that differ most."""
    orders = (FARTHEST, *get_args(Order))
    if look.with_order in ("", *orders):
        return BoxChoice(look.with_order or FARTHEST)
    return BoxChoice(FARTHEST, vain_notice(language, "with_order", look.with_order, orders, FARTHEST))


def weights_offered(model: str, language: str) -> Labels:
    """Return the choices of weights, with their labels."""
    return {SAME: say(language, "same_weights")} | words_for_weights(model, language)


def calls_offered_in_words(row: LayerRow, look: Look, language: str) -> Labels:
    """Return the labels of the calls to choose; empty without a choice."""
    offered = calls_offered(row, look)
    labels = {SAME: "1"} | {number: number for number in offered} if offered else {}
    return {name: say(language, "call_number", call=number) for name, number in labels.items()}


def edits_offered(wanted: Inspection, model: str, language: str) -> Labels:
    """Return the labels of the edits to choose; empty without a choice."""
    if model != wanted.model or not wanted.in_force:
        return {}
    return {SAME: say(language, "same_edits"), WITHOUT: say(language, "without_edits")}


def _chosen(
    look: Look, name: str, choices: Sequence[str], language: str, asked: str | None = None
) -> BoxChoice:
    said = str(getattr(look, name)) if asked is None else asked
    names = (SAME, *choices)
    if said in ("", *names):
        return BoxChoice(said or SAME)
    return BoxChoice(SAME, vain_notice(language, name, said, names, SAME))
