"""Tasks as values: who asks needs no PyTorch, and who works finds the function that a task names."""

import inspect
import pkgutil
import subprocess
import sys
import typing
from collections.abc import Iterator
from importlib import import_module

import viz
from viz.engine.task import Question


def every_task() -> Iterator[type[Question[object]]]:
    """Each class of task that leaves its work to a function."""
    for module in pkgutil.walk_packages(viz.__path__, "viz."):
        if not module.name.startswith(("viz.ui", "viz.engine.ray", "viz.__main__")):  # Ray is optional
            import_module(module.name)
    waiting: list[type[Question[object]]] = [Question]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind.done_by and kind.__module__.startswith("viz."):
            yield kind


def test_every_task_names_a_function_that_takes_it() -> None:
    """The name is a string, so nothing else would notice that the function has moved."""
    found = list(every_task())
    assert len(found) > 20
    for kind in found:
        work = pkgutil.resolve_name(f"viz.{kind.done_by}")
        first = next(iter(inspect.signature(work).parameters))
        assert issubclass(kind, typing.get_type_hints(work)[first]), kind


def test_every_task_is_known_without_pytorch() -> None:
    """Nothing has to be loaded for the work itself where tasks are made and their answers are read."""
    modules = sorted({kind.__module__ for kind in every_task()})
    code = f"import sys\nfor name in {modules}: __import__(name)\nprint('torch' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "False"
