"""Files to take home: layers as one page or an animation."""

from collections.abc import Iterable
from operator import itemgetter

from starlette.responses import Response
from starlette.routing import Route

from ....profile.rows import first_layer
from ....request.inspection import Inspection
from ....take_home.album import Album
from ....take_home.standalone import SideFacts
from ....views.whole_model import Changes, Predict, Seen
from ...browser.modules import offline_script
from ...locale.layer_types import types_in_words
from ...locale.words import file_words
from ...visit.catalogue.known import describe
from ..answers import PRIVATE, PageQuery, attachment, question, wanted_in
from ..file_titles import captions_said, model_said, plain_captions
from ..questions import HomeQuestion


def questions() -> list[Route]:
    """Both routes."""
    return [question("home.html", _page, HomeQuestion), question("home.gif", _animation, HomeQuestion)]


async def _page(asked: PageQuery[HomeQuestion]) -> Response:
    subject, wanted, language = asked.subject, await wanted_in(asked), asked.question.language
    sheets = await asked.answer(Album(wanted, subject.photo, asked.question.block), urgent=False)
    data = await asked.apart(
        "take_home.standalone:standalone_page",
        sheets,
        title=_title(wanted, captions_said(subject, wanted, language)),
        words=file_words(language),
        script=offline_script(),
        language=language,
        beside=await _beside(asked, wanted),
    )
    return _file(asked, data, "html", "text/html")


async def _beside(asked: PageQuery[HomeQuestion], wanted: Inspection) -> SideFacts:
    subject, look = asked.subject, asked.look
    about = (subject.photo, subject.model, subject.weights)
    top = (await asked.answer(Predict(*about))).top
    if wanted.in_force and top:
        changes = await asked.answer(Changes(wanted.forward, subject.photo))
        top = tuple(sorted(((each.label, each.after) for each in changes), key=itemgetter(1), reverse=True))
    return SideFacts(
        seen=await asked.answer(Seen(*about)),
        top=top,
        untrained=subject.weights == "random",
        kinds=types_in_words(subject.rows, asked.question.language),
        layer=look.layer or first_layer(subject.rows),
        call=look.call,
        channel=look.channel,
    )


async def _animation(asked: PageQuery[HomeQuestion]) -> Response:
    wanted = await wanted_in(asked)
    task = Album(wanted, asked.subject.photo, asked.question.block)
    sheets = await asked.answer(task, urgent=False)
    title = _title(wanted, plain_captions(asked.subject, wanted))  # its font has English letters only
    data = await asked.apart("take_home.animation:animation", sheets, title)
    return _file(asked, data, "gif", "image/gif")


def _title(wanted: Inspection, said: Iterable[str]) -> str:
    about = list(said)
    if wanted.gradient is not None:
        about.append(f"gradient of {describe(wanted.model).classes[wanted.gradient]!r}")
    return ", ".join((model_said(wanted), *about))


def _file(asked: PageQuery[HomeQuestion], data: bytes, form: str, kind: str) -> Response:
    name = f"{asked.subject.model}-{asked.question.block or 'layers'}.{form}"
    return Response(data, media_type=kind, headers=PRIVATE | attachment(name))
