"""The cost of the other side's model, for consent before it is loaded."""

from typing import NamedTuple

from ....answers.other import Instead, OtherAction
from ....profile.cost import budget, free_memory, megabytes, model_cost
from ...locale.words import say
from ...visit.catalogue.known import describe
from ...visit.service import DEFAULT_MODEL


class LoadCost(NamedTuple):
    """A question to the visitor before a model is loaded; ``OtherFacts`` has the same fields."""

    ask: str
    cost: int
    may: bool
    instead: Instead


def asked_to_load(model: str, language: str, *, agreed: bool) -> LoadCost | None:
    """Return the question before a model is loaded; None if it may be loaded."""
    cost, may = model_cost(describe(model).parameters), budget()
    if model == DEFAULT_MODEL or cost <= may.ask or (agreed and cost <= may.refuse):
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


def offer(label: str, **other: str) -> Instead:
    """Return an offer to choose something else: fields of the look about the other side."""
    return Instead(label=label, action=OtherAction(type="other", other=other))
