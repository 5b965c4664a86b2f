"""A model that an engine keeps ready, with results of one pass."""

import contextlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from cachetools import LRUCache

from ..errors import CallError, CaptureError
from ..findings.edit_checks import check_edits
from ..findings.edit_effects import difference
from ..findings.values import LayerValues
from ..hooks.activations import LayerActivations
from ..hooks.recorder import Record
from ..hooks.values.structure import leaves
from ..layer_names import is_operation
from ..pictures.photo import Photo
from ..pictures.subject import Subject
from ..profile.chance import Draws, probe, unlike, with_chance
from ..profile.cost import GRAPH, output_bytes
from ..profile.interference import interference, looked_into
from ..profile.rows import LayerRow
from ..receptive.places.known import known_arrangements
from ..request.arrangement import NOTHING_KNOWN, Arrangements
from ..request.inspection import Inspection
from ..sentences import Sentence
from .applied_edits import edited
from .attribution import capture_gradients
from .donors import DonorCache, donated, donated_cache
from .forward import BLANK, capture, input_size, survey_with_layouts
from .prepared import PreparedInputs
from .resumed.resuming import ResumedPasses
from .resumed.shelf import StageShelf
from .training import check_training, in_mode

MOST_LAYOUTS = 4  # sizes of the model's input for which layouts are kept
MOST_SIZES = 64  # sizes of pictures for which the size of the model's input is
MOST_STAGES = 64 << 20  # bytes of outputs to go on from, if nobody says otherwise
SMALL = 4 << 20  # bytes of all outputs: of so small a model, a whole pass takes no longer than finding a way


