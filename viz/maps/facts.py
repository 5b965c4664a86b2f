"""Facts of drawn maps for the page: geometry, numbers, colours."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..answers.layer import ChannelFigures, Geometry, LayerFigures
from .colour.scaling import Limit
from .colour.tables import end_colours, is_diverging
from .digits import finite_or_none, rounded, rounded_shares
from .mosaic import ODD_COLOURS, Mosaic
from .statistics import Statistics, channel_statistics, histogram, statistics

BINS = 48


def geometry_facts(mosaic: Mosaic, *, sorted_channels: bool) -> Geometry:
    """Return the mosaic's geometry, with the channels' order if they are sorted."""
    return Geometry(
        channels=mosaic.count,
        columns=mosaic.columns,
        tile_height=mosaic.tile_height,
        tile_width=mosaic.tile_width,
        map_height=mosaic.map_height,
        map_width=mosaic.map_width,
        pad=mosaic.pad,
        width=mosaic.width,
        height=mosaic.height,
        order=tuple(mosaic.order) if sorted_channels else (),
    )


def number_facts(maps: NDArray[np.generic]) -> dict[str, Any]:
    """Return a view's fields about its numbers: statistics, channels, histogram."""
    return {
        "statistics": layer_figures(statistics(maps)),
        "channels": _channel_figures(maps),
        "histogram": tuple(histogram(maps, BINS).counts.tolist()),
    }


def colour_facts(mosaic: Mosaic, maps: NDArray[np.generic], *, own: bool) -> dict[str, Any]:
    """Return a view's fields about its colours.

    ``own`` limits come from these maps, so no value is beyond them.
    """
    return {
        "colormap": mosaic.colormap,
        "vmin": _listed(mosaic.vmin),
        "vmax": _listed(mosaic.vmax),
        "colours": end_colours(mosaic.colormap),
        "signed": is_diverging(mosaic.colormap),
        "odd_colours": tuple("#" + bytes(colour[:3]).hex() for colour in ODD_COLOURS),
        "beyond": 0.0 if own else share_beyond(maps, mosaic.vmin, mosaic.vmax),
    }


def share_beyond(maps: NDArray[Any], low: Limit, high: Limit) -> float:
    """The share of values that are finite and beyond the colours' limits."""
    outside = ((maps < low) | (maps > high)) & np.isfinite(maps)
    return float(np.count_nonzero(outside)) / maps.size


def layer_figures(found: Statistics) -> LayerFigures:
    """The statistics of all values, as an answer holds them."""
    return LayerFigures(
        minimum=finite_or_none(found.minimum),
        maximum=finite_or_none(found.maximum),
        mean=finite_or_none(found.mean),
        deviation=finite_or_none(found.deviation),
        zeros=found.zeros,
        nan=found.nan,
        positive_infinities=found.positive_infinities,
        negative_infinities=found.negative_infinities,
        count=found.count,
    )


def _channel_figures(maps: NDArray[np.generic]) -> ChannelFigures:
    found = channel_statistics(maps)
    return ChannelFigures(
        minimum=rounded(found.minimum),
        maximum=rounded(found.maximum),
        mean=rounded(found.mean),
        variance=rounded(found.variance),
        zeros=rounded_shares(found.zeros),
    )


def _listed(limit: Limit) -> float | tuple[float, ...]:
    return tuple(limit.tolist()) if isinstance(limit, np.ndarray) else limit
