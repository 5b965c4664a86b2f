"""Numbers of many pictures: their order, histogram, and unusual channels."""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import RequestError
from ...exemplars.looked import Channels
from ...views.folder.tasks import PicturePeaks
from .store import Store

Measure = Literal["maximum", "mean"]
SHOWN = 9
BINS = 24
OF_LAYER, OF_MODEL = 8, 12
_BY_CHANCE = 0.05
_SAME = 1e-4  # of a value, between two passes of the same picture
LEAST_SHARE = 0.1  # of the median deviation of a call's channels
NEAR = 4  # calls: a convolution, its normalisation and its ReLU are excited by the same
LEAST_PICTURES = 5  # fewer say nothing about what is usual


class Spread(NamedTuple):
    """A histogram: both ends, and the count of each bin."""

    low: float
    high: float
    counts: tuple[int, ...]


class ExcitedChannel(NamedTuple):
    """A channel that a picture excites unusually; see ``viz.answers.folders.folder.ExcitedFacts``."""

    layer: str
    call: int
    channel: int
    value: float
    score: float
    above: int


def order_of(values: NDArray[np.float32], *, least: bool = False, count: int = SHOWN) -> list[int]:
    """Return the positions of the largest (or least) numbers, without NaN."""
    sound = np.flatnonzero(~np.isnan(values))
    numbers = values[sound]
    order = np.argsort(numbers if least else -numbers, kind="stable")[:count]
    return [int(place) for place in sound[order]]


def spread_of(values: NDArray[np.float32]) -> Spread | None:
    """Return the histogram of the finite numbers; None if there is none."""
    finite = values[np.isfinite(values)]
    if not len(finite):
        return None
    low, high = float(finite.min()), float(finite.max())
    if low == high:
        return Spread(low, high, (len(finite),))
    counts, _ = np.histogram(finite.astype(np.float64), BINS, (low, high))
    return Spread(low, high, tuple(map(int, counts)))


def value_in(found: PicturePeaks, layer: str, call: int, channel: int, by: Measure) -> float | None:
    """Return a channel's number for one picture; None if there is none."""
    begun = 0
    for each in found.calls:
        if (each.layer, each.call) == (layer, call):
            numbers = found.maximum if by == "maximum" else found.mean
            return float(numbers[begun + channel]) if channel < each.channels else None
        begun += each.channels
    return None


def unusual(
    store: Store, found: PicturePeaks, layer: str, call: int
) -> tuple[tuple[ExcitedChannel, ...], tuple[ExcitedChannel, ...]]:
    """Return channels that a picture excites unusually, of one call and all.

    What counts is how many standard deviations its maximum is above the mean of all other pictures' maxima,
    and only what chance alone rarely makes of so many channels. Of a channel that hardly varies, a tenth of
    what its call's channels usually vary counts instead, so that one that is nearly constant does not come
    first for next to nothing. Calls that the pictures or this one lack, as where a capture is of some layers
    alone, are left out.

    Raises:
        RequestError: they have no call in common.
    """
    if len(store.pictures) < LEAST_PICTURES:
        return (), ()
    if not {each[:2] for each in found.calls} & {each[:2] for each in store.calls}:
        raise RequestError("this picture and the folder's were looked at in other layers.")
    here = store.in_order(found)[0]
    others, mean, deviation = _of_others(store, here)
    usual = _at_least(deviation, store.calls)
    scores = np.full(len(here), -np.inf)
    np.divide(here - mean, usual, out=scores, where=usual > 0)
    scores[~np.isfinite(scores)] = -np.inf
    where = store.place(layer, call)
    mine = [] if where is None else [where.start + at for at in _best(scores[where], OF_LAYER, others)]
    everywhere = _apart(_best(scores, 40 * OF_MODEL, others), store.calls)[:OF_MODEL]
    return tuple(_said(store, here, scores, mine)), tuple(_said(store, here, scores, everywhere))


