"""Layers whose channels are the model's classes, by one pass."""

from ...engine.task import Bench
from ...profile.naming import named_calls
from ...profile.rows import NamedCall
from ..classes.names import Names


def class_names(task: Names, bench: Bench) -> tuple[NamedCall, ...]:
    """The calls whose channels are the classes, from one pass."""
    loaded = bench.loaded(task.model, task.weights)
    arguments = loaded.inputs.of(task.photo)
    return named_calls(loaded.layers, loaded.rows, arguments, len(loaded.subject.classes))
