"""Catalogue of models: their names, cards and loading.

A family of models (``models.cards.Family``) is one entry of ``_FAMILIES``. An id belongs to the first family
that has it.
"""

import difflib

import torch
from torch import nn

from .cards import Family, ModelCard, Needs, Progress
from .construction import constructing
from .errors import UnknownModelError, UnknownWeightsError, WeightsUnavailableError
from .own.factory.handed import HandedFamily
from .own.own_model import OwnModelFamily
from .zoo.bundled_zoo import BundledFamily
from .zoo.timm_zoo import PREFIX, TimmFamily
from .zoo.torchvision_zoo import TorchvisionFamily

__all__ = [
    "ModelCard",
    "Needs",
    "describe",
    "download",
    "families",
    "is_ready",
    "load",
    "names",
    "needs",
    "representatives",
]

_FAMILIES: tuple[Family, ...] = (
    OwnModelFamily(),
    HandedFamily(),
    BundledFamily(),
    TorchvisionFamily(),
    TimmFamily(),
)
_TIMM = "pip install -r requirements-timm.txt"


def families() -> tuple[str, ...]:
    """Return the families' names, the bundled one first.

    Own models are no family to choose.

    >>> lg.models.families()[:2]
    ('bundled', 'torchvision')
    """
    return tuple(each.name for each in _FAMILIES if not isinstance(each, OwnModelFamily | HandedFamily))


def names(family: str | None = None) -> tuple[str, ...]:
    """Return the ids of every model, or of one family.

    The operator's own come first, then the bundled ones.

    Those that a program handed over are listed under ``"handed"`` alone.

    Raises:
        UnknownModelError: there is no such family.

    >>> lg.models.names("bundled")
    ('lenet', 'photonet', 'patchformer', 'signalnet', 'efficientnet_lite0')
    """
    if family is None:
        listed = (each for each in _FAMILIES if not isinstance(each, HandedFamily))
        return tuple(dict.fromkeys(model_id for each in listed for model_id in each.names()))
    for each in _FAMILIES:
        if each.name == family:
            return each.names()
    raise UnknownModelError(
        "no family of models named {family}; there are {families}",
        family=_quoted(family),
        families=", ".join(families()),
    )


def representatives(family: str) -> tuple[str, ...]:
    """Return the smallest model of each architecture of a family.

    This may take minutes.

    Raises:
        UnknownModelError: there is no such family.

    >>> lg.models.representatives("bundled")
    ('lenet', 'photonet', 'patchformer', 'signalnet', 'efficientnet_lite0')
    """
    ids = names(family)
    return next(each for each in _FAMILIES if each.name == family).representatives() if ids else ids


def describe(model_id: str) -> ModelCard:
    """Return the card of a model, without loading it.

    Raises:
        UnknownModelError: no model has that id.

    >>> lg.models.describe("photonet").input_size
    (32, 32)
    """
    return _family_of(model_id).describe(model_id)


def is_ready(model_id: str) -> bool:
    """Return whether the trained weights can be loaded without a download.

    Raises:
        UnknownModelError: no model has that id.

    >>> lg.models.is_ready("lenet")
    True
    """
    return _family_of(model_id).is_ready(model_id)


def needs() -> dict[str, Needs]:
    """Return the needs of every model's trained weights, by name.

    They are in the order of ``names()``, and those that a program handed over are among them; this is cheap.
    Of a library that has not been imported, nothing but "download" is known.

    >>> lg.models.needs()["photonet"].kind
    'ready'
    """
    found: dict[str, Needs] = {}
    for family in _FAMILIES:
        for model_id in family.names():
            found.setdefault(model_id, family.needs(model_id))
    return found


def download(model_id: str, progress: Progress | None = None) -> None:
    """Make a model's trained weights ready for ``load``.

    Nothing happens if they are here already.

    Args:
        model_id: a name from ``names()``.
        progress: called with (bytes done, bytes in all) during the download, from this thread.

    Raises:
        UnknownModelError: no model has that id.
        WeightsUnavailableError: there are none, or they cannot be fetched now.
        WeightsDamagedError: what came is not the file that was asked for.

    >>> lg.models.download("lenet")  # is here already
    """
    family = _family_of(model_id)
    if not family.describe(model_id).has_pretrained:
        raise WeightsUnavailableError(
            "{model} has no trained weights; untrained weights can be shown", model=model_id
        )
    family.fetch(model_id, progress)


def load(
    model_id: str,
    weights: str = "pretrained",
    device: str | torch.device = "cpu",
    progress: Progress | None = None,
) -> nn.Module:
    """Return a new model in evaluation mode.

    ``requires_grad`` is off for its parameters.

    Untrained weights are those that the plain constructor makes right after ``torch.manual_seed(0)``, so that
    anyone can make the same view again. The caller's random state is left as it was.

    Args:
        model_id: a name from ``names()``.
        weights: "pretrained", downloaded on first use, or "random".
        device: where the model goes.
        progress: called with (bytes done, bytes in all) during a download.

    Raises:
        UnknownModelError: no model has that id.
        UnknownWeightsError: ``weights`` is neither of the two.
        WeightsUnavailableError: there are no trained weights, or they cannot be fetched now.
        WeightsDamagedError: the file of weights is damaged.

    >>> net = lg.models.load("photonet", weights="random")
    >>> net.training
    False
    """
    family = _family_of(model_id)
    if weights not in ("pretrained", "random"):
        raise UnknownWeightsError(
            'no weights named {weights}; there are "pretrained" and "random"', weights=_quoted(weights)
        )
    if weights == "pretrained":
        download(model_id, progress)
    model = _constructed(family, model_id, trained=weights == "pretrained")
    for weight in model.parameters():  # TorchScript has no ``requires_grad_`` for a whole model
        (weight if weight.is_leaf else weight.detach_()).requires_grad_(False)
    return model.eval().to(device)


def _constructed(family: Family, model_id: str, *, trained: bool) -> nn.Module:
    # Seed the processor's generator alone: torch.manual_seed would also seed the graphics card's, which
    # nothing here uses or restores.
    with constructing():
        torch.default_generator.manual_seed(0)
        return family.trained(model_id) if trained else family.untrained(model_id)


def _family_of(model_id: str) -> Family:
    for family in _FAMILIES:
        if model_id in family.names():
            return family
    if str(model_id).startswith(PREFIX) and not names("timm"):
        raise UnknownModelError(
            "no model named {model}: timm is not installed; {advice}", model=_quoted(model_id), advice=_TIMM
        )
    near = difflib.get_close_matches(str(model_id)[:80].lower(), names(), n=3, cutoff=0.5)
    if near:
        raise UnknownModelError(
            "no model named {name}; did you mean {names}?", name=_quoted(model_id), names=", ".join(near)
        )
    raise UnknownModelError("no model named {name}; models.names() lists them all", name=_quoted(model_id))


def _quoted(name: object) -> str:
    """Return a visitor's text, quoted and cut short for a sentence."""
    text = str(name)
    return repr(text if len(text) <= 60 else text[:60] + "…")  # noqa: PLR2004  # about a third of a line
