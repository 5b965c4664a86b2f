"""Weights on their way: each file is fetched once, however many visitors ask how far it is."""

import asyncio
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import NamedTuple

from ....catalogue import models

PATIENCE = 0.3  # seconds that a question waits: weights that are here already take less
_pool = ThreadPoolExecutor(16, "layerglass-downloads")  # they wait for other servers; few compute
_lock = threading.Lock()
_under_way: dict[str, "_Download"] = {}


class Progress(NamedTuple):
    """How far a download is, in bytes; ``total`` is 0 while that is unknown."""

    done: int
    total: int


@dataclass
class _Download:
    model: str
    progress: Progress = field(default_factory=lambda: Progress(0, 0))
    ended: "Future[None]" = field(default_factory=Future)

    def run(self) -> None:
        models.download(self.model, progress=self._heard)

    def _heard(self, done: int, total: int) -> None:
        self.progress = Progress(done, total)


async def fetched(model: str, patience: float = PATIENCE) -> Progress | None:
    """None once a model's trained weights are here, else how far their download is.

    The download goes on if nobody asks any more. After one that failed, the next question begins another.

    Raises:
        ModelError: there are no such weights, or they cannot be fetched now.
    """
    with _lock:
        download = _under_way.get(model)
        if download is None:
            download = _under_way[model] = _Download(model)
            download.ended = _pool.submit(download.run)
    ended = asyncio.wrap_future(download.ended)
    ended.add_done_callback(lambda each: each.cancelled() or each.exception())  # heard, whoever waits by then
    await asyncio.wait({ended}, timeout=patience)
    if not download.ended.done():
        return download.progress
    with _lock:
        if _under_way.get(model) is download:
            del _under_way[model]
    download.ended.result()
    return None
