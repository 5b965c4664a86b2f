"""Reductions of maps to one picture (height, width), by named formulas.

The array comes first and is exact: computed in double precision, rounded once to single precision. Drawing is
elsewhere. ``definitions`` has each formula, and the paper that it comes from.

A place is NaN where a number that its formula needs is NaN or infinite: for ``top`` a number of the channels
that are summed, for all others a number of any channel that is used. If ``similar`` compares with such a
place, all are NaN.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import index
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import RequestError
from ...request.look import Reduction
from ..checked import checked_maps
from .components import COMPONENTS, Doubles, principal_components

Place = tuple[int, int]  # row and column
REDUCTIONS: tuple[Reduction, ...] = get_args(Reduction)
TOP = 8  # channels that ``top`` sums unless told otherwise
_AT_ONCE = 1 << 20  # numbers in double precision: 8 MiB, whatever the layer's size
_LEAST = -800.0  # exp of it is 0 in double precision, and a product with it stays a number


@dataclass(frozen=True)
class ReductionRequest:
    """Wish for a layer as one picture: the arguments of ``reduce_maps``."""

    how: Reduction
    channels: tuple[int, ...] | None = None
    top: int | None = None
    at: Place | None = None


@dataclass(frozen=True, eq=False)
class Reduced:
    """One float32 picture of a layer.

    It is (height, width), or (height, width, 3) for ``"pca"``. ``channels`` are those that were used, in
    ascending order; for ``"top"`` the strongest first. ``explained`` has each principal component's share of
    the variance, from 0 to 1; it is empty for others. ``at`` is the (row, column) that ``"similar"`` compares
    with; None for others.

    >>> maps = lg.to_array(layers(images)["conv1"].output[0])
    >>> lg.reduce_maps(maps, "top", top=2).channels
    (0, 1)
    """

    values: NDArray[np.float32]
    how: Reduction
    channels: tuple[int, ...]
    explained: tuple[float, ...] = ()
    at: Place | None = None


def reduce_maps(
    maps: ArrayLike,
    how: Reduction,
    *,
    channels: Sequence[int] | None = None,
    top: int | None = None,
    at: Place | None = None,
) -> Reduced:
    """Reduce maps (channels, height, width) to one picture: see ``definitions``.

    Args:
        maps: real numbers; results beyond the range of float32 become infinite.
        how: one of ``REDUCTIONS``.
        channels: the channels to use, each once; all of them when None. Their order makes no difference.
        top: how many channels ``"top"`` sums: the strongest by the mean of the absolute values of their
            finite numbers, a tie to the lower index; at most all, and ``TOP`` when None.
        at: the (row, column) that ``"similar"`` compares all places with; when None the first of those with
            the largest L2 norm over the channels that are used.

    >>> lg.reduce_maps(np.ones((64, 7, 7)), "l2").values[0, 0]
    np.float32(8.0)

    Raises:
        LayoutError: not real numbers of that shape, or empty.
        RequestError: there is no such reduction, channel or place, no channel is chosen, or one twice;
            ``top`` is below 1; ``top`` or ``at`` is given with another reduction.
    """
    check_reduction(how, top, at)
    values = checked_maps(maps)
    chosen = _checked_channels(channels, len(values))
    rows = values.reshape(len(values), -1)
    if how == "top":
        chosen = _strongest(rows, chosen, TOP if top is None else top)
    if how == "pca":
        scores, explained = principal_components(rows[list(chosen)].astype(np.float64))
        return Reduced(_single(scores.reshape(*values.shape[1:], COMPONENTS)), how, chosen, explained)
    if how == "similar":
        return _compared(values, chosen, at)
    found = _along_channels(rows, chosen, _argmax_of(chosen) if how == "argmax" else _FORMULAS[how])
    return Reduced(_single(found.reshape(values.shape[1:])), how, chosen)


def check_reduction(how: str, top: int | None = None, at: Place | None = None) -> None:
    """Check a reduction's name, and what goes with it.

    Raises:
        RequestError: as ``reduce_maps``.
    """
    if how not in REDUCTIONS:
        raise RequestError(
            "there is no reduction {name}: choose one of {names}",
            name=repr(how),
            names=", ".join(REDUCTIONS),
        )
    if at is not None and how != "similar":
        raise RequestError(
            "a place to compare with goes with the reduction similar, not with {name}", name=how
        )
    if top is None:
        return
    if how != "top":
        raise RequestError(
            "a number of strongest channels goes with the reduction top, not with {name}", name=how
        )
    if top < 1:
        raise RequestError("the reduction top sums at least 1 channel, not {top}", top=top)


def _checked_channels(channels: Sequence[int] | None, count: int) -> tuple[int, ...]:
    """Return the channels to use, in ascending order.

    So sums do not depend on the order given.
    """
    if channels is None:
        return tuple(range(count))
    chosen = sorted(index(channel) for channel in channels)
    if not chosen:
        raise RequestError("no channel is chosen: name at least one, or leave the choice out for all")
    for channel in (chosen[0], chosen[-1]):
        if not 0 <= channel < count:
            raise RequestError(
                "there is no channel {channel}: this layer has channels 0 to {last}",
                channel=channel,
                last=count - 1,
            )
    if len(set(chosen)) < len(chosen):
        raise RequestError("a channel is chosen twice: name each channel once")
    return tuple(chosen)


def _checked_place(at: Place, size: tuple[int, ...]) -> Place:
    """Return a place of maps (height, width)."""
    try:
        row, column = map(index, at)
    except (TypeError, ValueError):
        raise RequestError("a place is a row and a column, two whole numbers: {at}", at=repr(at)) from None
    if not (0 <= row < size[0] and 0 <= column < size[1]):
        raise RequestError(
            "there is no place {row}, {column}: these maps have {height} rows and {width} columns, "
            "counted from 0",
            row=row,
            column=column,
            height=size[0],
            width=size[1],
        )
    return row, column


def _compared(values: NDArray[np.generic], chosen: tuple[int, ...], at: Place | None) -> Reduced:
    """Compare all places with one, by default the strongest."""
    rows, size = values.reshape(len(values), -1), values.shape[1:]
    if at is not None:
        row, column = _checked_place(at, size)
    else:
        most = float(np.abs(rows[list(chosen)][np.isfinite(rows[list(chosen)])]).max(initial=0)) or 1.0
        norms = _along_channels(rows, chosen, lambda part: np.sqrt(((part / most) ** 2).sum(axis=0)))
        row, column = divmod(int(np.nan_to_num(norms, nan=-1.0).argmax()), size[1])
    similar = _similar_to(values[list(chosen), row, column].astype(np.float64))
    found = _along_channels(rows, chosen, similar)
    return Reduced(_single(found.reshape(size)), "similar", chosen, at=(row, column))


def _strongest(rows: NDArray[np.generic], chosen: tuple[int, ...], top: int) -> tuple[int, ...]:
    """Return the channels whose finite numbers have the largest mean absolute value.

    Those without any come last.
    """
    strengths = []
    for channel in chosen:
        row = np.abs(rows[channel].astype(np.float64))
        finite = row[np.isfinite(row)]
        strengths.append(finite.mean() if finite.size else -1.0)
    order = np.argsort(-np.array(strengths), kind="stable")
    return tuple(chosen[place] for place in order[:top])


def _along_channels(
    rows: NDArray[np.generic], chosen: tuple[int, ...], formula: Callable[[Doubles], Doubles]
) -> Doubles:
    """Apply a formula to (channels, places), a part at a time.

    It gives NaN where a number is not finite.
    """
    found = np.empty(rows.shape[1])
    step = max(1, _AT_ONCE // len(chosen))
    for begin in range(0, rows.shape[1], step):
        part = rows[:, begin : begin + step][list(chosen)].astype(np.float64)
        finite = np.isfinite(part).all(axis=0)
        part[:, ~finite] = 0
        with np.errstate(over="ignore", invalid="ignore"):
            found[begin : begin + step] = np.where(finite, formula(part), np.nan)
    return found


def _single(found: Doubles) -> NDArray[np.float32]:
    with np.errstate(over="ignore"):
        return found.astype(np.float32)


def _entropy(part: Doubles) -> Doubles:
    """Return the entropy in nats of the softmax over channels.

    The largest number's own term is kept apart, so that nothing cancels where one channel nearly has all.
    """
    below = np.maximum(part - part.max(axis=0), _LEAST)
    odds = np.exp(below)
    np.put_along_axis(odds, part.argmax(axis=0)[None], 0.0, axis=0)
    others = odds.sum(axis=0)
    entropy: Doubles = np.log1p(others) - (odds * below).sum(axis=0) / (1 + others)
    return entropy


def _argmax_of(chosen: tuple[int, ...]) -> Callable[[Doubles], Doubles]:
    """Return the formula for the index of each place's largest channel.

    It is the channel's own index; a tie goes to the lower one.
    """
    indices = np.array(chosen, np.float64)
    return lambda part: indices[part.argmax(axis=0)]


def _similar_to(one: Doubles) -> Callable[[Doubles], Doubles]:
    """Return the formula of each place's cosine with ``one`` (channels,)."""
    if not np.isfinite(one).all():
        return lambda part: np.full(part.shape[1], np.nan)
    direction = _unit(one[:, None])[:, 0]
    return lambda part: np.clip(direction @ _unit(part), -1.0, 1.0)


def _unit(part: Doubles) -> Doubles:
    """Return columns of length 1, and zeros as they are.

    Each is divided by its largest number first, so that no square is too large or too small.
    """
    scaled = part / _or_one(np.abs(part).max(axis=0))
    unit: Doubles = scaled / _or_one(np.sqrt((scaled**2).sum(axis=0)))
    return unit


def _or_one(lengths: Doubles) -> Doubles:
    return np.where(lengths == 0, 1.0, lengths)


_FORMULAS: dict[str, Callable[[Doubles], Doubles]] = {
    "mean": lambda part: part.mean(axis=0),
    "abs-mean": lambda part: np.abs(part).mean(axis=0),
    "max": lambda part: part.max(axis=0),
    "l2": lambda part: np.sqrt((part**2).sum(axis=0)),
    "std": lambda part: part.std(axis=0),
    "entropy": _entropy,
    "top": lambda part: part.sum(axis=0),
}
