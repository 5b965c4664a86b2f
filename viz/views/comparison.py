"""Comparison of two requests: both layers drawn alike, and their difference."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..answers.layer import PairFacts
from ..engine.slices import Sliced
from ..engine.task import Bench, Question, needed
from ..errors import VizError
from ..findings.values import LayerValues, Leaf
from ..maps.colour.tables import diverging_colormap
from ..maps.colour.wanted import Range
from ..maps.digits import rounded
from ..maps.ordering import channel_order
from ..pictures.photo import Photo
from ..request.inspection import Inspection, LayerView
from .differences import distances, farthest_first, joint_range, signed_difference
from .drawing import arranged, draw_view
from .model_range import ModelRange

SIDES = ("left", "right", "difference")
FARTHEST = "difference"  # the order in which the channels that differ most come first


@dataclass(frozen=True)
class ComparisonView:
    """Two layers on one scale, and left − right.

    Layers of different shapes have no difference, and each is drawn on its own.

    Attributes:
        left: the first side, or None if it cannot be drawn; the same for ``right`` and ``difference``.
        problems: why there is no left and no right side; empty for a side that exists.
        distances: the mean of |left − right| in each channel; None if no difference is finite.
    """

    left: LayerView | None
    right: LayerView | None
    difference: LayerView | None
    problems: tuple[str, str] = ("", "")
    distances: tuple[float | None, ...] = ()

    @property
    def views(self) -> tuple[LayerView, ...]:
        """The views that exist."""
        return tuple(view for view in (self.left, self.right, self.difference) if view is not None)

    @property
    def bytes(self) -> int:
        """Approximate memory that it takes."""
        return sum(view.bytes for view in self.views)

    def facts(self) -> PairFacts:
        """Everything but the pixels."""
        return PairFacts(
            left=self.left.facts() if self.left else None,
            right=self.right.facts() if self.right else None,
            difference=self.difference.facts() if self.difference else None,
            problem_left=self.problems[0],
            problem_right=self.problems[1],
            distances=self.distances,
        )


@dataclass(frozen=True)
class Comparison(Question[ComparisonView]):
    """The task of drawing two requests side by side.

    The left request decides how both are drawn. ``whole`` records every layer in a pass if that is cheap: the
    visitor will go on to the neighbours. ``only`` is the channel to draw if a single one is wanted.
    """

    left: Inspection
    right: Inspection
    photos: tuple[Photo, Photo] = field(repr=False)
    whole: bool = False
    only: int | None = None

    @property
    def key(self) -> Hashable:
        """Both requests."""
        return ("comparison", self.left, self.right, self.only)

    @property
    def pictures(self) -> tuple[tuple[Inspection, Photo], ...]:
        """See ``Task``."""
        return tuple(zip((self.left, self.right), self.photos, strict=True))

    def ready(self, bench: Bench) -> bool:
        """See ``Task``."""
        return self.left.scale != "model" and all(bench.kept(wanted) for wanted, _ in self.pictures)

    def work(self, bench: Bench) -> Sliced[ComparisonView]:
        """See ``Task``."""
        sides = []
        for wanted, photo in self.pictures:
            sides.append(_side(bench, wanted, photo, self.whole))
            yield
        (left, right), limits = sides, None
        if self.left.scale == "model":
            ranges = []
            for wanted, photo in self.pictures:
                ranges.append((yield from needed(ModelRange(wanted, photo), bench)))
            limits = min(low for low, _ in ranges), max(high for _, high in ranges)
        return draw_comparison(left, right, limits, self.only)


class Side(NamedTuple):
    """One side: its request, and its values as maps, if any.

    ``problem`` is the reason if there are none.
    """

    wanted: Inspection
    values: LayerValues | None
    maps: NDArray[np.generic] | None
    problem: str = ""


def side(values: LayerValues, wanted: Inspection) -> Side:
    """Return a side from a layer's values.

    A side that cannot be drawn has the reason as its ``problem``.
    """
    try:
        return Side(wanted, values, arranged(values, wanted).maps)
    except VizError as error:
        return Side(wanted, None, None, str(error))


def draw_comparison(
    left: Side, right: Side, limits: Range | None = None, only: int | None = None
) -> ComparisonView:
    """Draw both sides, and their difference.

    Both sides have one scale and one order of channels if they have the same shape; otherwise each side has
    its own. ``limits``, of both models, are the scale of both in any case. If ``only`` one channel is wanted,
    a side without it is left out.
    """
    problems, apart = (left.problem, right.problem), _difference(left, right)
    if left.maps is None or right.maps is None or apart is None:
        return ComparisonView(_alone(left, limits, only), _alone(right, limits, only), None, problems)
    limits = limits or joint_range(left.maps, right.maps, clipped=left.wanted.scale == "clipped")
    found = distances(apart)
    order = farthest_first(found) if left.wanted.order == FARTHEST else _order(left)
    if only is not None:
        order = [only]
    return ComparisonView(
        _drawn(left, limits, order),
        _drawn(right, limits, order),
        _drawn_difference(left, apart, order),
        problems,
        rounded(found),
    )


def _side(bench: Bench, wanted: Inspection, photo: Photo, whole: bool) -> Side:
    try:
        values = bench.captured(wanted, photo, whole=whole)
    except VizError as error:
        return Side(wanted, None, None, str(error))
    return side(values, wanted)


def _difference(left: Side, right: Side) -> NDArray[np.float64] | None:
    """Left − right, or None without two sides of one shape."""
    if left.maps is None or right.maps is None or left.maps.shape != right.maps.shape:
        return None
    return signed_difference(left.maps, right.maps)


def _order(one: Side) -> Sequence[int] | None:
    """The wanted order for one side, if it needs no difference."""
    if one.maps is None or one.wanted.order == FARTHEST:
        return None
    return channel_order(one.maps, one.wanted.order)


def _alone(one: Side, limits: Range | None, only: int | None) -> LayerView | None:
    """One side as if there were no other.

    Without ``limits``, its colours have its own limits.
    """
    if only is None or one.maps is None:
        return _drawn(one, limits, _order(one))
    return _drawn(one, limits, [only]) if only < len(one.maps) else None


def _drawn(one: Side, limits: Range | None, order: Sequence[int] | None) -> LayerView | None:
    if one.values is None:
        return None
    return draw_view(one.values, replace(one.wanted, order="index"), limits, order)


def _drawn_difference(
    left: Side, apart: NDArray[np.float64], order: Sequence[int] | None
) -> LayerView | None:
    """The difference around zero, on a scale of its own."""
    if left.values is None:
        return None
    wanted = left.wanted
    colormap = diverging_colormap(wanted.colormap)
    scale = "clipped" if wanted.scale == "clipped" else "layer"
    plain = replace(
        wanted, call=0, leaf="", kind="maps", index=0, colormap=colormap, scale=scale, order="index"
    )
    values = replace(left.values, calls=({"output": Leaf(apart, "float64")},), score_of="", cams=())
    return draw_view(values, plain, None, order)
