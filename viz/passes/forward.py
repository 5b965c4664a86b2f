"""One forward pass of a subject, returned as plain arrays."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image

from ..errors import VizError
from ..findings.edit_checks import with_channels
from ..findings.output_meaning import class_shares, output_meaning, why_no_classes
from ..findings.values import LayerValues, Leaf
from ..hooks.activations import LayerActivations
from ..hooks.records import Call, LayerRecord, leaves, to_array
from ..hooks.selectors import kind, layers_of
from ..hooks.values.copies import memory_place
from ..pictures.photo import Photo
from ..pictures.subject import Subject
from ..profile.rows import LayerRow
from ..profile.tree import survey
from ..receptive.places.known import following, settled
from ..request.arrangement import NOTHING_KNOWN, Arrangement, Arrangements
from ..request.inspection import Prediction
from ..sentences import Sentence
from .class_scores import class_rows, what_else

BLANK = Image.new("RGB", (256, 256), (127, 127, 127))


def survey_subject(
    layers: LayerActivations, subject: Subject, *, operations: bool = False
) -> tuple[LayerRow, ...]:
    """Every layer with its shapes, from one pass on a grey picture."""
    return survey(layers, *subject.arguments(BLANK), operations=operations)


def survey_with_layouts(
    layers: LayerActivations, arguments: tuple[Any, ...], *, operations: bool = False
) -> tuple[tuple[LayerRow, ...], Arrangements]:
    """Every layer with its shapes, and its known layouts, from one pass.

    The layouts are for inputs of these shapes.
    """
    try:
        with following(layers, arguments) as found:
            rows = survey(layers, *arguments, operations=operations)
        known = settled(layers, found, arguments)
        return with_channels(rows, known, input_size(arguments)), known
    except Exception:  # noqa: BLE001  # a model that cannot be followed may still run; if not, this says why
        return survey(layers, *arguments, operations=operations), NOTHING_KNOWN


def capture(
    layers: LayerActivations,
    arguments: tuple[Any, ...],
    names: Iterable[str],
    until: tuple[str, int] | None = None,
    *,
    inputs: bool = False,
    known: Arrangements = NOTHING_KNOWN,
) -> dict[str, LayerValues]:
    """The outputs of the named layers or operations, up to ``until``.

    They come from one pass, which ends after ``until``. ``known`` is what is known of their layouts.
    """
    wanted, size = tuple(names), input_size(arguments)
    with layers.capture(*wanted, inputs=inputs) as record:
        layers.run(*arguments, until=until)
        modules = layers_of(layers.model)  # once: asking for each layer by its name walks over all of them
        kinds = {name: kind(name, layers.model, modules) for name in wanted}
        plain = LayerValues("", "", str(layers.device), (), size)
        arrays = _Arrays()
        return {name: _values(name, kinds[name], record[name], plain, known, arrays) for name in wanted}


def predict(
    layers: LayerActivations, subject: Subject, photo: Photo, rows: Sequence[LayerRow] = (), count: int = 5
) -> Prediction:
    """The most probable classes; none unless each class has one score.

    ``rows``, the model's survey, tells what its output means.
    """
    output = layers.run(*subject.arguments(photo.image))
    scores = _scores(output, subject)
    if scores is None:
        meaning, named = what_else(output, len(subject.classes)), bool(subject.classes)
        return Prediction((), meaning=meaning, problem=why_no_classes(meaning, named=named))
    meaning = subject.output or output_meaning(scores, rows)
    found = class_shares(scores, meaning)
    if found is None:
        return Prediction((), meaning=meaning, problem=why_no_classes(meaning, named=True))
    best = np.argsort(-found, kind="stable")[:count]
    top = tuple((subject.classes[i], float(found[i])) for i in best)
    return Prediction(top, tuple(int(i) for i in best), meaning, reason=_doubt(subject.not_given, rows))


def _doubt(not_given: Sequence[str], rows: Sequence[LayerRow]) -> str:
    """Return a warning if layers ran without a visitor's own weights."""
    owners = {name.rpartition(".")[0] for name in not_given}
    ran = [row for row in rows if row.ends and owners & {row.name, *row.aliases}]
    if not ran:
        return ""
    last = max(ran, key=lambda row: row.ends[-1]).name
    return Sentence("Your file has no weights for {layer}: this prediction means nothing.", layer=last)


def probabilities(
    layers: LayerActivations, subject: Subject, photo: Photo, rows: Sequence[LayerRow] = ()
) -> NDArray[np.float64] | None:
    """Each class's probability, (classes,); None unless there is one for each."""
    scores = _scores(layers.run(*subject.arguments(photo.image)), subject)
    if scores is None:
        return None
    return class_shares(scores, subject.output or output_meaning(scores, rows))


def _scores(output: Any, subject: Subject) -> NDArray[Any] | None:
    """One number per known class, or None; minus infinity excludes one."""
    found = class_rows(output, 1)
    if found is None or found.shape != (1, len(subject.classes)):
        return None
    scores = to_array(found)[0]
    finite = np.isfinite(scores)
    return scores if finite.any() and (finite | np.isneginf(scores)).all() else None


def input_size(arguments: tuple[Any, ...]) -> tuple[int, int]:
    """Return the model input's (height, width); 1 for axes it lacks.

    The input is the first tensor that the model is called with.
    """
    shapes = (tuple(tensor.shape) for tensor in leaves(arguments).values())
    height, width = (1, 1, *next(shapes, ()))[-2:]
    return height, width


def _values(
    name: str, kind: str, record: LayerRecord, plain: LayerValues, known: Arrangements, arrays: "_Arrays"
) -> LayerValues:
    calls = tuple(plain_leaves(_tensors(call), known.get((name, n)), arrays) for n, call in enumerate(record))
    return replace(plain, layer=name, type=kind, calls=calls)


def plain_leaves(
    tensors: Mapping[str, torch.Tensor],
    arrangements: Mapping[str, Arrangement | None] | None,
    arrays: "_Arrays | None" = None,
) -> dict[str, Leaf]:
    """Return tensors by path as arrays, with known places on the picture."""
    known, leaf = arrangements or {}, plain_leaf if arrays is None else arrays.leaf
    return {path: replace(leaf(tensor), arrangement=known.get(path)) for path, tensor in tensors.items()}


class _Arrays:
    """Arrays of one pass, made once for values in the same memory.

    A block's output is often its last layer's.
    """

    def __init__(self) -> None:
        self._made: dict[Hashable, Leaf] = {}

    def leaf(self, tensor: torch.Tensor) -> Leaf:
        """A tensor's values.

        All tensors must live until the last has been given.
        """
        place = memory_place(tensor)
        if place is None or tensor.numel() == 0:
            return plain_leaf(tensor)
        if place not in self._made:
            self._made[place] = plain_leaf(tensor)
        made = self._made[place]
        return made if made.problem else replace(made, array=made.array.reshape(tensor.shape))


def _tensors(call: Call) -> dict[str, torch.Tensor]:
    """Every tensor that the call returned, then those it was given."""
    return leaves(call.output) | leaves(call.inputs, "inputs") | leaves(call.keywords, "inputs")


def plain_leaf(tensor: torch.Tensor) -> Leaf:
    """Return a tensor's values as an array, or the error's text."""
    dtype, problem = str(tensor.dtype).removeprefix("torch."), ""
    try:
        array = to_array(tensor)
    except VizError as error:
        array, problem = np.empty(0, np.float32), str(error)
    array.flags.writeable = False  # everyone who asks for the same layer gets this one
    return Leaf(array, dtype, problem)
