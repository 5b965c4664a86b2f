"""Tasks that go on beside something else."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress


async def ended(tasks: Iterable["asyncio.Task[None]"]) -> None:
    """End each of them; what failed in one fails here."""
    for task in tasks:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
