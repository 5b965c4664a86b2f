"""Passes and captures, found by all that their numbers depend on."""

import hashlib
import json
import os
import threading
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from weakref import ref

from ...home import version
from ...views.folder.tasks import PassIdentity
from ..visit.catalogue.known import describe
from ..visit.own_weights import is_own_weights
from ..visit.visit import SubjectEntry, Visit
from .captured import CaptureFolder, captured
from .passes import Pass
from .sources import FOLDER, OWN, SAMPLES, OwnSource, SampleSource, Source, served
from .thumbnails import Thumbnails

HOME = "LAYERGLASS_FOLDERS"  # the setting that says where passes over the server's folder are kept
_FORM = 2  # of what a pass keeps: what another form has kept is not read
MOST_OF_SERVER = 6  # passes whose numbers are at hand; others are read again
_lock = threading.Lock()
_of_server: dict[str, Pass] = {}


def source_of(entry: SubjectEntry, kind: str) -> Source | None:
    """Return a page's pictures of a kind; None if there are none.

    The samples stand in for a folder of the server.
    """
    if kind == SAMPLES:
        return SampleSource() if source_of(entry, FOLDER) is None else None
    if kind == FOLDER:
        found = captured()
        source = served() or (found.source if found else None)
        is_bare = isinstance(source, Thumbnails)  # only what was found of these pictures can be shown
        return None if is_bare and capture_of(entry, kind) is None else source
    visit = entry.visit()
    return OwnSource(visit.folder) if isinstance(visit, Visit) and visit.folder.files else None


def capture_of(entry: SubjectEntry, kind: str) -> CaptureFolder | None:
    """Return the server's capture if it is of the entry's model.

    Only the names of model and weights are compared.
    """
    found = captured() if kind == FOLDER else None
    fits = found is not None and (found.model, found.weights) == (entry.model, entry.weights)
    return found if fits else None


def preparation_of(entry: SubjectEntry) -> str:
    """Return the preprocessing of the entry's model, in words."""
    said: str = describe(entry.model).preprocessing.describe()
    return said


def is_for_all(entry: SubjectEntry, source: Source) -> bool:
    """Return whether all visitors share the pass over a source."""
    return source.kind != OWN and not is_own_weights(entry.weights)


def pass_of(entry: SubjectEntry, source: Source, identity: PassIdentity | None) -> Pass | None:
    """Return the pass over a source; None once the visit is over.

    Args:
        entry: the subject.
        source: the pictures.
        identity: what the numbers of a pass for all depend on.
    """
    visit = entry.visit()
    if identity is not None and is_for_all(entry, source):
        return _lasting(entry, source, identity)
    if not isinstance(visit, Visit):
        return None
    make = partial(Pass, source, entry.model, entry.weights, over=_over(ref(visit)))
    return visit.keep((source.kind, entry.model, entry.weights), make)


def looked_too(entry: SubjectEntry, source: Source) -> list[CaptureFolder | Pass]:
    """Return other models' captures and passes that the visitor may know.

    These are the server's capture, the passes that all visitors share, and the visit's own. A
    pass that goes on, or is over pictures that have changed since, is left out.
    """
    opened, visit = captured() if source.kind == FOLDER else None, entry.visit()
    with _lock:
        of_all = list(_of_server.values()) if source.kind != OWN else []
    mine = [each for each in visit.kept if isinstance(each, Pass)] if isinstance(visit, Visit) else []
    passes = [each for each in (*of_all, *mine) if not each.is_running and _is_over(each, source)]
    known: list[CaptureFolder | Pass] = [opened, *passes] if opened else [*passes]
    return [each for each in known if (each.model, each.weights) != (entry.model, entry.weights)]


def _is_over(each: Pass, source: Source) -> bool:
    """Return whether a pass is over these pictures."""
    same = each.source.kind == source.kind
    return same and (source.kind == OWN or each.digest == source.digest)


def _over(visit: "ref[Visit]") -> Callable[[], bool]:
    """Return a check for a visit's end without keeping it alive."""

    def over() -> bool:
        found = visit()
        return found is None or found.ended

    return over


@cache
def kept_in() -> Path:
    """Return the folder where passes over the server's folder are kept."""
    named = os.environ.get(HOME, "")
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(named) if named else caches / "layerglass" / "folders"


def _lasting(entry: SubjectEntry, source: Source, identity: PassIdentity) -> Pass:
    """Return the pass over the pictures as they are now.

    Whatever pictures its place has, its folder is the same: so it begins with the numbers of those that are
    as they were, and takes over from a pass that began before they changed.
    """
    whose = version(), entry.model, entry.weights, preparation_of(entry)
    about = json.dumps([_FORM, *whose, source.place, *identity])
    name = hashlib.sha256(about.encode()).hexdigest()[:32]
    with _lock:
        known = _of_server.get(name)
        if known is not None and known.digest == source.digest:
            return known
        if known is None:
            _make_room()
        folder = kept_in() / name if source.kind == FOLDER else None  # the few samples are soon done again
        _of_server[name] = Pass(source, entry.model, entry.weights, folder, before=known)
        return _of_server[name]


def _make_room() -> None:
    idle = [key for key, each in _of_server.items() if not each.is_running]
    for key in idle[: max(0, len(_of_server) - MOST_OF_SERVER + 1)]:
        del _of_server[key]
