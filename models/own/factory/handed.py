"""Models that a running program hands over, as from a notebook."""

import threading
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

import torch
from torch import nn
from torch.utils._pytree import tree_map

from ...cards import ModelCard, Needs, Progress
from ...errors import OwnModelError, UnknownModelError
from .card import card_of
from .copies import copied
from .function import GivenArguments
from .restart import start_over

__all__ = ["HandedFamily", "hand_over", "take_back"]

FAMILY = "handed"


class _HandedModel(NamedTuple):
    model: nn.Module
    card: ModelCard


_handed: dict[str, _HandedModel] = {}
# Answers are kept by the id: one that was taken back is never another model's.
_made: Counter[str] = Counter()
_lock = threading.Lock()


def hand_over(model: nn.Module, said: Mapping[str, Any], arguments: tuple[Any, ...] | None = None) -> str:
    """Put a copy of a model into this process's catalogue.

    The copy's id is returned. The model itself keeps its mode, hooks, buffers and gradients, and may be
    trained on.

    Args:
        model: any module.
        said: as a factory says it: see ``OwnModelFamily``.
        arguments: those of every call, if no picture is to be prepared.

    Raises:
        OwnModelError: the model cannot be copied, or what is said of it is not known.
    """
    copy = copied(model)
    if copy.model is None:
        raise OwnModelError("this model cannot be copied, so it cannot be shown ({reason})", reason=copy.why)
    kind = type(model).__name__
    if arguments is not None:
        said = {"preprocessing": GivenArguments(tree_map(_copied, arguments)), **said}
    with _lock:
        _made[kind] += 1
        name = f"{kind}-{_made[kind]}"  # no model of a library is called so
        _handed[name] = _HandedModel(copy.model, card_of(name, kind, copy.model, said, family=FAMILY))
    return name


def _copied(value: Any) -> Any:
    """Return a copy of a tensor, or any other value itself."""
    return value.detach().clone() if isinstance(value, torch.Tensor) else value


def take_back(name: str) -> None:
    """Forget a model that was handed over, if it is there."""
    with _lock:
        _handed.pop(name, None)


class HandedFamily:
    """The models that this process was handed.

    Other processes do not know them.
    """

    name = FAMILY

    def names(self) -> tuple[str, ...]:
        """Return their ids, in the order in which they came."""
        return tuple(_handed)

    def representatives(self) -> tuple[str, ...]:
        """Return the same as ``names``."""
        return self.names()

    def describe(self, model_id: str) -> ModelCard:
        """Return the card.

        Raises:
            UnknownModelError: it was taken back.
        """
        return _found(model_id).card

    def untrained(self, model_id: str) -> nn.Module:
        """Return a copy with all its layers initialised again.

        Raises:
            OwnModelError: the model cannot be copied again.
            WeightsUnavailableError: a layer with weights cannot initialise them.
        """
        copy = copied(_found(model_id).model)
        if copy.model is None:
            raise OwnModelError("this model can have no other weights ({reason})", reason=copy.why)
        start_over(copy.model, model_id)
        return copy.model

    def trained(self, model_id: str) -> nn.Module:
        """Return the copy that was made when the model was handed over.

        Raises:
            UnknownModelError: it was taken back.
        """
        return _found(model_id).model

    def fetch(self, model_id: str, progress: Progress | None) -> None:
        """Do nothing: the weights are here."""

    def is_ready(self, model_id: str) -> bool:  # noqa: ARG002  # all are
        """Return True: nothing is downloaded."""
        return True

    def needs(self, model_id: str) -> Needs:  # noqa: ARG002  # likewise
        """Return "ready", likewise."""
        return Needs("ready")


def _found(model_id: str) -> _HandedModel:
    try:
        return _handed[model_id]
    except KeyError:
        raise UnknownModelError("no model named {name} is held any more", name=repr(model_id)) from None
