"""The body of a request, counted and timed while it arrives."""

import asyncio
from collections.abc import Callable
from math import inf
from time import monotonic

from starlette.types import Message, Receive, Send

from .refusal import Refusal

# A browser reads no answer before its body is sent: bytes, seconds, and bytes a second that go on longer.
DRAINED, DRAINING, DRAINING_RATE = 64_000_000, 5.0, 500_000
# Seconds; closing a connection with unread bytes resets it, and the answer is lost.
LINGERING = 2.0


class Body:
    """Stand-in for ``receive`` that passes a body on within its bounds.

    It raises when the body breaks them.

    Args:
        receive: where it comes from.
        grace: seconds before its speed counts.
        rate: bytes a second that must have come by then.
        meet: called with the number of bytes of each part; raises what is to be answered.
    """

    def __init__(self, receive: Receive, grace: float, rate: int, meet: Callable[[int], None]) -> None:
        self._receive, self._grace, self._rate, self.meet = receive, grace, rate, meet
        self._since = monotonic()
        self.size, self.ended = 0, False
        self._ahead: list[Message] = []

    async def __call__(self) -> Message:
        """Return the next part.

        Raises:
            Refusal: it did not come in time, or ``meet`` does not want it.
        """
        return self._ahead.pop(0) if self._ahead else await self._next()

    async def beginning(self, enough: Callable[[bytes], bool]) -> bytes:
        """Return the first bytes, until there are enough of them.

        The reader still gets them.
        """
        seen = b""
        while not (enough(seen) or self.ended):
            message = await self._next()
            self._ahead.append(message)
            seen += message.get("body", b"")
        return seen

    async def drain(self) -> None:
        """Read the rest and drop it, within bounds.

        A browser that is cut off never sees the answer.
        """
        self._ahead.clear()
        await self._fall(DRAINING, DRAINING_RATE, DRAINED)

    def lingering(self, send: Send) -> Send:
        """Return a ``send`` that reads an unread body before the answer ends.

        The answer itself is sent first.
        """

        async def sending(message: Message) -> None:
            if self.ended or message["type"] != "http.response.body":
                return await send(message)
            await send({**message, "more_body": True})
            await self._fall(LINGERING)
            return await send({"type": "http.response.body"})

        return sending

    async def _fall(self, seconds: float, rate: float = inf, most: float = inf) -> None:
        """Receive and drop, until the body ends or bounds are reached.

        The seconds grow with what comes, by ``rate`` in bytes a second.
        """
        until, before = monotonic() + seconds, self.size
        try:
            while not self.ended and self.size - before < most:
                async with asyncio.timeout(until + (self.size - before) / rate - monotonic()):
                    self._count(await self._receive())
        except TimeoutError:
            pass

    async def _next(self) -> Message:
        if self.ended:
            return await self._receive()  # returns when the connection ends, after the answer
        try:
            async with asyncio.timeout(self._left()):
                message = await self._receive()
        except TimeoutError:
            raise Refusal(408, "slow") from None
        self.meet(self._count(message))
        return message

    def _count(self, message: Message) -> int:
        came = len(message.get("body", b""))
        self.size += came
        self.ended = not message.get("more_body", False)
        return came

    def _left(self) -> float:
        """The seconds left for the next byte, at the required average rate."""
        return max(0.0, self._since + self._grace + self.size / self._rate - monotonic())
