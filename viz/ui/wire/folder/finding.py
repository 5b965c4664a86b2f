"""The pass, or capture, that a question is about, and its numbers."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

from ....errors import RequestError
from ....sentences import Sentence
from ....views.folder.tasks import Box, Cell, Identify, PeaksOf, PicturePeaks, SeenByCells
from ...folders.captured import CaptureFolder
from ...folders.opened import capture_of, is_for_all, pass_of, preparation_of, source_of
from ...folders.passes import Pass
from ...folders.ranked import Measure
from ...folders.sources import Source
from ...folders.store import Number, Store
from ...folders.thumbnails import Thumbnails
from ...visit.visit import SubjectEntry, Visit, here_still
from ..answers import Kind, PageQuery
from ..threads import in_thread
from .found_once import Findings

_ENDED = Sentence("this visit has ended: open the page again.")
_LENT = Sentence(
    "A class shows its teacher's weights here, which look through no pictures for others: press “On my own "
    "picture” to look through them yourself."
)
_PLACE: tuple[Number, Number] = ("row", "column")
# A large capture is read for minutes, once: whoever wants it waits here, and holds up no thread of others.
_reading = ThreadPoolExecutor(1, "layerglass-capture")


class Folder(NamedTuple):
    """A source with its capture or pass, and a note for visitors."""

    source: Source
    captured: CaptureFolder | None
    running: Pass | None
    note: str = ""

    @property
    def store(self) -> Store:
        """Its numbers.

        Raises:
            RequestError: there are none; the message says why.
        """
        if self.captured is not None:
            return self.captured.store
        if self.running is not None:
            return self.running.store
        raise RequestError(self.note or _ENDED)


async def folder_of(asked: PageQuery[Kind], kind: str) -> Folder | None:
    """The folder of a kind that this page has; None without one."""
    entry = asked.subject
    loop = asyncio.get_running_loop()
    source = await loop.run_in_executor(_reading, source_of, entry, kind)
    if source is None:
        return None
    identity, opened, unlike = None, capture_of(entry, kind), ""
    if opened is not None or is_for_all(entry, source):
        identity = await asked.answer(Identify(entry.model, entry.weights))
    if opened is not None and identity is not None:
        preparation = await in_thread(entry, preparation_of, entry)
        unlike = opened.unlike(identity.weights_sha256, preparation)
        if not unlike:
            return Folder(source, opened, None, await loop.run_in_executor(_reading, _missing, opened))
    if isinstance(source, Thumbnails):
        return Folder(source, None, None, unlike)
    running = await in_thread(entry, pass_of, entry, source, identity)
    return Folder(source, None, running, unlike or (_LENT if entry.lent and running is None else ""))


def _missing(opened: CaptureFolder) -> str:
    """Read a capture's numbers; return a sentence if it was stopped."""
    opened.store  # noqa: B018  reads them, so that nobody else has to
    return opened.stopped


async def store_of(looked: CaptureFolder | Pass) -> Store:
    """Return a capture's or pass's numbers, read in a separate thread."""
    return await asyncio.get_running_loop().run_in_executor(_reading, lambda: looked.store)


async def needed_folder(asked: PageQuery[Kind], kind: str) -> Folder:
    """The same.

    Raises:
        RequestError: there is none.
    """
    found = await folder_of(asked, kind)
    if found is None:
        raise RequestError("there are no such pictures here any more: open the page again.")
    return found


def findings_of(entry: SubjectEntry, of_all: Findings, *looked: CaptureFolder | Pass | None) -> Findings:
    """Return the findings to keep results in: the visit's own, or all's.

    Raises:
        RequestError: the visit is over.
    """
    kinds = [each.source.kind for each in looked if isinstance(each, Pass) and not each.is_shared]
    if not kinds:
        return of_all
    visit = entry.visit()
    make = partial(Findings, here=here_still(entry))
    found = visit.keep((kinds[0], "findings"), make) if isinstance(visit, Visit) else None
    if found is None:
        raise RequestError(_ENDED)
    return found


async def peaks_here(asked: PageQuery[Kind]) -> PicturePeaks:
    """Return every channel's peaks on the picture on screen, without edits."""
    entry = asked.subject
    return await asked.answer(PeaksOf(entry.photo, entry.model, entry.weights), urgent=False)


async def check_captured(asked: PageQuery[Kind], folder: Folder) -> None:
    """Check that a capture does not lack a layer that has maps.

    Raises:
        RequestError: the capture lacks it.
    """
    layer, call = asked.look.layer, asked.look.call
    if folder.captured is None or folder.store.place(layer, call) is not None:
        return
    if any(each[:2] == (layer, call) for each in (await peaks_here(asked)).calls):
        raise RequestError(
            "{layer} is not in this capture: choose another layer, or capture the folder again with this one "
            "among --layers",
            layer=layer,
        )


async def boxes_of(
    asked: PageQuery[Kind], folder: Folder, channel: int, places: Sequence[int], by: Measure
) -> list[Box | None]:
    """Return each picture's part that the channel's strongest cell sees.

    None stands for all of the picture. A mean is that of all cells, so all of the picture counts.
    """
    look, store = asked.look, folder.store
    if by == "mean":
        return [None] * len(places)
    if folder.captured is not None:
        known = await in_thread(asked.subject, folder.captured.boxes, look.layer, look.call, channel)
        return [known.get(store.pictures[place].name) for place in places]
    about = look.layer, look.call, channel
    rows, columns = [await in_thread(asked.subject, store.numbers, each, *about) for each in _PLACE]
    if rows is None or columns is None:
        return [None] * len(places)
    cells = {place: (channel, int(rows[place, 0]), int(columns[place, 0])) for place in places}
    found = await _seen(asked, store, cells)
    return [found[place] for place in places]


async def _seen(asked: PageQuery[Kind], store: Store, cells: dict[int, Cell]) -> dict[int, Box | None]:
    """Return the boxes of cells, requested once per input size."""
    entry, look = asked.subject, asked.look
    sizes: dict[tuple[int, int], list[int]] = {}
    for place in cells:
        sizes.setdefault(store.pictures[place].input_size, []).append(place)
    found: dict[int, Box | None] = {}
    for places in sizes.values():
        photo_size = store.pictures[places[0]].photo_size
        wanted = tuple(cells[place] for place in places)
        about = (photo_size, entry.model, entry.weights, look.layer, look.call, wanted)
        found |= zip(places, await asked.answer(SeenByCells(*about)), strict=True)
    return found
