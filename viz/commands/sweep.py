"""``sweep``: every layer of every model, each model in its own process.

A process that is killed, runs out of memory or never ends takes only its own model with it. All are forked
from one process that has imported PyTorch already, because the import takes longer than many models do.
"""

import os
import pkgutil
import signal
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from time import perf_counter

from ..errors import RequestError
from ..hooks.activations import LayerActivations
from ..pictures.photo import photograph
from ..pictures.samples import sample
from ..system.fresh import fresh_processes
from ..system.limits import bound_data, warn_of_unbounded_data
from ..system.memory import most_resident
from .layer_outcomes import layer_outcomes, said
from .soundness import soundness
from .sweep_report import Bounds, Row

PICTURE = "cat"
_GIGABYTE = 1 << 30


def chosen(names: Sequence[str], wanted: str | None, limit: int | None) -> tuple[str, ...]:
    """The models to look at: the wanted ones, or all.

    ``wanted`` is a comma-separated list. Only the first ``limit`` models count.

    Raises:
        RequestError: one is not among ``names``, or none is left to look at.
    """
    if limit is not None and limit < 1:
        raise RequestError("--limit {limit} leaves no model to look at: it must be 1 or more", limit=limit)
    asked = tuple(names)
    if wanted is not None:
        asked = tuple(dict.fromkeys(filter(None, map(str.strip, wanted.split(",")))))
    strange = [name for name in asked if name not in names]
    if strange:
        raise RequestError("there is no model {name} in this family", name=repr(strange[0]))
    if not asked:
        raise RequestError("there is no model to look at")
    return asked[:limit]


def sweep(
    names: Sequence[str], loader: str, bounds: Bounds, preload: Sequence[str] = (), against: str | None = None
) -> Iterator[Row]:
    """Yield the outcome of each model, as soon as it is known.

    Args:
        names: the models.
        loader: ``module:function``, a ``viz.pictures.subject.Loader``, found in the model's own process.
        bounds: the limits of one model.
        preload: modules to import once for all of them.
        against: ``module:function``, a ``Compare`` of ``viz.commands.soundness``; without it, no values are
            compared.
    """
    warn_of_unbounded_data()  # here, for what a model's process says goes nowhere
    processes = fresh_processes([__name__, loader.partition(":")[0], *preload])
    for name in names:
        started = perf_counter()
        receiver, sender = processes.Pipe(duplex=False)
        arguments = (sender, name, loader, against, bounds.memory)
        process = processes.Process(target=_send_row, args=arguments, daemon=True)
        process.start()
        sender.close()
        try:
            row = _received(receiver, process, name, bounds.seconds)
        finally:
            process.kill()
            process.join()
        yield replace(row, seconds=row.seconds or round(perf_counter() - started, 2))


def row_of(name: str, loader: str, against: str | None = None) -> Row:
    """Return the outcome of one model, looked at in this process."""
    started, found, checked, problem = perf_counter(), None, None, ""
    try:
        subject = pkgutil.resolve_name(loader)(name, "random")
        device = os.environ.get("LAYERGLASS_DEVICE", "auto")
        layers = LayerActivations(subject.module, device, repeatable=True)
        photo = photograph(sample(PICTURE))
        found = layer_outcomes(layers, subject, photo)
        compare = pkgutil.resolve_name(against) if against else None
        checked = soundness(layers, subject.arguments(photo.image), compare)
    except Exception as error:  # noqa: BLE001  # whatever it is, the next model still has its turn
        problem = said(error)
    seconds = round(perf_counter() - started, 2)
    peak = round(most_resident() / (1 << 20), 1)
    if found is None or checked is None:
        return replace(_lost(name, problem), seconds=seconds, peak_mb=peak)
    counts = (found.layers, found.drawn, found.explained, found.failed)
    return Row(name, *counts, seconds, peak, found.failures, found.evidence, **asdict(checked))


def _received(receiver: Connection, process: BaseProcess, name: str, seconds: float) -> Row:
    """The row that a process sends, or one for its failure."""
    if not receiver.poll(seconds):
        return _lost(name, f"it was not done after {seconds:g} seconds")
    try:
        row: Row = receiver.recv()
    except EOFError:
        process.join()
        return _lost(name, f"its process was ended {_end(process.exitcode or 0)}")
    return row


def _end(status: int) -> str:
    return f"by {signal.Signals(-status).name}" if status < 0 else f"with status {status}"


def _send_row(sender: Connection, name: str, loader: str, against: str | None, memory: float) -> None:
    """Send the row of one model, from a silent and bounded process."""
    silence = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(silence, stream)
    bound_data(int(memory * _GIGABYTE))
    sender.send(row_of(name, loader, against))


def _lost(name: str, problem: str) -> Row:
    """The row of a model that nothing else is known about."""
    return Row(name, 0, 0, 0, failed=1, seconds=0.0, peak_mb=0.0, failures=(("", problem),))
