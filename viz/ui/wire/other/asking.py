"""The cost of loading models beside the one on screen."""

from collections.abc import Collection
from typing import NamedTuple

from ....answers.other import AffordableChoice, OtherAction
from ....profile.cost import budget, free_memory, megabytes, model_cost
from ...locale.words import say
from ...visit.catalogue.known import describe
from ...visit.service import DEFAULT_MODEL

HANDED = "handed"  # the family of models that a program handed over: their copies are in memory already


class LoadCost(NamedTuple):
    """A question before a model is loaded, with fields of ``OtherFacts``."""

    ask: str
    cost: int
    may: bool
    instead: AffordableChoice


class LoadQuestion(NamedTuple):
    """A question before models are loaded; ``may``: can be agreed to."""

    ask: str
    models: tuple[str, ...]
    may: bool


def asked_to_load_all(
    needed: Collection[tuple[str, str]], language: str, agreed: Collection[str]
) -> LoadQuestion | None:
    """Return the question before loading models; None if none is needed.

    ``needed``: models with their weights. What was agreed to once is not counted: it may be loaded already.
    """
    names = [model for model, _ in needed if _costs(model) and model not in agreed]
    may, cost = budget(), sum(map(_cost, names))
    if cost <= may.ask:
        return None
    asked = tuple(dict.fromkeys(names))
    said = say(
        language,
        "cost_load_all",
        models=", ".join(asked),
        cost=megabytes(cost),
        free=megabytes(free_memory()),
    )
    return LoadQuestion(_bounded(said, cost, language), asked, cost <= may.refuse)


def asked_to_load(model: str, language: str, *, agreed: bool) -> LoadCost | None:
    """Return the question before loading a model; None if none is needed."""
    cost, may = _cost(model), budget()
    if not _costs(model) or cost <= may.ask or (agreed and cost <= may.refuse):
        return None
    sentence = _asked(model, cost, language)
    least = megabytes(_cost(DEFAULT_MODEL))
    instead = offer(
        say(language, "cost_instead", name=DEFAULT_MODEL, cost=least),
        with_model=DEFAULT_MODEL,
        with_layer="",
        with_call="",
    )
    return LoadCost(sentence, cost, cost <= may.refuse, instead)


def offer(label: str, **other: str) -> AffordableChoice:
    """Return an offer to change the look's fields about the other side."""
    return AffordableChoice(label=label, action=OtherAction(type="other", other=other))


def _cost(model: str) -> int:
    return model_cost(describe(model).parameters)


def _costs(model: str) -> bool:
    """Return False for a model that is in memory already."""
    return model != DEFAULT_MODEL and describe(model).family != HANDED


def _asked(name: str, cost: int, language: str) -> str:
    said = say(language, "cost_load", cost=megabytes(cost), free=megabytes(free_memory()), model=name)
    return _bounded(said, cost, language)


def _bounded(sentence: str, cost: int, language: str) -> str:
    """Add the limit to a sentence about what is beyond it."""
    if cost <= budget().refuse:
        return sentence
    return say(language, "cost_too_large", sentence=sentence, most=megabytes(budget().refuse))
