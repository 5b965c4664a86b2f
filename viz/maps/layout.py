"""A layer's value → maps (channels, height, width), with their axes' meaning.

``arrange`` takes the *kind* that the value's places on the picture tell, if they are known. Otherwise it
guesses one from the shape and, where shapes are ambiguous, from the layer's type. ``kinds`` lists what else a
visitor may choose. Maps are views of the value wherever the shape allows it: nothing is
resampled or normalised, and nothing is reshaped across the batch.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import LayoutError, RequestError
from ..request.arrangement import Arrangement, Lattice
from ..sentences import Sentence, counted
from .checked import array_of
from .layout_guess import Shape, Size, guessed_kind, token_grid
from .layout_known import PLACED, known_kind, placed_maps, placed_rows

Values = NDArray[np.generic]
Axes = tuple[str, str, str]
_ALL_IN_ONE = "the only one"  # axis of maps that are no channels
_MOST_AXES = 5  # (batch, channel, depth, height, width)
_GRIDS = ("tokens", "attention-query")  # which lay tokens out on the picture


@dataclass(frozen=True, eq=False)
class Layout:
    """One batch row of a value as maps.

    ``axes`` names what a channel, a step down and a step to the right are; ``rows`` is the size of the
    batch, and ``slices`` counts what ``index`` chooses from (1 where there is nothing to choose). ``known``
    says whether the value's places tell that it lies like this; otherwise this was guessed, or chosen.
    ``plain`` says whether each channel is a map, whole and as the layer returned it; ``lattice`` where its
    cells are centred on the picture, if that is known.

    >>> layout = lg.arrange(layers(images)["conv1"].output)
    >>> layout.maps.shape, layout.axes
    ((6, 28, 28), ('channel', 'height', 'width'))
    """

    kind: str
    maps: Values
    axes: Axes
    description: str
    rows: int
    slices: int = 1
    known: bool = False
    plain: bool = False
    lattice: Lattice | None = None

    @property
    def leads_across(self) -> bool:
        """True if rows and columns of maps are those of the picture."""
        return self.axes[1].startswith("height")

    @property
    def has_channels(self) -> bool:
        """True if there is a map for each channel."""
        return self.axes[0] != _ALL_IN_ONE


class _Item(NamedTuple):
    """One batch row, and the caller's choices for it."""

    values: Values
    choice: int
    image_size: Size | None
    known: bool


class _DrawnMaps(NamedTuple):
    maps: Values
    axes: Axes
    description: str
    slices: int = 1
    plain: bool = False


class _Kind(NamedTuple):
    """Kind of layout: the axes of a batch row, and its drawing."""

    axes: int
    draw: Callable[[_Item], _DrawnMaps]
    batch: int = 0
    unbatched: bool = True


def arrange(
    values: ArrayLike,
    *,
    kind: str = "auto",
    row: int = 0,
    index: int = 0,
    layer_type: str = "",
    image_size: tuple[int, int] | None = None,
    arrangement: Arrangement | None = None,
) -> Layout:
    """The maps of one batch row of a layer's value.

    Args:
        values: real or complex numbers; complex ones are drawn as their magnitude, or as their phase.
        kind: one of ``kinds(shape)``, ``"phase"``, or ``"auto"`` for what is known, or else the best guess.
        row: which picture of the batch.
        index: which slice of a volume, or which query token of ``"attention-query"``.
        layer_type: the layer's class name, such as ``"Conv2d"``.
        image_size: (height, width) of the network's input, which tells the shape of a grid of tokens.
        arrangement: where the values sit on the picture, if that is known.

    >>> lg.arrange(np.zeros((2, 197, 768)), kind="tokens").maps.shape  # ViT: class token, 14x14 patches
    (768, 14, 14)

    Raises:
        LayoutError: values of this shape or type cannot be drawn, or not as this kind.
        RequestError: there is no such kind, row or index.
    """
    numbers, wanted = _real_numbers(given := array_of(values), kind)
    told = known_kind(arrangement, numbers.shape, image_size)
    if PLACED in (wanted, told if wanted == "auto" else ""):
        layout = _placed(numbers, _arrangement_for(numbers.shape, arrangement), row, index)
    else:
        guess = partial(guessed_kind, layer_type=layer_type, image_size=image_size)
        layout = _by_shape(numbers, _LayoutRequest(wanted, told, row, index, image_size), guess)
        layout = _as_placed(layout, numbers.shape, told, arrangement)
    if kind != "phase":
        return _of_magnitudes(layout) if np.iscomplexobj(given) else layout
    note = Sentence("The phase of: {note}", note=layout.description)
    return replace(layout, kind="phase", description=note, plain=False)


