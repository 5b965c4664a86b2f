"""Attribution methods for a class, by their names, with their settings."""

from collections.abc import Hashable
from dataclasses import dataclass

from .inspection import Inspection


@dataclass(frozen=True)
class MethodKind:
    """Properties of an attribution method.

    Attributes:
        of_layer: whether it looks at a layer.
        sliced: whether it takes many runs, and so is asked in slices.
        steps: whether it goes from a baseline to the picture in steps.
        signed: whether its numbers below 0 count against the class; else there are none.
        attention: whether it needs attention among all places.
    """

    of_layer: bool = False
    sliced: bool = False
    steps: bool = False
    signed: bool = False
    attention: bool = False


KINDS = {
    "grad-cam": MethodKind(of_layer=True),
    "saliency": MethodKind(),
    "integrated-gradients": MethodKind(sliced=True, steps=True, signed=True),
    "occlusion": MethodKind(sliced=True, signed=True),
    "conductance": MethodKind(of_layer=True, sliced=True, steps=True, signed=True),
    "attention-rollout": MethodKind(attention=True),
    "attention-relevance": MethodKind(attention=True),
}
METHODS = tuple(KINDS)
OF_LAYERS = tuple(name for name, kind in KINDS.items() if kind.of_layer)
OF_ATTENTION = tuple(name for name, kind in KINDS.items() if kind.attention)
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

    @property
    def kind(self) -> MethodKind:
        """The method's properties."""
        return KINDS[self.name]

    def windows(self, size: tuple[int, int]) -> tuple[int, int]:
        """Return the window's side and stride, in pixels, for a picture's size."""
        window = self.window or max(1, min(size) // _WINDOWS)
        return window, self.stride or max(1, window // 2)


def study_key(method: Method, wanted: Inspection) -> Hashable:
    """Return a study's cache key, with a layer for some methods."""
    of_layer = (wanted.layer, wanted.call) if method.kind.of_layer else ()
    return ("explanation", method, *wanted.run, wanted.gradient, *of_layer)
