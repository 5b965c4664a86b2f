"""A page's side of the keeper of things that pages share.

It finds the keeper of all pages with one secret, or begins it.
"""

import threading
from collections.abc import Callable, Collection
from concurrent.futures import Future
from functools import partial
from typing import Any

import ray
from ray.exceptions import RayActorError, RayError

from ...errors import BusyError
from ...sentences import Sentence
from ..engine_protocol import LeasedGroup
from .keeper import Keeper

SPACE = "layerglass"  # the namespace on the cluster in which all pages look
BEGINNING = 60.0  # seconds for a keeper to begin: a process on a machine that may be busy with much else
WAIT = 10.0  # seconds for one word of the keeper, or for one thing
AT_ONCE = 8  # words that it hears at a time: a large picture on its way holds up nobody
UNHEARD = Sentence("The cluster that keeps visits does not answer; try again in a minute.")
SHORT = 1 << 16  # bytes that are sent without asking first whether there is room


class RayStore:
    """See ``SharedStore``.

    Args:
        name: of the keeper; pages with another one have another keeper.
        joined: has a result once this process is connected to the cluster.
    """

    def __init__(self, name: str, joined: "Future[Any]") -> None:
        self._name, self._joined = name, joined
        self._lock, self._keeper = threading.Lock(), None

    def keep(self, group: str, name: str, data: bytes, seconds: float | None = None) -> bool:
        """See ``SharedStore``."""
        if len(data) > SHORT and not self._ask("fits", len(data)):
            return False
        return bool(self._ask("keep", group, name, data, seconds))

    def find(self, name: str, known: int = 0) -> LeasedGroup | None:
        """See ``SharedStore``."""
        found: LeasedGroup | None = self._ask("find", name, known)
        return found

    def read(self, place: Any) -> bytes:
        """See ``SharedStore``."""
        data: bytes = _heard(partial(ray.get, place, timeout=WAIT))
        return data

    def renew(self, groups: Collection[str], seconds: float) -> list[str]:
        """See ``SharedStore``."""
        unknown: list[str] = self._ask("renew", list(groups), seconds)
        return unknown

    def drop(self, group: str, names: Collection[str]) -> None:
        """See ``SharedStore``."""
        self._ask("drop", group, list(names))

    def end(self, groups: Collection[str]) -> None:
        """See ``SharedStore``."""
        self._ask("end", list(groups))

    def _ask(self, word: str, *said: Any) -> Any:
        """Return the keeper's answer; begin another keeper if it has ended."""
        for _ in range(2):
            keeper = _heard(self._found)
            try:
                return _heard(partial(_told, keeper, word, *said))
            except RayActorError:
                self._forget(keeper)
        raise BusyError(UNHEARD)

    def _forget(self, keeper: Any) -> None:
        with self._lock:
            if self._keeper is keeper:
                self._keeper = None

    def _found(self) -> Any:
        """The keeper; the first page that looks for it begins it."""
        self._joined.result(BEGINNING)
        with self._lock:
            if self._keeper is None:
                options = {"name": self._name, "namespace": SPACE, "lifetime": "detached", "num_cpus": 0}
                begin = ray.remote(Keeper).options(get_if_exists=True, max_concurrency=AT_ONCE, **options)
                keeper = begin.remote()
                ray.get(keeper.kept.remote(), timeout=BEGINNING)
                self._keeper = keeper
            return self._keeper


def _told(keeper: Any, word: str, *said: Any) -> Any:
    return ray.get(getattr(keeper, word).remote(*said), timeout=WAIT)


def _heard(ask: Callable[[], Any]) -> Any:
    """Return the cluster's answer.

    Raises:
        BusyError: it does not answer, or what was asked for has gone.
        RayActorError: the keeper has ended.
    """
    try:
        return ask()
    except RayActorError:
        raise
    except (RayError, TimeoutError, ConnectionError, RuntimeError) as error:
        raise BusyError(UNHEARD) from error