class _LayoutRequest(NamedTuple):
    """Wanted kind of a value's layout, and the kind by its places."""

    kind: str
    told: str
    row: int
    choice: int
    image_size: Size | None


def _by_shape(numbers: Values, wanted: _LayoutRequest, guess: Callable[[Shape], str]) -> Layout:
    """The maps of a value whose axes say where its numbers go."""
    numbers, front = _folded(numbers)
    best = "maps" if front else wanted.told or guess(numbers.shape)
    chosen = best if wanted.kind == "auto" else wanted.kind
    suited = _kind_for(chosen, numbers.shape)
    item, rows = _batch_row(numbers, suited, wanted.row)
    drawn = suited.draw(_Item(item, wanted.choice, wanted.image_size, chosen == wanted.told))
    _check_slice(wanted.choice, drawn.slices)
    note = drawn.description
    if front:
        note = Sentence(
            "{note}; the axes in front of them, {axes}, are counted as one", note=note, axes=front
        )
    known = chosen == wanted.told
    return Layout(
        chosen, drawn.maps, drawn.axes, note, rows, drawn.slices, known=known, plain=drawn.plain and not front
    )


def _of_magnitudes(layout: Layout) -> Layout:
    """The same maps, described as magnitudes of complex values."""
    return replace(
        layout, description=Sentence("The magnitude of: {note}", note=layout.description), plain=False
    )


def _as_placed(layout: Layout, shape: Shape, told: str, arrangement: Arrangement | None) -> Layout:
    """The same maps, with their cells' places on the picture, if known."""
    if arrangement is None or arrangement.shape != shape:
        return layout
    if layout.known and layout.maps.shape[1:] == arrangement.grid[1:]:
        return replace(layout, lattice=arrangement.lattice)
    return _as_contradicted(layout, told, arrangement)


def _as_contradicted(layout: Layout, told: str, arrangement: Arrangement) -> Layout:
    """The same maps, not across the picture if places contradict that."""
    fits = (told, "attention-query") if arrangement.pairs else (told,)
    if layout.kind in fits or not layout.leads_across:
        return layout
    note = Sentence("{note}; its rows and columns are no places on the picture", note=layout.description)
    return replace(layout, axes=(layout.axes[0], "row", "column"), description=note, plain=False)


def best_kind(
    shape: Sequence[int],
    layer_type: str = "",
    image_size: tuple[int, int] | None = None,
    arrangement: Arrangement | None = None,
) -> str:
    """A value's kind by its known places, or the likeliest by shape.

    Raises:
        LayoutError: more axes than can be drawn.
    """
    told = known_kind(arrangement, tuple(shape), image_size)
    return told or guessed_kind(tuple(shape), layer_type, image_size)


def _arrangement_for(shape: Shape, arrangement: Arrangement | None) -> Arrangement:
    if arrangement is None or arrangement.shape != shape or not arrangement.places:
        raise LayoutError(
            "it is not known where a value of shape {shape} sits on the picture, so it cannot be laid out by "
            "place",
            shape=shape,
        )
    return arrangement


