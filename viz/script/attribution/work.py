"""An engine's work for the script of an attribution."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import torch

from ...engine.limits import check_cost
from ...engine.task import Bench
from ...errors import LayoutError
from ...findings.leaves import chosen_leaf
from ...findings.values import LayerValues, Leaf
from ...passes.attribution import saliency
from ...passes.integrated_gradients import integrated_gradients, layer_conductance
from ...passes.loaded import LoadedModel
from ...passes.occlusion import occlusion
from ...passes.rollout import token_map
from ...passes.studies import Study, only_input
from ...request.inspection import Inspection
from ...request.method import study_key
from ..work import has_fused_attention, is_overwritten, meets_misread_norms
from .facts import Attribute, AttributionFacts, Values


def attribution(task: Attribute, bench: Bench) -> AttributionFacts:
    """Compute the method's attribution and the facts for its script.

    It raises the errors of the method's function, too.

    Raises:
        LayoutError: the model is not given one picture.
        RequestError: there is no such method, or no class.
        TooLargeError: it would take more memory than one request may.
    """
    wanted = task.wanted
    _ = task.target  # refused before any work
    loaded = bench.loaded(wanted.model, wanted.weights)
    check_cost(task.method.name, loaded.graph_bytes(operations=task.method.kind.attention), bench.limits)
    inputs = only_input(loaded.inputs.of(task.photo))
    of_layer = task.method.kind.of_layer
    plain = AttributionFacts(
        np.empty(0, np.float32),
        tuple(inputs.shape),
        str(inputs.dtype).removeprefix("torch."),
        str(loaded.layers.device),
        has_fused_attention(loaded.layers.model),
        overwritten=of_layer and is_overwritten(loaded.layers, (inputs,), wanted),
        misread=meets_misread_norms(loaded.layers, (inputs,), wanted, wanted.layer if of_layer else ""),
    )
    if task.method.kind.attention:
        there = token_map(loaded, wanted, task.photo, task.method)
        return replace(plain, values=there.values, tokens=there.tokens)
    if task.method.name == "grad-cam":
        return _grad_cam(plain, bench.captured(wanted, task.photo, whole=False), wanted)
    found = _found(task, bench, loaded, inputs)
    if task.method.name == "conductance":
        shown = bench.captured(wanted.forward, task.photo, whole=False)
        return replace(plain, values=found, layer=_in_place(shown, found, wanted))
    return replace(plain, values=found)


def _found(task: Attribute, bench: Bench, loaded: LoadedModel, inputs: torch.Tensor) -> Values:
    """Compute the method's attribution, or take it from a visitor's finished study."""
    study = bench.answered(study_key(task.method, task.wanted))
    if isinstance(study, Study) and study.finished:
        return study.values.astype(np.float32)
    with loaded.as_wanted(task.wanted, task.photo):
        return _FUNCTIONS[task.method.name](task, loaded, inputs)


def _grad_cam(plain: AttributionFacts, values: LayerValues, wanted: Inspection) -> AttributionFacts:
    values.call(wanted.call)
    cam = values.cams[wanted.call]
    if cam.problem:
        raise LayoutError(cam.problem)
    return replace(plain, values=cam.array, layer=replace(values, score_of=""))


def _in_place(shown: LayerValues, found: Values, wanted: Inspection) -> LayerValues:
    """Return a layer's values with the attribution as the chosen tensor."""
    path, leaf = chosen_leaf(shown, wanted)
    calls = list(shown.calls)
    calls[wanted.call] = {path: Leaf(found, "float32", arrangement=leaf.arrangement)}
    return replace(shown, calls=tuple(calls))


def _saliency(asked: Attribute, loaded: LoadedModel, _: torch.Tensor) -> Values:
    return saliency(loaded.layers, loaded.subject, asked.photo, asked.target)


def _integrated(asked: Attribute, loaded: LoadedModel, inputs: torch.Tensor) -> Values:
    return integrated_gradients(loaded.layers, inputs, asked.target, steps=asked.method.steps).values


def _occlusion(asked: Attribute, loaded: LoadedModel, inputs: torch.Tensor) -> Values:
    window, stride = asked.method.windows((inputs.shape[-2], inputs.shape[-1]))
    return occlusion(loaded.layers, inputs, asked.target, window=window, stride=stride)


def _conductance(asked: Attribute, loaded: LoadedModel, inputs: torch.Tensor) -> Values:
    wanted, steps = asked.wanted, asked.method.steps
    found = layer_conductance(
        loaded.layers, inputs, wanted.layer, asked.target, call=wanted.call, steps=steps
    )
    return found.values


_FUNCTIONS: dict[str, Callable[[Attribute, LoadedModel, torch.Tensor], Values]] = {
    "saliency": _saliency,
    "integrated-gradients": _integrated,
    "occlusion": _occlusion,
    "conductance": _conductance,
}
