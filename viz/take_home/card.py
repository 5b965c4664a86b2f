"""What a file of numbers says of itself: whose they are, and everything that they depend on."""

import json

from ..home import version
from ..passes.forward import LayerValues
from ..request.inspection import Inspection

CARD = "card"
"""The card's name among the arrays of an NPZ file, and in a safetensors file's metadata: text in JSON."""

Card = dict[str, str | int | list[str]]


def card_of(values: LayerValues, wanted: Inspection, preprocessing: str) -> Card:
    """The card of one call of a layer; ``preprocessing`` says how a picture became the model's input.

    ``call`` counts from 1, as people do. ``picture`` is the SHA-256 of its pixels and size. ``edits`` are
    those in force, as links write them. ``gradient_of`` is empty for the values themselves.
    """
    return {
        "layerglass": version(),
        "model": wanted.model,
        "weights": wanted.weights,
        "mode": "evaluation" if wanted.training is None else f"training, seed {wanted.training}",
        "layer": values.layer,
        "type": values.type,
        "call": wanted.call + 1,
        "calls": len(values.calls),
        "picture": wanted.image,
        "preprocessing": preprocessing,
        "edits": [edit.text for edit in wanted.in_force],
        "shows": "difference, after − before the edits" if wanted.show == "difference" else "values",
        "gradient_of": values.score_of,
        "device": values.device,
    }


def in_json(card: Card) -> str:
    """The card as text."""
    return json.dumps(card, ensure_ascii=False)
