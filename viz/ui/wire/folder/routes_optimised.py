"""Pictures optimised for a channel, slice by slice, beside a folder's."""

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace
from starlette.routing import Route

from ....answers.folders.optimised import OptimisedFacts
from ....errors import RequestError
from ....findings.agreement import Agreement, agreement
from ....request.look import Number
from ....request.optimised import MOST_PICTURES, STEPS, OptimisationSettings, Way, Wish, checked
from ....views.optimised.optimise import OptimisationProgress, Optimise
from ....views.optimised.optimised_facts import optimised_facts
from ...folders.sources import KINDS
from ..answers import PageQuery, question, wanted_in
from ..questions import LayerQuestion
from ..threads import in_thread
from .finding import folder_of

LONGEST = 512  # steps: whoever wants more has the command line


class Optimisation(LayerQuestion, frozen=True, kw_only=True):
    """A picture that excites the look's channel: see ``viz.request.optimised.OptimisationSettings``.

    Attributes:
        y: the row of the cell that is meant, likewise ``x`` its column; without both, all cells are.
        minus: another channel, which is not to grow: the direction from it to the look's channel is meant.
        way: one of ``viz.request.optimised.WAYS``.
        length: the number of steps.
        random: the seed.
        count: the number of pictures.
        own: whether to begin with the visitor's picture.
    """

    y: Number | None = None
    x: Number | None = None
    minus: Number | None = None
    way: Way = "fourier"
    length: Annotated[int, Meta(ge=1, le=LONGEST)] = STEPS
    random: Number = 0
    count: Annotated[int, Meta(ge=1, le=MOST_PICTURES)] = 1
    own: bool = False

    @property
    def cell(self) -> tuple[int, int] | None:
        """The cell's row and column, if both are said."""
        return None if self.y is None or self.x is None else (self.y, self.x)

    def direction(self, channel: int) -> tuple[tuple[int, float], ...]:
        """Return the direction from ``minus`` to a channel; empty without ``minus``."""
        return () if self.minus is None else ((channel, 1.0), (self.minus, -1.0))


def questions() -> list[Route]:
    """Its route."""
    return [question("optimised.json", _optimised, Optimisation, kept=False)]


async def _optimised(asked: PageQuery[Optimisation]) -> OptimisedFacts:
    """Do a slice of work, and return the pictures after it."""
    said, wanted = asked.question, await wanted_in(asked)
    channel = asked.look.channel or 0
    wish = Wish(
        wanted.layer, wanted.call, channel, said.cell, direction=said.direction(channel), kind=wanted.kind
    )
    making = checked(OptimisationSettings(said.way, said.length, said.random, said.count, said.own))
    found = await asked.answer(Optimise(wanted, asked.subject.photo, wish, making))
    facts: OptimisedFacts = await in_thread(asked.subject, optimised_facts, found, wish.channel)
    beside = await _agreement(asked, found, wish) if found.finished else None
    if beside is None:
        return facts
    return replace(
        facts,
        compared=beside.pictures,
        beaten=beside.beaten,
        likeness=beside.likeness,
        chance=beside.chance,
    )


async def _agreement(
    asked: PageQuery[Optimisation], found: OptimisationProgress, wish: Wish
) -> Agreement | None:
    """Return the first picture's agreement with those of the largest folder."""
    best: Agreement | None = None
    for kind in KINDS:
        try:
            folder = await folder_of(asked, kind)
            store = folder.store if folder else None
        except RequestError:  # what cannot be compared is left out: the picture is there all the same
            continue
        if store is None:
            continue
        maxima = await in_thread(asked.subject, store.numbers, "maximum", wish.layer, wish.call)
        if maxima is None or maxima.shape[1] != found.peaks.shape[1] or not len(maxima):
            continue
        here = await in_thread(asked.subject, agreement, found.peaks[0], maxima, wish.channel)
        if best is None or here.pictures > best.pictures:
            best = here
    return best
