"""Calls of layers that write into their inputs.

In-place activations do so.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from ..hooks.activations import LayerActivations
from ..hooks.functional import Place
from ..hooks.taps import Tap, call_under_way
from ..hooks.values.gradients import given_memory, memory_of


def overwriting(layers: LayerActivations, arguments: tuple[Any, ...], *names: str) -> "OverwriteTap":
    """Return these layers' overwriting calls, from one pass."""
    with layers.trace(OverwriteTap, *names) as found:
        layers.run(*arguments)
    return found


class OverwriteTap(Tap):
    """Notes on the memory that each call took and overwrote.

    A call may also have returned that memory.
    """

    def __init__(self, layers: Mapping[Place, str]) -> None:
        super().__init__(layers)
        self._begun: dict[int, tuple[Any, Mapping[int, int]]] = {}  # by the number of the call under way
        self._calls: dict[str, list[tuple[bool, bool]]] = defaultdict(list)

    def before(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        """Note the memory that the layer is given, and its version."""
        del name
        self._begun[call_under_way()] = (args, kwargs), given_memory((args, kwargs))
        return args, kwargs

    def after(self, name: str, output: Any) -> Any:
        """Note whether the memory was overwritten, and is in the output."""
        given, known = self._begun.pop(call_under_way())
        written = {memory for memory, version in given_memory(given).items() if known[memory] != version}
        self._calls[name].append((bool(written), bool(written & memory_of(output))))
        return output

    def meets(self, name: str, call: int, path: str) -> bool:
        """Return whether a call wrote into memory of its inputs or output.

        ``path`` is that of a value, such as ``"output"`` or ``"inputs[0]"``.
        """
        calls = self._calls[name]
        return call < len(calls) and calls[call][0 if path.startswith("inputs") else 1]
