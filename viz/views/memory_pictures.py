"""What became of a layer's value, as small pictures on one scale: at the hook, after the pass, and kept."""

import base64
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray

from ..answers.hooks import KeptFacts, MemoryFacts, Way
from ..hooks.records import to_array
from ..maps.colour import SEQUENTIAL, SIGNED_DEFAULT
from ..maps.layout import arrange
from ..maps.mosaic import render_mosaic
from ..maps.viewport import Viewport
from ..profile.memory import KeptValue, MemoryReport
from ..request.arrangement import Arrangement

TILES = 9
COLUMNS = 3
VIEWPORT = Viewport(400, 400)  # the size that the page shows
Maps = NDArray[np.generic]


@dataclass(frozen=True)
class KeptPicture:
    """What one way of keeping a value holds in the end; see ``viz.profile.memory.KeptValue``."""

    way: Way
    shares_memory: bool
    copied: int
    wrong: float
    png: bytes = field(repr=False)


@dataclass(frozen=True)
class MemoryPictures:
    """A layer's value at its hook, the same memory after the pass, and what each way of keeping it kept.

    Attributes:
        layer: the layer's name.
        call: which call, counted from 0.
        shape: the value's shape.
        writes: how many operations wrote into its memory after the hook.
        changed: the share of its values that differ after the pass, 0 to 1.
        channels: the channels on the pictures: those that changed most.
        at_hook: PNG, one pixel per value if there is room; all pictures here are like this, and on one scale.
        after: PNG.
        kept: see ``KeptPicture``.
    """

    layer: str
    call: int
    shape: tuple[int, ...]
    writes: int
    changed: float
    channels: tuple[int, ...]
    at_hook: bytes = field(repr=False)
    after: bytes = field(repr=False)
    kept: tuple[KeptPicture, ...] = field(repr=False)

    @property
    def bytes(self) -> int:
        """The memory that the pictures take."""
        return len(self.at_hook) + len(self.after) + sum(len(kept.png) for kept in self.kept) + 1000


def memory_pictures(
    report: MemoryReport,
    *,
    layer_type: str = "",
    image_size: tuple[int, int] | None = None,
    arrangement: Arrangement | None = None,
) -> MemoryPictures:
    """Return a report's pictures: the channels that changed most, or the first ones if nothing changed.

    Args:
        report: what ``viz.profile.memory.memory_report`` found.
        layer_type: the layer's class, which tells what a channel is.
        image_size: (height, width) of the model's input, which tells the shape of a grid of tokens.
        arrangement: where the value sits on the picture, if that is known.

    Raises:
        LayoutError: the value cannot be drawn as maps.
    """

    def maps(value: torch.Tensor) -> Maps:
        array = to_array(value)
        return arrange(array, layer_type=layer_type, image_size=image_size, arrangement=arrangement).maps

    at_hook, after = maps(report.at_hook), maps(report.after)
    channels = _most_changed(at_hook, after)
    colours = _one_scale(at_hook[channels], after[channels])
    return MemoryPictures(
        layer=report.layer,
        call=report.call,
        shape=tuple(report.at_hook.shape),
        writes=report.writes,
        changed=next(kept.wrong for kept in report.kept if kept.way == "reference"),
        channels=tuple(channels),
        at_hook=_png(at_hook[channels], *colours),
        after=_png(after[channels], *colours),
        kept=tuple(_picture(kept, _png(maps(kept.value)[channels], *colours)) for kept in report.kept),
    )


def _png(tiles: Maps, colormap: str, scale: tuple[float, float]) -> bytes:
    columns = min(COLUMNS, len(tiles))
    return render_mosaic(tiles, colormap=colormap, scale=scale, columns=columns, viewport=VIEWPORT).png


def memory_facts(pictures: MemoryPictures, written: tuple[str, ...]) -> MemoryFacts:
    """Return what the browser needs to show them, beside the names of all layers that are written over."""
    return MemoryFacts(
        layer=pictures.layer,
        call=pictures.call,
        shape=pictures.shape,
        writes=pictures.writes,
        changed=pictures.changed,
        channels=pictures.channels,
        at_hook=_text(pictures.at_hook),
        after=_text(pictures.after),
        kept=tuple(_kept_facts(kept) for kept in pictures.kept),
        written=written,
    )


def _kept_facts(kept: KeptPicture) -> KeptFacts:
    return KeptFacts(
        way=kept.way,
        png=_text(kept.png),
        shares=kept.shares_memory,
        copied=kept.copied,
        wrong=kept.wrong,
    )


def _picture(kept: KeptValue, png: bytes) -> KeptPicture:
    return KeptPicture(kept.way, kept.shares_memory, kept.copied, kept.wrong, png)


def _most_changed(at_hook: Maps, after: Maps) -> list[int]:
    """The channels with the most values that changed, in their own order; at most ``TILES``."""
    changes = (at_hook != after).reshape(len(at_hook), -1).sum(axis=1)
    found = np.argsort(-changes, kind="stable")[:TILES]
    return sorted(int(channel) for channel in found)


def _one_scale(*maps: Maps) -> tuple[str, tuple[float, float]]:
    """The colormap and the limits for all pictures; symmetric around zero if both signs occur."""
    finite = np.concatenate([values[np.isfinite(values)].ravel() for values in maps])
    if not finite.size:
        return SEQUENTIAL[0], (0.0, 1.0)
    low, high = float(finite.min()), float(finite.max())
    if low < 0 < high:
        reach = max(-low, high)
        return SIGNED_DEFAULT, (-reach, reach)
    return SEQUENTIAL[0], (low, high)


def _text(png: bytes) -> str:
    return base64.b64encode(png).decode()
