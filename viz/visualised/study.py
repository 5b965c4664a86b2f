"""Pictures under optimisation, step by step, with their state after each.

Between two steps others may use the model: a step opens what hooks it needs, and closes them. Nothing here
draws from PyTorch's own random generator, so the same wish makes the same pictures, whoever works in between.
"""

from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ..errors import LayoutError
from ..hooks.activations import LayerActivations
from ..passes.attribution import NOT_REACHED, Graph
from ..request.arrangement import Arrangement
from ..request.optimised import NEAR, OptimisationSettings, Wish, checked
from .climbing import Climber
from .inputs import Inputs
from .moving import cropped, moved
from .objective import ChannelPlaces, first_value, likeness, measure, placed, score
from .rectifiers import redirected
from .spectra import AccentedPhoto, Canvas, Phases, Waves

_RATES = {"fourier": 0.1, "maco": 0.2}
_PHOTO_RATE = 0.02
_DIFFERENT = 0.5  # what likeness counts, as a share of what is to grow
_PATIENCE = 3  # steps without any slope, also through dead rectifiers


@dataclass(frozen=True)
class Layer:
    """Facts about the layer of the wanted channel.

    Attributes:
        type: the name of its class.
        arrangement: where its values sit on the picture, if that is known.
        rectifiers: the model's, through which the slope is led while they are dead.
    """

    type: str
    arrangement: Arrangement | None = None
    rectifiers: tuple[str, ...] = ()


@dataclass(frozen=True)
class LayerResponse:
    """A layer's response to the pictures as they are shown.

    They have 256 levels, and are not moved.

    Attributes:
        wish: (pictures), the mean of the channel or the cell that was to grow: see ``objective.measure``.
        peaks: (pictures, channels), the strongest cell of each channel.
    """

    wish: NDArray[np.float32]
    peaks: NDArray[np.float32]


class OptimisedPictures:
    """Pictures that excite the wanted unit more with each step.

    Attributes:
        total: how many steps there are.
        done: how many are behind us.
        stuck: whether the wish does not depend on the picture at all, so that steps are in vain.
    """

    def __init__(
        self,
        inputs: Inputs,
        wish: Wish,
        making: OptimisationSettings,
        layer: Layer,
        photo: Tensor | None = None,
    ) -> None:
        self._inputs, self._wish, self._making, self._layer = inputs, wish, checked(making), layer
        self._random = torch.Generator().manual_seed(making.seed)
        self._canvas = self._blank(photo)
        rate = _PHOTO_RATE if isinstance(self._canvas, AccentedPhoto) else _RATES[making.way]
        self._climber = Climber(self._canvas.parameter, rate)
        self._where: ChannelPlaces | None = None
        self._without = 0
        self.total, self.done = self._making.steps, 0

    def _blank(self, photo: Tensor | None) -> Canvas:
        if self._making.from_photo and photo is not None:
            return AccentedPhoto(photo, NEAR)
        kind = Waves if self._making.way == "fourier" else Phases
        return kind(self._making.count, self._inputs.colours, self._inputs.size, self._random)

    @property
    def finished(self) -> bool:
        """True if no step is left, or none would help."""
        return self.done >= self.total or self.stuck

    @property
    def stuck(self) -> bool:
        """See ``OptimisedPictures``."""
        return self._without >= _PATIENCE

    @property
    def bytes(self) -> int:
        """About how much memory it keeps between steps."""
        places = 0 if self._where is None else self._where.places.nbytes
        return self._climber.bytes + places

    @property
    def pictures(self) -> NDArray[np.uint8]:
        """The pictures as they are now, (pictures, height, width, colours)."""
        with torch.no_grad():
            levels = (255 * self._canvas.pictures()).round().clamp(0, 255).byte()
        return levels.permute(0, 2, 3, 1).contiguous().numpy()

    def go_on(self, layers: LayerActivations, seconds: float) -> None:
        """Do steps for so many seconds, one at least, or until finished."""
        until = perf_counter() + seconds
        while not self.finished:
            self.step(layers)
            if perf_counter() >= until:
                return

    def step(self, layers: LayerActivations) -> None:
        """Do one step."""
        if self._where is None:
            self._where = self._placed(layers)
        state = self._random.get_state()
        slope = self._slope(layers)
        if slope is None:  # the same changes again, this time through dead rectifiers
            self._random.set_state(state)
            with redirected(layers, self._layer.rectifiers):
                slope = self._slope(layers)
        self._without = self._without + 1 if slope is None else 0
        if slope is not None:
            self._climber.climb(slope)
            self._canvas.settle()
        self.done += 1

    def reached(self, layers: LayerActivations) -> LayerResponse:
        """Return the layer's response to the pictures as they are shown."""
        if self._where is None:
            self._where = self._placed(layers)
        wish, peaks = [], []
        for picture in torch.from_numpy(self.pictures).permute(0, 3, 1, 2).float() / 255:
            value = self._value(layers, picture[None]).detach().cpu()
            wish.append(measure(self._wish, self._where)(value)[0])
            peaks.append(self._where.maps(value)[0].flatten(1).amax(1))
        return LayerResponse(torch.stack(wish).float().numpy(), torch.stack(peaks).float().numpy())

    def peaks_of(self, layers: LayerActivations, arguments: tuple[Any, ...]) -> NDArray[np.float32]:
        """Return the strongest cell of each channel (channels) for these arguments."""
        if self._where is None:
            self._where = self._placed(layers)
        value = first_value(layers.run(*arguments, until=(self._wish.layer, self._wish.call)))
        return self._where.maps(value.detach().cpu())[0].flatten(1).amax(1).float().numpy()

    def _placed(self, layers: LayerActivations) -> ChannelPlaces:
        with torch.no_grad():
            picture = self._canvas.pictures()[:1]
        value = self._value(layers, picture)
        return placed(
            value,
            self._wish,
            layer_type=self._layer.type,
            size=self._inputs.size,
            arrangement=self._layer.arrangement,
        )

    def _value(self, layers: LayerActivations, pictures: Tensor) -> Tensor:
        """Return the layer's output for pictures (pictures, colours, height, width)."""
        arguments = self._inputs.given(pictures)
        return first_value(layers.run(*arguments, until=(self._wish.layer, self._wish.call)))

    def _slope(self, layers: LayerActivations) -> Tensor | None:
        """Return the direction in which the wish grows; None without one."""
        change = cropped if isinstance(self._canvas, Phases) else moved
        with layers.trace(Graph, self._wish.layer), torch.enable_grad():
            pictures = change(self._canvas.pictures(), self._random)
            value = self._value(layers, pictures)
            grows = self._grows(value)
            if not grows.requires_grad:
                raise LayoutError("no picture can be optimised for this layer: {reason}", reason=NOT_REACHED)
            (slope,) = torch.autograd.grad(grows, self._canvas.parameter)
        sound = torch.nan_to_num(slope, nan=0.0, posinf=0.0, neginf=0.0)
        return sound if bool(sound.any()) else None

    def _grows(self, value: Tensor) -> Tensor:
        assert self._where is not None  # noqa: S101  # step() has seen to it
        wished = score(self._wish, self._where)(value)
        if self._making.count == 1:
            return wished.sum()
        weight = _DIFFERENT * wished.detach().abs().sum()
        return wished.sum() - weight * likeness(self._where.maps(value))
