"""``capture-folder``, or ``exemplars``: a model's capture of a folder of pictures."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from ..catalogue import models
from ..errors import RequestError
from ..exemplars.card import Request, torch_threads, torch_version, weights_digest
from ..exemplars.chosen import ChosenLayer, chosen_layers
from ..exemplars.keeping import EXEMPLARS_FILE
from ..exemplars.listing import Listing
from ..exemplars.looking import Looks
from ..exemplars.reading import usual_readers
from ..exemplars.search import Outcome, Search, wanted_of
from ..exemplars.spread.cluster import Actors, check_installed, on_cluster
from ..exemplars.spread.errand import Errand
from ..home import version
from ..hooks.activations import LayerActivations
from ..passes.forward import BLANK
from ..pictures.subject import Subject
from ..sentences import Sentence, counted
from ..system.processes import can_copy_libraries

MOST_KEPT = 1000
MOST_PIXELS = 1024  # of a thumbnail's side
_MOST_MODELS = 8  # copies of a model, each of which takes memory of its own
_SHOWN = 10  # pictures that could not be read


def check_numbers(top: int, workers: int | None, thumbnails: int = 0) -> None:
    """Refuse numbers that make no sense, before any work.

    Raises:
        RequestError: one of them is too small or too large.
    """
    if not 1 <= top <= MOST_KEPT:
        raise RequestError(
            "--top is a number of pictures from 1 to {most}, not {top}", top=top, most=MOST_KEPT
        )
    if workers is not None and workers < 0:
        raise RequestError("--workers is a number of processes from 0, not {workers}", workers=workers)
    if not 0 <= thumbnails <= MOST_PIXELS:
        raise RequestError(
            "--thumbnails is a number of pixels from 0 to {most}, not {pixels}",
            pixels=thumbnails,
            most=MOST_PIXELS,
        )


def chosen_on_grey(
    layers: LayerActivations, subject: Subject, selectors: Sequence[str]
) -> tuple[ChosenLayer, ...]:
    """Return the layers that the selectors mean, from one pass.

    The pass is on plain grey: see ``chosen_layers``.
    """
    return chosen_layers(layers, subject.arguments(BLANK), selectors)


def request_for(
    model: str,
    weights: str,
    top: int,
    layers: LayerActivations,
    chosen: Sequence[ChosenLayer],
    listing: Listing,
) -> Request:
    """Return all that the results of a run depend on.

    The run keeps no more than it must.
    """
    return Request(
        layerglass=version(),
        torch=torch_version(),
        device=layers.device.type,
        model=model,
        weights=weights,
        weights_sha256=weights_digest(layers.model),
        preprocessing=models.describe(model).preprocessing.describe(),
        layers=tuple(layer.name for layer in chosen),
        top=top,
        pictures=listing.count,
        pictures_sha256=listing.digest,
        threads=1 if can_copy_libraries() else torch_threads(),
    )


def usual_workers(device: str) -> int:
    """Return how many processes look at pictures by default.

    Beside a graphics card they only read pictures.
    """
    if device != "cpu":
        return usual_readers()
    return min(_MOST_MODELS, torch_threads()) if can_copy_libraries() else 0


def looks_of(search: Search, request: Request, loader: str, address: str, settings: Iterable[str]) -> Looks:
    """Return the function that looks at the pictures on a cluster.

    Args:
        search: what to look at.
        request: what the results depend on.
        loader: ``"module:function"`` of what loads the model.
        address: the cluster's; empty for the usual one.
        settings: the environment variables that say which model is meant.

    Raises:
        RequestError: there is no Ray.
    """
    check_installed()
    told = tuple((name, os.environ[name]) for name in settings if name in os.environ)
    folder = search.folder.resolve() if isinstance(search.folder, Path) else search.folder
    errand = Errand(loader, request, folder, wanted_of(search, request), (str(Path.cwd()),), told)
    return on_cluster(Actors(address, search.workers or None), errand)


@contextmanager
def stopped_by_signals() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns whether the run shall stop.

    Ctrl-C is a signal to stop, or an end from outside. The first one stops the run after a picture, so that
    nothing is lost. A second Ctrl-C ends it where it is.
    """
    asked = threading.Event()

    def ask(number: int, frame: FrameType | None) -> None:
        del frame
        if asked.is_set() and number == signal.SIGINT:
            raise KeyboardInterrupt
        asked.set()
        print("\nstopping after this picture …", file=sys.stderr)  # noqa: T201  # beside the progress bar

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked.is_set
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def said_of(outcome: Outcome, out: Path, top: int, others: int) -> list[str]:
    """Return lines on the results of a run."""
    read = outcome.done - len(outcome.unreadable)
    lines: list[str] = [
        Sentence(
            "{path}: for each of {channels} channels the {top} strongest of {pictures}",
            path=out / EXEMPLARS_FILE,
            channels=f"{outcome.channels:,}",
            top=top,
            pictures=counted("one picture", "{count} pictures", count=read),
        )
    ]
    if not outcome.complete:
        left = outcome.pictures - outcome.done
        lines.append(
            Sentence(
                "stopped; {left} of {count} pictures are left: --resume goes on",
                left=left,
                count=outcome.pictures,
            )
        )
    if outcome.unreadable:
        lines.append(
            counted(
                "one picture was left out:", "{count} pictures were left out:", count=len(outcome.unreadable)
            )
        )
        lines += [f"  {path}: {reason}" for path, reason in outcome.unreadable[:_SHOWN]]
    if len(outcome.unreadable) > _SHOWN:
        lines.append(Sentence("  and {count} more: see card.json", count=len(outcome.unreadable) - _SHOWN))
    if others:
        lines.append(
            counted(
                "one file is no picture by its name",
                "{count} files are no pictures by their names",
                count=others,
            )
        )
    return lines
