"""The data-set lens on two models: similarity of their layers."""

import msgspec
import numpy as np
from starlette.routing import Route

from ....answers.folders.lens import LensAgainstFacts, LensSample
from ....errors import RequestError
from ....lens.capture import Capture
from ....request.look import Text
from ...folders.store import Store
from ..answers import PageQuery, question
from ..threads import in_thread
from .finding import Folder, findings_of, needed_folder, store_of
from .found_once import Findings, Tell
from .gathered import LEAST_PICTURES, drawn, innermost_of, numbers_of
from .others import ComparedModel, others_of, title_of
from .routes_folder import FolderQuestion

_findings = Findings()
_NO_SAMPLE = LensSample(pictures=0, chance=1.0, needed=LEAST_PICTURES)
_NOTHING = LensAgainstFacts(pictures=0, used=0, layers=(), similarity=(), sample=_NO_SAMPLE)


class AgainstQuestion(FolderQuestion, frozen=True, kw_only=True):
    """A question about a folder and another model, named by ``with``.

    ``lens.json`` lists the possible names.
    """

    other: Text = msgspec.field(name="with", default="")


def questions() -> list[Route]:
    """Their route."""
    return [question("lens-against.json", _against, AgainstQuestion, kept=False)]


async def _against(asked: PageQuery[AgainstQuestion]) -> LensAgainstFacts:
    found = await needed_folder(asked, asked.question.source)
    other = await _other(asked, found)
    theirs = await store_of(other.looked)
    entry, language = asked.subject, asked.question.language
    titles = await in_thread(entry, title_of, entry.model, entry.weights, language), other.title

    async def work(_: Tell[LensAgainstFacts]) -> LensAgainstFacts:
        given = await in_thread(asked.subject, _both, (found.store, theirs), titles)
        told: LensAgainstFacts = await asked.apart("lens.facts:against_facts", *given)
        return told

    about = [(str(each.folder), len(each.pictures)) for each in (found.store, theirs)]
    findings = findings_of(entry, _findings, found.running, other.looked)
    return await findings.of((found.source.digest, *about), work, _NOTHING).soon()


async def _other(asked: PageQuery[AgainstQuestion], found: Folder) -> ComparedModel:
    """Return the other model, if this visitor may know its results.

    Raises:
        RequestError: there is none of this name.
    """
    for each in await others_of(asked, found):
        if each.name == asked.question.other:
            return each
    raise RequestError(
        "what the other model found in these pictures is not here any more: let it look through them again, "
        "or choose another one"
    )


def _both(stores: tuple[Store, Store], titles: tuple[str, str]) -> tuple[Capture, Capture, int]:
    """Return both models' numbers on their common pictures, and the count.

    Raises:
        RequestError: they have too few of them.
    """
    places = [{each.name: row for row, each in enumerate(store.pictures)} for store in stores]
    common = [name for name in places[0] if name in places[1]]
    if len(common) < LEAST_PICTURES:
        raise RequestError(
            "{one} and {two} have {count} of these pictures in common, and {least} are needed: let both look "
            "through more of them",
            one=titles[0],
            two=titles[1],
            count=len(common),
            least=LEAST_PICTURES,
        )
    calls = [innermost_of(store) for store in stores]
    width = sum(each.channels for model in calls for each in model)
    names = tuple(common[number] for number in drawn(len(common), 4 * width))
    captures = []
    for store, place, mine, title in zip(stores, places, calls, titles, strict=True):
        rows = np.array([place[name] for name in names], np.int64)
        mean = numbers_of(store, "mean", mine, rows)
        captures.append(Capture(title, names, tuple(mine), mean, mean))  # maxima are not looked at
    return captures[0], captures[1], len(common)
