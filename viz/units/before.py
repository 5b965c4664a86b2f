"""Sources of one channel: its weights and its feeders."""

from collections.abc import Iterator
from dataclasses import dataclass

from torch import nn

from ..answers.views.units import Told as How
from ..findings.values import LayerValues
from ..layer_names import is_operation
from ..receptive.streams.found import Stream, Streams
from ..receptive.streams.weighted import is_weighted
from .feeders import measured_inputs, measured_units, sum_parts, weighed
from .ranking import Candidate
from .sight import Sight
from .weights import Kernels, kernels_of


@dataclass(frozen=True, eq=False)
class ChannelSources:
    """Sources of one channel of a layer.

    Attributes:
        sight: passes of the model, with the request for the layer.
        values: the layer's outputs and inputs.
        channel: which channel.
        flow: the streams into the layer; None if the model cannot be followed.
    """

    sight: Sight
    values: LayerValues
    channel: int
    flow: Streams | None

    @property
    def module(self) -> nn.Module | None:
        """The layer; None for an operation."""
        name = self.values.layer
        return self.sight.loaded.layers.module(name) if name and not is_operation(name) else None

    @property
    def into(self) -> tuple[Stream, ...]:
        """Streams into the layer."""
        return self.flow.into if self.flow else ()

    @property
    def kernels(self) -> Kernels | None:
        """The weights that make the channel; None if they are not known."""
        return kernels_of(self.module, self.channel) if self.module is not None else None

    @property
    def told(self) -> How:
        """Kind of knowledge about its feeders: unknown, apart, mixed or nothing."""
        if self.flow is None:
            return "unknown"
        return "apart" if any(each.apart for each in self.into) else "mixed" if self.mixes else "nothing"

    @property
    def mixes(self) -> bool:
        """True if the layer has weights, or streams lead into it."""
        return bool(self.into) or (self.module is not None and is_weighted(self.module))

    def at_once(self) -> list[Candidate] | None:
        """Feeders as parts of a sum; None if no sum is known."""
        kernels = self.kernels
        if kernels is None:
            return None
        wanted = self.sight.wanted
        edited = any((edit.layer, edit.side) == (wanted.layer, "output") for edit in wanted.edits)
        parts = sum_parts(self.sight, self.values, kernels, self.channel, check=not edited)
        return None if parts is None else weighed(self.sight, self.values, kernels, parts, self.into)

    def one_by_one(self) -> Iterator[Candidate]:
        """The feeders, each measured in a pass."""
        if self.module is not None and is_weighted(self.module):
            return measured_inputs(self.sight, self.values, self.channel, self.into)
        return measured_units(self.sight, self.values, self.channel, self.into)
