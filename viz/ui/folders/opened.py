"""Which pass, or finished capture, a page shows of a source: found by what its numbers depend on."""

import hashlib
import json
import os
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from weakref import WeakKeyDictionary, ref

from ...home import version
from ...views.folder.tasks import PassIdentity
from ..visit.own_weights import is_own_weights
from ..visit.visit import SubjectEntry, Visit
from .captured import Captured, captured
from .passes import Pass
from .sources import FOLDER, OwnSource, Source, served

HOME = "LAYERGLASS_FOLDERS"  # the setting that says where passes over the server's folder are kept
MOST_OF_SERVER = 6  # passes whose numbers are at hand; others are read again
_lock = threading.Lock()
_of_server: dict[tuple[str, str, str, str], Pass] = {}
_of_visits: "WeakKeyDictionary[Visit, dict[tuple[str, str, str], Pass]]" = WeakKeyDictionary()


def source_of(entry: SubjectEntry, kind: str) -> Source | None:
    """The server's folder, or the pictures that the entry's visit has brought; None if there are none."""
    if kind == FOLDER:
        found = captured()
        return served() or (found.source if found else None)
    visit = entry.visit()
    return OwnSource(visit.folder) if isinstance(visit, Visit) and visit.folder.files else None


def capture_of(entry: SubjectEntry, kind: str) -> Captured | None:
    """The finished capture that the server was given, if it is of the entry's model and weights."""
    found = captured() if kind == FOLDER else None
    fits = found is not None and (found.model, found.weights) == (entry.model, entry.weights)
    return found if fits else None


def is_for_all(entry: SubjectEntry, source: Source) -> bool:
    """Whether the pass over a source with the entry's model is every visitor's, and kept."""
    return source.kind == FOLDER and not is_own_weights(entry.weights)


def pass_of(entry: SubjectEntry, source: Source, identity: PassIdentity | None) -> Pass | None:
    """The pass over a source with the entry's model; None once the visit is over.

    Args:
        entry: the subject.
        source: the pictures.
        identity: what the numbers of a pass for all depend on.
    """
    visit = entry.visit()
    if identity is not None and is_for_all(entry, source):
        return _lasting(entry, source, identity)
    if not isinstance(visit, Visit) or visit.ended:
        return None
    with _lock:
        mine = _of_visits.setdefault(visit, {})
        key = source.kind, entry.model, entry.weights
        if key not in mine:
            mine[key] = Pass(source, entry.model, entry.weights, over=_over(ref(visit)))
        return mine[key]


def forget_own(visit: Visit) -> None:
    """End the passes over a visit's own pictures."""
    with _lock:
        mine = _of_visits.pop(visit, {})
    for each in mine.values():
        each.end()


def _over(visit: "ref[Visit]") -> Callable[[], bool]:
    """Whether a visit has ended; a pass must not be what keeps it."""

    def over() -> bool:
        found = visit()
        return found is None or found.ended

    return over


@cache
def kept_in() -> Path:
    """The folder where passes over the server's folder are kept, so that each is made once."""
    named = os.environ.get(HOME, "")
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(named) if named else caches / "layerglass" / "folders"


def _lasting(entry: SubjectEntry, source: Source, identity: PassIdentity) -> Pass:
    key = source.digest, entry.model, entry.weights, identity.weights_sha256
    with _lock:
        if key not in _of_server:
            _make_room()
            about = json.dumps([version(), entry.model, entry.weights, source.digest, *identity])
            name = hashlib.sha256(about.encode()).hexdigest()[:32]
            _of_server[key] = Pass(source, entry.model, entry.weights, kept_in() / name)
        return _of_server[key]


def _make_room() -> None:
    idle = [key for key, each in _of_server.items() if not each.is_running]
    for key in idle[: max(0, len(_of_server) - MOST_OF_SERVER + 1)]:
        del _of_server[key]
