"""What a request brings along: counted while it comes, and given up when it comes too slowly."""

import asyncio
from collections.abc import Callable
from time import monotonic

from starlette.types import Message, Receive

from .refusal import Refused

DRAINED, DRAINING = 64_000_000, 5.0  # bytes and seconds: a browser hears the answer once it has sent its own


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
        most = self.size + DRAINED
        try:
            async with asyncio.timeout(DRAINING):
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
