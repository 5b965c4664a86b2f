"""The question what a channel wants to see: a picture that is optimised while the browser asks for it."""

from starlette.routing import Route

from ....answers.optimised import OptimisedFacts
from ....request.optimised import Making, Wish, checked
from ....views.optimised.optimise import Optimise
from ....views.optimised.optimised_facts import optimised_facts
from ..answers import Asked, question, wanted_in
from ..questions import Optimisation
from ..threads import in_thread


def optimised_routes() -> list[Route]:
    """Its route."""
    return [question("optimised.json", _optimised, Optimisation, kept=False)]


async def _optimised(asked: Asked[Optimisation]) -> OptimisedFacts:
    """A slice of work, and the pictures after it; the browser asks again, or stops."""
    said, wanted = asked.question, await wanted_in(asked)
    wish = Wish(wanted.layer, wanted.call, asked.look.channel or 0, said.cell, kind=wanted.kind)
    making = checked(Making(said.way, said.length, said.random, said.count, said.own))
    found = await asked.answer(Optimise(wanted, asked.subject.photo, wish, making))
    return await in_thread(asked.subject, optimised_facts, found, wish.channel)
