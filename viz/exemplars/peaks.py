"""Tap for the strongest cell of every channel in one run."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from ..hooks.activations import LayerActivations
from ..hooks.functional import Place
from ..hooks.taps import Tap
from ..hooks.values.structure import tensors_in
from .chosen import NOWHERE, Cells, ChosenLayer, channel_cells
from .looked import STATISTICS, Channels, Peaks


class _CallPeaks(NamedTuple):
    """The strongest cells of one call, still where the model runs."""

    maximum: Tensor
    mean: Tensor
    place: Tensor
    columns: int
    placeless: int
    more: dict[str, Tensor]


class PeakTap(Tap):
    """Tap that reduces the outputs of chosen layers to their peaks.

    Outputs are reduced at once, and none is copied or kept.
    """

    needs_inputs = False

    def __init__(
        self, layers: Mapping[Place, str], chosen: Mapping[str, ChosenLayer], *, statistics: bool = False
    ) -> None:
        super().__init__(layers)
        self._statistics = statistics
        self._chosen = chosen
        self._calls: Counter[str] = Counter()
        self._found: dict[tuple[str, int], _CallPeaks] = {}

    def start(self) -> None:
        """Forget the last picture."""
        self._calls.clear()
        self._found.clear()

    def after(self, name: str, output: Any) -> Any:
        """Find the strongest cell of each channel in this output.

        The next layer may write over it, so this cannot wait.
        """
        call = self._calls[name]
        self._calls[name] += 1
        tensors = [output] if isinstance(output, Tensor) else tensors_in(output)
        cells = channel_cells(tensors[0], self._chosen[name]) if tensors else None
        if cells is not None:
            self._found[name, call] = _reduced(cells, statistics=self._statistics)
        return output

    @property
    def peaks(self) -> Peaks:
        """Peaks of all channels in the present or last run."""
        calls = tuple(Channels(*key, len(found.maximum)) for key, found in self._found.items())
        parts = list(self._found.values())
        if not parts:
            nothing, nowhere = np.empty(0, np.float32), np.empty(0, np.int32)
            more = dict.fromkeys(STATISTICS if self._statistics else (), nothing)
            return Peaks(calls, nothing, nothing, nowhere, nowhere, more)
        counts = [call.channels for call in calls]
        columns, placeless = (
            np.repeat([getattr(part, name) for part in parts], counts) for name in ("columns", "placeless")
        )
        place = torch.cat([part.place for part in parts]).cpu().numpy() - placeless
        return Peaks(
            calls,
            torch.cat([part.maximum for part in parts]).cpu().numpy(),
            torch.cat([part.mean for part in parts]).cpu().numpy(),
            np.where(place < 0, NOWHERE, place // columns).astype(np.int32),
            np.where(place < 0, NOWHERE, place % columns).astype(np.int32),
            {name: torch.cat([part.more[name] for part in parts]).cpu().numpy() for name in parts[0].more},
        )


@contextmanager
def watching(
    layers: LayerActivations, chosen: tuple[ChosenLayer, ...], *, statistics: bool = False
) -> Iterator[PeakTap]:
    """Yield a tap whose ``peaks`` are those of the last run.

    Args:
        layers: the model's layers.
        chosen: those to look at.
        statistics: find those of ``STATISTICS`` too, which takes about as long again.
    """
    by_name = {layer.name: layer for layer in chosen}
    with layers.trace(lambda found: PeakTap(found, by_name, statistics=statistics), *by_name) as tap:
        yield tap


def _reduced(cells: Cells, *, statistics: bool) -> _CallPeaks:
    """Return each channel's maximum, its place, the mean and more."""
    values, columns, placeless = cells
    if values.is_quantized:
        values = values.dequantize()
    flat = values.detach().float()
    more = _more(flat) if statistics else {}
    if flat.device.type == "cpu":
        # NumPy finds places with vector instructions, three times as fast; and PyTorch's sums would wait for
        # its threads, which share the processors with those who read pictures. Its own sums are of pairs, so
        # they are exact where einsum's, one after the other, are not
        numbers = flat.numpy()
        place = numbers.argmax(1)
        maximum = torch.from_numpy(numbers[np.arange(len(numbers)), place])
        mean = torch.from_numpy(numbers.sum(1) / numbers.shape[1])
        return _CallPeaks(maximum, mean, torch.from_numpy(place), columns, placeless, more)
    largest, where = flat.max(1)
    return _CallPeaks(largest, flat.mean(1), where, columns, placeless, more)


def _more(flat: Tensor) -> dict[str, Tensor]:
    """Return the numbers of ``STATISTICS`` of (channels, cells)."""
    found = flat.amin(1), flat.std(1, correction=0), (flat > 0).float().mean(1)
    return dict(zip(STATISTICS, found, strict=True))
