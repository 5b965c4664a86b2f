"""Bugs in answers: the visitor and the log get the same number."""

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...answers.message import Answer, as_json
from ..locale.catalogues import ENGLISH, languages
from ..locale.words import say
from ..visit.faults import REPORTING, numbered
from .answers import UNKEPT


class Bugs:
    """ASGI middleware that answers with a sentence where a handler fails."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and answer if it fails before any answer.

        The server itself reports what fails later, and closes the connection. Of a websocket that was closed
        here nobody is told: Streamlit goes on to read from it, and to close it once more.
        """
        started, closed = scope["type"] != "http", False

        async def sending(message: Message) -> None:
            nonlocal started, closed
            started, closed = True, closed or message["type"] == "websocket.close"
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except Exception as error:
            if closed and isinstance(error, RuntimeError):
                return
            if started:
                raise
            await _sentence(numbered("answer", error))(scope, receive, send)


def _sentence(number: str) -> Response:
    others = {
        other: {"error": say(other, "bug", error_id=number)} for other in languages() if other != ENGLISH
    }
    told = as_json(Answer(error=say(ENGLISH, "bug", error_id=number), said=others, document=REPORTING))
    return Response(told, 500, UNKEPT, media_type="application/json")
