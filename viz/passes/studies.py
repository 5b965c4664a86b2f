"""Attribution of a class in slices, with values and progress after each.

Between two slices others may use the model: whoever calls ``go_on`` opens edits and modes anew, and a study
keeps nothing but arrays. Each step is one run of one picture: on a processor a batch takes no less time for
each row (EfficientNet-Lite0: 30 ms alone, 38 ms in a batch of 8), and not every model treats rows alike.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from time import perf_counter
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ..errors import LayoutError, RequestError
from ..hooks.activations import LayerActivations
from .attribution import NOT_REACHED, class_score
from .integrated_gradients import (
    at_layer,
    check_count,
    gradient_at,
    quadrature,
    rise_along,
    straight_path,
)
from .occlusion import one_picture, score_without, spans

SECONDS = 0.3  # that one slice may take, beyond the step that it has begun
MOST_STEPS = 5000  # of one study: beyond, a visitor would wait for many minutes
Numbers = NDArray[np.float64]


class Study(ABC):
    """A sum over steps, each of them one run of the model.

    Attributes:
        target: the class.
        total: how many steps there are.
        done: how many are behind us.
        size: (height, width) of what the model is given.
        rise: the score of the class for the picture; minus that of the baseline, where there is one.
    """

    def __init__(self, inputs: torch.Tensor, target: int, total: int) -> None:
        if total > MOST_STEPS:
            raise RequestError(
                "this would take {count} runs of the model, more than the {most} that one question may take "
                "here; choose a larger stride or fewer steps.",
                count=total,
                most=MOST_STEPS,
            )
        self.target, self.total, self.done = target, total, 0
        self.size: tuple[int, int] = (inputs.shape[-2], inputs.shape[-1])
        self.rise = 0.0

    @property
    def finished(self) -> bool:
        """True if no step is left."""
        return self.done >= self.total

    @property
    @abstractmethod
    def bytes(self) -> int:
        """Approximate memory that its arrays take."""

    @property
    @abstractmethod
    def values(self) -> Numbers:
        """Values so far, in the form of the method's function."""

    @abstractmethod
    def step(self, layers: LayerActivations) -> None:
        """Do the step number ``done``."""

    def go_on(self, layers: LayerActivations, seconds: float) -> None:
        """Do steps for so many seconds: at least one, if any remains."""
        until = perf_counter() + seconds
        while not self.finished:
            self.step(layers)
            self.done += 1
            if perf_counter() >= until:
                return


class GradientStudy(Study):
    """Integrated gradients from zeros: ``values`` (1, …) in the input's shape."""

    def __init__(self, inputs: torch.Tensor, target: int, steps: int) -> None:
        super().__init__(inputs, target, steps)
        self._path, (self._places, self._weights) = straight_path(inputs, None), quadrature(steps)
        self._slope: Numbers | None = None
        self._weight = 0.0

    @property
    def bytes(self) -> int:
        """See ``Study``."""
        return 8 * 3 * self._path.end.numel()

    @property
    def values(self) -> Numbers:
        """See ``Study``; before the end, of the path so far."""
        way = (self._path.end - self._path.start).double().cpu().numpy()
        slope = np.zeros_like(way) if self._slope is None else self._slope / (self._weight or 1.0)
        return np.asarray(slope * way)

    def step(self, layers: LayerActivations) -> None:
        """See ``Study``."""
        if self.done == 0:
            self.rise = rise_along(layers, self._path, self.target)
        weight = self._weights[self.done]
        found = gradient_at(layers, self._path.at(self._places[self.done, None]), self.target)
        if found is not None:
            more = weight * found
            self._slope = more if self._slope is None else self._slope + more
        self._weight += float(weight)
        if self.done == self.total - 1:
            self._weight = 1.0  # all of the way, whatever the sum of the weights is rounded to
            if self._slope is None:
                raise LayoutError("the input has no integrated gradients: {reason}", reason=NOT_REACHED)


class ConductanceStudy(Study):
    """Layer conductance from zeros: ``values`` in the shape of the layer's output."""

    def __init__(self, inputs: torch.Tensor, target: int, steps: int, layer: str, call: int) -> None:
        check_count("steps", steps)
        super().__init__(inputs, target, steps + 1)
        self._path, self._places = straight_path(inputs, None), quadrature(steps + 1)[0]
        self._layer, self._call = layer, call
        self._before: tuple[Numbers, Numbers | None] | None = None
        self._sum: Numbers | None = None

    @property
    def bytes(self) -> int:
        """See ``Study``; those of a layer are known once it has run."""
        seen = 0 if self._before is None else self._before[0].nbytes
        return 8 * self._path.end.numel() + 3 * seen

    @property
    def values(self) -> Numbers:
        """See ``Study``; zeros until the first gradient."""
        if self._sum is not None:
            return self._sum
        return np.zeros_like(self._before[0]) if self._before else np.zeros((1, 1, 1, 1))

    def step(self, layers: LayerActivations) -> None:
        """See ``Study``."""
        if self.done == 0:
            self.rise = rise_along(layers, self._path, self.target)
        point = self._path.at(self._places[self.done, None])
        found = at_layer(layers, point, self._layer, self._call, self.target)
        before, self._before = self._before, found
        if before and before[1] is not None:
            more = before[1] * (found[0] - before[0])
            self._sum = more if self._sum is None else self._sum + more
        if self.done == self.total - 1 and self._sum is None:
            raise LayoutError(
                "{layer} has no conductance: {reason}", layer=repr(self._layer), reason=NOT_REACHED
            )


class OcclusionStudy(Study):
    """Occlusion by zeros: ``values`` (height, width), 0 where no window was."""

    def __init__(self, inputs: torch.Tensor, target: int, window: int, stride: int) -> None:
        self._picture = one_picture(inputs)
        rows, columns = (spans(side, window, stride) for side in self._picture.shape[2:])
        super().__init__(inputs, target, len(rows) * len(columns))
        self._windows: Sequence[tuple[slice, slice]] = [(row, column) for row in rows for column in columns]
        self._falls, self._times = np.zeros(self.size), np.zeros(self.size)

    @property
    def bytes(self) -> int:
        """See ``Study``."""
        return 2 * self._falls.nbytes + 4 * self._picture.numel()

    @property
    def values(self) -> Numbers:
        """See ``Study``."""
        return np.asarray(self._falls / np.maximum(self._times, 1))

    def step(self, layers: LayerActivations) -> None:
        """See ``Study``."""
        if self.done == 0:
            self.rise = float(class_score(layers.run(self._picture), self.target).detach())
        place = self._windows[self.done]
        self._falls[place] += self.rise - score_without(layers, self._picture, place, self.target)
        self._times[place] += 1


def only_input(arguments: tuple[Any, ...]) -> torch.Tensor:
    """Return the argument of a model, if that is one tensor.

    Raises:
        LayoutError: it is given something else.
    """
    if len(arguments) != 1 or not isinstance(arguments[0], torch.Tensor):
        raise LayoutError(
            "what counts for a class is told only of models that are given one tensor; choose another model."
        )
    return arguments[0]
