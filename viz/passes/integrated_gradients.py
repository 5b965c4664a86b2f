"""Integrated gradients: attribution of a class score to inputs or layers.

All of it goes through ``LayerActivations``, so that open edits are in force, those of gradients too. One
input (1, …) of real numbers is given as the model takes it. A class is counted from 0, and its score is the
model's output, without a softmax of ours. A baseline is an input that shows nothing, a number or a tensor in
a shape that broadcasts to the input's; None means 0.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from ..errors import LayoutError, RequestError
from ..hooks.activations import LayerActivations
from ..hooks.records import to_array
from ..hooks.selectors import Selector
from ..hooks.values.structure import tensors_in
from .attribution import NOT_REACHED, Graph, class_score, class_scores


class Attribution(NamedTuple):
    """Attribution of a class score to each number, in the score's units.

    ``gap`` is the sum of ``values`` minus the difference of the scores at the input and at the baseline. It
    would be 0 if the integral were exact: if it is large beside that difference, take more steps. Edits of
    gradients leave a gap that no number of steps closes.

    >>> found = lg.integrated_gradients(layers, images, target=3)
    >>> found.values.shape, abs(found.gap) < 0.1
    ((1, 3, 32, 32), True)
    """

    values: NDArray[np.float32]
    gap: float


class StraightPath(NamedTuple):
    """The straight line from a baseline to an input.

    Both have the input's shape (1, …).
    """

    start: torch.Tensor
    end: torch.Tensor

    def at(self, places: NDArray[np.float64]) -> torch.Tensor:
        """The points (places, …) at places between baseline and input.

        Place 0 is the baseline, and 1 the input.
        """
        return torch.cat([self.start + float(place) * (self.end - self.start) for place in places])

    def points(self, count: int) -> Iterator[torch.Tensor]:
        """The points of a quadrature in turn, each in the input's shape."""
        return (self.at(place[None]) for place in quadrature(count)[0])


def integrated_gradients(
    layers: LayerActivations,
    inputs: torch.Tensor,
    target: int,
    *,
    baseline: torch.Tensor | float | None = None,
    steps: int = 50,
    batch: int = 1,
) -> Attribution:
    """Return the attribution of a class score to the input's numbers.

    It has the input's shape (1, …). It is the mean of the gradient along the straight line from the baseline
    to the input, times their difference. The mean is taken by Gauss-Legendre quadrature, with captum's
    default points and weights.

    Args:
        layers: the model with its edits.
        inputs: one input (1, …).
        target: the class.
        baseline: the line's beginning, a number or a tensor that broadcasts to the input; None means 0.
        steps: the number of points of the line, 1 or more.
        batch: the number of them in one run of the model. More is faster; the model and open edits must then
            treat every row alike.

    Source: Sundararajan et al., "Axiomatic Attribution for Deep Networks", 2017, section 3, equation 1; the
    gap: its proposition 1, completeness.

    Raises:
        LayoutError: the class score does not depend on the input.
        RequestError: the input, baseline, target, steps or batch cannot be used; the message says why.

    >>> lg.integrated_gradients(layers, images, target=3, steps=20, batch=20).values.shape
    (1, 3, 32, 32)
    """
    path = straight_path(inputs, baseline)
    check_count("batch", batch)
    slope = _mean_slope(layers, path, target, steps, batch)
    if slope is None:
        raise LayoutError("the input has no integrated gradients: {reason}", reason=NOT_REACHED)
    return _attribution(layers, path, target, slope * _numbers(path.end - path.start))


def layer_conductance(
    layers: LayerActivations,
    inputs: torch.Tensor,
    layer: Selector,
    target: int,
    *,
    call: int | None = None,
    baseline: torch.Tensor | float | None = None,
    steps: int = 50,
) -> Attribution:
    """Return a class score's attribution to a layer, in its output's shape.

    Along the line from the baseline to the input: the sum over captum's steps, between Gauss-Legendre points,
    of the gradient where one begins times the change of the layer's value, its first tensor.

    Args:
        layers: the model with its edits; those of the layer are in its values.
        inputs: one input (1, …).
        layer: a layer, an operation or, by the empty name, the model.
        target: the class.
        call: the call of the layer, counted from 0; not needed for a layer with only one.
        baseline: the line's beginning, a number or a tensor that broadcasts to the input; None means 0.
        steps: the number of steps along the line, 1 or more; each is one run.

    Source: Dhamdhere et al., "How Important Is a Neuron?", 2018, section 3; as a sum: Shrikumar et al.,
    "Computationally Efficient Measures of Internal Neuron Importance", 2018.

    Raises:
        CallError: the layer has no such call, or several, and ``call`` is not given.
        LayoutError: the layer returns no real numbers, or the class score does not depend on them.
        RequestError: the input, baseline, target or steps cannot be used; the message says why.
        UnknownLayerError: there is no such layer.

    >>> lg.layer_conductance(layers, images, "conv2", target=3, steps=10).values.shape
    (1, 16, 10, 10)
    """
    path = straight_path(inputs, baseline)
    check_count("steps", steps)
    total = _conductance(layers, path.points(steps + 1), layer, call, target)
    return _attribution(layers, path, target, total)


