"""The smallest and the largest value of a model's layers."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ...engine.limits import check_cost
from ...engine.slices import Sliced
from ...engine.task import Bench
from ...findings.values import LayerValues
from ...maps.colour.wanted import Range
from ...passes.loaded import several
from ...pictures.photo import Photo
from ...profile.cost import GRAPH, pass_cost
from ...request.inspection import Inspection
from ..model_range import ModelRange


def model_range(task: ModelRange, bench: Bench) -> Sliced[Range]:
    """The smallest and the largest finite value of all layers.

    Both are 0 if there is none.
    """
    ranges: list[Range | None] = []
    for values in every_layer(bench, task.wanted, task.photo):
        yield
        ranges.append(value_range(values))
    return _joined(ranges) or (0.0, 0.0)


def value_range(values: LayerValues) -> Range | None:
    """The smallest and the largest finite value of a layer.

    The first tensor of every call counts; None if it has no such value. Complex values count by their
    magnitude, as they are drawn.
    """
    return _joined([_ends(array) for array in _drawn_first(values)])


def _joined(ranges: Sequence[Range | None]) -> Range | None:
    found = [each for each in ranges if each is not None]
    return (min(low for low, _ in found), max(high for _, high in found)) if found else None


def every_layer(bench: Bench, wanted: Inspection, photo: Photo) -> Iterator[LayerValues]:
    """The values of every layer that runs, in execution order.

    No more layers are captured at a time than fit into one pass. Between two of them others may use the
    model.

    Raises:
        TooLargeError: that would take more memory than one request may.
    """
    loaded, at_once = bench.loaded(wanted.model, wanted.weights), bench.limits.whole_pass
    graph = 0 if wanted.gradient is None else GRAPH * loaded.output_bytes
    check_cost(f"all layers of {wanted.model}", graph + pass_cost(loaded.rows, at_once), bench.limits)
    for names in loaded.in_passes(at_once):
        yield from several(loaded, wanted, photo, names).values()


def _drawn_first(values: LayerValues) -> Iterator[NDArray[np.generic]]:
    for call in values.calls:
        leaf = next((leaf for path, leaf in call.items() if path.startswith("output")), None)
        if leaf is not None and not leaf.problem and leaf.array.size:
            yield leaf.array


def _ends(array: NDArray[np.generic]) -> Range | None:
    real = np.abs(array) if array.dtype.kind == "c" else array
    low, high = float(real.min()), float(real.max())
    if np.isfinite(low) and np.isfinite(high):
        return low, high
    finite = real[np.isfinite(real)]
    return (float(finite.min()), float(finite.max())) if finite.size else None
