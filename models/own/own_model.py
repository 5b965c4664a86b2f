"""The operator's own model: made by a function that the operator names on the command line.

``LAYERGLASS_MODEL=package.module:factory`` names it; no address of the page and no upload can. The factory
takes no arguments and returns a ``torch.nn.Module``, or the module and a dict that says more about it: see
``OwnModelFamily``.
"""

import copy
import importlib
import re
from collections.abc import Mapping
from functools import cache
from operator import attrgetter
from typing import Any

import torch
from torch import nn
from torch.nn.parameter import is_lazy

from ..cards import ModelCard, Needs, Progress
from ..errors import OwnModelError, WeightsUnavailableError
from ..preprocessing import IMAGENET_MEAN, IMAGENET_STD, Preprocessing
from .own_model_name import own_model_name, setting

__all__ = ["OwnModelFamily"]

_SPEC = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")
_KEYS = ("input_size", "resize", "mean", "std", "classes", "title", "notes", "preprocessing", "output")
_OUTPUTS = ("", "logits", "probabilities", "log-probabilities", "labels", "number")
_IMAGENET_SIZE, _IMAGENET_RESIZE = 224, 256


class OwnModelFamily:
    """The one model that ``LAYERGLASS_MODEL`` names, under its factory's name.

    The dict that a factory may return beside the module can have: ``input_size`` (pixels, or (height, width);
    224), ``resize`` (pixels of the short side before the centre is cut out), ``mean`` and ``std`` (three
    numbers each; ImageNet's), ``classes`` (names), ``title``, ``notes``, ``output`` (see
    ``models.cards.ModelCard``), or ``preprocessing`` (anything that is a ``models.cards.Preparation``).
    """

    name = "own"

    def names(self) -> tuple[str, ...]:
        """Return the factory's name, if one is named."""
        return (own_model_name(),) if setting() else ()

    def representatives(self) -> tuple[str, ...]:
        """Return the same as ``names``."""
        return self.names()

    def describe(self, model_id: str) -> ModelCard:  # noqa: ARG002  # there is only one
        """Return the card, from what the factory says; made once.

        Raises:
            OwnModelError: the factory cannot be found, fails, or returns something else.
        """
        return _card(_spec())

    def untrained(self, model_id: str) -> nn.Module:
        """Return the model with all its layers initialised again.

        Raises:
            WeightsUnavailableError: a layer with weights has no ``reset_parameters``.
        """
        model = self.trained(model_id)
        for name, layer in model.named_modules():
            start_over = getattr(layer, "reset_parameters", None) or getattr(layer, "_reset_parameters", None)
            if start_over is not None:
                start_over()
            elif any(True for _ in layer.parameters(recurse=False)):
                what = name or type(layer).__name__
                raise WeightsUnavailableError(
                    "{model} has no untrained weights: its {what} cannot start over",
                    model=model_id,
                    what=what,
                )
        return model

    def trained(self, model_id: str) -> nn.Module:  # noqa: ARG002  # there is only one
        """Return a copy of the factory's model: a factory may return the same object every time."""
        return copy.deepcopy(_made(_spec())[0])

    def fetch(self, model_id: str, progress: Progress | None) -> None:
        """Do nothing: the factory takes care of its weights."""

    def is_ready(self, model_id: str) -> bool:  # noqa: ARG002  # there is only one
        """Return True: nothing is downloaded here."""
        return True

    def needs(self, model_id: str) -> Needs:  # noqa: ARG002  # likewise
        """Return "ready", likewise."""
        return Needs("ready")


def _spec() -> str:
    spec = setting()
    if not _SPEC.fullmatch(spec):
        raise OwnModelError("{spec} names no model; write package.module:factory", spec=repr(spec))
    return spec


def _made(spec: str) -> tuple[nn.Module, Mapping[str, Any]]:
    module, _, path = spec.partition(":")
    try:
        named = attrgetter(path)(importlib.import_module(module))
        made = named if isinstance(named, nn.Module) else named()
    except Exception as error:  # the operator's code may raise anything; the message says what
        raise OwnModelError(
            "{spec} cannot be made: {kind}: {error}", spec=spec, kind=type(error).__name__, error=error
        ) from error
    model, card = made if isinstance(made, tuple) and len(made) == 2 else (made, {})  # noqa: PLR2004  # a pair
    if not isinstance(model, nn.Module) or not isinstance(card, Mapping):
        raise OwnModelError(
            "{spec} must return a torch.nn.Module, or one and a dict, but it returned a {kind}",
            spec=spec,
            kind=type(made).__name__,
        )
    lazy = [name for name, weight in model.named_parameters() if is_lazy(weight)]
    if lazy:
        raise OwnModelError(
            "{spec}: {name} has no shape yet (a lazy layer): let the factory run the model once",
            spec=spec,
            name=repr(lazy[0]),
        )
    return model, card


@cache
def _card(spec: str) -> ModelCard:
    with torch.random.fork_rng(devices=[]):
        model, said = _made(spec)
    unknown = [key for key in said if key not in _KEYS]
    if unknown:
        raise OwnModelError(
            "{spec} says {name} of its model; known are {names}",
            spec=spec,
            name=repr(unknown[0]),
            names=", ".join(_KEYS),
        )
    try:
        size = _pair(said.get("input_size", _IMAGENET_SIZE))
        preprocessing = said.get("preprocessing") or _preprocessing(size, said)
    except (TypeError, ValueError) as error:
        raise OwnModelError("{layer}: {problem}", layer=spec, problem=error) from error
    name = re.split("[:.]", spec)[-1]
    return ModelCard(
        id=name,
        title=str(said.get("title", name)),
        family=OwnModelFamily.name,
        task="classification",
        source=spec,
        weights_origin="as its factory makes them",
        weights_licence="its owner's",
        has_pretrained=True,
        input_size=size,
        preprocessing=preprocessing,
        classes=tuple(map(str, said.get("classes", ()))),
        parameters=sum(weight.numel() for weight in model.parameters()),
        notes=str(said.get("notes", "")),
        output=_output(spec, said),
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


def _pair(size: Any) -> tuple[int, int]:
    height, width = (size, size) if isinstance(size, int) else size
    return int(height), int(width)


def _preprocessing(size: tuple[int, int], said: Mapping[str, Any]) -> Preprocessing:
    usual = _IMAGENET_RESIZE if size == (_IMAGENET_SIZE, _IMAGENET_SIZE) else max(size)
    return Preprocessing(
        int(said.get("resize", usual)),
        size,
        mean=_triple("mean", said.get("mean", IMAGENET_MEAN)),
        std=_triple("std", said.get("std", IMAGENET_STD)),
    )


def _triple(name: str, numbers: Any) -> tuple[float, float, float]:
    values = tuple(map(float, numbers))
    if len(values) != 3:  # noqa: PLR2004  # red, green, blue
        raise ValueError(f"{name} must be three numbers, one for each of red, green and blue")
    return values
