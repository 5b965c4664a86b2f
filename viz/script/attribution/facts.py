"""What the script of an attribution must know: what the service computes, in a task of its own."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from ...engine.limits import check_cost
from ...engine.task import Bench, OnePicture
from ...errors import LayoutError, RequestError
from ...findings.leaves import chosen_leaf
from ...findings.values import LayerValues, Leaf
from ...passes.attribution import saliency
from ...passes.integrated_gradients import integrated_gradients, layer_conductance
from ...passes.loaded import Loaded
from ...passes.occlusion import occlusion
from ...passes.studies import Study, only_input, study_key
from ...profile.cost import GRAPH
from ...request.inspection import Inspection
from ...request.method import METHODS, Method
from ..script_facts import has_fused_attention

Values: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True)
class AttributionFacts:
    """What an engine tells the script of an attribution.

    Attributes:
        values: what the method makes, in the shape that its function says.
        inputs: the shape of what the model is given (1, …).
        dtype: the type of the numbers that it is given.
        device: where it ran.
        fused: whether the model has attention that passes by its layers unless it is told not to.
        layer: of a method that looks at a layer, what is drawn as the layer's values would be: its gradients
            for Grad-CAM, its conductance.
    """

    values: Values = field(repr=False)
    inputs: tuple[int, ...]
    dtype: str
    device: str
    fused: bool
    layer: LayerValues | None = field(default=None, repr=False)

    @property
    def bytes(self) -> int:
        """The memory that the arrays take."""
        return self.values.nbytes + (self.layer.bytes if self.layer else 0)


@dataclass(frozen=True)
class Attribute(OnePicture):
    """The task of computing what counts for the score of the class ``wanted.gradient``."""

    method: Method = field(default_factory=Method)

    @property
    def key(self) -> Hashable:
        """See ``viz.engine.task.Task``."""
        wanted = self.wanted
        return ("attribution", self.method, *wanted.run, wanted.layer, wanted.call, wanted.gradient)

    def _found(self, bench: Bench, loaded: Loaded, inputs: torch.Tensor) -> Values:
        """What the method makes; if a visitor's study has come to its end, that is what it made."""
        study = bench.answered(study_key(self.method, self.wanted))
        if isinstance(study, Study) and study.finished:
            return study.values.astype(np.float32)
        with loaded.as_wanted(self.wanted, self.photo):
            return _FUNCTIONS[self.method.name](self, loaded, inputs)

    @property
    def target(self) -> int:
        """The class."""
        return target_of(self.method.name, self.wanted)

    def work(self, bench: Bench) -> AttributionFacts:
        """See ``viz.engine.task.Task``; the functions of the methods say what else is raised.

        Raises:
            LayoutError: the model is not given one picture.
            RequestError: there is no such method, or no class.
            TooLargeError: it would take more memory than one request may.
        """
        wanted = self.wanted
        _ = self.target  # refused before any work
        loaded = bench.loaded(wanted.model, wanted.weights)
        check_cost(self.method.name, GRAPH * loaded.output_bytes, bench.limits)
        inputs = only_input(loaded.subject.arguments(self.photo.image))
        plain = AttributionFacts(
            np.empty(0, np.float32),
            tuple(inputs.shape),
            str(inputs.dtype).removeprefix("torch."),
            str(loaded.layers.device),
            has_fused_attention(loaded.layers.model),
        )
        if self.method.name == "grad-cam":
            return _grad_cam(plain, bench.captured(wanted, self.photo, whole=False), wanted)
        found = self._found(bench, loaded, inputs)
        if self.method.name == "conductance":
            shown = bench.captured(wanted.forward, self.photo, whole=False)
            return replace(plain, values=found, layer=_in_place(shown, found, wanted))
        return replace(plain, values=found)


def target_of(method: str, wanted: Inspection) -> int:
    """Return the class that a method is to be about.

    Raises:
        RequestError: there is no such method, or no class is wanted.
    """
    if method not in METHODS or wanted.gradient is None:
        raise RequestError("choose a class, and one of these methods: {methods}.", methods=", ".join(METHODS))
    return wanted.gradient


def _grad_cam(plain: AttributionFacts, values: LayerValues, wanted: Inspection) -> AttributionFacts:
    values.call(wanted.call)
    cam = values.cams[wanted.call]
    if cam.problem:
        raise LayoutError(cam.problem)
    return replace(plain, values=cam.array, layer=replace(values, score_of=""))


def _in_place(shown: LayerValues, found: Values, wanted: Inspection) -> LayerValues:
    """What is shown of a layer, with what was found for its first tensor in that tensor's place."""
    path, leaf = chosen_leaf(shown, wanted)
    calls = list(shown.calls)
    calls[wanted.call] = {path: Leaf(found, "float32", arrangement=leaf.arrangement)}
    return replace(shown, calls=tuple(calls))


def _saliency(asked: Attribute, loaded: Loaded, _: torch.Tensor) -> Values:
    return saliency(loaded.layers, loaded.subject, asked.photo, asked.target)


def _integrated(asked: Attribute, loaded: Loaded, inputs: torch.Tensor) -> Values:
    return integrated_gradients(loaded.layers, inputs, asked.target, steps=asked.method.steps).values


def _occlusion(asked: Attribute, loaded: Loaded, inputs: torch.Tensor) -> Values:
    window, stride = asked.method.windows((inputs.shape[-2], inputs.shape[-1]))
    return occlusion(loaded.layers, inputs, asked.target, window=window, stride=stride)


def _conductance(asked: Attribute, loaded: Loaded, inputs: torch.Tensor) -> Values:
    wanted, steps = asked.wanted, asked.method.steps
    found = layer_conductance(
        loaded.layers, inputs, wanted.layer, asked.target, call=wanted.call, steps=steps
    )
    return found.values


_FUNCTIONS: dict[str, Callable[[Attribute, Loaded, torch.Tensor], Values]] = {
    "saliency": _saliency,
    "integrated-gradients": _integrated,
    "occlusion": _occlusion,
    "conductance": _conductance,
}