def _of_others(
    store: Store, here: NDArray[np.float32]
) -> tuple[int, NDArray[np.float64], NDArray[np.float64]]:
    """Return the number of other pictures, and their maxima's mean and deviation.

    A picture that is one of the folder's does not count: beside itself, nothing is ever far from the mean.
    """
    count, (mean, deviation) = len(store.pictures), store.summary()
    if not _is_among(store, here):
        return count, mean, deviation
    apart = np.nan_to_num(here.astype(np.float64) - mean, posinf=0, neginf=0)  # finite ones are counted
    squares = count * deviation**2 - apart**2 * count / (count - 1)
    return count - 1, mean - apart / (count - 1), np.sqrt(np.maximum(squares, 0) / (count - 1))


def _is_among(store: Store, here: NDArray[np.float32]) -> bool:
    """Check by two calls whether the folder has the picture."""
    ends = np.cumsum([each.channels for each in store.calls])
    places = [(each, slice(end - each.channels, end)) for each, end in zip(store.calls, ends, strict=True)]
    shared = [(each, where) for each, where in places if not np.isnan(here[where]).all()]
    if not shared:
        return False
    found = []
    for call, where in (shared[0], shared[-1]):
        maxima = store.numbers("maximum", call.layer, call.call)
        if maxima is not None:
            least = _SAME * np.abs(maxima[np.isfinite(maxima)]).max(initial=0)
            found.append(np.isclose(maxima, here[where], rtol=_SAME, atol=least, equal_nan=True).all(1))
    most = min(map(len, found), default=0)  # a pass may have added one meanwhile
    return bool(np.all([each[:most] for each in found], axis=0).any())


def by_chance(pictures: int, channels: int) -> float:
    """Return the score that chance alone makes of so many channels.

    Some of them reaches it in one picture of twenty.

    That is for independent, normally distributed maxima: the quantile of Student's t for one more value
    beside so many, with Bonferroni's bound over the channels.

    Source: Fisher, Statistical Methods for Research Workers (1925), section 24.
    """
    from scipy.special import stdtrit  # noqa: PLC0415  # takes a sixth of a second, and no start needs it

    quantile = -stdtrit(pictures - 1, _BY_CHANCE / max(1, channels))
    return float(quantile * np.sqrt((pictures + 1) / (pictures - 1)))


def _at_least(deviation: NDArray[np.float64], calls: Sequence[Channels]) -> NDArray[np.float64]:
    raised, begun = deviation.copy(), 0
    for call in calls:
        mine = slice(begun, begun + call.channels)
        raised[mine] = np.maximum(deviation[mine], LEAST_SHARE * np.median(deviation[mine]))
        begun += call.channels
    return raised


def _best(scores: NDArray[np.float64], count: int, pictures: int) -> list[int]:
    order = np.argsort(-scores, kind="stable")[:count]
    least = by_chance(pictures, int(np.isfinite(scores).sum()))
    return [int(at) for at in order if scores[at] > least]


def _apart(places: Sequence[int], calls: Sequence[Channels]) -> list[int]:
    """Return places without repetitions nearby, at most two of each call."""
    kept: list[int] = []
    met: list[tuple[int, int]] = []
    for place in places:
        number, channel = _locate(place, calls)
        of_call = sum(other == number for other, _ in met)
        near = any(abs(other - number) < NEAR and seen == channel for other, seen in met)
        if of_call < 2 and not near:  # noqa: PLR2004  # one for comparison
            kept.append(place)
            met.append((number, channel))
    return kept


def _locate(place: int, calls: Sequence[Channels]) -> tuple[int, int]:
    for number, call in enumerate(calls):
        if place < call.channels:
            return number, place
        place -= call.channels
    raise IndexError(place)


def _said(
    store: Store, here: NDArray[np.float32], scores: NDArray[np.float64], places: Sequence[int]
) -> Iterator[ExcitedChannel]:
    for place in places:
        number, channel = _locate(place, store.calls)
        call, value = store.calls[number], float(here[place])
        maxima = store.numbers("maximum", call.layer, call.call, channel)
        above = 0 if maxima is None else int((maxima[:, 0] < value).sum())
        yield ExcitedChannel(call.layer, call.call, channel, value, float(scores[place]), above)
