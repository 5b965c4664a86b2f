"""An HTTP connection that stays open, counts bytes, and can be slow."""

import asyncio
import gzip
import json
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import h11

CHUNK = 16_384


@dataclass(frozen=True)
class Pace:
    """Speed of a line, as a delay and a rate.

    The delay is the seconds before a request arrives; the rate is the bytes a second on the way back.
    """

    delay: float
    rate: float


SLOW = Pace(0.15, 1_600_000 / 8)


@dataclass(frozen=True)
class Reply:
    """A response; ``received`` counts the bytes on the line, headers included."""

    status: int
    headers: dict[bytes, bytes]
    body: bytes
    received: int

    @property
    def data(self) -> bytes:
        """The body, unpacked."""
        return gzip.decompress(self.body) if self.headers.get(b"content-encoding") == b"gzip" else self.body

    @property
    def said(self) -> Any:
        """The JSON in it."""
        return json.loads(self.data)


class HttpLine:
    """One connection to a server, for one request after the other."""

    def __init__(self, address: str, pace: Pace | None = None) -> None:
        where = urlsplit(address)
        self._host, self._port, self._pace = where.hostname or "localhost", where.port or 80, pace
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._turn = asyncio.Lock()

    async def ask(
        self, path: str, method: str = "GET", *, body: bytes = b"", headers: dict[str, str] | None = None
    ) -> Reply:
        """One request; the next one waits for its answer.

        Raises:
            ConnectionError: the server cannot be reached, or ended the answer before its end.
        """
        sent = {"host": f"{self._host}:{self._port}", "accept-encoding": "gzip", **(headers or {})}
        if body:
            sent["content-length"] = str(len(body))
        async with self._turn:
            if self._pace:
                await asyncio.sleep(self._pace.delay)
            request = h11.Request(method=method, target=path, headers=list(sent.items()))
            if self._streams:
                # The server ends a line that nobody used, maybe as a request comes: browsers ask again.
                with suppress(ConnectionError):
                    return await self._exchange(request, body)
            return await self._exchange(request, body)

    async def close(self) -> None:
        """Close the connection."""
        if self._streams:
            _, writer = self._streams
            self._streams = None
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _exchange(self, request: h11.Request, body: bytes) -> Reply:
        reader, writer = await self._open()
        line = h11.Connection(h11.CLIENT)
        try:
            for event in (request, h11.Data(data=body), h11.EndOfMessage()):
                writer.write(line.send(event) or b"")
            reply = await self._answer(line, reader)
        except h11.RemoteProtocolError as error:
            await self.close()
            raise ConnectionResetError(str(error)) from error
        except (
            BaseException
        ):  # also when nobody waits any more: what is on its way belongs to no other request
            await self.close()
            raise
        if line.their_state is not h11.DONE or line.our_state is not h11.DONE:
            await self.close()
        return reply

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams and self._streams[0].at_eof():  # the server no longer waited
            await self.close()
        if not self._streams:
            self._streams = await asyncio.open_connection(self._host, self._port)
        return self._streams

    async def _answer(self, line: h11.Connection, reader: asyncio.StreamReader) -> Reply:
        received, parts, head = 0, list[bytes](), h11.Response(status_code=500, headers=[])
        while True:
            event = line.next_event()
            if event is h11.NEED_DATA:
                data = await reader.read(CHUNK)
                received += len(data)
                if self._pace:
                    await asyncio.sleep(len(data) / self._pace.rate)
                line.receive_data(data)
            elif isinstance(event, h11.Response):
                head = event
            elif isinstance(event, h11.Data):
                parts.append(bytes(event.data))
            elif isinstance(event, h11.EndOfMessage):
                return Reply(head.status_code, dict(head.headers), b"".join(parts), received)
            elif isinstance(event, h11.ConnectionClosed):
                raise ConnectionResetError("the server closed the line before it answered")
