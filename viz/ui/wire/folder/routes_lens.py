"""The data-set lens: channels and layers that separate a folder's classes."""

from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from pathlib import Path

from msgspec.structs import replace
from starlette.routing import Route

from ....answers.folders.lens import LensFacts, LensLayerFacts, LensOther
from ....exemplars.finished.card import Call
from ....lens.capture import Capture
from ....lens.labels import LABELS_FILE, Labels, labelled, labels_for
from ...folders.sources import FOLDER, OwnSource, ServedFolder, served_labels
from ...folders.store import Number
from ..answers import PageQuery, question
from ..threads import in_thread
from .finding import Folder, check_captured, findings_of, needed_folder
from .found_once import Findings, Tell
from .gathered import LEAST_PICTURES, calls_of, innermost_of, numbers_of, rows_of, signature_of
from .lens_pass import NOTHING, look_through
from .others import others_of
from .routes_folder import FolderQuestion

PATIENCE = 0.5  # seconds until it is said what is found so far
_NUMBERS: tuple[Number, Number] = ("maximum", "mean")
_findings = Findings()
_NO_CHANNELS = LensLayerFacts(
    classes=(),
    class_chance=(),
    channels=(),
    groups=(),
    used=0,
    dead_share=1.0,
    pictures=0,
    chance=1.0,
    too_few=True,
)


def questions() -> list[Route]:
    """Their routes."""
    return [
        question("lens.json", _lens, FolderQuestion, kept=False),
        question("lens-layer.json", _layer, FolderQuestion, kept=False),
    ]


async def _lens(asked: PageQuery[FolderQuestion]) -> LensFacts:
    """Return the findings so far; none with too few pictures."""
    found = await needed_folder(asked, asked.question.source)
    store = found.store
    count = len(store.pictures)

    async def given() -> tuple[Capture, Labels]:
        return await in_thread(asked.subject, _given, found, innermost_of(store))

    if count < LEAST_PICTURES:
        return replace(NOTHING, pictures=count, complete=True)
    work = partial(look_through, given, asked.apart, count)
    about = await in_thread(asked.subject, _about, found)
    findings = findings_of(asked.subject, _findings, found.running)
    facts = await findings.of(about, work, NOTHING).soon(PATIENCE)
    if not facts.complete:
        return facts
    others = await others_of(asked, found)
    return replace(facts, others=tuple(LensOther(name=each.name, title=each.title) for each in others))


async def _layer(asked: PageQuery[FolderQuestion]) -> LensLayerFacts:
    """Return the findings about a layer's channels, if there are any."""
    found, look = await needed_folder(asked, asked.question.source), asked.look
    store = found.store
    calls = [each for each in calls_of(store) if (each.layer, each.call) == (look.layer, look.call)]

    async def work(_: Tell[LensLayerFacts]) -> LensLayerFacts:
        capture, labels = await in_thread(asked.subject, _given, found, calls)
        signature = await in_thread(
            asked.subject, signature_of, store, innermost_of(store), rows_of(store, calls)
        )
        told: LensLayerFacts = await asked.apart("lens.facts:layer_facts", capture, labels, signature)
        return told

    if not calls or len(store.pictures) < LEAST_PICTURES:
        await check_captured(asked, found)
        return _NO_CHANNELS
    about = await in_thread(asked.subject, _about, found)
    findings = findings_of(asked.subject, _findings, found.running)
    return await findings.of((about, look.layer, look.call), work, _NO_CHANNELS).soon()


def _given(found: Folder, calls: Sequence[Call]) -> tuple[Capture, Labels]:
    """Return some calls' numbers on pictures that fit, and their classes."""
    store = found.store
    rows = rows_of(store, calls)
    maximum, mean = (numbers_of(store, number, calls, rows) for number in _NUMBERS)
    titles = tuple(found.source.title(store.pictures[row].name) for row in rows)
    labels = _labels(found, [store.pictures[row].name for row in rows], titles)
    return Capture(str(store.folder), titles, tuple(calls), maximum, mean), labels


def _labels(found: Folder, names: Sequence[str], titles: Sequence[str]) -> Labels:
    """Return pictures' classes: from the visitor's table, or files and folders."""
    own = _own_labels(found)
    if any(own.values()):
        return labelled(titles, [own.get(name, "") for name in names])
    return labels_for(titles, _labels_folder(found), _labels_named(found))


def _about(found: Folder) -> Hashable:
    """Return the findings' key: pictures looked at, and their present labels."""
    store, own = found.store, tuple(_own_labels(found).values())
    return str(store.folder), found.source.digest, len(store.pictures), own, _stamp(found)


def _own_labels(found: Folder) -> Mapping[str, str]:
    """Return a visitor's own labels; none for the server's pictures."""
    return found.source.labels if isinstance(found.source, OwnSource) else {}


def _stamp(found: Folder) -> tuple[int, int] | None:
    """Return the stamp of the file of labels; None without one."""
    file = _labels_named(found) or _labels_folder(found) / LABELS_FILE
    try:
        said = file.stat()
    except OSError:
        return None
    return said.st_mtime_ns, said.st_size


def _labels_named(found: Folder) -> Path | None:
    """Return the operator's file of labels, for the server's pictures alone."""
    return served_labels() if found.source.kind == FOLDER else None


def _labels_folder(found: Folder) -> Path:
    """Return the folder where a file of labels may be."""
    if found.captured is not None:
        return found.captured.out
    return found.source.root if isinstance(found.source, ServedFolder) else found.store.folder
