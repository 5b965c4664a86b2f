"""What a request brings along: counted while it comes, and given up when it comes too slowly."""

import asyncio
from collections.abc import Callable
from math import inf
from time import monotonic

from starlette.types import Message, Receive, Send

from .refusal import Refused

DRAINED, DRAINING = 64_000_000, 5.0  # bytes and seconds: a browser hears the answer once it has sent its own
# Seconds; a connection closed on bytes that nobody read is reset, and takes the answer with it.
LINGERING = 2.0


class Body:
    """Stands in for ``receive``: passes a body on, and raises when it breaks its bounds.

    Args:
        receive: where it comes from.
        grace: seconds before its speed counts.
        rate: bytes a second that must have come by then.
        meet: is told the bytes of each part as it comes; raises what is to be answered.
    """

    def __init__(self, receive: Receive, grace: float, rate: int, meet: Callable[[int], None]) -> None:
        self._receive, self._grace, self._rate, self.meet = receive, grace, rate, meet
        self._since = monotonic()
        self.size, self.ended = 0, False
        self._ahead: list[Message] = []

    async def __call__(self) -> Message:
        """Return the next part.

        Raises:
            Refused: it did not come in time, or ``meet`` does not want it.
        """
        return self._ahead.pop(0) if self._ahead else await self._next()

    async def beginning(self, enough: Callable[[bytes], bool]) -> bytes:
        """Return the first bytes, until there are enough of them; they will be passed on all the same."""
        seen = b""
        while not (enough(seen) or self.ended):
            message = await self._next()
            self._ahead.append(message)
            seen += message.get("body", b"")
        return seen

    async def drain(self) -> None:
        """Let what is still to come fall down, within bounds; a browser that is cut off hears no sentence."""
        self._ahead.clear()
        await self._fall(DRAINING, self.size + DRAINED)

    def lingering(self, send: Send) -> Send:
        """Return ``send`` such that the whole answer is out before the connection of an unread body ends."""

        async def sending(message: Message) -> None:
            if self.ended or message["type"] != "http.response.body":
                return await send(message)
            await send({**message, "more_body": True})
            await self._fall(LINGERING)
            return await send({"type": "http.response.body"})

        return sending

    async def _fall(self, seconds: float, most: float = inf) -> None:
        """Receive and forget, until the body has ended or that is enough of it."""
        try:
            async with asyncio.timeout(seconds):
                while not self.ended and self.size < most:
                    self._count(await self._receive())
        except TimeoutError:
            pass

    async def _next(self) -> Message:
        if self.ended:
            return (
                await self._receive()
            )  # waits for the end of the connection: for as long as the answer takes
        try:
            async with asyncio.timeout(self._left()):
                message = await self._receive()
        except TimeoutError:
            raise Refused(408, "slow") from None
        self.meet(self._count(message))
        return message

    def _count(self, message: Message) -> int:
        came = len(message.get("body", b""))
        self.size += came
        self.ended = not message.get("more_body", False)
        return came

    def _left(self) -> float:
        """Seconds in which the next byte must come for the average to hold."""
        return max(0.0, self._since + self._grace + self.size / self._rate - monotonic())
