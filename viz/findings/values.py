"""Outputs of layers, as plain arrays."""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import CallError
from ..request.arrangement import Arrangement, Lattice
from ..sentences import counted


@dataclass(frozen=True)
class Leaf:
    """One tensor that a layer returned.

    Attributes:
        array: its values; half precision widened to float32, because NumPy has no bfloat16.
        dtype: the tensor's own dtype, such as ``"bfloat16"``.
        problem: why the values cannot be shown as an array; then ``array`` is empty.
        arrangement: where the values sit on the picture, if that is known.
        lattice: of a Grad-CAM, where its cells are centred on the picture, if that is known.
    """

    array: np.ndarray
    dtype: str
    problem: str = ""
    arrangement: Arrangement | None = None
    lattice: Lattice | None = None


@dataclass(frozen=True)
class LayerValues:
    """One layer's outputs, and its inputs if captured, for each call.

    ``calls`` holds each call's tensors by their path.

    ``image_size`` is the model input's (height, width) in pixels, which tells the shape of a grid of tokens.

    For gradients, ``score_of`` names their score, as ``"class 'tabby cat' (logit 12.3)"``; it is empty for
    the values themselves. ``cams`` then has a map (height, width) for each call: see ``viz.passes.gradcam``.
    """

    layer: str
    type: str
    device: str
    calls: tuple[dict[str, Leaf], ...]
    image_size: tuple[int, int] | None = None
    score_of: str = ""
    cams: tuple[Leaf, ...] = ()

    @property
    def memory(self) -> dict[Hashable, int]:
        """Bytes of each piece of memory that the arrays take.

        Other layers' values may share some.
        """
        arrays = [leaf.array for call in self.calls for leaf in call.values()]
        arrays += [cam.array for cam in self.cams]
        pieces: dict[Hashable, int] = {
            (array.__array_interface__["data"][0], array.nbytes): array.nbytes for array in arrays
        }
        return pieces or {id(self): 1}

    @property
    def bytes(self) -> int:
        """Memory that the arrays take."""
        return sum(self.memory.values())

    def call(self, index: int) -> dict[str, Leaf]:
        """The tensors of one call.

        Raises:
            CallError: the layer did not run that often.
        """
        if 0 <= index < len(self.calls):
            return self.calls[index]
        asked = {"layer": self.layer, "call": index + 1}
        if not self.calls:
            raise CallError("{layer} has no output for this input, so there is no call {call}.", **asked)
        raise CallError(
            counted(
                "{layer} ran once for this input, so there is no call {call}.",
                "{layer} ran {count} times for this input, so there is no call {call}.",
                count=len(self.calls),
                **asked,
            )
        )


def softmax(scores: NDArray[np.generic]) -> NDArray[np.float64]:
    """Probabilities (classes,) of scores (classes,), in float64.

    Source: Goodfellow, Bengio, Courville, Deep Learning (2016), section 4.1: the maximum is subtracted first,
    so that nothing overflows.
    """
    shifted: NDArray[np.float64] = np.exp(scores.astype(np.float64) - np.max(scores))
    probabilities: NDArray[np.float64] = shifted / shifted.sum()
    return probabilities
