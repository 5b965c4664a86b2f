"""A unit, one channel of a layer: its weights and neighbours."""

from typing import Literal

from ..layer import KernelSizes
from ..message import Answer, Message, Png

Told = Literal["apart", "mixed", "unknown", "nothing"]


class UnitName(Message, frozen=True, kw_only=True):
    """A unit; of the picture's own colours the layer's name is empty."""

    layer: str
    call: int
    channel: int


class Neighbour(Message, frozen=True, kw_only=True):
    """One channel that feeds the unit, or reads it.

    Attributes:
        place: a feeder's place among the channels that the layer is given; a reader's channel.
        unit: whose channel it is; null if that is not known.
        others: further units that are added into it before it arrives.
        steps: layers and operations between the two, in running order, which keep channels apart.
        png: its map on this picture; empty if it has none.
        kernel: the weights between the two, as a picture; empty if they are not known.
        weight: the norm of these weights times the root mean square of what they are multiplied with; null
            if they are not known.
        effect: the root mean square of the change if the earlier one is zero on this picture. Both are
            shares of the root mean square of all that the later layer returns.
        lifts: the mean of what the earlier one gives to the later one, as such a share: below zero it holds
            it down.
    """

    place: int
    unit: UnitName | None
    others: tuple[UnitName, ...]
    steps: tuple[str, ...]
    png: Png
    kernel: Png
    weight: float | None
    effect: float
    lifts: float


class Neighbours(Message, frozen=True, kw_only=True):
    """The channels on one side of a unit.

    Those with the largest effect come first.

    Attributes:
        told: how they are known: ``apart`` through steps that keep channels apart; ``mixed`` if something in
            between mixes them, so that only effects are known; ``unknown`` if this model cannot be followed;
            ``nothing`` if no layer is there.
        units: those with the largest effects, and with the largest weights.
        total: how many there are.
        layers: the layers that they are in.
    """

    told: Told
    units: tuple[Neighbour, ...]
    total: int
    layers: tuple[str, ...]


class UnitWeights(Message, frozen=True, kw_only=True):
    """The weights that make the unit, strongest first.

    Blue is below zero, red above.

    Attributes:
        png: a pixel for each weight.
        width: of the picture, in pixels.
        columns: how many kernels are in a row.
        kernels: how many are shown, and the weights in each.
        total: how many there are.
        depth: how many slices of a volume's kernel stand below each other in its height; 1 for others.
        places: for each kernel that is shown, the channel of the input that it is multiplied with.
        limit: the largest absolute weight, which is the end of the colours.
        bias: what is added at the end; null if nothing is.
    """

    png: Png
    width: int
    columns: int
    kernels: KernelSizes
    depth: int
    total: int
    places: tuple[int, ...]
    limit: float
    bias: float | None


class FollowingNorm(Message, frozen=True, kw_only=True):
    """A batch norm that follows the unit.

    It multiplies the unit by ``scale`` and adds ``shift``.
    """

    layer: str
    scale: float
    shift: float


class UnitFacts(Answer, frozen=True, kw_only=True):
    """unit.json: one channel of a layer on this picture.

    Attributes:
        channels: how many the layer has.
        strength: the root mean square of the unit's values; ``typical`` that of all of the layer's.
        weights: null if the layer mixes no channels by weights of its own, or none that are known.
        folded: null if no batch norm comes next.
        before: what feeds the unit.
        after: what reads it.
    """

    layer: str
    type: str
    call: int
    channel: int
    channels: int
    strength: float
    typical: float
    weights: UnitWeights | None
    folded: FollowingNorm | None
    before: Neighbours
    after: Neighbours
