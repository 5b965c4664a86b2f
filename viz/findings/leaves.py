"""Tensors of a layer's value: the requested one, and all paths."""

from collections.abc import Mapping

from ..errors import LayoutError, RequestError
from ..request.inspection import Inspection
from .values import LayerValues, Leaf


def chosen_leaf(values: LayerValues, wanted: Inspection) -> tuple[str, Leaf]:
    """Return the requested tensor with its path.

    Without a name, it is the first one on the request's side.

    Raises:
        CallError: the layer has no such call.
        LayoutError: there is no tensor, or it holds no numbers that can be drawn.
        RequestError: there is no tensor of that name.
    """
    tensors = values.call(wanted.call)
    side = "inputs" if wanted.of_inputs else "output"
    path = wanted.leaf if wanted.leaf not in ("", "inputs") else _first(tensors, side)
    if path is None:
        if wanted.of_inputs:
            raise LayoutError("{layer} was given no tensor, so there is nothing to draw.", layer=values.layer)
        raise LayoutError("{layer} returned no tensor, so there is nothing to draw.", layer=values.layer)
    if path not in tensors:
        raise RequestError(
            "{layer} returned no {path}; it returned {paths}.",
            layer=values.layer,
            path=repr(path),
            paths=", ".join(tensors),
        )
    if tensors[path].problem:
        raise LayoutError("{layer}: {problem}", layer=values.layer, problem=tensors[path].problem)
    return path, tensors[path]


def leaf_paths(values: LayerValues, wanted: Inspection) -> tuple[str, ...]:
    """Return the paths of this call that can be drawn.

    Inputs are offered before they are captured.
    """
    return (*values.call(wanted.call), *(() if wanted.of_inputs else ("inputs",)))


def _first(tensors: Mapping[str, Leaf], side: str) -> str | None:
    return next((path for path in tensors if path.startswith(side)), None)
