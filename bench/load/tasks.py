"""Tasks that go on beside something else."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress


async def ended(tasks: Iterable["asyncio.Task[None]"]) -> None:
    """Cancel each task; an error of one is raised here."""
    for task in tasks:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
