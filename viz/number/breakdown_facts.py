"""A breakdown as plain values for JSON, without NaN and infinities."""

import math
from collections.abc import Sequence
from typing import Any

from ..answers.message import Exact
from ..answers.number import (
    Arithmetic,
    Box,
    ChannelSums,
    InputSize,
    NamedNumber,
    PatchFacts,
    Rest,
    Terms,
    UnexplainedNumber,
)
from ..findings.explanation import Explanation, Patch, Term
from .found import Breakdown


def breakdown_facts(found: Breakdown) -> Arithmetic | UnexplainedNumber:
    """Return the facts of one number for the page."""
    field, how = found.field, found.explanation
    place: dict[str, Any] = {
        "layer": found.layer,
        "cell": found.cell,
        "box": Box(field.top, field.left, field.bottom, field.right),
        "size": InputSize(*found.size),
        "whole": field.whole,
        "note": field.note,
        "edited": found.edited,
    }
    return _explained(how, place) if how.explained else UnexplainedNumber(kind="", reason=how.reason, **place)


def _explained(found: Explanation, place: dict[str, Any]) -> Arithmetic:
    return Arithmetic(
        kind=found.kind,
        formula=found.formula,
        text=found.text,
        value=json_number(found.value),
        total=json_number(found.total),
        difference=json_number(found.difference),
        agrees=found.agrees,
        precision=found.precision,
        numbers=tuple(NamedNumber(name, json_number(value)) for name, value in found.numbers),
        patch=_patch(found.patch) if found.patch else None,
        channels=channel_sums(found),
        terms=term_facts(found.terms),
        others=Rest(found.others[0], json_number(found.others[1])),
        source=found.source,
        **place,
    )


def term_facts(found: Sequence[Term]) -> Terms:
    """Return the products of a sum, in columns."""
    return Terms(
        place=tuple(term.place for term in found),
        value=tuple(json_number(term.value) for term in found),
        weight=tuple(json_number(term.weight) for term in found),
        product=tuple(json_number(term.product) for term in found),
    )


def channel_sums(found: Explanation) -> ChannelSums:
    """Return each input channel's part of a number, the largest share first."""
    ranked = sorted(found.channels, key=lambda channel: -abs(channel[1]))
    return ChannelSums(
        channel=tuple(channel for channel, _ in ranked),
        total=tuple(json_number(total) for _, total in ranked),
    )


def _patch(patch: Patch) -> PatchFacts:
    return PatchFacts(
        channel=patch.channel,
        axes=patch.axes,
        length=patch.length,
        values=tuple(None if value is None else json_number(value) for value in patch.values),
        weights=tuple(map(json_number, patch.weights)),
        total=json_number(patch.total),
    )


def json_number(number: float) -> Exact:
    """Return a number for JSON; NaN and infinities become text."""
    if math.isfinite(number):
        return number
    return "NaN" if math.isnan(number) else "∞" if number > 0 else "−∞"
