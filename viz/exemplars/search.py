"""The run itself: every picture through the model, and the files."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from ..errors import CaptureError, RequestError
from ..hooks.activations import LayerActivations
from ..pictures.subject import Subject
from .ahead import LostCopyError, by_copies, with_threads
from .card import Request, as_dict, check_same
from .chosen import ChosenLayer
from .fields import boxes_of
from .finished.card import Card, card_of
from .keeping import MAPS_FOLDER, RunFolder, SavedRun, writing
from .listing import Listing, Place, listed
from .looked import Channels, LookedPicture, PictureResult
from .looking import Looks, PassOptions, PicturesSeen, looking
from .ranking import Ranking
from .rawmaps.arrays import Arrays, Kind
from .reading import Item, PictureFiles, fetched, prepared
from .sources.bucket import Bucket
from .sources.names import NumberedPictures, names_into
from .tables import exemplars_table, kept_of, kept_table, maxima_table, pictures_table

FULL, HALF = "float32", "float16"
_FATAL = "the process that looked at it has ended twice, perhaps for want of memory"


@dataclass(frozen=True)
class Search:
    """Inputs of a run: the pictures, the model, and the results' folder.

    Attributes:
        folder: with the pictures.
        out: the folder of the results.
        layers: the model's layers.
        subject: the model, and how pictures are prepared.
        chosen: the layers whose channels are looked at.
        workers: the number of processes that look at pictures, or read them ahead if the model is on a
            graphics card; with none, this one does all.
        maps: the layers whose maps are kept.
        most_seconds: after which results are saved: so much is lost at most if the process is killed.
        most_rows: of ``maxima.parquet`` that wait in memory, a million of which take about 50 MB.
    """

    folder: Place
    out: Path
    layers: LayerActivations
    subject: Subject
    chosen: tuple[ChosenLayer, ...]
    workers: int
    maps: tuple[ChosenLayer, ...] = ()
    most_seconds: float = 20.0
    most_rows: int = 1 << 20


@dataclass
class Progress:
    """State from which another run goes on, without the kept pictures.

    Attributes:
        done: the number of pictures of the listing that are done, readable or not.
        parts: the number of files of rows that count.
        unreadable: (path, reason) of each picture that was left out.
        forms: the shapes of the inputs that were met, each with the (width, height) of the first picture that
            had it.
    """

    done: int = 0
    parts: int = 0
    unreadable: list[tuple[str, str]] = field(default_factory=list)
    forms: dict[tuple[tuple[int, ...], ...], tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """Outcome of a run.

    Attributes:
        pictures: the number of pictures in the folder.
        done: the number of them that are done.
        unreadable: (path, reason) of each that was left out.
        channels: the number of channels, of all calls of all layers.
        complete: whether all are done.
    """

    pictures: int
    done: int
    unreadable: tuple[tuple[str, str], ...]
    channels: int
    complete: bool


def pictures_listed(folder: Place, out: Path) -> Listing:
    """Count the pictures of a folder: see ``listing.listed``.

    Those in the folder of the results are left out.
    """
    return listed(folder, out)


def exemplars(
    search: Search,
    request: Request,
    *,
    resume: bool = False,
    advance: Callable[[int], object] = int,
    stopping: Callable[[], bool] = lambda: False,
    looks: Looks | None = None,
) -> Outcome:
    """Look at every picture; write those that excite each channel most.

    Each picture is looked at once: see ``viz.exemplars``.

    Args:
        search: what to look at.
        request: what the results depend on.
        resume: go on with what another run has left in the folder of the results, if there is anything.
        advance: called with the number of pictures that are done, after each.
        stopping: whether to stop after this picture; what is done is written, and can be gone on with.
        looks: what looks at the pictures, such as a cluster; by default the model in this process.

    Raises:
        CaptureError: the model failed on every picture, or no picture can be read.
        RequestError: the results cannot be written, or the folder has those of another request.
    """
    keeping = RunFolder(search.out)
    with keeping.opened(resume=resume):
        card = keeping.finished()
        if card is not None:
            check_same(card, request, search.out)
            return _outcome_of(card_of(search.out))
        _list_names(search, request, keeping)
        looks = looks or here(search, request)
        while True:
            with Run(search, request, keeping).opened() as run:
                outcome = run.outcome(looks, advance, stopping)
                if outcome is not None:
                    return outcome


def _list_names(search: Search, request: Request, keeping: RunFolder) -> None:
    """Write down the pictures' names, so that their numbers stay.

    Raises:
        RequestError: it is another folder than was asked about by now.
    """
    with writing(keeping.names_file), names_into(keeping.names_file) as add:
        found = listed(search.folder, search.out, add)
    if (found.count, found.digest) != (request.pictures, request.pictures_sha256):
        raise RequestError(
            "the pictures in {folder} have changed while they were listed: begin again once nobody adds any "
            "or takes any away",
            folder=search.folder,
        )


def _note_lost(error: LostCopyError, keeping: RunFolder) -> None:
    """Let a run go on after a picture's second lost process.

    Raises:
        RequestError: a process that looks at pictures has ended; what was saved before is kept.
    """
    number, *_ = error.item
    if not keeping.lose(number):
        raise RequestError(
            "a process that looks at pictures has ended, perhaps for want of memory: --resume goes on, and "
            "leaves a picture out at which that happens again; --workers 0 does all in this process"
        ) from error


def wanted_of(search: Search, request: Request) -> PassOptions:
    """Return the numbers and maps that are wanted of each picture."""
    return PassOptions(search.chosen, request.statistics, search.maps, half=request.maps_type == HALF)


def here(search: Search, request: Request) -> Looks:
    """Return a function that looks at pictures on this machine.

    The model is in this process, or in copies of it.
    """
    wanted, folder, thumbnails = wanted_of(search, request), search.folder, request.thumbnails

    @contextmanager
    def looks(numbered: Iterable[Item]) -> Iterator[Iterator[PictureResult]]:
        ready = prepared(folder, search.subject, numbered, search.workers, thumbnails)
        with closing(ready), with_threads(request.threads), looking(search.layers, wanted) as look:
            yield map(look, ready)

    @contextmanager
    def looks_in_copies(numbered: Iterable[Item]) -> Iterator[Iterator[PictureResult]]:
        files = PictureFiles(folder, search.subject, thumbnails)
        items = fetched(folder, numbered, search.workers) if isinstance(folder, Bucket) else numbered
        with closing(by_copies(PicturesSeen(files, search.layers, wanted), items, search.workers)) as found:
            yield found

    in_copies = search.workers and request.threads == 1 and search.layers.device.type == "cpu"
    return looks_in_copies if in_copies else looks


class Run:
    """One run under way, with results that are not written yet."""

    def __init__(self, search: Search, request: Request, keeping: RunFolder) -> None:
        self.progress = Progress()
        self._search, self._request, self._keeping = search, request, keeping
        self._ranking = Ranking(request.top)
        self._arrays = Arrays(search.out, request.pictures, half=request.maps_type == HALF)
        self._waiting: list[LookedPicture] = []
        self._seen: list[PictureResult] = []
        self._rows, self._saved_at = 0, time.monotonic()

    @contextmanager
    def opened(self) -> Iterator[Self]:
        """Let go of all files behind the block, also after an error."""
        try:
            yield self
        finally:
            self._arrays.leave()

    def outcome(
        self, looks: Looks, advance: Callable[[int], object], stopping: Callable[[], bool]
    ) -> Outcome | None:
        """Look at the pictures that are left, and write the files.

        None if another run shall go on.

        Raises:
            CaptureError: see ``finish``.
            RequestError: what was saved is another request's, or a process that looks at pictures has ended.
        """
        self.take_up_saved()
        advance(self.progress.done)
        try:
            stopped = self.look(looks, advance, stopping)
        except LostCopyError as error:
            _note_lost(error, self._keeping)
            return None  # without the picture that has ended two processes
        return self.finish(complete=not stopped)

    def take_up_saved(self) -> None:
        """Go on from where another run was, if there was one.

        Raises:
            RequestError: it was another request's.
        """
        saved = self._keeping.saved()
        if saved is not None:
            check_same(saved.state["request"], self._request, self._search.out)
            self.take_up(saved)

    def take_up(self, saved: SavedRun) -> None:
        """Go on from where another run saved the last time."""
        state, found = saved.state, self.progress
        found.done, found.parts = state["done"], state["parts"]
        found.unreadable = [(each["picture"], each["reason"]) for each in state["unreadable"]]
        found.forms = {
            tuple(map(tuple, form["shapes"])): (form["size"][0], form["size"][1]) for form in state["forms"]
        }
        channels = [Channels(*each) for each in state["calls"]]
        self._ranking.kept = kept_of(saved.kept, channels, self._request.top)
        numbers, names = (saved.kept[name].to_pylist() for name in ("number", "picture"))
        self._ranking.names = dict(zip(numbers, names, strict=True))
        kinds = (Kind(layer, call, (*shape,)) for layer, call, shape in state.get("maps", ()))
        self._arrays.take_up(kinds, found.done)

    def look(self, looks: Looks, advance: Callable[[int], object], stopping: Callable[[], bool]) -> bool:
        """Look at the pictures left; return whether it stopped before the last.

        Raises:
            LostCopyError: a process that looks at pictures has ended.
        """
        progress = self.progress
        lost = dict.fromkeys(self._keeping.fatal(), _FATAL)
        with looks(NumberedPictures(self._keeping.names_file, progress.done, lost)) as found:
            for seen in found:
                self._take(seen)
                progress.done = seen.number + 1
                advance(progress.done)
                if self._is_due():
                    self.save()
                if stopping() and progress.done < self._request.pictures:
                    return True
        return False

    def _is_due(self) -> bool:
        late = time.monotonic() - self._saved_at > self._search.most_seconds
        return late or self._rows >= self._search.most_rows

    def save(self) -> None:
        """Write the waiting results, and settle that they count."""
        self._ranking.add(self._waiting)
        self._arrays.settle(self.progress.done)
        if self._seen:
            maxima = maxima_table(self._waiting, statistics=self._request.statistics)
            self._keeping.add_part(self.progress.parts, maxima, pictures_table(self._seen))
            self.progress.parts += 1
        self._waiting, self._seen, self._rows = [], [], 0
        self._ranking.forget_names()
        self._keeping.save(self._state(), kept_table(self._ranking.kept, self._ranking.names))
        self._arrays.publish(self.progress.done)
        self._saved_at = time.monotonic()

    def finish(self, *, complete: bool) -> Outcome:
        """Write the files that people read, from the results so far.

        Raises:
            CaptureError: nothing was found in any picture, and there are no more.
        """
        self.save()
        progress, kept = self.progress, self._in_order()
        if complete and len(progress.unreadable) == progress.done:
            _, reason = progress.unreadable[0]
            self._keeping.forget()
            raise CaptureError(
                "none of the {count} pictures in {folder} can be looked at; of the first one: {reason}",
                count=progress.done,
                folder=self._search.folder,
                reason=reason,
            )
        chosen = {layer.name: layer for layer in self._search.chosen}
        sizes = list(progress.forms.values())
        boxes = boxes_of(self._search.layers, self._search.subject, kept, chosen, sizes)
        rows = exemplars_table(kept, self._ranking.names, boxes)
        card = self._card(complete=complete)
        self._arrays.finish(progress.done, complete=complete)
        self._keeping.finish(rows, progress.parts, card)
        if complete:
            self._keeping.forget()
        channels = sum(call.channels for call in self._calls())
        unreadable = tuple(progress.unreadable)
        return Outcome(self._request.pictures, progress.done, unreadable, channels, complete)

    def _take(self, seen: PictureResult) -> None:
        """Take a picture into account."""
        self._arrays.add(seen)
        self._seen.append(seen._replace(peaks=None, maps=()))
        if seen.peaks is None:
            self.progress.unreadable.append((seen.picture, seen.problem))
            return
        self._waiting.append(LookedPicture(seen.number, seen.picture, self._form(seen), seen.peaks))
        self._rows += len(seen.peaks.maximum)

    def _form(self, seen: PictureResult) -> int:
        """Return the number of a picture's form of input, old or new."""
        self.progress.forms.setdefault(seen.shapes, seen.size)
        return list(self.progress.forms).index(seen.shapes)

    def _in_order(self) -> dict[tuple[str, int], Any]:
        """Return the kept pictures, the layers in the model's order."""
        place = {layer.name: number for number, layer in enumerate(self._search.chosen)}
        kept = self._ranking.kept
        return {key: kept[key] for key in sorted(kept, key=lambda key: (place[key[0]], key[1]))}

    def _calls(self) -> list[Channels]:
        return [Channels(*key, kept.shape[1]) for key, kept in self._in_order().items()]

    def _state(self) -> dict[str, Any]:
        progress = self.progress
        return {
            "request": as_dict(self._request),
            "done": progress.done,
            "parts": progress.parts,
            "unreadable": _said(progress.unreadable),
            "forms": [{"shapes": shapes, "size": size} for shapes, size in progress.forms.items()],
            "calls": self._calls(),
            "maps": self._arrays.kinds,
        }

    def _card(self, *, complete: bool) -> dict[str, Any]:
        progress, calls = self.progress, self._calls()
        types = {layer.name: layer.type for layer in self._search.chosen}
        return {
            **as_dict(self._request),
            "folder": _address(self._search.folder),
            "complete": complete,
            "done": progress.done,
            "channels": [
                {"layer": call.layer, "type": types[call.layer], "call": call.call, "channels": call.channels}
                for call in calls
            ],
            "arrays": [
                {"array": f"{MAPS_FOLDER}/{kind.name}", **kind._asdict()} for kind in self._arrays.kinds
            ],
            "unreadable": _said(progress.unreadable),
        }


def _address(folder: Place) -> str:
    return str(folder.resolve() if isinstance(folder, Path) else folder)


def _said(unreadable: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"picture": path, "reason": reason} for path, reason in unreadable]


def _outcome_of(card: Card) -> Outcome:
    return Outcome(
        card.pictures,
        card.done,
        tuple((each.picture, each.reason) for each in card.unreadable),
        sum(each.channels for each in card.channels),
        card.complete,
    )