def _placed(values: Values, arrangement: Arrangement, row: int, frame: int) -> Layout:
    rows, (frames, height, width) = placed_rows(arrangement), arrangement.grid
    _check_row(row, rows)
    _check_slice(frame, frames)
    maps = placed_maps(values, arrangement, row, frame)
    words = counted(
        "1 channel of {height} by {width}; each value is drawn where it sits on the picture, not in the "
        "layer's own order",
        "{count} channels of {height} by {width}; each value is drawn where it sits on the picture, not in "
        "the layer's own order",
        count=len(maps),
        height=height,
        width=width,
    )
    if arrangement.placeless:
        words = Sentence(
            "{note}; {count} that sit nowhere on it are left out", note=words, count=arrangement.placeless
        )
    axes = ("channel", "height in places", "width in places")
    return Layout(PLACED, maps, axes, words, rows, frames, known=True, lattice=arrangement.lattice)


def kinds(
    shape: Sequence[int],
    layer_type: str = "",
    image_size: tuple[int, int] | None = None,
    dtype: str = "",
    arrangement: Arrangement | None = None,
) -> tuple[str, ...]:
    """The kinds as which a value of this shape can be drawn.

    Without any, it cannot be drawn. The first is what its places tell, if they are known, or else the best
    guess.

    >>> kinds((1, 8, 5, 5), "Conv2d", dtype="complex64")
    ('maps', 'channels-last', 'attention', 'volume', 'phase')
    """
    if 0 in shape:
        return ()
    phase = ("phase",) if dtype.startswith("complex") else ()
    told = known_kind(arrangement, tuple(shape), image_size)
    if len(shape) > _MOST_AXES:
        return (*([told] if told else []), "maps", *phase)
    best = told or guessed_kind(tuple(shape), layer_type, image_size)
    possible = [name for name, kind in _KINDS.items() if name != best and _fits(kind, len(shape))]
    gridless = arrangement is not None and arrangement.shape == tuple(shape) and arrangement.nowhere
    possible = [name for name in possible if not (gridless and name in _GRIDS)]
    return (best, *(name for name in possible if _has_grid(name, tuple(shape), image_size)), *phase)


def _folded(values: Values) -> tuple[Values, str]:
    """The value with four axes if too many, and the merged sizes.

    The four are the batch, all axes between it and the last two merged into one, and the last two.
    """
    if values.ndim <= _MOST_AXES:
        return values, ""
    front = " × ".join(map(str, values.shape[1:-2]))
    return values.reshape(len(values), -1, *values.shape[-2:]), front


def _real_numbers(numbers: NDArray[Any], kind: str) -> tuple[Values, str]:
    """Real numbers, and the kind to draw them as."""
    if numbers.dtype.kind not in "fbuic":
        raise LayoutError("values of type {type} are no numbers, so they cannot be drawn", type=numbers.dtype)
    if numbers.size == 0:
        raise LayoutError(
            "this value has the shape {shape}: there is nothing in it to draw", shape=numbers.shape
        )
    if kind == "phase" and numbers.dtype.kind != "c":
        raise LayoutError("only complex values have a phase")
    if numbers.dtype.kind == "c":
        return (np.angle(numbers), "auto") if kind == "phase" else (np.abs(numbers), kind)
    return numbers, kind


def _kind_for(name: str, shape: Shape) -> _Kind:
    """The kind of that name, if it suits the shape."""
    if name not in _KINDS:
        raise RequestError(
            "there is no kind of layout named {name}; there are: {names} and phase",
            name=repr(name),
            names=", ".join([*_KINDS, PLACED]),
        )
    if not _fits(_KINDS[name], len(shape)):
        possible = ", ".join(kinds(shape)) or "nothing else either"
        raise LayoutError(
            "a value of shape {shape} cannot be drawn as {name}; possible: {names}",
            shape=shape,
            name=repr(name),
            names=possible,
        )
    return _KINDS[name]


def _fits(kind: _Kind, dimensions: int) -> bool:
    return dimensions == kind.axes + 1 or (kind.unbatched and dimensions == kind.axes)


