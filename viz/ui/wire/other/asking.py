"""The cost of loading the other side's model, for consent."""

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


def asked_to_load(model: str, language: str, *, agreed: bool) -> LoadCost | None:
    """Return the question before loading a model; None if none is needed."""
    cost, may = model_cost(describe(model).parameters), budget()
    here = model == DEFAULT_MODEL or describe(model).family == HANDED
    if here or cost <= may.ask or (agreed and cost <= may.refuse):
        return None
    sentence = say(language, "cost_load", cost=megabytes(cost), free=megabytes(free_memory()), model=model)
    if cost > may.refuse:
        sentence = say(language, "cost_too_large", sentence=sentence, most=megabytes(may.refuse))
    least = megabytes(model_cost(describe(DEFAULT_MODEL).parameters))
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
