"""Origins of tensors while a model runs: nodes of its graph.

A node's value is known by the tensor object that it returned: a flattened tensor lies in the memory of the
one that it was made from, and is another value. Only a write in place reaches other objects, those that look
at the same memory, and of these only the values written.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.weak import WeakTensorKeyDictionary

from ..hooks.values.gradients import memory_of
from ..receptive.boxes import EMPTY, Boxes, compact
from ..receptive.lineage import Lineage

Nodes = frozenset[int]
# They take of their inputs the shape and the type only.
_SHAPE_ONLY = frozenset({"zeros_like", "ones_like", "empty_like", "full_like", "rand_like", "randn_like"}) | {
    f"new_{name}" for name in ("zeros", "ones", "empty", "full", "empty_strided")
}


class _Origin(NamedTuple):
    """The nodes that a tensor comes from, and the writes by then."""

    nodes: Nodes = frozenset()
    writes: int = 0


class Origins(TorchDispatchMode):
    """Record of the nodes that each tensor of this thread comes from.

    Args:
        running: returns the node whose own operations run now; None where a layer's code runs between nodes.
    """

    def __init__(self, running: Callable[[], int | None]) -> None:
        super().__init__()
        self._running = running
        self._known = WeakTensorKeyDictionary()
        self._writers: list[Nodes] = [frozenset()]  # of each write; the first is of what was never written to
        self._written = Lineage(planes=1)  # the number of the last write to each value
        self._quiet = False

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Say no: see ``viz.receptive.tracing.Tracing``."""
        return False

    @contextlib.contextmanager
    def unseen(self) -> Iterator[None]:
        """Follow nothing inside the block, as it is not the model's."""
        self._quiet = True
        try:
            yield
        finally:
            self._quiet = False

    @property
    def writes(self) -> int:
        """The number of writes in place so far."""
        return len(self._writers) - 1

    def of(self, tensor: Tensor) -> Nodes:
        """Return the nodes whose values a tensor holds now.

        There are none for weights and constants.
        """
        known: _Origin = self._known.get(tensor, _Origin())
        written = self._writes_to(tensor)
        later = {number for number in written if number > known.writes}
        found = union(self._writers[number] for number in later)
        return found if later and later == written else found | known.nodes

    def come(self, tensor: Tensor, node: int) -> None:
        """Note that a node returned this tensor."""
        self._known[tensor] = _Origin(frozenset({node}), self.writes)

    def changed(self, tensor: Tensor, since: int) -> bool:
        """Check whether a tensor was written to after so many writes."""
        return any(number > since for number in self._writes_to(tensor))

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """Run the operation, and note where its results come from."""
        del types
        kwargs = kwargs or {}
        if self._quiet:
            return func(*args, **kwargs)
        given = list(_tensors((*args, *kwargs.values())))
        read = union(map(self.of, given)) if func.overloadpacket.__name__ not in _SHAPE_ONLY else frozenset()
        out = func(*args, **kwargs)
        node = self._running()
        nodes = read if node is None else frozenset({node})
        for tensor in _written_by(func, args, kwargs):
            self._write(tensor, nodes)
        for tensor in _tensors((out,)):
            if not any(tensor is each for each in given):
                self._known[tensor] = self._beneath(tensor, given) or _Origin(nodes, self.writes)
        return out

    def _beneath(self, tensor: Tensor, given: Iterable[Tensor]) -> _Origin | None:
        """Return the origin of the tensor that this one views, if any."""
        memory = memory_of(tensor)
        base = next((each for each in given if memory & memory_of(each)), None)
        return None if base is None else self._known.get(base, _Origin())

    def _write(self, tensor: Tensor, nodes: Nodes) -> None:
        self._writers.append(nodes)
        if memory_of(tensor):
            plane = torch.tensor(float(self.writes)).expand(tensor.shape)
            self._written.write(tensor, Boxes((plane,)))

    def _writes_to(self, tensor: Tensor) -> set[int]:
        """Return the numbers of the last writes to a tensor's values.

        The number is 0 for values never written to.
        """
        boxes = self._written.get(tensor) if memory_of(tensor) else None
        if boxes is None:
            return set()
        return {
            0 if number == EMPTY else int(number) for number in compact(boxes.planes[0]).unique().tolist()
        }


def union(parts: Iterable[Nodes]) -> Nodes:
    """Return the nodes of all parts."""
    return frozenset().union(*parts)


def _written_by(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Iterator[Tensor]:
    """Yield the arguments that an operation writes into."""
    parameters = function._schema.arguments  # noqa: SLF001  (the only place that says so)
    for place, parameter in enumerate(parameters):
        if parameter.alias_info is not None and parameter.alias_info.is_write:
            value = args[place] if place < len(args) else kwargs.get(parameter.name)
            yield from _tensors((value,))


def _tensors(values: Iterable[Any]) -> Iterator[Tensor]:
    """Yield the tensors among arguments or results, nested in lists at most."""
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, tuple | list):
            yield from _tensors(value)
