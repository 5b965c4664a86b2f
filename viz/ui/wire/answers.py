"""Questions about a subject, read from addresses and answered with facts."""

import re
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, Generic, TypeVar

from msgspec import UNSET
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from ...answers.message import Answer, as_json
from ...answers.model import Thumb
from ...catalogue import models
from ...engine.apart import Apart, called
from ...engine.task import Answer_co, Task
from ...errors import EditError, RateError, SupersededError, VizError
from ...maps.colour.wanted import Range
from ...request.inspection import Inspection, LayerView
from ...request.look import Look
from ...sentences import Sentence
from ...views.model_range import ModelRange
from ...views.one_layer import View
from ...views.overview import Thumbnail, joint_limits, thumbnail_facts
from ..locale.translated import in_each_language
from ..visit.service import engine
from ..visit.visit import SubjectEntry
from .inspecting import inspection_of, read_query
from .questions import LayerQuestion, ModelQuestion, Question
from .threads import result_of, subject_of, while_here

PRIVATE = {"cache-control": "private, max-age=3600, immutable, no-transform"}  # a picture has facts in it
UNKEPT = {"cache-control": "no-store"}
ABOUT = "/maps/{subject:str}/"
GONE = Sentence("This picture belongs to a visit that has ended; open the page again.")

Kind = TypeVar("Kind", bound=Question)
AboutModel = TypeVar("AboutModel", bound=ModelQuestion | LayerQuestion)
AboutLayer = TypeVar("AboutLayer", bound=LayerQuestion)


@dataclass(frozen=True)
class PageQuery(Generic[Kind]):
    """A question from a page, with its subject, look and request."""

    subject: SubjectEntry
    look: Look
    question: Kind
    request: Request

    @property
    def urgent(self) -> bool:
        """True if a visitor waits for it; false for a prefetch."""
        return "x-layerglass-prefetch" not in self.request.headers

    async def answer(self, task: Task[Answer_co], *, urgent: bool = True) -> Answer_co:
        """The engine's answer."""
        found: Answer_co = await result_of(engine().do(task, visitor=self.subject.visitor, urgent=urgent))
        return found

    async def apart(self, function: str, *given: Any, **named: Any) -> Any:
        """Import and call ``"room.module:function"`` where that holds up nobody; return its result."""
        return await self.answer(Apart(partial(called, function, *given, **named)), urgent=False)


Told = Answer | Sequence[Answer]
Handler = Callable[[PageQuery[Kind]], Coroutine[Any, Any, Response | Told]]


def question(
    path: str,
    handler: Handler[Kind],
    kind: type[Kind],
    *,
    method: str = "GET",
    lenient: bool = False,
    kept: bool = True,
) -> Route:
    """Return the route of a question: ``/maps/<subject>/<path>?<look>``.

    A query that cannot be is refused, unless the question is ``lenient``. What the handler returns as a
    struct is sent as JSON, which the browser may keep unless it is not ``kept``.
    """
    headers = PRIVATE if kept else UNKEPT
    answered = _answered(handler, kind, lenient=lenient, headers=headers)
    return Route(f"{ABOUT}{path}", answered, methods=[method])


def refused(
    sentence: str, status: int, *, superseded: bool = False, of_edit: bool = False, document: str = ""
) -> Response:
    """An answer of one sentence."""
    answer = Answer(
        error=sentence,
        superseded=superseded or UNSET,
        of_edit=of_edit or UNSET,
        document=document or UNSET,
    )
    return _sent(in_each_language(answer), status=status)


def _sent(told: Told, headers: Mapping[str, str] | None = None, status: int = 200) -> Response:
    return Response(as_json(told), status, headers, media_type="application/json")


def _answered(
    handler: Handler[Kind], kind: type[Kind], *, lenient: bool, headers: Mapping[str, str]
) -> Callable[[Request], Awaitable[Response]]:
    """Return a route's handler; our own errors become answers of one sentence."""

    @wraps(handler)  # whose types say what is answered: tools/answers.py reads them
    async def answer(request: Request) -> Response:
        subject = await subject_of(request.path_params["subject"])
        if subject is None:
            return refused(GONE, 410)
        try:
            look, said = read_query(request.url.query, kind, lenient=lenient)
            working = handler(PageQuery(subject, look, said, request))
            found = await (while_here(request, working) if request.method == "GET" else working)
            answer = found if isinstance(found, Response) else _sent(found, headers)
            return _moving(answer) if subject.moving else answer
        except ClientDisconnect:  # the browser has left: nobody reads the answer
            return Response(status_code=400)
        except (VizError, models.ModelError) as error:
            return _refusal(error)

    return answer


def _moving(answer: Response) -> Response:
    """Mark an answer: the page shall move to another server."""
    answer.headers["x-layerglass-moving"] = "1"
    answer.headers["cache-control"] = UNKEPT["cache-control"]
    return answer


def _refusal(error: VizError | models.ModelError) -> Response:
    if isinstance(error, SupersededError):
        return refused(str(error), 409, superseded=True)
    status = 429 if isinstance(error, RateError) else 422
    return refused(str(error), status, of_edit=isinstance(error, EditError), document=error.document)


def attachment(name: str) -> dict[str, str]:
    """Return the header that saves an answer under a safe file name."""
    return {"content-disposition": f'attachment; filename="{re.sub("[^A-Za-z0-9._-]+", "-", name)}"'}


async def wanted_in(asked: PageQuery[AboutModel]) -> Inspection:
    """The request behind an address."""
    return await inspection_of(asked.subject, asked.look, asked.question)


async def view_of(asked: PageQuery[AboutLayer]) -> LayerView:
    """The view behind an address."""
    wanted, urgent = await wanted_in(asked), asked.urgent
    return await asked.answer(View(wanted, asked.subject.photo, whole=not urgent), urgent=urgent)


async def limits_of(asked: PageQuery[AboutModel], wanted: Inspection) -> Range | None:
    """Return the scale of the whole model; None unless it is wanted."""
    if wanted.scale != "model":
        return None
    return await asked.answer(ModelRange(wanted, asked.subject.photo))


def facts_of_all(
    thumbs: Sequence[Thumbnail], wanted: Inspection, scaled_by: Sequence[Thumbnail] = ()
) -> tuple[Thumb, ...]:
    """Return all layers' facts in small, each on its own scale.

    If one scale is wanted for all of them, it is that of ``scaled_by``, or their own if that is empty.
    """
    limits = joint_limits(scaled_by or thumbs) if wanted.scale == "model" else None
    return tuple(in_each_language(thumbnail_facts(thumb, wanted.colormap, limits)) for thumb in thumbs)
