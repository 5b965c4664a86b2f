"""Actor that keeps what several pages share, in the object store."""

import os
import threading
import time
from collections.abc import Collection
from typing import Any

import ray

from ..engine_protocol import LeasedGroup
from .leases import Leases

SHARE = 2  # half of the object store of its machine: tasks' pictures and answers lie there too
SWEEP = 1.0  # seconds between two looks at leases that are over
IDLE = 600.0  # seconds without a word from any page, after which it ends


class Keeper:
    """``Leases`` whose things lie in the object store.

    They are this actor's own there, not the page's that sent them, so that they outlive it. It keeps
    references and no bytes: whoever asks for a thing fetches it from the store.
    """

    def __init__(self) -> None:
        self._leases, self._lock = Leases(_store_bytes() // SHARE), threading.Lock()
        self._heard = time.monotonic()
        threading.Thread(target=self._watch, daemon=True).start()

    def fits(self, size: int) -> bool:
        """See ``Leases``."""
        with self._lock:
            return self._leases.fits(size)

    def keep(self, group: str, name: str, data: bytes, seconds: float | None) -> bool:
        """See ``Leases``."""
        place = ray.put(data)
        with self._lock:
            return self._leases.keep(group, name, place, len(data), seconds)

    def find(self, name: str, known: int) -> LeasedGroup | None:
        """See ``Leases``; a place is a ``ray.ObjectRef``."""
        with self._lock:
            return self._leases.find(name, known)

    def renew(self, groups: Collection[str], seconds: float) -> list[str]:
        """See ``Leases``."""
        self._heard = time.monotonic()  # every page says this every few seconds, also if it has no visitors
        with self._lock:
            return self._leases.renew(groups, seconds)

    def drop(self, group: str, names: Collection[str]) -> None:
        """See ``Leases``."""
        with self._lock:
            self._leases.drop(group, names)

    def end(self, groups: Collection[str]) -> None:
        """See ``Leases``."""
        with self._lock:
            self._leases.end(groups)

    def kept(self) -> tuple[int, int]:
        """Return the number of groups here, and the number of their bytes."""
        with self._lock:
            self._leases.fits(0)
            return len(self._leases), self._leases.bytes

    def _watch(self) -> None:
        """Drop groups that nobody renews; end once all pages have gone."""
        while time.monotonic() - self._heard < IDLE:
            time.sleep(SWEEP)
            self.fits(0)
        os._exit(0)


def _store_bytes() -> int:
    """Return the size of this machine's object store in bytes."""
    here = ray.get_runtime_context().get_node_id()
    sizes: dict[str, Any] = {each["NodeID"]: each["Resources"] for each in ray.nodes()}
    return int(sizes[here].get("object_store_memory", 0))
