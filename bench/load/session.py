"""A page's websocket, which runs its script and receives messages."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from typing import Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from bench.load.http_line import HttpLine
from bench.load.tasks import ended
from tests.hostile.conversation import Conversation
from tests.hostile.visitor import LONGEST, form


class RefusedError(RuntimeError):
    """The server answered, but not the request."""


class Session:
    """One open page of the real server.

    Attributes:
        received: bytes of all messages so far.
    """

    def __init__(self, address: str, http: HttpLine, view: dict[str, str]) -> None:
        self._address, self._http, self._page = address, http, Conversation(**view)
        self._cookie, self.received = "", 0
        self._open = AsyncExitStack()
        self._socket: ClientConnection
        self._heard = asyncio.Condition()
        self._runs, self._is_over = 0, False

    async def __aenter__(self) -> Self:
        health = await self._http.ask("/_stcore/health")
        self._cookie = health.headers[b"set-cookie"].decode().split(";")[0].partition("=")[2]
        opening = connect(
            f"{self._address.replace('http', 'ws', 1)}/_stcore/stream",
            subprotocols=["streamlit"],  # type: ignore[list-item]
            additional_headers={"Origin": self._address, "Cookie": f"_streamlit_xsrf={self._cookie}"},
            max_size=LONGEST,
            open_timeout=60,
        )
        self._socket = await self._open.enter_async_context(opening)
        listening = asyncio.create_task(self._listen())
        self._open.push_async_callback(ended, [listening])
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._open.aclose()

    async def run(self, query: str | None = None) -> None:
        """Let the page's script run to its end."""
        before = self._runs
        await self._socket.send(self._page.ask_for_run(query))
        await self._until(lambda: self._runs > before)

    async def upload(self, box: str, name: str, data: bytes) -> None:
        """Upload a file to a box, and run the script with it.

        Raises:
            RefusedError: the server does not take it.
        """
        asked, request = self._page.ask_for_place(name)
        await self._socket.send(request)
        await self._until(lambda: self._page.place(asked) is not None)
        urls, (body, kind) = self._page.place(asked), form(name, data)
        proof = {"X-Xsrftoken": self._cookie, "Cookie": f"_streamlit_xsrf={self._cookie}"}
        answer = await self._http.ask(
            urls.upload_url, "PUT", body=body, headers={"Content-Type": kind} | proof
        )
        if answer.status >= 300:
            raise RefusedError(f"upload: status {answer.status}")
        self._page.put_into_box(box, urls, name, len(data))
        await self.run()

    @property
    def subject(self) -> str:
        """The token of the page's subject.

        It stands in the data of the stage's parts.

        Raises:
            RefusedError: the page shows no maps.
        """
        for data in self._page.parts().values():
            if "subject" in data:
                return str(data["subject"])
        raise RefusedError(f"no maps; the page says {self._page.notices()}")

    async def _listen(self) -> None:
        """Receive all messages of the server, also those that nobody waits for."""
        with suppress(ConnectionClosed):
            async for data in self._socket:
                self.received += len(data)
                message = self._page.hear(bytes(data))  # type: ignore[arg-type]
                self._runs += message.WhichOneof("type") == "script_finished"
                await self._tell()
        self._is_over = True
        await self._tell()

    async def _tell(self) -> None:
        async with self._heard:
            self._heard.notify_all()

    async def _until(self, is_so: Callable[[], bool]) -> None:
        async with self._heard:
            await self._heard.wait_for(lambda: is_so() or self._is_over)
        if not is_so():
            raise ConnectionResetError("the server closed the page's socket")
