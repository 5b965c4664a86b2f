"""The door, which every request passes first.

A request that asks too much costs nothing beyond it.
"""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from math import ceil
from time import monotonic

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import runtime

from ...pictures.headers.formats import begins_like_a_picture
from ..tally.counts import PAGES, count_refusal
from .bodies import Body
from .counting import Places, Rates
from .limits import DoorLimits, limits
from .names import Names, as_of_this_host, names
from .refusal import Refusal
from .sockets import Conversation
from .uploads import LOOK_AGAIN, Uploads, file_beginning, has_begun, keep_in_memory
from .who import address_of, is_closed, uploading_session, visitor_of

ALL = "all"
SHORT = 10_000  # bytes of a body where none is needed: a browser sends a few when it deletes an upload


class Door:
    """ASGI middleware that limits requests and their bodies, by visitor.

    It checks names, lengths, rates, places, bytes and deadlines.
    """

    def __init__(self, app: ASGIApp, most: DoorLimits | None = None, known: Names | None = None) -> None:
        self._app, self._most, self._names = app, most or limits(), known or names()
        self._asked = Rates(self._most.asked_rate, self._most.asked_burst)
        self._elsewhere = Rates(self._most.address_rate, self._most.address_burst)
        self._arrivals = Rates(self._most.arrivals_rate, self._most.arrivals_burst)
        self._requests, self._bodies, self._sockets = Places(), Places(), Places()
        self._uploads = Uploads(self._most)
        keep_in_memory()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on requests within the limits; answer others with a sentence."""
        if scope["type"] == "http":
            await self._answer(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._converse(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def sending(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        body = Body(receive, self._most.body_grace, self._most.body_rate, lambda _: None)
        try:
            self._measure(scope)
            self._names.check(scope)
            with self._admitted(scope):
                await self._pass_on(scope, body, sending)
        except ClientDisconnect:
            pass  # the browser is gone: nobody waits for an answer
        except Refusal as refusal:
            if not started:
                count_refusal(refusal.status)
                await body.drain()
                await refusal.answer()(scope, receive, body.lingering(send))

    async def _pass_on(self, scope: Scope, body: Body, send: Send) -> None:
        """Let a request in, with its body within bounds."""
        if not _brings_along(scope):
            return await self._app(scope, body, send)
        address = address_of(scope)
        wanted = [(address, self._most.bodies_of_address), (ALL, self._most.bodies_of_all)]
        session = uploading_session(scope)
        if session is not None:
            wanted.append((f"session {session}", self._most.bodies_of_session))
        if not self._bodies.free(*wanted):
            raise Refusal(503, "uploads", retry_after=self._most.retry_after)
        with self._bodies.held(*(key for key, _ in wanted)):
            if session is not None:
                return await self._upload(session, scope, body, send)
            longest = self._most.body if scope["method"] == "POST" else SHORT
            body.meet = lambda _: _bounded(body.size, longest)
            if scope["method"] != "POST":
                await body.beginning(lambda _: False)  # the app may not read it; then nothing would limit it
            return await self._app(scope, body, send)

    async def _upload(self, session: str, scope: Scope, body: Body, send: Send) -> None:
        """Let a file in, counted as the kind of its first bytes."""
        await _page_open(session, self._most.back)
        beginning = file_beginning(await body.beginning(has_begun))
        with self._uploads.coming(session, picture=begins_like_a_picture(beginning)) as upload:
            await upload.room(_declared(scope) or body.size)
            upload.meet(body.size)
            body.meet = upload.meet

            async def received() -> Message:
                message = await body()
                if message["type"] == "http.request" and not message.get("more_body", False):
                    # A file for a session that has ended would never be deleted.
                    await _page_open(session, self._most.back)
                return message

            await self._app(scope, received, send)

    async def _converse(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self._measure(scope)
            self._names.check(scope)
            with self._arrived(scope), PAGES.track_inprogress():
                conversation = Conversation(receive, send, self._most)
                await self._app(as_of_this_host(scope), conversation.receive, conversation.send)
        except Refusal as refusal:
            count_refusal(refusal.status)
            await refusal.answer()(scope, receive, send)

    def _measure(self, scope: Scope) -> None:
        """Raise Refusal for an address or headers that are too long."""
        most = self._most
        if len(scope["query_string"]) > most.query:
            raise Refusal(414, "query", most=f"{most.query:,}")
        if len(scope.get("raw_path") or scope["path"]) > most.path:
            raise Refusal(414, "path", most=f"{most.path:,}")
        if sum(len(name) + len(value) for name, value in scope["headers"]) > most.head:
            raise Refusal(431, "head", most=f"{most.head:,}")

    @contextmanager
    def _admitted(self, scope: Scope) -> Iterator[None]:
        """Hold a request's places, if its visitor may ask now.

        Raises:
            Refusal: the address is closed, or too many requests come from here, in all or at a time.
        """
        if is_closed(scope):
            raise Refusal(404, "nowhere")
        address, visitor = address_of(scope), visitor_of(scope)
        wait = self._asked.take(visitor) if visitor else self._elsewhere.take(address)
        if wait:
            raise Refusal(429, "often", retry_after=ceil(wait))
        wanted = [(address, self._most.address_at_once), (ALL, self._most.requests)]
        if visitor:
            wanted.append((f"visitor {visitor}", self._most.asked_at_once))
        if not self._requests.free(wanted[1]):
            raise Refusal(503, "crowded", retry_after=self._most.retry_after)
        if not self._requests.free(*wanted):
            raise Refusal(429, "often", retry_after=1)
        with self._requests.held(*(key for key, _ in wanted)):
            yield

    @contextmanager
    def _arrived(self, scope: Scope) -> Iterator[None]:
        """Hold a page's places, if its network address may open another.

        Raises:
            Refusal: there are too many pages, or they come too fast.
        """
        address = address_of(scope)
        if not self._sockets.free((address, self._most.sockets_of_address), (ALL, self._most.sockets)):
            raise Refusal(503, "crowded", retry_after=30)
        wait = self._arrivals.take(address)
        if wait:
            raise Refusal(429, "often", retry_after=ceil(wait))
        with ExitStack() as held:
            held.enter_context(self._sockets.held(address, ALL))
            yield


async def _nowhere(_: Request) -> Response:
    return Refusal(404, "nowhere").answer()


def nowhere() -> list[Route]:
    """Return the routes for unknown addresses below ``/maps/``."""
    methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    return [Route("/maps", _nowhere, methods=methods), Route("/maps/{rest:path}", _nowhere, methods=methods)]


async def _page_open(session: str, seconds: float) -> None:
    """Wait for a page whose line is lost; raise Refusal at last."""
    until = monotonic() + seconds
    while not (runtime.exists() and runtime.get_instance().is_active_session(session)):
        if monotonic() >= until:
            raise Refusal(410, "gone")
        await asyncio.sleep(LOOK_AGAIN)


def _brings_along(scope: Scope) -> bool:
    """Return whether a request declares a body."""
    return any(
        name == b"transfer-encoding" or (name == b"content-length" and value.strip(b"0"))
        for name, value in scope["headers"]
    )


def _declared(scope: Scope) -> int:
    """Return the declared length of a request's body, or 0."""
    said = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
    return int(said) if said.isdigit() and len(said) < 16 else 0  # noqa: PLR2004  # h11 refuses longer ones


def _bounded(size: int, most: int) -> None:
    """Raise Refusal for a body that is longer than wanted."""
    if size > most:
        raise Refusal(413, "body", most=f"{most / 1e6:.1f}") if most > SHORT else Refusal(413, "bodiless")
