"""Attribution methods for a class, by their names, with their settings."""

from collections.abc import Hashable
from dataclasses import dataclass

from .inspection import Inspection

METHODS = ("grad-cam", "saliency", "integrated-gradients", "occlusion", "conductance")
OF_LAYERS = ("grad-cam", "conductance")
STEPS = 50  # captum's default
_WINDOWS = 7  # of an occlusion, side by side along the picture's shorter side


@dataclass(frozen=True)
class Method:
    """A method with its settings; those of other methods do nothing.

    Attributes:
        name: one of ``METHODS``.
        steps: of integrated gradients and conductance: into how many the way from the baseline is cut.
        window: of an occlusion: the side of its window in pixels; 0 for a seventh of the picture.
        stride: of an occlusion: how far the window moves, in pixels; 0 for half of the window.
    """

    name: str = METHODS[0]
    steps: int = STEPS
    window: int = 0
    stride: int = 0

    def windows(self, size: tuple[int, int]) -> tuple[int, int]:
        """Return the window's side and stride, in pixels, for a picture's size."""
        window = self.window or max(1, min(size) // _WINDOWS)
        return window, self.stride or max(1, window // 2)


def study_key(method: Method, wanted: Inspection) -> Hashable:
    """Return a study's cache key, with a layer for some methods."""
    of_layer = (wanted.layer, wanted.call) if method.name in OF_LAYERS else ()
    return ("explanation", method, *wanted.run, wanted.gradient, *of_layer)
