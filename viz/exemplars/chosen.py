"""Layers that the command line names, and their layouts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from math import prod
from typing import Any, NamedTuple

import numpy as np
from torch import Tensor

from ..errors import LayoutError, RequestError, UnknownLayerError
from ..hooks.activations import LayerActivations
from ..layer_names import is_operation
from ..maps.layout import best_kind
from ..maps.layout_known import PLACED
from ..passes.forward import input_size, survey_with_layouts
from ..profile.rows import LayerRow, Shape
from ..request.arrangement import Arrangement, Arrangements, first_known
from ..sentences import Sentence

MAPS, CHANNELS_LAST, VECTOR = "maps", "channels-last", "vector"
_AXES = {MAPS: 4, CHANNELS_LAST: 4, VECTOR: 2}
_BY_PLACE = {PLACED, "tokens", "sequence-first"}  # layouts that may be made of known places
NOWHERE = -1
"""Row and column of a number without a place on the picture, such as a class token's."""
_PATTERN = frozenset("*?[")


@dataclass(frozen=True)
class ChosenLayer:
    """A layer whose channels are looked at.

    Attributes:
        name: its name.
        type: the name of its class.
        kind: how what it returns lies: ``"maps"`` is (1, channels, height, width), ``"channels-last"`` (1,
            height, width, channels), and ``"vector"`` (1, channels), whose one cell is row 0, column 0.
            ``"placed"`` is all else whose places are known, such as tokens: its ``arrangement`` says where.
        arrangement: which of its axes lead across the picture, for ``"placed"`` alone.
    """

    name: str
    type: str
    kind: str
    arrangement: Arrangement | None = None

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Places of cells in a placed layer's output.

        Those without a place come first, the others row by row.
        """
        assert self.arrangement is not None  # noqa: S101  # of a placed layer
        cells = prod(self.arrangement.shape[axis] for axis in self.arrangement.places)
        placed = self.arrangement.order or range(cells)
        known = set(placed)
        return (*(cell for cell in range(cells) if cell not in known), *placed)


class Cells(NamedTuple):
    """Cells of a layer's output for a picture.

    Attributes:
        values: (channels, cells); those without a place on the picture come first, the others row by row.
        columns: the number of cells in a row.
        placeless: the number of cells without a place, such as a class token.
    """

    values: Tensor
    columns: int
    placeless: int = 0


def chosen_layers(
    layers: LayerActivations,
    arguments: tuple[Any, ...],
    selectors: Sequence[str],
    *,
    vectors: bool = False,
) -> tuple[ChosenLayer, ...]:
    """Return the layers that the selectors mean, in the model's order.

    A selector is a layer's name, an operation's, the name of a class such as ``Conv2d``, or a pattern such as
    ``layer1.*``. A name must mean a layer with channels; of what a class or a pattern means, those without
    are left out. Without selectors, all layers with channels, rows and columns are meant.

    Args:
        layers: the model's layers.
        arguments: what the model is called with, to see what its layers return.
        selectors: which layers.
        vectors: without selectors, whether layers with one number for each channel are meant too.

    Raises:
        RequestError: a layer that is named has no channels, or none has that a selector means.
        UnknownLayerError: a selector means no layer.
    """
    meant = [layers_meant(layers, selector) for selector in selectors]  # before any work
    operations = any(map(is_operation, selectors))
    rows, known = survey_with_layouts(layers, arguments, operations=operations)
    size = input_size(arguments)
    lying = {row.name: ChosenLayer(row.name, row.type, *_lying(row, known, size)) for row in rows}
    if not selectors:
        usual = {MAPS, CHANNELS_LAST, PLACED, VECTOR if vectors else MAPS}
        chosen = {name for name, layer in lying.items() if layer.kind in usual}
        _check_any(chosen, Sentence("no layer of this model"))
    else:
        chosen = _selected(rows, lying, dict(zip(selectors, meant, strict=True)))
    return tuple(layer for name, layer in lying.items() if name in chosen)


def _selected(
    rows: Sequence[LayerRow], lying: Mapping[str, ChosenLayer], meant: Mapping[str, Sequence[str]]
) -> set[str]:
    """Return the first names of the selected layers that have channels."""
    first = {name: row.name for row in rows for name in (row.name, *row.aliases)}
    chosen: set[str] = set()
    for selector, names in meant.items():
        if tuple(names) == (selector,) or is_operation(selector):
            _check_named(names[0], [row for row in rows if row.name == first.get(names[0])], lying)
        found = {first[name] for name in names if lying[first[name]].kind}
        chosen |= _check_any(found, Sentence("no layer that {name} means", name=repr(selector)))
    return chosen


def channel_cells(output: Tensor, layer: ChosenLayer) -> Cells | None:
    """Return a layer's output for a picture as channels of cells.

    None if it lies otherwise.
    """
    if not output.numel() or output.is_complex():
        return None
    if layer.arrangement is not None:
        return _placed_cells(output, layer, layer.arrangement)
    maps = _maps(output, layer.kind)
    return None if maps is None else Cells(maps.reshape(len(maps), -1), maps.shape[-1])


def channel_maps(output: Tensor, layer: ChosenLayer) -> Tensor | None:
    """Return a layer's output for a picture as maps.

    The maps are (channels, height, width); None if the output lies otherwise. Cells without a place on the
    picture are left out.
    """
    found = channel_cells(output, layer)
    if found is None:
        return None
    placed = found.values[:, found.placeless :]
    return placed.reshape(len(placed), -1, found.columns)


def cell_index(layer: ChosenLayer, channel: Any, row: Any, column: Any) -> tuple[Any, ...]:
    """Return a cell's index in the output, from that in ``channel_maps``."""
    if layer.arrangement is not None:
        return _placed_index(layer, layer.arrangement, channel, row, column)
    if layer.kind == MAPS:
        return 0, channel, row, column
    return (0, channel) if layer.kind == VECTOR else (0, row, column, channel)


