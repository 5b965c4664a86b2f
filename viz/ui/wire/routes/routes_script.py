"""A view as a script, and the picture that the script reads."""

import io

from starlette.responses import Response
from starlette.routing import Route

from ....script.code import script
from ....script.script_facts import Facts
from ...visit.catalogue.known import describe
from ..answers import PRIVATE, PageQuery, attachment, question, view_of, wanted_in
from ..questions import LayerQuestion, Question
from ..threads import in_thread


def questions() -> list[Route]:
    """Their routes."""
    return [question("code.py", _code, LayerQuestion), question("picture.png", _picture, Question)]


async def _picture(asked: PageQuery[Question]) -> Response:
    """Return the picture that a script reads, before any preprocessing."""
    buffer = io.BytesIO()
    await in_thread(asked.subject, asked.subject.photo.original.image.save, buffer, "PNG")
    return Response(buffer.getvalue(), media_type="image/png", headers=PRIVATE | attachment("picture.png"))


async def _code(asked: PageQuery[LayerQuestion]) -> Response:
    """The view as a script of plain hooks."""
    wanted, view = await wanted_in(asked), await view_of(asked)
    facts = await asked.answer(Facts(wanted, asked.subject.photo))
    text = script(wanted, view, describe(wanted.model), facts, crop=asked.subject.photo.crop)
    disposition = attachment(f"{wanted.model}-{wanted.layer}-call{wanted.call + 1}.py")
    return Response(text, media_type="text/x-python", headers=PRIVATE | disposition)
