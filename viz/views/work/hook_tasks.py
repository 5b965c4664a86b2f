"""The hooks of a pass: their timeline, and pictures of memory."""

from functools import partial

from ...engine.limits import check_cost
from ...engine.task import Bench
from ...passes.attribution import class_score
from ...passes.forward import input_size
from ...profile.cost import CAPTURED, GRAPH, output_bytes
from ...profile.event import Event
from ...profile.events import timeline
from ...profile.memory import MOST_MOMENTS, WAYS, memory_report, written_layers
from ...request.arrangement import first_known
from ..hook_tasks import MemoryTask, TimelineTask, WrittenTask
from ..memory_pictures import MemoryPictures
from .memory_pictures import memory_pictures


def timeline_of(task: TimelineTask, bench: Bench) -> tuple[Event, ...]:
    """Every hook of one pass; see ``viz.profile.events`` for more errors.

    Raises:
        TooLargeError: the pass would take more memory than a request may.
    """
    wanted = task.wanted
    loaded = bench.loaded(wanted.model, wanted.weights)
    target = None if wanted.gradient is None else partial(class_score, target=wanted.gradient)
    times = GRAPH if target else 1
    check_cost("the timeline", times * loaded.output_bytes, bench.limits)
    with loaded.as_wanted(wanted, task.photo):
        arguments = loaded.inputs.of(task.photo)
        return timeline(loaded.layers, *arguments, target=target)


def written(task: WrittenTask, bench: Bench) -> tuple[str, ...]:
    """The layers that are written over.

    None are returned if holding every output would take too much memory.
    """
    loaded = bench.loaded(task.wanted.model, task.wanted.weights)
    if loaded.output_bytes > bench.limits.whole_pass:
        return ()
    with loaded.as_wanted(task.wanted.forward, task.photo):
        return written_layers(loaded.layers, *loaded.inputs.of(task.photo))


def memory(task: MemoryTask, bench: Bench) -> MemoryPictures:
    """Return pictures of one call's value after its hook.

    See ``viz.profile.memory`` for more errors.

    Raises:
        LayoutError: the value cannot be drawn as maps.
        TooLargeError: it would take more memory than a request may.
    """
    wanted = task.wanted
    loaded = bench.loaded(wanted.model, wanted.weights)
    row = loaded.row(wanted.layer)
    cost = (CAPTURED + len(WAYS) + MOST_MOMENTS) * (output_bytes(row) if row else 0)
    check_cost(wanted.layer, cost, bench.limits)
    first = first_known(loaded.known(task.photo), wanted.layer, wanted.call)
    with loaded.as_wanted(wanted.forward, task.photo):
        arguments = loaded.inputs.of(task.photo)
        report = memory_report(loaded.layers, wanted.layer, *arguments, call=wanted.call)
    kind = loaded.layers.kind(wanted.layer)
    size = input_size(arguments)
    return memory_pictures(
        report, layer_type=kind, image_size=size, arrangement=first, colormap=wanted.colormap
    )
