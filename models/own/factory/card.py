"""Card of a model from what its owner says of it."""

from collections.abc import Mapping
from typing import Any

from torch import nn

from ...cards import ModelCard
from ...errors import OwnModelError
from .preparing import PREPARING, pair, preparation

__all__ = ["FAMILY", "card_of"]

FAMILY = "own"
_KEYS = ("input_size", *PREPARING, "classes", "title", "notes", "output")
_OUTPUTS = (
    "",
    "logits",
    "probabilities",
    "log-probabilities",
    "labels",
    "label-logits",
    "number",
    "boxes",
    "masks",
)
_IMAGENET_SIZE = 224


def card_of(
    name: str, source: str, model: nn.Module, said: Mapping[str, Any], *, family: str = FAMILY
) -> ModelCard:
    """Return the card of a model.

    Args:
        name: its id.
        source: where it comes from, with which an error begins.
        model: the module, for its number of weights and their type.
        said: what ``OwnModelFamily`` lists.
        family: the one that makes it.

    Raises:
        OwnModelError: a key or a value is not known.
    """
    _check_keys(source, said)
    try:
        size = pair(said.get("input_size", _IMAGENET_SIZE))
        preprocessing = preparation(model, size, said)
    except (TypeError, ValueError) as error:
        raise OwnModelError("{layer}: {problem}", layer=source, problem=error) from error
    return ModelCard(
        id=name,
        title=str(said.get("title", name)),
        family=family,
        task="classification",
        source=source,
        weights_origin="as its factory makes them",
        weights_licence="its owner's",
        has_pretrained=True,
        input_size=size,
        preprocessing=preprocessing,
        classes=tuple(map(str, said.get("classes", ()))),
        parameters=sum(weight.numel() for weight in model.parameters()),
        notes=str(said.get("notes", "")),
        output=_output(source, said),
    )


def _check_keys(source: str, said: Mapping[str, Any]) -> None:
    unknown = [key for key in said if key not in _KEYS]
    if unknown:
        raise OwnModelError(
            "{spec} says {name} of its model; known are {names}",
            spec=source,
            name=repr(unknown[0]),
            names=", ".join(_KEYS),
        )


def _output(spec: str, said: Mapping[str, Any]) -> str:
    output = str(said.get("output", ""))
    if output not in _OUTPUTS:
        raise OwnModelError(
            "{spec} says {name} of its output; known are {names}",
            spec=spec,
            name=repr(output),
            names=", ".join(_OUTPUTS[1:]),
        )
    return output
