"""Receptive field of a cell, and those of all cells."""

import contextlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from ..errors import RequestError
from ..findings.explanation import Field
from ..hooks.activations import LayerActivations
from ..hooks.values.structure import leaves
from ..sentences import Sentence
from .boxes import EMPTY, Boxes, no_boxes
from .tracing import Tracing

__all__ = ["Field", "Fields", "all_receptive_fields", "receptive_field", "receptive_fields"]

_CAUSES = {
    "pooling": Sentence("The whole picture: a pooling up to here gathers all places."),
    "attention": Sentence("The whole picture: attention up to here lets every place look at every other."),
    "linear": Sentence("The whole picture: a linear layer up to here reads all places."),
    "normalisation": Sentence(
        "The whole picture: a normalisation up to here takes its statistics from all places."
    ),
}


@dataclass(frozen=True, eq=False)
class Fields:
    """The receptive fields of all cells of one output.

    The model's input has ``size`` (height, width).
    """

    boxes: Boxes
    size: tuple[int, int]

    @property
    def shape(self) -> tuple[int, ...]:
        """The output's shape, which indexes the cells."""
        return tuple(self.boxes.shape)

    @property
    def bytes(self) -> int:
        """The memory that they take."""
        return sum(plane.untyped_storage().nbytes() for plane in self.boxes.planes)

    def at(self, cell: Sequence[int]) -> Field:
        """Return the receptive field of one cell.

        The cell is an index along every axis, the batch's first.

        Raises:
            RequestError: there is no such cell.
        """
        if len(cell) != len(self.shape) or not all(
            0 <= place < length for place, length in zip(cell, self.shape, strict=True)
        ):
            raise RequestError(
                "there is no cell {cell}: the output's shape is {shape}.", cell=tuple(cell), shape=self.shape
            )
        edges = [float(plane[tuple(cell)]) for plane in self.boxes.planes]
        if EMPTY in edges:
            return Field(
                0, 0, 0, 0, whole=False, cause="", note=Sentence("It does not depend on the picture.")
            )
        top, left, bottom, right = -int(edges[0]), -int(edges[1]), int(edges[2]) + 1, int(edges[3]) + 1
        whole = (top, left, bottom, right) == (0, 0, *self.size)
        cause = self.boxes.cause if whole else ""
        return Field(top, left, bottom, right, whole=whole, cause=cause, note=_note(cause, whole=whole))


def receptive_field(
    layers: LayerActivations, images: Any, layer: str, call: int, cell: Sequence[int], leaf: str = ""
) -> Field:
    """Return the receptive field of one cell of a layer's output.

    It is a box on the model's input.

    Args:
        layers: the model's layers.
        images: what the model is called with, such as a tensor (N, 3, H, W); a tuple for several arguments.
        layer: the layer's name.
        call: which of its calls, counted from 0.
        cell: an index along every axis of the output, the batch's first.
        leaf: the path of one tensor in a structured output; empty for the first.

    Raises:
        CallError: the layer has no such call.
        RequestError: there is no such cell or leaf.
        UnknownLayerError: there is no such layer.

    >>> field = lg.receptive_field(layers, images, "conv2", call=0, cell=(0, 0, 5, 5))
    >>> field.top, field.left, field.bottom, field.right, field.whole
    (10, 10, 24, 24, False)
    """
    return receptive_fields(layers, images, layer, call, leaf).at(cell)


def receptive_fields(
    layers: LayerActivations, images: Any, layer: str, call: int = 0, leaf: str = ""
) -> Fields:
    """Return the receptive fields of all cells of one output.

    They cost about one forward pass. They depend only on the model and the shape of ``images``, so one answer
    fits all pictures. See ``receptive_field``.
    """
    tracing = Tracing(images)
    with tracing:
        output = layers.run(*tracing.arguments, until=(layer, call))
    found = leaves(output)
    if not found or (leaf and leaf not in found):
        raise RequestError(
            "{layer} returned no {path}; it returned {paths}.",
            layer=layer,
            path=leaf or "tensor",
            paths=", ".join(found) or "none",
        )
    tensor = found[leaf] if leaf else next(iter(found.values()))
    return _fields(tracing, tensor)


def all_receptive_fields(
    layers: LayerActivations, images: Any, *, operations: bool = False
) -> dict[tuple[str, int], dict[str, Fields]]:
    """Return the receptive fields of every layer, from one forward pass.

    The keys are (layer, call), then the leaf. Fields take little memory: planes store only what changes from
    cell to cell. With ``operations``, the fields of operations without a layer are included, under the names
    that ``watch_operations`` gives.
    """
    found: dict[tuple[str, int], dict[str, Fields]] = {}
    calls: Counter[str] = Counter()
    tracing = Tracing(images)

    def see(name: str, output: Any) -> None:
        found[name, calls[name]] = {path: _fields(tracing, tensor) for path, tensor in leaves(output).items()}
        calls[name] += 1

    others = layers.watch_operations(see) if operations else contextlib.nullcontext()
    with layers.watch(see), others, tracing:
        layers.run(*tracing.arguments)
    return found


def _note(cause: str, *, whole: bool) -> str:
    if not whole:
        return Sentence("A part of the picture: no step so far has joined all of its places.")
    if cause:
        return _CAUSES.get(cause) or Sentence(
            "The whole picture: {operation} may join all places.", operation=cause
        )
    return Sentence("The whole picture: the windows of the layers up to here have grown over all of it.")


def _fields(tracing: Tracing, tensor: Tensor) -> Fields:
    return Fields(tracing.lineage.get(tensor) or no_boxes(tensor.shape), tracing.size)
