"""Pictures that a visitor brings to look through, and tables of their classes: taken in, and forgotten."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from starlette.routing import Route

from ....answers.folders.folder import AddedFacts, FoldersFacts, LabelledFacts
from ....errors import RequestError
from ....lens.labels import labels_in, too_large
from ....request.look import Text
from ....sentences import counted
from ...folders.opened import forget_own
from ...locale.translated import in_each_language
from ...visit.frames import frame_posted, photo_of_frame, posted
from ...visit.own_folder import FullError, OwnFolder
from ...visit.own_pictures import shortened
from ...visit.visit import Visit
from ..answers import PageQuery, question
from ..questions import Question, Spoken
from ..threads import in_thread
from .routes_folder import folders_facts

MOST_TABLE = 500_000
"""Bytes of a table of labels: a visit has 300 pictures, and a whole data set's table may come with them."""
_SHOWN = 3
_reading = ThreadPoolExecutor(4, "layerglass-own-pictures")


class Bring(Question, frozen=True, kw_only=True):
    """A visitor's file, by its name: a picture's with the folders of its archive."""

    file: Text = ""


def questions() -> list[Route]:
    """Their routes."""
    return [
        question("pictures.add", _add, Bring, method="POST", kept=False),
        question("pictures.label", _label, Bring, method="POST", kept=False),
        question("pictures.forget", _forget, Spoken, method="POST", kept=False),
    ]


async def _add(asked: PageQuery[Bring]) -> AddedFacts:
    """Take a picture in, once it has been decoded in a process of its own."""
    data, visit = await frame_posted(asked.request.stream()), _visit(asked)
    await asyncio.get_running_loop().run_in_executor(_reading, photo_of_frame, data, asked.subject.visitor)
    try:
        name = visit.folder.add(asked.question.file, data)
    except FullError as error:
        full = AddedFacts(name="", count=len(visit.folder.files), full=True, error=error.args[0])
        return in_each_language(full)
    return AddedFacts(name=name, count=len(visit.folder.files))


async def _label(asked: PageQuery[Bring]) -> LabelledFacts:
    """Take the classes of the pictures from a table; one that cannot be used changes nothing."""
    table, visit = await posted(asked.request.stream(), MOST_TABLE), _visit(asked)
    count = await in_thread(asked.subject, _labelled, visit.folder, table, shortened(asked.question.file))
    return LabelledFacts(count=count)


def _labelled(folder: OwnFolder, table: bytes, file: str) -> int:
    if len(table) > MOST_TABLE:
        raise too_large(file)
    said = labels_in(table, file)
    count = folder.label(said)
    if not count:
        raise RequestError(
            "none of {labels} in {file} is of a picture of yours: the file has {theirs}, you have {ours}",
            labels=counted("one label", "{count} labels", count=len(said)),
            file=file,
            theirs=", ".join(map(shortened, list(said)[:_SHOWN])) or "-",
            ours=", ".join(each.name for each in list(folder.files.values())[:_SHOWN]) or "-",
        )
    return count


async def _forget(asked: PageQuery[Spoken]) -> FoldersFacts:
    """Drop the visitor's own pictures, and their results."""
    visit = _visit(asked)
    visit.folder.clear()
    await in_thread(asked.subject, forget_own, visit)
    return await folders_facts(asked, asked.question.language)


def _visit(asked: PageQuery[Bring] | PageQuery[Spoken]) -> Visit:
    """The visit, if it is of this process.

    Raises:
        RequestError: it is over, or another server has it.
    """
    visit = asked.subject.visit()
    if not isinstance(visit, Visit) or visit.ended:
        raise RequestError("this visit has ended, or another server has it: open the page again.")
    return visit