def _has_grid(name: str, shape: Shape, image_size: Size | None) -> bool:
    """Return whether the tokens make a grid, if the kind needs one."""
    tokens = {"tokens": shape[-2:-1], "attention-query": shape[-1:]}.get(name)
    return tokens is None or token_grid(tokens[0], image_size) is not None


def _batch_row(values: Values, kind: _Kind, row: int) -> tuple[Values, int]:
    """One row of the batch, and the number of rows.

    A value without a batch counts as one row.
    """
    rows = values.shape[kind.batch] if values.ndim == kind.axes + 1 else 1
    _check_row(row, rows)
    return (np.moveaxis(values, kind.batch, 0)[row] if values.ndim == kind.axes + 1 else values), rows


def _check_row(row: int, rows: int) -> None:
    if not 0 <= row < rows:
        raise RequestError(
            "there is no batch row {number}: this value has rows 0 to {last}", number=row, last=rows - 1
        )


def _check_slice(index: int, count: int) -> None:
    if not 0 <= index < count:
        raise RequestError(
            "there is no slice {number}: this value has slices 0 to {last}", number=index, last=count - 1
        )


def _check_query(index: int, count: int) -> None:
    if not 0 <= index < count:
        raise RequestError(
            "there is no query token {number}: this value has query tokens 0 to {last}",
            number=index,
            last=count - 1,
        )


def _maps(item: _Item) -> _DrawnMaps:
    channels, height, width = item.values.shape
    words = counted(
        "1 channel of {height} by {width}, none left out or rearranged",
        "{count} channels of {height} by {width}, none left out or rearranged",
        count=channels,
        height=height,
        width=width,
    )
    return _DrawnMaps(item.values, ("channel", "height", "width"), words, plain=True)


def _channels_last(item: _Item) -> _DrawnMaps:
    height, width, channels = item.values.shape
    words = counted(
        "1 channel of {height} by {width}; the layer keeps its channels in the last axis",
        "{count} channels of {height} by {width}; the layer keeps its channels in the last axis",
        count=channels,
        height=height,
        width=width,
    )
    return _DrawnMaps(np.moveaxis(item.values, -1, 0), ("channel", "height", "width"), words)


def _attention(item: _Item) -> _DrawnMaps:
    heads, queries, keys = item.values.shape
    words = counted(
        "1 attention head: how much each of {queries} tokens (down) attends to each of {keys} (right)",
        "{count} attention heads: how much each of {queries} tokens (down) attends to each of {keys} (right)",
        count=heads,
        queries=queries,
        keys=keys,
    )
    return _DrawnMaps(item.values, ("head", "query token", "key token"), words)


def _attention_query(item: _Item) -> _DrawnMaps:
    heads, queries, keys = item.values.shape
    query = item.choice
    _check_query(query, queries)
    skipped, height, width = _grid_or_error(keys, item.image_size)
    maps = item.values[:, query, skipped:].reshape(heads, height, width)
    words = counted(
        "1 attention head: where token {query} of {queries} looks, on a grid of {height} by {width}",
        "{count} attention heads: where token {query} of {queries} looks, on a grid of {height} by {width}",
        count=heads,
        query=query + 1,
        queries=queries,
        height=height,
        width=width,
    )
    words = _left_out(words, skipped, known=False)
    return _DrawnMaps(maps, ("head", "height in patches", "width in patches"), words, queries)


def _tokens(item: _Item) -> _DrawnMaps:
    tokens, features = item.values.shape
    skipped, height, width = _grid_or_error(tokens, item.image_size)
    maps = np.moveaxis(item.values[skipped:].reshape(height, width, features), -1, 0)
    words = counted(
        "1 token of {features} features on a grid of {height} by {width}",
        "{count} tokens of {features} features on a grid of {height} by {width}",
        count=tokens,
        features=features,
        height=height,
        width=width,
    )
    words = _left_out(words, skipped, known=item.known)
    return _DrawnMaps(maps, ("feature", "height in patches", "width in patches"), words)


