"""One scale for a whole model: from the smallest to the largest value that any of its layers returns."""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..engine.limits import check_cost
from ..engine.task import Bench, OnePicture
from ..findings.values import LayerValues
from ..maps.colouring import Range
from ..passes.loaded import several
from ..pictures.photo import Photo
from ..profile.cost import GRAPH, pass_cost
from ..request.inspection import Inspection


@dataclass(frozen=True)
class ModelRange(OnePicture):
    """The task of finding the (smallest, largest) finite value of all layers, every call of each.

    It takes a pass in which every layer is recorded, so the answer is kept.
    """

    @property
    def key(self) -> Hashable:
        """One key for all layers and all ways of drawing them."""
        return ("range", *self.wanted.run, self.wanted.gradient, self.wanted.show == "difference")

    def work(self, bench: Bench) -> Range:
        """See ``Task``."""
        answer: Range = bench.remembered(
            self.key, lambda: value_range(every_layer(bench, self.wanted, self.photo))
        )
        return answer


def value_range(layers: Iterable[LayerValues]) -> Range:
    """The smallest and the largest finite value of the first tensor of every call; 0 and 0 if there is none.

    Complex values count by their magnitude, as they are drawn.
    """
    ends = [_ends(array) for values in layers for array in _drawn_first(values)]
    found = [end for end in ends if end is not None]
    return (min(low for low, _ in found), max(high for _, high in found)) if found else (0.0, 0.0)


def every_layer(bench: Bench, wanted: Inspection, photo: Photo) -> Iterator[LayerValues]:
    """The values of every layer that runs, in execution order; at a time, no more than fit into one pass.

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
