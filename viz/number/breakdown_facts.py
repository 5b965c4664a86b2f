"""A breakdown as plain values for JSON, which knows neither NaN nor the infinities."""

import math
from collections.abc import Iterable
from typing import Any

from .arithmetic import Explanation, Patch
from .breakdown import Breakdown

JsonNumber = float | str | None


def breakdown_facts(found: Breakdown) -> dict[str, Any]:
    """Return what the page needs to show one number.

    Numbers that JSON lacks are ``"NaN"``, ``"∞"`` and ``"−∞"``. ``box`` is (top, left, bottom, right) in
    pixels of the model's input, the ends excluded; ``size`` is that input's (height, width).
    """
    field = found.field
    return {
        "layer": found.layer,
        "cell": list(found.cell),
        "box": [field.top, field.left, field.bottom, field.right],
        "size": list(found.size),
        "whole": field.whole,
        "note": field.note,
        "edited": found.edited,
        **(_explained(found.explanation) if found.explanation.explained else _unexplained(found.explanation)),
    }


def _unexplained(found: Explanation) -> dict[str, Any]:
    return {"kind": "", "reason": found.reason}


def _explained(found: Explanation) -> dict[str, Any]:
    ranked = sorted(found.channels, key=lambda channel: -abs(channel[1]))
    return {
        "kind": found.kind,
        "formula": found.formula,
        "text": found.text,
        "value": json_number(found.value),
        "total": json_number(found.total),
        "difference": json_number(found.difference),
        "agrees": found.agrees,
        "precision": found.precision,
        "numbers": [[name, json_number(value)] for name, value in found.numbers],
        "patch": _patch(found.patch) if found.patch else None,
        "channels": [[channel, json_number(value)] for channel, value in ranked],
        "terms": [
            [term.place, *_json_numbers((term.value, term.weight, term.product))] for term in found.terms
        ],
        "others": [found.others[0], json_number(found.others[1])],
        "source": list(found.source) if found.source else None,
    }


def _patch(patch: Patch) -> dict[str, Any]:
    return {
        "channel": patch.channel,
        "axes": [list(places) for places in patch.axes],
        "length": list(patch.length),
        "values": _json_numbers(patch.values),
        "weights": _json_numbers(patch.weights),
        "total": json_number(patch.total),
    }


def _json_numbers(numbers: Iterable[float | None]) -> list[JsonNumber]:
    return [json_number(number) for number in numbers]


def json_number(number: float | None) -> JsonNumber:
    """Return a number as JSON can write it, as text if there is no other way."""
    if number is None or math.isfinite(number):
        return number
    return "NaN" if math.isnan(number) else "∞" if number > 0 else "−∞"
