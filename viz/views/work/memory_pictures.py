"""A layer's value after its hook, as small pictures."""

import numpy as np
import torch
from numpy.typing import NDArray

from ...hooks.records import to_array
from ...maps.colour.tables import AUTO, SEQUENTIAL, signed_colormap
from ...maps.layout import arrange
from ...maps.mosaic import render_mosaic
from ...maps.viewport import Viewport
from ...profile.memory import KeptValue, MemoryReport, Moment, different
from ...request.arrangement import Arrangement
from ..memory_pictures import KeptPicture, MemoryPictures, MomentPicture

TILES = 9
COLUMNS = 3
BLOCKS = 256  # of the whole value's memory
VIEWPORT = Viewport(400, 400)  # the size that the page shows
Maps = NDArray[np.generic]


def memory_pictures(
    report: MemoryReport,
    *,
    layer_type: str = "",
    image_size: tuple[int, int] | None = None,
    arrangement: Arrangement | None = None,
    colormap: str = AUTO,
) -> MemoryPictures:
    """Return a report's pictures, of the channels that changed most.

    Args:
        report: what ``viz.profile.memory.memory_report`` found.
        layer_type: the layer's class, which tells what a channel is.
        image_size: (height, width) of the model's input, which tells the shape of a grid of tokens.
        arrangement: where the value sits on the picture, if that is known.
        colormap: of values with both signs; ``AUTO_ON_DARK`` on a dark page.

    Raises:
        LayoutError: the value cannot be drawn as maps.
    """

    def maps(value: torch.Tensor) -> Maps:
        array = to_array(value)
        return arrange(array, layer_type=layer_type, image_size=image_size, arrangement=arrangement).maps

    at_hook, after = maps(report.at_hook), maps(report.after)
    channels = _most_changed(at_hook, after)
    colours = _one_scale(at_hook[channels], after[channels], signed=signed_colormap(colormap))
    drawn = [(then, _png(maps(then.value)[channels], *colours)) for then in report.moments]
    return MemoryPictures(
        layer=report.layer,
        call=report.call,
        shape=tuple(report.at_hook.shape),
        writes=report.writes,
        changed=next(kept.wrong for kept in report.kept if kept.way == "reference"),
        channels=tuple(channels),
        value_bytes=report.at_hook.nbytes,
        moments=tuple(_moment(then, report.at_hook, png) for then, png in drawn),
        kept=tuple(_kept(kept) for kept in report.kept),
    )


def _moment(then: Moment, at_hook: torch.Tensor, png: bytes) -> MomentPicture:
    differs = different(then.value, at_hook)
    return MomentPicture(then.number, then.writes, _share(differs), _blocks(differs), png)


def _share(differs: torch.Tensor) -> float:
    return differs.float().mean().item() if differs.numel() else 0.0


def _blocks(differs: torch.Tensor) -> tuple[float, ...]:
    """The share in each of at most ``BLOCKS`` parts of memory."""
    parts = differs.flatten().float().tensor_split(min(BLOCKS, differs.numel()) or 1)
    return tuple(part.mean().item() for part in parts if part.numel())


def _png(tiles: Maps, colormap: str, scale: tuple[float, float]) -> bytes:
    columns = min(COLUMNS, len(tiles))
    return render_mosaic(tiles, colormap=colormap, scale=scale, columns=columns, viewport=VIEWPORT).png


def _kept(kept: KeptValue) -> KeptPicture:
    return KeptPicture(kept.way, kept.shares_memory, kept.copied, kept.wrong)


def _most_changed(at_hook: Maps, after: Maps) -> list[int]:
    """The channels that changed most, in their own order.

    They are at most ``TILES``. Two NaNs count as equal.
    """
    differs = (at_hook != after) & ~(np.isnan(at_hook) & np.isnan(after))
    changes = differs.reshape(len(at_hook), -1).sum(axis=1)
    found = np.argsort(-changes, kind="stable")[:TILES]
    return sorted(int(channel) for channel in found)


def _one_scale(*maps: Maps, signed: str) -> tuple[str, tuple[float, float]]:
    """The colormap and the limits for all pictures.

    The limits are symmetric around zero if both signs occur.
    """
    finite = np.concatenate([values[np.isfinite(values)].ravel() for values in maps])
    if not finite.size:
        return SEQUENTIAL[0], (0.0, 1.0)
    low, high = float(finite.min()), float(finite.max())
    if low < 0 < high:
        reach = max(-low, high)
        return signed, (-reach, reach)
    return SEQUENTIAL[0], (low, high)
