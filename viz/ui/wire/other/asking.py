"""What the browser has to know of what the other side costs, before it is paid."""

from typing import Any

from ....catalogue import models
from ....hooks.functional import is_operation
from ....profile.cost import budget, free_memory, layer_cost, megabytes, model_cost
from ....profile.tree import LayerRow
from ...locale.translated import translated
from ...locale.words import say
from ...visit.service import DEFAULT_MODEL

Facts = dict[str, Any]


def asked_to_load(model: str, language: str, *, agreed: bool) -> Facts | None:
    """What a visitor is asked before a model is loaded; None if it may be.

    ``may`` says whether a visitor can agree, or the server could not bear it; ``cost`` is in bytes.
    """
    cost, may = model_cost(models.describe(model).parameters), budget()
    if model == DEFAULT_MODEL or cost <= may.ask or (agreed and cost <= may.refuse):
        return None
    sentence = say(language, "cost_load", cost=megabytes(cost), free=megabytes(free_memory()), model=model)
    if cost > may.refuse:
        sentence = say(language, "cost_too_large", sentence=sentence, most=megabytes(may.refuse))
    least = megabytes(model_cost(models.describe(DEFAULT_MODEL).parameters))
    instead = {
        "label": say(language, "cost_instead", name=DEFAULT_MODEL, cost=least),
        "action": {
            "type": "other",
            "other": {"with_model": DEFAULT_MODEL, "with_layer": "", "with_call": ""},
        },
    }
    return {"ask": sentence, "cost": cost, "may": cost <= may.refuse, "instead": instead}


def row_facts(row: LayerRow, language: str) -> Facts:
    """What the browser has to know of a layer before it asks for its maps; ``cost`` in bytes."""
    return {
        "name": row.name,
        "type": row.type,
        "detail": row.detail,
        "shape": _shape(row),
        "calls": row.calls,
        "reason": row.reason and translated(row.reason, language),
        "operation": is_operation(row.name),
        "cost": layer_cost(row),
    }


def _shape(row: LayerRow) -> str:
    shape = next((shape for shape in row.shapes if shape), None)
    if not shape:
        return ""
    # a batch of one picture is not mentioned, as in browser/maps/shape.js
    return " × ".join(map(str, shape[1:] if shape[0] == 1 else shape))
