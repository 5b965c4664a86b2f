"""Which layers are meant on the command line, and how each lies: where its channels, rows and columns are."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from math import prod
from typing import Any

from torch import Tensor

from ..errors import LayoutError, RequestError, UnknownLayerError
from ..hooks.activations import LayerActivations
from ..layer_names import is_operation
from ..maps.layout import best_kind
from ..passes.forward import input_size, survey_with_layouts
from ..profile.rows import LayerRow, Shape
from ..request.arrangement import Arrangements, first_known
from ..sentences import Sentence

MAPS, CHANNELS_LAST, VECTOR = "maps", "channels-last", "vector"
_AXES = {MAPS: 4, CHANNELS_LAST: 4, VECTOR: 2}
_PATTERN = frozenset("*?[")


@dataclass(frozen=True)
class ChosenLayer:
    """A layer whose channels are looked at.

    Attributes:
        name: its name.
        type: the name of its class.
        kind: how what it returns lies: ``"maps"`` is (1, channels, height, width), ``"channels-last"`` (1,
            height, width, channels), and ``"vector"`` (1, channels), whose one cell is row 0, column 0.
    """

    name: str
    type: str
    kind: str


def chosen_layers(
    layers: LayerActivations, arguments: tuple[Any, ...], selectors: Sequence[str]
) -> tuple[ChosenLayer, ...]:
    """Return the layers that the selectors mean, in the model's order.

    A selector is a layer's name, an operation's, the name of a class such as ``Conv2d``, or a pattern such as
    ``layer1.*``. A name must mean a layer with channels; of what a class or a pattern means, those without
    are left out. Without selectors, all layers with channels, rows and columns are meant.

    Args:
        layers: the model's layers.
        arguments: what the model is called with, to see what its layers return.
        selectors: which layers.

    Raises:
        RequestError: a layer that is named has no channels, or none has that a selector means.
        UnknownLayerError: a selector means no layer.
    """
    meant = [_meant(layers, selector) for selector in selectors]  # before any work
    operations = any(map(is_operation, selectors))
    rows, known = survey_with_layouts(layers, arguments, operations=operations)
    size = input_size(arguments)
    lying = {row.name: ChosenLayer(row.name, row.type, _kind(row, known, size)) for row in rows}
    if not selectors:
        chosen = {name for name, layer in lying.items() if layer.kind in {MAPS, CHANNELS_LAST}}
        _check_any(chosen, Sentence("no layer of this model"))
    else:
        first = {name: row.name for row in rows for name in (row.name, *row.aliases)}
        chosen = set()
        for selector, names in zip(selectors, meant, strict=True):
            if names == (selector,) or is_operation(selector):
                _check_named(names[0], [row for row in rows if row.name == first.get(names[0])], lying)
            found = {first[name] for name in names if lying[first[name]].kind}
            chosen |= _check_any(found, Sentence("no layer that {name} means", name=repr(selector)))
    return tuple(layer for name, layer in lying.items() if name in chosen)


def channel_maps(output: Tensor, kind: str) -> Tensor | None:
    """Return what a layer returned for a picture as (channels, height, width); None if it lies otherwise."""
    if output.ndim != _AXES[kind] or len(output) != 1 or not output.numel() or output.is_complex():
        return None
    if kind == CHANNELS_LAST:
        return output[0].permute(2, 0, 1)
    return output[0] if kind == MAPS else output[0, :, None, None]


def cell_index(kind: str, channel: Any, row: Any, column: Any) -> tuple[Any, ...]:
    """Return the index of a cell in what the layer returned, from its place in ``channel_maps``."""
    if kind == MAPS:
        return 0, channel, row, column
    return (0, channel) if kind == VECTOR else (0, row, column, channel)


def _meant(layers: LayerActivations, selector: str) -> tuple[str, ...]:
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


def _kind(row: LayerRow, known: Arrangements, size: tuple[int, int]) -> str:
    """Return how a layer's first call with channels lies; empty if none has."""
    for call, shape in enumerate(row.shapes):
        if shape is None or not prod(shape) or shape[:1] != (1,):
            continue
        try:
            kind = best_kind(shape, row.type, size, first_known(known, row.name, call))
        except LayoutError:
            continue
        if len(shape) == _AXES.get(kind):
            return kind
    return ""


def _check_named(name: str, found: Sequence[LayerRow], lying: Mapping[str, ChosenLayer]) -> None:
    """Refuse a layer, asked for by its name, without a call or without channels."""
    if not found:
        raise RequestError("the model has no operation {name}", name=repr(name))
    (row,) = found
    if row.reason is not None:
        raise RequestError("{layer} has no output: {reason}.", layer=name, reason=row.reason)
    if not lying[row.name].kind:
        raise RequestError(
            "{layer} returns {shape}: it needs channels of rows and columns, or one number for each channel",
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