def check_count(name: str, count: int) -> None:
    """Refuse a number of things that is not 1 or more.

    Raises:
        RequestError: it is 0 or negative.
    """
    if count < 1:
        raise RequestError("{name} must be 1 or more, and is {count}.", name=name, count=count)


def filled(value: torch.Tensor | float, inputs: torch.Tensor) -> torch.Tensor:
    """A number or tensor, broadcast to the input's shape, type and device.

    Raises:
        RequestError: the tensor's shape does not fit.
    """
    tensor = torch.as_tensor(value).detach().to(inputs)
    try:
        return tensor.broadcast_to(inputs.shape)
    except RuntimeError as problem:
        raise RequestError(
            "values of the shape {values} do not fit an input of the shape {inputs}.",
            values=str(tuple(tensor.shape)),
            inputs=str(tuple(inputs.shape)),
        ) from problem


def check_one(inputs: torch.Tensor) -> None:
    """Check that inputs are one, (1, …).

    Raises:
        RequestError: they are several, or none.
    """
    if inputs.ndim == 0 or len(inputs) != 1:
        raise RequestError(
            "attribution takes one input at a time, (1, …), and this one has the shape {shape}: give its "
            "rows one by one.",
            shape=str(tuple(inputs.shape)),
        )


def straight_path(inputs: torch.Tensor, baseline: torch.Tensor | float | None) -> StraightPath:
    """The line to one input (1, …) of real numbers.

    Raises:
        RequestError: the input or the baseline cannot be used.
    """
    check_one(inputs)
    if not inputs.is_floating_point():
        raise RequestError(
            "an input of {type} values cannot be approached in small steps: give real numbers.",
            type=str(inputs.dtype).removeprefix("torch."),
        )
    return StraightPath(filled(0.0 if baseline is None else baseline, inputs), inputs.detach())


def quadrature(steps: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Places and weights for a function's mean between 0 and 1.

    The weights' sum is 1.
    """
    check_count("steps", steps)
    places, weights = np.polynomial.legendre.leggauss(steps)
    return (1 + places) / 2, weights / 2


def _mean_slope(
    layers: LayerActivations, path: StraightPath, target: int, steps: int, batch: int
) -> NDArray[np.float64] | None:
    """The mean gradient along the path, in the input's shape, or None."""
    places, weights = quadrature(steps)
    total = None
    with torch.inference_mode(mode=False):
        for first in range(0, steps, batch):
            chunk = slice(first, first + batch)
            slopes = gradient_at(layers, path.at(places[chunk]), target)
            if slopes is not None:
                total = _sum(total, np.tensordot(weights[chunk], slopes, axes=1)[None])
    return total


def gradient_at(layers: LayerActivations, points: torch.Tensor, target: int) -> NDArray[np.float64] | None:
    """The class scores' gradients with respect to the points, or None.

    They have the points' shape; None means that there are none.
    """
    with layers.trace(Graph, ""):
        scores = class_scores(layers.run(points.requires_grad_()), target, len(points))
        if not scores.requires_grad:
            return None
        (found,) = torch.autograd.grad(scores.sum(), points, allow_unused=True)
    return None if found is None else _numbers(found)


def _conductance(
    layers: LayerActivations, points: Iterable[torch.Tensor], layer: Selector, call: int | None, target: int
) -> NDArray[np.float64]:
    """Return the sum over the steps between points."""
    total = None
    with torch.inference_mode(mode=False):
        seen = (at_layer(layers, point, layer, call, target) for point in points)
        for (before, slope), (after, _) in pairwise(seen):
            if slope is not None:
                total = _sum(total, slope * (after - before))
    if total is None:
        raise LayoutError("{layer} has no conductance: {reason}", layer=repr(layer), reason=NOT_REACHED)
    return total


def at_layer(
    layers: LayerActivations, point: torch.Tensor, layer: Selector, call: int | None, target: int
) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
    """Return the layer's output for one point, and the gradient there.

    The gradient is that of the class score, and None if none arrives.
    """
    with layers.capture(layer, gradients=True) as record:
        score = class_score(layers.run(point), target)
        if score.requires_grad:
            score.backward()
        found = record[layer].only if call is None else record[layer][call]
    tensors = tensors_in(found.output)
    if not tensors or not tensors[0].is_floating_point():
        raise LayoutError("{layer} returns no real numbers, so it has no conductance.", layer=repr(layer))
    slope = (found.arrived or {}).get(0)
    return _numbers(tensors[0]), None if slope is None else _numbers(slope)


def rise_along(layers: LayerActivations, path: StraightPath, target: int) -> float:
    """Return the rise of a class's score along a path."""
    start, end = (float(class_score(layers.run(each), target).detach()) for each in path)
    return end - start


def _attribution(
    layers: LayerActivations, path: StraightPath, target: int, values: NDArray[np.float64]
) -> Attribution:
    gap = float(values.sum()) - rise_along(layers, path, target)
    return Attribution(values.astype(np.float32), gap)


def _sum(total: NDArray[np.float64] | None, more: NDArray[np.float64]) -> NDArray[np.float64]:
    return more if total is None else total + more


def _numbers(tensor: torch.Tensor) -> NDArray[np.float64]:
    return to_array(tensor).astype(np.float64)
