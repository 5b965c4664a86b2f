"""Routes about folders: passes, a channel's exemplars, a picture's unusual channels."""

from dataclasses import replace
from typing import Any, Literal

import numpy as np
from starlette.responses import Response
from starlette.routing import Route

from ....answers.folders.folder import (
    ExcitedFacts,
    ExemplarFacts,
    ExemplarsFacts,
    FolderFacts,
    FoldersFacts,
    SkippedPicture,
    SpreadFacts,
    UnusualFacts,
)
from ....views.folder.tasks import SeenSmall
from ...folders.passes import Progress
from ...folders.ranked import Measure, order_of, spread_of, unusual, value_in
from ...folders.sources import KINDS
from ...folders.thumbnails import Thumbnails
from ...locale.translated import translated
from ...visit.own_folder import MOST_PICTURES
from ...visit.visit import here_still
from ..answers import PRIVATE, UNKEPT, PageQuery, question
from ..questions import SpokenQuestion
from ..threads import in_decoding_thread, in_thread
from .finding import Folder, boxes_of, check_captured, folder_of, needed_folder, peaks_here

SOME = 20  # pictures that were left out, by name
_DECODE_SECONDS = 0.03  # of a photograph of some megapixels, beside the model's own


class FolderQuestion(SpokenQuestion, frozen=True, kw_only=True):
    """A question about one source of pictures to look through."""

    source: Literal["folder", "own", "samples"] = "folder"


class PassOrder(FolderQuestion, frozen=True, kw_only=True):
    """An order to the pass over a folder: go on, or stop."""

    act: Literal["start", "stop"] = "start"


class FolderChannelQuestion(FolderQuestion, frozen=True, kw_only=True):
    """A question for exemplars of the look's channel, by maximum or mean.

    Attributes:
        alone: whether the picture on screen is left out of the answer: for its number the model has to run.
    """

    by: Measure = "maximum"
    alone: bool = False


class FolderPictureQuestion(FolderQuestion, frozen=True, kw_only=True):
    """A picture of a folder, by its name."""

    picture: str = ""


def questions() -> list[Route]:
    """Their routes."""
    return [
        question("folders.json", _folders, SpokenQuestion, kept=False),
        question("folder.pass", _act, PassOrder, method="POST", kept=False),
        question("exemplars.json", _exemplars, FolderChannelQuestion, kept=False),
        question("excited.json", _excited, FolderQuestion, kept=False),
        question("exemplar.jpg", _picture, FolderPictureQuestion),
        question("left-out.txt", _left_out, FolderQuestion, kept=False),
    ]


async def _folders(asked: PageQuery[SpokenQuestion]) -> FoldersFacts:
    return await folders_facts(asked, asked.question.language)


async def _act(asked: PageQuery[PassOrder]) -> FoldersFacts:
    """Start the pass over a folder, or no longer want it."""
    found, visitor = await needed_folder(asked, asked.question.source), asked.subject.visitor
    if found.running is not None and asked.question.act == "start":
        await in_thread(asked.subject, found.running.start, visitor, here_still(asked.subject))
    elif found.running is not None:
        await in_thread(asked.subject, found.running.stop, visitor)
    return await folders_facts(asked, asked.question.language)


async def folders_facts(asked: PageQuery[Any], language: str) -> FoldersFacts:
    """Return the facts of each folder of a page, and its progress."""
    folders = [
        await _folder_facts(asked, found, language)
        for kind in KINDS
        if (found := await folder_of(asked, kind)) is not None
    ]
    return FoldersFacts(folders=tuple(folders), most=MOST_PICTURES)


async def _folder_facts(asked: PageQuery[Any], found: Folder, language: str) -> FolderFacts:
    note = translated(found.note, language)
    if found.captured is None and found.running is None and note:
        return _nothing(found, note)
    if found.running is None:
        count = found.store.done
        return _said(found, Progress("done", count, count), language, note=note)
    progress = await in_thread(asked.subject, found.running.progress)
    seconds = progress.seconds
    if progress.state in ("none", "stopped"):
        here = await peaks_here(asked)
        seconds = (here.seconds + _DECODE_SECONDS) * (progress.count - progress.done)
    progress = replace(progress, seconds=seconds, problem=translated(progress.problem, language))
    return _said(found, progress, language, note=note, mine=found.running.wants(asked.subject.visitor))


