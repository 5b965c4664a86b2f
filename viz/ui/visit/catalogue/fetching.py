"""Downloads of weights: each file is fetched once for all visitors."""

import threading
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field

from ....catalogue import models
from .tasks import Progress

PATIENCE = 0.02  # seconds that a question waits: a download that fails at once says so at once
_pool = ThreadPoolExecutor(16, "layerglass-downloads")  # they wait for other servers; few compute
_lock = threading.Lock()
_under_way: dict[str, "_Download"] = {}


@dataclass
class _Download:
    model: str
    progress: Progress = field(default_factory=lambda: Progress(0, 0))
    ended: "Future[None]" = field(default_factory=Future)

    def run(self) -> None:
        models.download(self.model, progress=self._heard)

    def _heard(self, done: int, total: int) -> None:
        self.progress = Progress(done, total)


def fetched(model: str, patience: float = PATIENCE) -> Progress | None:
    """Return the progress of trained weights' download; None once they are here.

    The download goes on if nobody asks any more. After one that failed, the next question begins another.

    Raises:
        ModelError: there are no such weights, or they cannot be fetched now.
    """
    if models.is_ready(model):  # a busy machine needs longer for it than a question waits: no bar for that
        with _lock:
            _under_way.pop(model, None)
        return None
    with _lock:
        download = _under_way.get(model)
        if download is None:
            download = _Download(model)
            download.ended = _pool.submit(download.run)
            _under_way[model] = download  # last: what nothing runs for would never end
    wait([download.ended], patience)
    if not download.ended.done():
        return download.progress
    with _lock:
        if _under_way.get(model) is download:
            del _under_way[model]
    download.ended.result()
    return None
