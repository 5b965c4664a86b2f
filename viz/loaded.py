"""A model that an engine holds ready: its layers, and what one pass told about them."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

from viz.activations import LayerActivations
from viz.cost import output_bytes
from viz.edit_request import EditRequest
from viz.editing import check_edits, edited
from viz.functional import is_operation
from viz.structure import leaves
from viz.subject import Photo, Subject
from viz.tree import LayerRow


@dataclass(frozen=True)
class Loaded:
    """A subject with its hooks and the rows of its survey, operations included."""

    subject: Subject
    layers: LayerActivations
    rows: tuple[LayerRow, ...]

    @property
    def bytes(self) -> int:
        """The memory that its weights take."""
        return self.layers.parameter_bytes or 1

    @property
    def output_bytes(self) -> int:
        """About how much all outputs of one pass take, as float32."""
        return sum(output_bytes(row) for row in self.rows if not is_operation(row.name))

    def in_passes(self, budget: int) -> list[list[str]]:
        """The layers that ran, in execution order, in groups whose outputs fit into so many bytes."""
        passes: list[list[str]] = [[]]
        taken = 0
        ran = (row for row in self.rows if row.calls and not is_operation(row.name))
        for row in sorted(ran, key=lambda row: row.order or 0):
            size = output_bytes(row)
            if passes[-1] and taken + size > budget:
                passes.append([])
                taken = 0
            passes[-1].append(row.name)
            taken += size
        return passes

    def row(self, layer: str) -> LayerRow | None:
        """The row of the layer with this name, or with this other name."""
        return next((row for row in self.rows if layer == row.name or layer in row.aliases), None)

    def calls(self, layer: str) -> int:
        """How often the layer ran in the survey."""
        row = self.row(layer)
        return row.calls if row else 0

    @contextlib.contextmanager
    def edited(self, photo: Photo, edits: tuple[EditRequest, ...]) -> Iterator[None]:
        """Have these edits in force for the length of a block; ``viz.editing`` says what may be raised."""
        if not edits:
            yield
            return
        check_edits(edits, self.rows)
        tensors = leaves(self.subject.arguments(photo.image))
        height, width = next(iter(tensors.values())).shape[-2:]
        with edited(self.layers, edits, (height, width)):
            yield
