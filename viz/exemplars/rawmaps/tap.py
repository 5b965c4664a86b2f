"""Tap that copies chosen layers' maps for a picture."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from ...hooks.activations import LayerActivations
from ...hooks.functional import Place
from ...hooks.taps import Tap
from ...hooks.values.structure import tensors_in
from ..chosen import ChosenLayer, channel_maps
from ..looked import RawMaps


class MapTap(Tap):
    """Tap that copies the outputs of chosen layers at once.

    The next layer may write over them.
    """

    needs_inputs = False

    def __init__(self, layers: Mapping[Place, str], chosen: Mapping[str, ChosenLayer], *, half: bool) -> None:
        super().__init__(layers)
        self._chosen = chosen
        self._type = np.float16 if half else np.float32
        self._calls: Counter[str] = Counter()
        self._found: list[RawMaps] = []

    def start(self) -> None:
        """Forget the last picture."""
        self._calls.clear()
        self._found = []

    def after(self, name: str, output: Any) -> Any:
        """Copy the maps of this call."""
        call = self._calls[name]
        self._calls[name] += 1
        tensors = [output] if isinstance(output, Tensor) else tensors_in(output)
        maps = channel_maps(tensors[0], self._chosen[name]) if tensors else None
        if maps is not None:
            maps = maps.dequantize() if maps.is_quantized else maps
            with np.errstate(over="ignore"):  # beyond the largest number of float16 lies infinity
                values: NDArray[Any] = maps.detach().float().cpu().numpy().astype(self._type, order="C")
            self._found.append(RawMaps(name, call, values))
        return output

    @property
    def maps(self) -> tuple[RawMaps, ...]:
        """Maps of the run under way, or of the last one."""
        return tuple(self._found)


@contextmanager
def keeping_maps(
    layers: LayerActivations, chosen: tuple[ChosenLayer, ...], *, half: bool
) -> Iterator[MapTap | None]:
    """Yield a tap whose ``maps`` are those of the last run.

    None if no layer is chosen.
    """
    if not chosen:
        yield None
        return
    by_name = {layer.name: layer for layer in chosen}
    with layers.trace(lambda found: MapTap(found, by_name, half=half), *by_name) as tap:
        yield tap