def _maps(output: Tensor, kind: str) -> Tensor | None:
    if output.ndim != _AXES[kind] or len(output) != 1:
        return None
    if kind == CHANNELS_LAST:
        return output[0].permute(2, 0, 1)
    return output[0] if kind == MAPS else output[0, :, None, None]


def _placed_cells(output: Tensor, layer: ChosenLayer, known: Arrangement) -> Cells | None:
    """Return a placed value's cells; None if it has another shape."""
    if tuple(output.shape) != known.shape:
        return None
    front = () if known.batch is None else (known.batch,)
    turned = output.permute(*front, *known.channels, *known.places)
    flat = turned.reshape(prod(known.shape[axis] for axis in known.channels), -1)
    if layer.order != tuple(range(flat.shape[1])):
        flat = flat[:, list(layer.order)]
    return Cells(flat, known.grid[-1], known.placeless)


def _placed_index(
    layer: ChosenLayer, known: Arrangement, channel: Any, row: Any, column: Any
) -> tuple[Any, ...]:
    cells = np.array(layer.order)[known.placeless :][np.asarray(row) * known.grid[-1] + column]
    index: dict[int, Any] = {} if known.batch is None else {known.batch: np.zeros_like(cells)}
    for axes, places in ((known.channels, np.asarray(channel)), (known.places, cells)):
        lengths = tuple(known.shape[axis] for axis in axes)
        index |= zip(axes, np.unravel_index(places, lengths) if axes else (), strict=True)
    return tuple(index[axis] for axis in range(len(known.shape)))


def layers_meant(layers: LayerActivations, selector: str) -> tuple[str, ...]:
    """Return the layers that a name, a pattern or a class means.

    Raises:
        UnknownLayerError: it means none.
    """
    if selector in layers.names or is_operation(selector):
        return layers.select(selector)
    if not _PATTERN.isdisjoint(selector):
        found = [name for name in layers.select() if fnmatchcase(name, selector)]
        if not found:
            raise UnknownLayerError("no layer's name fits the pattern {pattern}.", pattern=repr(selector))
        return tuple(found)
    classes = {each.__name__ for module in layers.model.modules() for each in type(module).__mro__}
    if selector in classes - {"object"}:
        return layers.select(lambda _, layer: selector in {each.__name__ for each in type(layer).__mro__})
    return layers.select(selector)  # says which names are like it


def _lying(row: LayerRow, known: Arrangements, size: tuple[int, int]) -> tuple[str, Arrangement | None]:
    """Return the layout of a layer's first call with channels.

    Its kind is empty if no call has any.
    """
    for call, shape in enumerate(row.shapes):
        if shape is None or not prod(shape):
            continue
        arrangement = first_known(known, row.name, call)
        try:
            kind = best_kind(shape, row.type, size, arrangement)
        except LayoutError:
            continue
        if shape[:1] == (1,) and len(shape) == _AXES.get(kind):
            return kind, None
        placed = _placed(kind, arrangement)
        if placed is not None:
            return PLACED, placed
    return "", None


def _placed(kind: str, known: Arrangement | None) -> Arrangement | None:
    """Return the arrangement of a picture's tokens; None if it is unknown."""
    if kind not in _BY_PLACE or known is None or not known.places or known.grid[0] != 1:
        return None
    return known if known.batch is None or known.shape[known.batch] == 1 else None


def _check_named(name: str, found: Sequence[LayerRow], lying: Mapping[str, ChosenLayer]) -> None:
    """Refuse a named layer without a call or without channels."""
    if not found:
        raise RequestError("the model has no operation {name}", name=repr(name))
    (row,) = found
    if row.reason is not None:
        raise RequestError("{layer} has no output: {reason}.", layer=name, reason=row.reason)
    if not lying[row.name].kind:
        raise RequestError(
            "{layer} returns {shape}: it needs channels of rows and columns, tokens, or one number for each "
            "channel",
            layer=name,
            shape=_said(row.shapes),
        )


def _said(shapes: Iterable[Shape]) -> str:
    said = (
        Sentence("no single tensor") if shape is None else " × ".join(map(str, shape)) for shape in shapes
    )
    return ", ".join(dict.fromkeys(said))


def _check_any(found: set[str], nobody: Sentence) -> set[str]:
    if not found:
        raise RequestError("{nobody} returns channels of rows and columns", nobody=nobody)
    return found
