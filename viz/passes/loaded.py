"""A model that an engine keeps ready: its layers, and what one pass told about them."""

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ..errors import CallError, CaptureError
from ..hooks.activations import LayerActivations
from ..hooks.functional import is_operation
from ..pictures.photo import Photo
from ..pictures.subject import Subject
from ..profile.cost import output_bytes
from ..profile.interference import interference
from ..profile.tree import LayerRow
from ..request.edit_request import EditRequest
from ..request.inspection import Inspection
from ..sentences import Sentence
from .applied_edits import check_edits, edited
from .attribution import capture_gradients
from .donors import DonorCache, donated, donated_cache
from .edit_effects import difference
from .forward import BLANK, LayerValues, capture, input_size


@dataclass(frozen=True)
class Loaded:
    """A subject with its hooks and the rows of its survey, operations included.

    ``donors`` keeps what its layers return for the pictures that edits take values from, and ``looked`` what
    each mode of capturing, with inputs and with gradients, changes about the model's output.
    """

    subject: Subject
    layers: LayerActivations
    rows: tuple[LayerRow, ...]
    donors: DonorCache = field(default_factory=donated_cache, compare=False, repr=False)
    looked: dict[tuple[bool, bool], Sentence | None] = field(default_factory=dict, compare=False, repr=False)

    @property
    def bytes(self) -> int:
        """The memory that its weights take."""
        return self.layers.parameter_bytes or 1

    @property
    def output_bytes(self) -> int:
        """About how much all outputs of one pass take, as float32."""
        return sum(output_bytes(row) for row in self.rows if not is_operation(row.name))

    def in_passes(self, budget: int) -> list[list[str]]:
        """The layers that ran, in execution order, in groups whose outputs fit into ``budget`` bytes."""
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

    def at_once(self, budget: int) -> int:
        """How many pictures at once keep the largest output within ``budget`` bytes; at least one."""
        return max(1, budget // max(1, *map(output_bytes, self.rows)))

    def row(self, layer: str) -> LayerRow | None:
        """The row of the layer with this name, which may be any of its names."""
        return next((row for row in self.rows if layer == row.name or layer in row.aliases), None)

    def calls(self, layer: str) -> int:
        """How often the layer ran in the survey."""
        row = self.row(layer)
        return row.calls if row else 0

    def check_looking(self, *, inputs: bool, gradients: bool) -> None:
        """Check that a mode of capturing leaves the model's output as it is: once, on a grey picture.

        Raises:
            CaptureError: it does not.
        """
        mode = inputs, gradients
        if mode not in self.looked:
            self.looked[mode] = interference(
                self.layers, *self.subject.arguments(BLANK), inputs=inputs, gradients=gradients
            )
        how = self.looked[mode]
        if how is not None:
            raise CaptureError(
                "looking into this model changes what it computes ({how}), so its numbers would not be "
                "its own.",
                how=how,
            )

    @contextlib.contextmanager
    def edited(self, photo: Photo, edits: tuple[EditRequest, ...]) -> Iterator[None]:
        """Apply these edits inside a block; ``applied_edits`` says what may be raised."""
        if not edits:
            yield
            return
        check_edits(edits, self.rows)
        size = input_size(self.subject.arguments(photo.image))
        given = donated(self.layers, self.subject, edits, self.donors)
        with edited(self.layers, edits, size, given):
            yield


def one_pass(loaded: Loaded, wanted: Inspection, photo: Photo, *, whole: bool) -> dict[str, LayerValues]:
    """The values of the wanted layer or operation, with its edits; of all layers if ``whole`` and a layer.

    Raises:
        UnknownLayerError: there is no such layer.
    """
    layers, name = loaded.layers, wanted.layer
    with loaded.edited(photo, wanted.in_force):
        layers.select(name)
        whole = whole and not (wanted.of_inputs or is_operation(name))
        names = dict.fromkeys((*layers.select(), name)) if whole else (name,)
        calls = loaded.calls(name)
        return _pass(loaded, photo, names, None if whole or not calls else (name, calls - 1), wanted)


def several(loaded: Loaded, wanted: Inspection, photo: Photo, names: Sequence[str]) -> dict[str, LayerValues]:
    """The values of several layers, of the wanted kind: as they are, gradients, or differences."""
    if wanted.show == "difference":
        after = several(loaded, replace(wanted, show="after"), photo, names)
        before = several(loaded, replace(wanted, show="before"), photo, names)
        return {name: difference(after[name], before[name]) for name in names}
    with loaded.edited(photo, wanted.in_force):
        return _pass(loaded, photo, names, None, replace(wanted, leaf=""))


def _pass(
    loaded: Loaded, photo: Photo, names: Iterable[str], until: tuple[str, int] | None, wanted: Inspection
) -> dict[str, LayerValues]:
    """One pass up to the last call that the survey saw, or to the end if this picture makes fewer calls."""
    layers, subject, inputs = loaded.layers, loaded.subject, wanted.of_inputs
    loaded.check_looking(inputs=inputs, gradients=wanted.gradient is not None)
    if wanted.gradient is not None:
        return capture_gradients(layers, subject, photo, names, wanted.gradient, inputs=inputs)
    try:
        return capture(layers, subject, photo, names, until, inputs=inputs)
    except CallError:
        return capture(layers, subject, photo, names, inputs=inputs)
