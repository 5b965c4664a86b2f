"""Facts for the script of an attribution, computed in a task."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...engine.task import OnePicture
from ...errors import RequestError
from ...findings.values import LayerValues
from ...request.arrangement import Arrangement
from ...request.inspection import Inspection
from ...request.method import METHODS, Method

Values: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True)
class AttributionFacts:
    """Facts from an engine for the script of an attribution.

    Attributes:
        values: what the method makes, in the shape that its function says.
        inputs: the shape of what the model is given (1, …).
        dtype: the type of the numbers that it is given.
        device: where it ran.
        fused: whether the model has attention that passes by its layers unless it is told not to.
        layer: of a method that looks at a layer, what is drawn as the layer's values would be: its gradients
            for Grad-CAM, its conductance.
        overwritten: whether that layer writes into what it is given.
        misread: whether PyTorch alone misreads a gradient at a norm on the way.
        tokens: of a method of attention, the arrangement of one number a token.
    """

    values: Values = field(repr=False)
    inputs: tuple[int, ...]
    dtype: str
    device: str
    fused: bool
    layer: LayerValues | None = field(default=None, repr=False)
    overwritten: bool = False
    misread: bool = False
    tokens: Arrangement | None = None

    @property
    def bytes(self) -> int:
        """The memory that the arrays take."""
        return self.values.nbytes + (self.layer.bytes if self.layer else 0)


@dataclass(frozen=True)
class Attribute(OnePicture[AttributionFacts]):
    """The task of computing an attribution for a class's score.

    The class is ``wanted.gradient``.
    """

    done_by = "script.attribution.work:attribution"
    method: Method = field(default_factory=Method)

    @property
    def key(self) -> Hashable:
        """See ``viz.engine.task.Task``."""
        wanted = self.wanted
        return ("attribution", self.method, *wanted.run, wanted.layer, wanted.call, wanted.gradient)

    @property
    def target(self) -> int:
        """The class."""
        return target_of(self.method.name, self.wanted)


def target_of(method: str, wanted: Inspection) -> int:
    """Return the class that a method is to be about.

    Raises:
        RequestError: there is no such method, or no class is wanted.
    """
    if method not in METHODS or wanted.gradient is None:
        raise RequestError("choose a class, and one of these methods: {methods}.", methods=", ".join(METHODS))
    return wanted.gradient
