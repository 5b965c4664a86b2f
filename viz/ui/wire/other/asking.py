"""Cost and progress of loading models beside the one on screen."""

from collections.abc import Collection
from typing import NamedTuple

from ....answers.other import AffordableChoice, LoadingProgress, OtherAction
from ....profile.cost import budget, free_memory, megabytes, model_cost
from ...locale.words import say
from ...visit.catalogue.known import describe, fetched
from ...visit.service import DEFAULT_MODEL

PATIENCE = 0.3  # seconds that a question waits for a download: weights that are here already take less
HANDED = "handed"  # the family of models that a program handed over: their copies are in memory already


class LoadCost(NamedTuple):
    """A question before a model is loaded, with fields of ``OtherFacts``."""

    ask: str
    cost: int
    may: bool
    instead: AffordableChoice


class CostQuestion(NamedTuple):
    """A question before costly work that nobody agreed to yet."""

    ask: str
    costly: tuple[str, ...]
    may: bool


def asked_about(word: str, costly: Collection[str], cost: int, language: str) -> CostQuestion:
    """Return a question in the words of ``word``, with its limit."""
    names = tuple(dict.fromkeys(costly))
    said = say(language, word, names=", ".join(names), cost=megabytes(cost), free=megabytes(free_memory()))
    return CostQuestion(_bounded(said, cost, language), names, cost <= budget().refuse)


def asked_to_load_all(
    needed: Collection[tuple[str, str]], language: str, agreed: Collection[str]
) -> CostQuestion | None:
    """Return the question before loading models; None if none is needed.

    ``needed``: models with their weights. What was agreed to once is not counted: it may be loaded already.
    """
    names = [model for model, _ in needed if _costs(model) and model not in agreed]
    cost = sum(map(_cost, names))
    return asked_about("cost_load_all", names, cost, language) if cost > budget().ask else None


def asked_to_load(model: str, language: str, *, agreed: bool) -> LoadCost | None:
    """Return the question before loading a model; None if none is needed."""
    cost, may = _cost(model), budget()
    if not _costs(model) or cost <= may.ask or (agreed and cost <= may.refuse):
        return None
    said = say(language, "cost_load", cost=megabytes(cost), free=megabytes(free_memory()), model=model)
    least = megabytes(_cost(DEFAULT_MODEL))
    instead = offer(
        say(language, "cost_instead", name=DEFAULT_MODEL, cost=least),
        with_model=DEFAULT_MODEL,
        with_layer="",
        with_call="",
    )
    return LoadCost(_bounded(said, cost, language), cost, cost <= may.refuse, instead)


async def loading_of(model: str, weights: str) -> LoadingProgress | None:
    """Return a model's download; None once its weights are here."""
    progress = await fetched(model, PATIENCE) if weights == "pretrained" else None
    return None if progress is None else LoadingProgress(**progress._asdict(), model=model)


def offer(label: str, **other: str) -> AffordableChoice:
    """Return an offer to change the look's fields about the other side."""
    return AffordableChoice(label=label, action=OtherAction(type="other", other=other))


def _cost(model: str) -> int:
    return model_cost(describe(model).parameters)


def _costs(model: str) -> bool:
    """Return False for a model that is in memory already."""
    return model != DEFAULT_MODEL and describe(model).family != HANDED


def _bounded(sentence: str, cost: int, language: str) -> str:
    """Add the limit to a sentence about what is beyond it."""
    if cost <= budget().refuse:
        return sentence
    return say(language, "cost_too_large", sentence=sentence, most=megabytes(budget().refuse))
