"""A camera's frames, bounded before they are decoded, few at once."""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator
from contextlib import asynccontextmanager

from ...errors import ImageError, SupersededError
from ...pictures.photo import Photo
from .jobs.reading import read_photo

MOST_BYTES = 500_000
LONGEST_SIDE = 1280


async def frame_posted(chunks: AsyncIterable[bytes]) -> bytes:
    """Return a posted frame, once it is whole.

    Raises:
        ImageError: it is longer than a frame may be; the rest of it is not waited for.
    """
    data = await posted(chunks, MOST_BYTES)
    if len(data) > MOST_BYTES:
        raise too_long()
    return data


async def posted(chunks: AsyncIterable[bytes], most: int) -> bytes:
    """Return a posted body; reading stops beyond ``most`` bytes."""
    data = bytearray()
    async for chunk in chunks:
        data += chunk
        if len(data) > most:
            break
    return bytes(data)


def photo_of_frame(data: bytes, visitor: str) -> Photo:
    """The picture in a posted frame.

    Raises:
        ImageError: it is not a picture, or too large for a frame.
    """
    if len(data) > MOST_BYTES:
        raise too_long()
    return read_photo(data, visitor, LONGEST_SIDE)


def too_long() -> ImageError:
    """The error for more bytes than a frame may have."""
    return ImageError("a frame has at most {most} kB: make it smaller", most=MOST_BYTES // 1000)


class Turns:
    """Turns for each visitor's frames: one is decoded, the newest waits.

    It serves a single event loop, so nothing needs a lock.
    """

    def __init__(self) -> None:
        self._busy: set[str] = set()
        self._waiting: dict[str, asyncio.Future[None]] = {}

    @asynccontextmanager
    async def turn(self, visitor: str) -> AsyncIterator[None]:
        """The visitor's turn.

        Raises:
            SupersededError: a newer frame of the visitor came while this one waited.
        """
        if visitor in self._busy:
            await self._wait(visitor)
        self._busy.add(visitor)
        try:
            yield
        finally:
            self._hand_on(visitor)

    async def _wait(self, visitor: str) -> None:
        """Return once it is this frame's turn."""
        before = self._waiting.pop(visitor, None)
        if before is not None and not before.done():
            before.set_exception(SupersededError("A newer request took this one's place."))
        mine = self._waiting[visitor] = asyncio.get_running_loop().create_future()
        try:
            await mine
        except asyncio.CancelledError:
            if not mine.cancelled():  # this frame had just got the turn
                self._hand_on(visitor)
            raise

    def _hand_on(self, visitor: str) -> None:
        """Give the turn to the waiting frame, or free it."""
        waiting = self._waiting.pop(visitor, None)
        if waiting is None or waiting.done():
            self._busy.discard(visitor)
        else:
            waiting.set_result(None)