def _nothing(found: Folder, note: str) -> FolderFacts:
    """Return the facts of an unfit capture whose pictures are not here."""
    return FolderFacts(
        source=found.source.kind,
        count=0,
        state="unfit",
        done=0,
        seconds=None,
        problem="",
        note=note,
        mine=False,
        left_out=0,
        some=(),
        opened=False,
    )


def _said(found: Folder, progress: Progress, language: str, *, note: str, mine: bool = False) -> FolderFacts:
    left_out = found.store.unreadable
    some = list(left_out.items())[:SOME]
    return FolderFacts(
        source=found.source.kind,
        count=progress.count,
        state=progress.state,
        done=progress.done,
        seconds=progress.seconds,
        problem=progress.problem,
        note=note,
        mine=mine,
        left_out=len(left_out),
        some=tuple(
            SkippedPicture(title=found.source.title(name), reason=translated(reason, language))
            for name, reason in some
        ),
        opened=found.captured is not None,
    )


async def _exemplars(asked: PageQuery[FolderChannelQuestion]) -> ExemplarsFacts:
    """The pictures that excite the look's channel most, and least."""
    found, look, by = await needed_folder(asked, asked.question.source), asked.look, asked.question.by
    store, channel = found.store, asked.look.channel or 0
    values = await in_thread(asked.subject, store.numbers, by, look.layer, look.call, channel)
    if values is None or not len(values):
        await check_captured(asked, found)
        known = values is not None or not store.calls
        return ExemplarsFacts(pictures=len(store.pictures), known=known, most=(), least=(), spread=None)
    values = values[:, 0]
    most, least = order_of(values), order_of(values, least=True)
    boxes = await boxes_of(asked, found, channel, most, by)
    about = look.layer, look.call, channel, by
    here = None if asked.question.alone else value_in(await peaks_here(asked), *about)
    spread = spread_of(values)

    def exemplar(place: int, box: tuple[int, int, int, int] | None) -> ExemplarFacts:
        name = store.pictures[place].name
        title = translated(found.source.title(name), asked.question.language)
        return ExemplarFacts(picture=name, title=title, value=_finite(float(values[place])), box=box)

    return ExemplarsFacts(
        pictures=len(values),
        known=True,
        small=isinstance(found.source, Thumbnails),
        most=tuple(map(exemplar, most, boxes)),
        least=tuple(exemplar(place, None) for place in least),
        spread=spread
        and SpreadFacts(
            low=spread.low,
            high=spread.high,
            counts=spread.counts,
            here=_finite(here),
            below=0 if here is None else int((values[np.isfinite(values)] < here).sum()),
        ),
    )


async def _excited(asked: PageQuery[FolderQuestion]) -> UnusualFacts:
    """Return the channels that the picture on screen excites unusually."""
    found, look = await needed_folder(asked, asked.question.source), asked.look
    store, here = found.store, await peaks_here(asked)
    layer, model = await in_thread(asked.subject, unusual, store, here, look.layer, look.call)
    return UnusualFacts(
        pictures=len(store.pictures),
        layer=tuple(ExcitedFacts(**each._asdict()) for each in layer),
        model=tuple(ExcitedFacts(**each._asdict()) for each in model),
    )


async def _picture(asked: PageQuery[FolderPictureQuestion]) -> Response:
    """A picture of a folder as the model sees it."""
    found, entry = await needed_folder(asked, asked.question.source), asked.subject
    photo = await in_decoding_thread(entry, found.source.photo, asked.question.picture, entry.visitor)
    jpeg = await asked.answer(SeenSmall(photo, entry.model, entry.weights))
    return Response(jpeg, media_type="image/jpeg", headers=PRIVATE)


async def _left_out(asked: PageQuery[FolderQuestion]) -> Response:
    """All pictures that were left out, and why, a line each."""
    found, language = await needed_folder(asked, asked.question.source), asked.question.language
    left_out = list(found.store.unreadable.items())  # a pass may be leaving out more
    lines = [f"{found.source.title(name)}: {translated(reason, language)}\n" for name, reason in left_out]
    headers = {**UNKEPT, "Content-Disposition": 'attachment; filename="left-out.txt"'}
    return Response("".join(lines), media_type="text/plain; charset=utf-8", headers=headers)


def _finite(value: float | None) -> float | None:
    return value if value is not None and abs(value) != float("inf") and value == value else None  # noqa: PLR0124
