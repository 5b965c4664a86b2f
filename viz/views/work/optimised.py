"""Pictures that a channel wants to see, a slice at a time."""

from time import perf_counter

from torch import Tensor

from ...engine.limits import check_cost
from ...engine.slices import Sliced
from ...engine.task import Bench
from ...passes.loaded import LoadedModel
from ...request.arrangement import first_known
from ...request.optimised import checked
from ...visualised.inputs import Inputs, inputs_of
from ...visualised.rectifiers import rectifiers
from ...visualised.study import Layer, OptimisedPictures
from ..optimised.optimise import OptimisationProgress, Optimise

SECONDS = 0.4  # that one answer may take, beyond the step that it has begun


def in_slices(task: Optimise, bench: Bench) -> Sliced[OptimisationProgress]:
    """Take the next steps, and return the pictures after them.

    A step is a slice.
    """
    wanted, making = task.wanted, checked(task.making)
    loaded = bench.loaded(wanted.model, wanted.weights)
    check_cost("an optimised picture", loaded.graph_bytes() * making.count, bench.limits)
    until = perf_counter() + SECONDS
    if bench.answered(task.study_key) is None:
        loaded.check_looking(inputs=False, gradients=True)
    study: OptimisedPictures = bench.remembered(task.study_key, lambda: _begun(task, loaded))
    kept = bench.answered(task.study_key) is study
    went_on = False  # a step at least, or whoever asks again and again would wait for ever
    while not study.finished and not (went_on and kept and perf_counter() >= until):
        yield
        study.step(loaded.layers)
        went_on = True
    yield
    own = bench.remembered(task.own_key, lambda: _own(task, loaded, study))
    found = study.reached(loaded.layers)
    return OptimisationProgress(
        study.pictures,
        study.done,
        study.total,
        study.stuck,
        tuple(map(float, found.wish)),
        found.peaks,
        own,
    )


def _begun(task: Optimise, loaded: LoadedModel) -> OptimisedPictures:
    """A study before its first step, but measured once.

    Its memory is known only then.
    """
    wish, inputs = task.wish, inputs_of(loaded.subject)
    known = first_known(loaded.known(task.photo), wish.layer, wish.call)
    kind = loaded.layers.kind(wish.layer)
    layer = Layer(kind, known, rectifiers(loaded.layers, (row.name for row in loaded.rows)))
    photo = _photo(task, loaded, inputs) if task.making.from_photo else None
    study = OptimisedPictures(inputs, wish, task.making, layer, photo)
    study.reached(loaded.layers)
    return study


def _photo(task: Optimise, loaded: LoadedModel, inputs: Inputs) -> Tensor:
    return inputs.pictures(loaded.inputs.of(task.photo))


def _own(task: Optimise, loaded: LoadedModel, study: OptimisedPictures) -> float:
    """The channel's strongest cell on the visitor's picture."""
    peaks = study.peaks_of(loaded.layers, loaded.inputs.of(task.photo))
    return float(peaks[task.wish.channel])
