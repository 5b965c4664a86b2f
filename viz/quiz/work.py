"""Work of an engine for quiz questions that need several passes."""

from dataclasses import replace

from ..engine.limits import check_cost
from ..engine.task import Bench
from ..layer_names import is_operation
from ..passes.loaded import several
from ..profile.cost import GRAPH
from .fates import FatesTask, gradient_fates
from .question import Fates


def fates(task: FatesTask, bench: Bench) -> Fates:
    """Return the fates of all layers' gradients under the request's edits.

    Raises:
        TooLargeError: the passes would take more memory than a request may.
    """
    wanted, loaded = task.wanted, bench.loaded(task.wanted.model, task.wanted.weights)
    check_cost("the gradients of all layers", 2 * GRAPH * loaded.output_bytes, bench.limits)
    names = [
        row.name for row in loaded.rows if row.calls == 1 and not row.children and not is_operation(row.name)
    ]
    before, after = (
        several(loaded, replace(wanted, edits=edits), task.photo, names) for edits in ((), wanted.edits)
    )
    return gradient_fates(before, after)
