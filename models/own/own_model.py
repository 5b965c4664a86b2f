"""The operator's own model, made by a function that the operator names.

``LAYERGLASS_MODEL=package.module:factory`` names it; no address of the page and no upload can. The factory
takes no arguments and returns a ``torch.nn.Module``, or the module and a dict that says more about it: see
``OwnModelFamily``.
"""

import re

from torch import nn

from ..cards import ModelCard, Needs, Progress
from ..construction import constructing
from ..errors import OwnModelError
from .factory.card import FAMILY, card_of
from .factory.copies import ModelCopy, copied, parts_of
from .factory.making import made_by
from .factory.restart import start_over
from .own_model_name import own_model_name, setting

__all__ = ["OwnModelFamily"]

_SPEC = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")
_cards: dict[str, ModelCard] = {}  # by the factory's name
_first_parts: dict[str, frozenset[object]] = {}  # of the model that a factory made first, by its name


class OwnModelFamily:
    """The one model that ``LAYERGLASS_MODEL`` names, under its factory's name.

    The dict that a factory may return beside the module can have: ``input_size`` (pixels, or (height, width);
    224), ``resize`` (pixels of the short side before the centre is cut out, or (height, width) that the whole
    picture is squeezed to), ``channels`` (3, or 1 for grey), ``mean`` and ``std`` (a number for each channel;
    ImageNet's), ``dtype`` (of the input; the weights'), ``classes`` (names), ``title``, ``notes``, ``output``
    (see ``models.cards.ModelCard``), or ``preprocessing`` (a function of a picture, or anything that is a
    ``models.cards.Preparation``).
    """

    name = FAMILY

    def names(self) -> tuple[str, ...]:
        """Return the factory's name, if one is named."""
        return (own_model_name(),) if setting() else ()

    def representatives(self) -> tuple[str, ...]:
        """Return the same as ``names``."""
        return self.names()

    def describe(self, model_id: str) -> ModelCard:  # noqa: ARG002  # there is only one
        """Return the card, from the factory's facts; made once.

        Raises:
            OwnModelError: the factory cannot be found, fails, or returns something else.
        """
        return _card(_spec())

    def untrained(self, model_id: str) -> nn.Module:
        """Return the model with all its layers initialised again.

        Raises:
            OwnModelError: the factory keeps its model, and that cannot be copied.
            WeightsUnavailableError: a layer with weights cannot initialise them.
        """
        model = _new_model(_spec())
        start_over(model, model_id)
        return model

    def trained(self, model_id: str) -> nn.Module:  # noqa: ARG002  # there is only one
        """Return the factory's model: a new one, or a copy.

        If the factory keeps its model, it is copied; if that cannot be, it is the model itself.

        Raises:
            OwnModelError: the factory fails, or returns something else.
        """
        model, copy = _made_again(_spec())
        return model if copy.model is None else copy.model  # a module may be falsy, or not say

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


def _new_model(spec: str) -> nn.Module:
    """Return a model that may be given other weights.

    Raises:
        OwnModelError: the factory keeps its model, and that cannot be copied.
    """
    _, copy = _made_again(spec)
    if copy.model is None:
        raise OwnModelError(
            "{spec} can have no other weights: it is the same model each time and cannot be copied "
            "({reason}); name a function that makes it anew",
            spec=spec,
            reason=copy.why,
        )
    return copy.model


def _made_again(spec: str) -> tuple[nn.Module, ModelCopy]:
    """Return the factory's model, and a copy if it was made before.

    Of a new model the copy is the model itself.
    """
    _card(spec)
    model, _ = made_by(spec)
    return model, copied(model) if parts_of(model) & _first_parts[spec] else ModelCopy(model)


def _card(spec: str) -> ModelCard:
    if spec not in _cards:
        with constructing():
            if spec not in _cards:  # another thread may have had it made
                _cards[spec] = _first_card(spec)
    return _cards[spec]


def _first_card(spec: str) -> ModelCard:
    model, said = made_by(spec)
    _first_parts[spec] = parts_of(model)
    return card_of(re.split("[:.]", spec)[-1], spec, model, said)