def _sequence_first(item: _Item) -> _DrawnMaps:
    drawn = _tokens(item) if item.known else _table(item)
    return drawn._replace(
        description=Sentence("{note}; the layer puts the sequence before the batch", note=drawn.description)
    )


def _table(item: _Item) -> _DrawnMaps:
    tokens, features = item.values.shape
    words = Sentence(
        "one picture of {tokens} tokens (down) by {features} features (right)",
        tokens=tokens,
        features=features,
    )
    return _DrawnMaps(item.values[None], (_ALL_IN_ONE, "token", "feature"), words)


def _signals(item: _Item) -> _DrawnMaps:
    channels, length = item.values.shape
    words = Sentence(
        "one picture of {channels} channels (down) by {length} positions (right)",
        channels=channels,
        length=length,
    )
    return _DrawnMaps(item.values[None], (_ALL_IN_ONE, "channel", "position"), words)


def _vector(item: _Item) -> _DrawnMaps:
    words = counted(
        "1 number, as a small square", "{count} numbers, one small square each", count=item.values.size
    )
    return _DrawnMaps(item.values[:, None, None], ("feature", "one value", "one value"), words)


def _bar(item: _Item) -> _DrawnMaps:
    words = counted("1 number", "{count} numbers in a row", count=item.values.size)
    return _DrawnMaps(item.values[None, None], (_ALL_IN_ONE, "one value", "feature"), words)


def _scalar(item: _Item) -> _DrawnMaps:
    return _DrawnMaps(
        item.values[None, None, None], ("value", "one value", "one value"), Sentence("a single number")
    )


def _volume(item: _Item) -> _DrawnMaps:
    channels, depth, height, width = item.values.shape
    place = item.choice
    _check_slice(place, depth)
    words = counted(
        "1 channel of {height} by {width}: slice {place} of {depth} along the depth",
        "{count} channels of {height} by {width}: slice {place} of {depth} along the depth",
        count=channels,
        height=height,
        width=width,
        place=place + 1,
        depth=depth,
    )
    return _DrawnMaps(item.values[:, place], ("channel", "height", "width"), words, depth)


def _volume_last(item: _Item) -> _DrawnMaps:
    drawn = _volume(item._replace(values=np.moveaxis(item.values, -1, 0)))
    words = Sentence("{note}; the layer keeps its channels in the last axis", note=drawn.description)
    return drawn._replace(description=words)


def _grid_or_error(tokens: int, image_size: Size | None) -> tuple[int, int, int]:
    grid = token_grid(tokens, image_size)
    if grid is None:
        raise LayoutError(
            "{count} tokens make no grid, with or without class and register tokens; use 'table'",
            count=tokens,
        )
    return grid


def _left_out(note: Sentence, skipped: int, *, known: bool) -> Sentence:
    """The note, with the number and kind of tokens left out."""
    if not skipped:
        return note
    if not known:
        return counted(
            "{note}; 1 token in front is left out, so that the others make a grid",
            "{note}; {count} tokens in front are left out, so that the others make a grid",
            note=note,
            count=skipped,
        )
    if skipped == 1:
        return Sentence("{note}; the class token in front is left out", note=note)
    return Sentence(
        "{note}; {count} class and register tokens in front are left out", note=note, count=skipped
    )


_KINDS: dict[str, _Kind] = {
    "maps": _Kind(3, _maps),
    "channels-last": _Kind(3, _channels_last),
    "attention": _Kind(3, _attention),
    "attention-query": _Kind(3, _attention_query, unbatched=False),
    "tokens": _Kind(2, _tokens),
    "table": _Kind(2, _table),
    "sequence-first": _Kind(2, _sequence_first, batch=1, unbatched=False),
    "signals": _Kind(2, _signals),
    "vector": _Kind(1, _vector),
    "bar": _Kind(1, _bar),
    "scalar": _Kind(0, _scalar),
    "volume": _Kind(4, _volume),
    "volume-last": _Kind(4, _volume_last, unbatched=False),
}
