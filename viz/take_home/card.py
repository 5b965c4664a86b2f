"""Card of a file of numbers: everything that they depend on."""

import json
from dataclasses import dataclass

from ..findings.values import LayerValues
from ..home import version
from ..pictures.photo import Photo
from ..request.inspection import Inspection

CARD = "card"
"""The card's name among the arrays of an NPZ file, and in a safetensors file's metadata: text in JSON."""

Card = dict[str, str | int | list[str]]


@dataclass(frozen=True)
class Origin:
    """Origin of a model's input.

    Attributes:
        picture: SHA-256 of the whole picture's mode, size and pixels.
        crop: the part of it that the model was given, left,top,width,height; empty for all of it.
        preprocessing: how that became the model's input, in words.
        name: what the picture is called; empty if it has no name.
    """

    picture: str = ""
    crop: str = ""
    preprocessing: str = ""
    name: str = ""


NOWHERE = Origin()


def origin_of(photo: Photo, preprocessing: str, name: str = "") -> Origin:
    """Return the origin of the input that ``preprocessing`` made of a photo."""
    return Origin(photo.original.fingerprint, str(photo.crop or ""), preprocessing, name)


def card_of(values: LayerValues, wanted: Inspection, origin: Origin) -> Card:
    """The card of one call of a layer.

    ``call`` counts from 1, as people do. ``edits`` are those in force, as links write them. ``gradient_of``
    is empty for the values themselves.
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
        "picture": origin.picture,
        "crop": origin.crop,
        "preprocessing": origin.preprocessing,
        "edits": [edit.text for edit in wanted.in_force],
        "shows": "difference, after − before the edits" if wanted.show == "difference" else "values",
        "gradient_of": values.score_of,
        "device": values.device,
    }


def in_json(card: Card) -> str:
    """The card as text."""
    return json.dumps(card, ensure_ascii=False)
