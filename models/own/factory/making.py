"""Making and check of the model of an operator's factory."""

import importlib
from collections.abc import Mapping
from operator import attrgetter
from typing import Any

from torch import nn
from torch.nn.parameter import is_lazy

from ...errors import OwnModelError

__all__ = ["made_by"]


def made_by(spec: str) -> tuple[nn.Module, Mapping[str, Any]]:
    """Return the model that ``package.module:factory`` makes, and the factory's facts about it.

    Raises:
        OwnModelError: the factory cannot be found, fails, or returns what cannot be looked at.
    """
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
    _check_numbers(spec, model)
    return model, card


def _check_numbers(spec: str, model: nn.Module) -> None:
    for name, weight in (*model.named_parameters(), *model.named_buffers()):
        if is_lazy(weight):
            raise OwnModelError(
                "{spec}: {name} has no shape yet (a lazy layer): let the factory run the model once",
                spec=spec,
                name=repr(name),
            )
        if weight.is_meta:
            raise OwnModelError(
                "{spec}: {name} has no numbers (it is on the meta device): let the factory load them",
                spec=spec,
                name=repr(name),
            )
