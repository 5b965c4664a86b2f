"""An engine's work for the task of this room."""

from ..engine.limits import check_cost
from ..engine.slices import Sliced
from ..engine.task import Bench
from ..number.breakdown import check_wanted
from ..number.taken import take
from ..profile.cost import layer_cost
from .found import ReadingResult
from .reading import read
from .tasks import ReadingTask


def reading(task: ReadingTask, bench: Bench) -> Sliced[ReadingResult]:
    """Read a block of one map, each number with its arithmetic.

    It takes one pass, and then a slice for each number.

    Raises:
        CallError: the layer has no such call.
        RequestError: there is no such place, or no layer made the numbers.
        TooLargeError: the layer takes more memory than one request may.
        UnknownLayerError: there is no such layer.
    """
    wanted, photo = task.wanted, task.photo
    loaded = bench.loaded(wanted.model, wanted.weights)
    row = loaded.row(wanted.layer)
    check_cost(wanted.layer, layer_cost(row) if row else 0, bench.limits)
    check_wanted(wanted)
    known = loaded.known(photo)
    with loaded.as_wanted(wanted, photo):
        taken = take(loaded.layers, loaded.inputs.of(photo), wanted, known)
    return (yield from read(taken, task))
