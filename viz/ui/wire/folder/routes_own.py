"""A visitor's pictures and tables of classes: taken in, and forgotten."""

from starlette.routing import Route

from ....answers.folders.folder import AddedFacts, FoldersFacts, LabelledFacts
from ....errors import RequestError
from ....lens.labels import labels_in, too_large
from ....request.look import Text
from ....sentences import counted
from ...folders.sources import OWN
from ...locale.translated import in_each_language
from ...visit.frames import frame_posted, photo_of_frame, posted
from ...visit.own_folder import FullError, OwnFolder
from ...visit.own_pictures import shortened
from ...visit.visit import Visit
from ..answers import PageQuery, question
from ..questions import Question, SpokenQuestion
from ..threads import in_decoding_thread, in_thread
from .routes_folder import folders_facts

MOST_TABLE = 500_000
"""Bytes of a table of labels: a visit has 300 pictures, and a whole data set's table may come with them."""
_SHOWN = 3


class OwnFileQuestion(Question, frozen=True, kw_only=True):
    """A visitor's file, by its name with the folders of its archive."""

    file: Text = ""


def questions() -> list[Route]:
    """Their routes."""
    return [
        question("pictures.add", _add, OwnFileQuestion, method="POST", kept=False),
        question("pictures.label", _label, OwnFileQuestion, method="POST", kept=False),
        question("pictures.forget", _forget, SpokenQuestion, method="POST", kept=False),
    ]


async def _add(asked: PageQuery[OwnFileQuestion]) -> AddedFacts:
    """Add a visitor's picture, once it has been decoded."""
    data, visit = await frame_posted(asked.request.stream()), _visit(asked)
    await in_decoding_thread(asked.subject, photo_of_frame, data, asked.subject.visitor)
    _visit(asked)  # it may have ended meanwhile
    try:
        name = visit.folder.add(asked.question.file, data)
    except FullError as error:
        full = AddedFacts(name="", count=len(visit.folder.files), full=True, error=error.args[0])
        return in_each_language(full)
    return AddedFacts(name=name, count=len(visit.folder.files))


async def _label(asked: PageQuery[OwnFileQuestion]) -> LabelledFacts:
    """Take the pictures' classes from a table; a bad one changes nothing."""
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


async def _forget(asked: PageQuery[SpokenQuestion]) -> FoldersFacts:
    """Drop the visitor's own pictures, and their results."""
    visit = _visit(asked)
    visit.folder.clear()
    await in_thread(asked.subject, visit.end_kept, OWN)
    return await folders_facts(asked, asked.question.language)


def _visit(asked: PageQuery[OwnFileQuestion] | PageQuery[SpokenQuestion]) -> Visit:
    """The visit, if it is of this process.

    Raises:
        RequestError: it is over, or another server has it; or a class shows its teacher's subject.
    """
    if asked.subject.lent:
        raise RequestError(
            "A class shows its teacher's picture here: press “On my own picture” before you bring pictures."
        )
    visit = asked.subject.visit()
    if not isinstance(visit, Visit) or visit.ended:
        raise RequestError("this visit has ended, or another server has it: open the page again.")
    return visit
