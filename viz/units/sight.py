"""Passes on one picture, and layers' values with channels first."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import VizError
from ..findings.edit_checks import channel_axis
from ..findings.values import LayerValues, Leaf
from ..maps.mosaic import render_mosaic
from ..maps.viewport import Viewport
from ..passes.forward import capture
from ..passes.loaded import LoadedModel
from ..pictures.photo import Photo
from ..receptive.streams.found import Key
from ..request.edit_request import EditRequest
from ..request.inspection import Inspection
from ..views.drawing import arranged, coloured

Doubles = NDArray[np.float64]
_THUMB = Viewport(112, 112)


@dataclass(frozen=True)
class Sight:
    """Passes of a model on one picture, with a request's edits.

    Attributes:
        loaded: the model.
        wanted: the request, for what its layer returns.
        photo: the picture.
    """

    loaded: LoadedModel
    wanted: Inspection
    photo: Photo

    def see(self, names: Iterable[str], until: Key | None = None) -> dict[str, LayerValues]:
        """Capture outputs and inputs of layers in one pass, up to ``until``."""
        arguments, known = self.loaded.inputs.of(self.photo), self.loaded.known(self.photo)
        with self.loaded.as_wanted(self.wanted, self.photo):
            return capture(self.loaded.layers, arguments, tuple(names), until, inputs=True, known=known)

    def without(self, key: Key, channel: int, *, given: bool = False) -> "Sight":
        """Return these passes with one channel of a layer at zero.

        With ``given``, it is a channel of the layer's input.
        """
        side = "inputs" if given else "output"
        edit = EditRequest(*key, kind="zero", channels=(channel,), side=side)
        return replace(self, wanted=replace(self.wanted, edits=(*self.wanted.edits, edit)))

    def thumb(self, values: LayerValues, call: int, channel: int, leaf: str = "", channels: int = 0) -> bytes:
        """Draw one map in small, in its colours among the others.

        The PNG is empty if there is no such map. ``channels``: how many there must be, lest the maps are
        something else.
        """
        wanted = replace(self.wanted, layer=values.layer, call=call, leaf=leaf)
        try:
            layout = arranged(values, wanted)
            maps, (colormap, scale) = layout.maps, coloured(values, wanted, layout)
        except VizError:
            return b""
        if not channel < len(maps) or (channels and len(maps) != channels):
            return b""
        return render_mosaic(maps, colormap=colormap, scale=scale, order=[channel], viewport=_THUMB).png


def outputs(values: LayerValues, call: int) -> Doubles | None:
    """Return a call's output, (channels, places).

    None if it has no channels of real numbers.
    """
    leaf = first_leaf(values, call, "output")
    if leaf is None:
        return None
    try:
        axis = channel_axis(leaf.array.shape, values.type, values.image_size, leaf.arrangement)
    except VizError:
        return None
    return channels_first(leaf.array, axis)


def first_leaf(values: LayerValues, call: int, side: str) -> Leaf | None:
    """Return a call's first tensor on a side, if it is real.

    ``side``: ``"output"`` or ``"inputs"``. None if there is none, or if it holds no real numbers.
    """
    found = values.call(call)
    leaf = next((leaf for path, leaf in found.items() if path.startswith(side)), None)
    real = leaf is not None and not leaf.problem and leaf.array.dtype.kind == "f" and leaf.array.size
    return leaf if real else None


def channels_first(array: NDArray[Any], axis: int) -> Doubles:
    """The values in double precision, (channels, places)."""
    return np.moveaxis(array, axis, 0).reshape(array.shape[axis], -1).astype(np.float64)


def strength(values: Doubles) -> float:
    """Return the root mean square of numbers.

    It is 0 for none, or if it is not finite.
    """
    found = float(np.sqrt(np.mean(np.square(values)))) if values.size else 0.0
    return found if np.isfinite(found) else 0.0


def strengths_of(values: Doubles) -> Doubles:
    """The root mean square of each channel, (channels,), of values (channels, places)."""
    found: Doubles = np.nan_to_num(np.sqrt(np.mean(np.square(values), axis=1)), posinf=0.0)
    return found