@dataclass(frozen=True)
class LoadedModel:
    """A subject with its hooks and the rows of its survey.

    Operations are among the rows. ``donors`` keeps what its layers return for the pictures that edits take
    values from, ``layouts`` what is known of its layers' layouts, by the shapes of the model's input,
    ``sizes`` these by the picture's, and ``looked`` what each mode of capturing, with inputs and with
    gradients, changes about the model's output; ``trained`` has an entry once it has run in training mode.
    ``stages`` keeps what passes go on from: see ``viz.passes.resumed``.
    """

    subject: Subject
    layers: LayerActivations
    rows: tuple[LayerRow, ...]
    donors: DonorCache = field(default_factory=donated_cache, compare=False, repr=False)
    looked: dict[tuple[bool, bool], Sentence | None] = field(default_factory=dict, compare=False, repr=False)
    trained: list[bool] = field(default_factory=list, compare=False, repr=False)
    layouts: LRUCache[Hashable, Arrangements] = field(
        default_factory=lambda: LRUCache(MOST_LAYOUTS), compare=False, repr=False
    )
    sizes: LRUCache[tuple[int, int], Hashable] = field(
        default_factory=lambda: LRUCache(MOST_SIZES), compare=False, repr=False
    )
    stages: StageShelf = field(default_factory=lambda: StageShelf(MOST_STAGES), compare=False, repr=False)

    @cached_property
    def inputs(self) -> PreparedInputs:
        """Prepared arguments of the model, for each photo."""
        return PreparedInputs(self.subject)

    @cached_property
    def resuming(self) -> ResumedPasses:
        """Its passes that begin in the middle."""
        return ResumedPasses(self.layers, self.stages)

    @property
    def bytes(self) -> int:
        """The memory that its weights take."""
        return self.layers.parameter_bytes or 1

    @cached_property
    def output_bytes(self) -> int:
        """Approximate memory of all outputs of one pass, as float32."""
        return sum(output_bytes(row) for row in self.rows if not is_operation(row.name))

    def graph_bytes(self, *, operations: bool = False) -> int:
        """Approximate memory of a forward and a backward pass, as float32.

        With ``operations``, what these return is kept too, such as attention's tables.
        """
        more = sum(output_bytes(row) for row in self.rows if is_operation(row.name)) if operations else 0
        return GRAPH * (self.output_bytes + more)

    def in_passes(self, budget: int) -> list[list[str]]:
        """The layers that ran, in groups whose outputs fit into ``budget`` bytes.

        They are in execution order.
        """
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
        """Return the number of pictures whose outputs fit into ``budget`` bytes.

        It is at least 1, and only each picture's largest output counts.
        """
        return max(1, budget // max(1, *map(output_bytes, self.rows)))

    def row(self, layer: str) -> LayerRow | None:
        """The row of the layer with this name or alias."""
        return next((row for row in self.rows if layer == row.name or layer in row.aliases), None)

    def calls(self, layer: str) -> int:
        """Return the number of the layer's calls in the survey."""
        row = self.row(layer)
        return row.calls if row else 0

    def check_looking(self, *, inputs: bool, gradients: bool) -> None:
        """Check that a mode of capturing leaves the model's output unchanged.

        This is tried once, on a grey picture.

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

    def known(self, photo: Photo) -> Arrangements:
        """Return the known layouts of layers for pictures of this size.

        They come from one pass, and are then kept. Ask for it while no edits are in force.
        """
        shapes = self.shapes(photo)
        if shapes not in self.layouts:
            self.layouts[shapes] = known_arrangements(self.layers, self.inputs.of(photo))
        return self.layouts[shapes]

    def shapes(self, photo: Photo) -> Hashable:
        """The shapes of the model's input for pictures of this size."""
        size = photo.image.size
        if size not in self.sizes:
            self.sizes[size] = _shapes(self.inputs.of(photo))
        return self.sizes[size]

    @contextlib.contextmanager
    def as_wanted(self, wanted: Inspection, photo: Photo) -> Iterator[None]:
        """Apply a request's edits, and its training mode, inside a block.

        ``applied_edits`` says what edits may raise.

        Raises:
            CaptureError: the model cannot run in training mode.
        """
        edits, seed = wanted.in_force, wanted.training
        if seed is not None:
            self._check_training()
        known = self.known(photo) if edits else NOTHING_KNOWN  # from a pass in evaluation mode
        with in_mode(self.layers, seed), contextlib.ExitStack() as changes:
            if edits:
                check_edits(edits, self.rows)
                size = input_size(self.inputs.of(photo))
                given = donated(self.layers, self.subject, edits, self.donors, seed)
                changes.enter_context(edited(self.layers, edits, size, given, known))
            yield

    def seconds_to(self, wanted: Inspection, photo: Photo, *, otherwise: float) -> float:
        """The likely seconds to capture a layer again; ``otherwise`` if unknown."""
        if wanted.in_force or wanted.of_inputs or wanted.gradient is not None or wanted.training is not None:
            return otherwise
        found = self.resuming.seconds_to(self.shapes(photo), _first_name(self, wanted.layer))
        return otherwise if found is None else min(found, otherwise)

    def _check_training(self) -> None:
        if not self.trained:
            check_training(self.layers, self.subject.arguments(BLANK))
            self.trained.append(True)


def loaded_model(subject: Subject, layers: LayerActivations, stages: StageShelf | None = None) -> LoadedModel:
    """A subject with its hooks and its survey.

    The survey's pass also finds the layouts for its input's size. It is compared with the pass that sees what
    looking changes: a source of chance, or a state, that nobody knows of shows there, and costs no pass.
    A model that makes layers in its first pass is surveyed again, with these.
    """
    arguments, draws = subject.arguments(BLANK), Draws()
    first, rows, known = _surveyed(layers, arguments)
    if first.names != layers.select():
        first, rows, known = _surveyed(layers, arguments)
    second, how = looked_into(layers, *arguments, keep=probe)
    changed = unlike(first, second)
    if draws.any() or changed:
        rows = with_chance(layers, arguments, rows, changed)
    loaded = LoadedModel(subject, layers, rows, stages=StageShelf(MOST_STAGES) if stages is None else stages)
    loaded.layouts[_shapes(arguments)], loaded.looked[False, False] = known, how
    return loaded


def _surveyed(
    layers: LayerActivations, arguments: tuple[Any, ...]
) -> tuple[Record, tuple[LayerRow, ...], Arrangements]:
    with layers.capture(keep=probe) as record:
        return record, *survey_with_layouts(layers, arguments, operations=True)


def _shapes(arguments: tuple[Any, ...]) -> Hashable:
    return tuple(tuple(tensor.shape) for tensor in leaves(arguments).values())


def one_pass(loaded: LoadedModel, wanted: Inspection, photo: Photo, *, whole: bool) -> dict[str, LayerValues]:
    """The values of the wanted layer or operation, with its edits.

    With ``whole`` and a layer they are those of all layers.

    Raises:
        UnknownLayerError: there is no such layer.
    """
    layers, name = loaded.layers, wanted.layer
    _prepare(loaded, wanted, photo)
    with loaded.as_wanted(wanted, photo):
        layers.select(name)
        whole = whole and not (wanted.of_inputs or is_operation(name))
        names = dict.fromkeys((*layers.select(), name)) if whole else (name,)
        calls = loaded.calls(name)
        return _pass(loaded, photo, names, None if whole or not calls else (name, calls - 1), wanted)


def several(
    loaded: LoadedModel, wanted: Inspection, photo: Photo, names: Sequence[str]
) -> dict[str, LayerValues]:
    """The values of several layers: as they are, gradients, or differences."""
    if wanted.show == "difference":
        after = several(loaded, replace(wanted, show="after"), photo, names)
        before = several(loaded, replace(wanted, show="before"), photo, names)
        return {name: difference(after[name], before[name]) for name in names}
    _prepare(loaded, wanted, photo)
    with loaded.as_wanted(wanted, photo):
        return _pass(loaded, photo, names, None, replace(wanted, leaf=""))


def _prepare(loaded: LoadedModel, wanted: Inspection, photo: Photo) -> None:
    """Find out facts that all edits share, while none is in force."""
    loaded.known(photo)
    loaded.check_looking(inputs=wanted.of_inputs, gradients=wanted.gradient is not None)
    if wanted.training is None and loaded.output_bytes > SMALL:
        loaded.resuming.prepare(loaded.shapes(photo), loaded.inputs.of(photo))


def _pass(
    loaded: LoadedModel, photo: Photo, names: Iterable[str], until: tuple[str, int] | None, wanted: Inspection
) -> dict[str, LayerValues]:
    """One pass up to the last surveyed call, or to the end."""
    layers, inputs, known = loaded.layers, wanted.of_inputs, loaded.known(photo)
    if (target := wanted.gradient) is not None:
        arguments = loaded.inputs.of(photo)
        rows = loaded.rows
        return capture_gradients(
            layers, loaded.subject, arguments, names, target, inputs=inputs, known=known, rows=rows
        )
    taken = tuple(names)

    def take(until: tuple[str, int] | None = until) -> dict[str, LayerValues]:
        return capture(layers, loaded.inputs.of(photo), taken, until, inputs=inputs, known=known)

    try:
        return _resumed(loaded, photo, until, wanted, take)
    except CallError:
        return take(None)


def _resumed(
    loaded: LoadedModel,
    photo: Photo,
    until: tuple[str, int] | None,
    wanted: Inspection,
    take: Callable[[], dict[str, LayerValues]],
) -> dict[str, LayerValues]:
    """Return ``take``'s values in a pass that uses or leaves stages."""
    resuming, shapes, picture = loaded.resuming, loaded.shapes(photo), photo.fingerprint
    edited = tuple(_first_name(loaded, edit.layer) for edit in wanted.in_force)
    if wanted.training is not None:
        return take()
    if until is not None and not wanted.of_inputs:
        return resuming.until(shapes, picture, _first_name(loaded, until[0]), edited, take)
    return take() if edited else resuming.whole(shapes, picture, take)


def _first_name(loaded: LoadedModel, layer: str) -> str:
    row = loaded.row(layer)
    return row.name if row else layer
