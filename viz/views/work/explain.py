"""Attribution of a class on the picture, by one of several methods."""

from dataclasses import replace
from time import perf_counter

import numpy as np
import torch

from ...engine.limits import check_cost
from ...engine.slices import Sliced
from ...engine.task import Bench
from ...errors import LayoutError
from ...findings.gradcam import check_spatial, real_parts, weights_arrive
from ...maps.layout import arrange
from ...passes.attribution import saliency
from ...passes.class_layer import class_layer
from ...passes.forward import input_size
from ...passes.loaded import LoadedModel
from ...passes.rollout import token_map
from ...passes.studies import (
    SECONDS,
    ConductanceStudy,
    GradientStudy,
    Numbers,
    OcclusionStudy,
    Study,
    only_input,
)
from ...profile.cost import GRAPH
from ...profile.rows import LayerCall
from ...request.arrangement import first_known
from ..classes.explain import ClassLayer, Explain, ExplainInSlices, Explanation


def at_once(task: Explain, bench: Bench) -> Explanation:
    """Grad-CAM, saliency, or attention of all layers."""
    if task.method.name == "grad-cam":
        return _grad_cam(task, bench)
    find = _attention if task.method.kind.attention else _saliency
    found: Explanation = bench.remembered(task.key, lambda: find(task, bench))
    return found


def in_slices(task: ExplainInSlices, bench: Bench) -> Sliced[Explanation]:
    """Take the next steps of a method, and return the values.

    A step is a slice.
    """
    loaded = _loaded(task, bench)
    if task.ready(bench):
        return _so_far(task, bench.answered(task.key), loaded)
    loaded.check_looking(inputs=False, gradients=True)
    went_on = bench.answered(task.key) is None  # a new study begins with a step
    with loaded.as_wanted(task.wanted, task.photo):
        study: Study = bench.remembered(task.key, lambda: _begun(task, loaded))
    kept, until = bench.answered(task.key) is study, perf_counter() + SECONDS
    while not study.finished and not (went_on and kept and perf_counter() >= until):
        yield
        with loaded.as_wanted(task.wanted, task.photo):
            study.go_on(loaded.layers, 0)
        went_on = True
    return _so_far(task, study, loaded)


def class_layer_of(task: ClassLayer, bench: Bench) -> LayerCall:
    """Return the layer's call in which a class is looked for.

    It takes one pass, or a few.
    """
    wanted, loaded = task.wanted, bench.loaded(task.wanted.model, task.wanted.weights)
    check_cost("grad-cam", loaded.graph_bytes(), bench.limits)
    known, arguments = loaded.known(task.photo), loaded.inputs.of(task.photo)
    with loaded.as_wanted(wanted, task.photo):
        return class_layer(
            loaded.layers, arguments, loaded.rows, known, wanted.gradient or 0, bench.limits.capture // GRAPH
        )


def _loaded(task: Explain, bench: Bench) -> LoadedModel:
    loaded = bench.loaded(task.wanted.model, task.wanted.weights)
    check_cost(task.method.name, loaded.graph_bytes(operations=task.method.kind.attention), bench.limits)
    return loaded


def _grad_cam(task: Explain, bench: Bench) -> Explanation:
    values = bench.captured(task.wanted, task.photo, whole=False)
    values.call(task.wanted.call)
    cam = values.cams[task.wanted.call]
    if cam.problem or values.image_size is None:
        raise LayoutError(cam.problem)
    gradient = next(iter(values.calls[task.wanted.call].values()))
    reached = any(
        weights_arrive(
            arrange(
                part,
                layer_type=values.type,
                image_size=values.image_size,
                arrangement=gradient.arrangement,
            ).maps
        )
        for part in real_parts(gradient.array)
    )
    return Explanation(cam.array, values.image_size, lattice=cam.lattice, reached=reached)


def _saliency(task: Explain, bench: Bench) -> Explanation:
    loaded = _loaded(task, bench)
    with loaded.as_wanted(task.wanted, task.photo):
        found = saliency(loaded.layers, loaded.subject, task.photo, task.wanted.gradient or 0)
    return Explanation(found, (found.shape[0], found.shape[1]))


def _attention(task: Explain, bench: Bench) -> Explanation:
    loaded = _loaded(task, bench)
    found = token_map(loaded, task.wanted, task.photo, task.method)
    return Explanation(found.values, input_size(loaded.inputs.of(task.photo)), lattice=found.tokens.lattice)


def _begun(task: Explain, loaded: LoadedModel) -> Study:
    """A study after its first step, which tells how large it is."""
    study = _study(task, only_input(loaded.inputs.of(task.photo)))
    study.go_on(loaded.layers, 0)
    return study


def _study(task: Explain, inputs: torch.Tensor) -> Study:
    wanted, how = task.wanted, task.method
    target = wanted.gradient or 0
    if how.name == "occlusion":
        return OcclusionStudy(inputs, target, *how.windows((inputs.shape[-2], inputs.shape[-1])))
    if how.name == "conductance":
        return ConductanceStudy(inputs, target, how.steps, wanted.layer, wanted.call)
    return GradientStudy(inputs, target, how.steps)


def _so_far(task: Explain, study: Study, loaded: LoadedModel) -> Explanation:
    values, adds_up = study.values, task.method.name != "occlusion"
    gap = float(values.sum()) - study.rise if adds_up and study.finished else None
    found = _placed(task, values, study, loaded)
    return replace(found, done=study.done, total=study.total, rise=study.rise, gap=gap)


def _placed(task: Explain, values: Numbers, study: Study, loaded: LoadedModel) -> Explanation:
    """One number for each place: colours, or channels, together."""
    if task.method.name == "occlusion":
        return Explanation(values.astype(np.float32), study.size)
    if task.method.name == "integrated-gradients":
        return Explanation(np.asarray(values.sum(1)[0], np.float32), study.size)
    layer, known = task.wanted.layer, loaded.known(task.photo)
    kind, sits = loaded.layers.kind(layer), first_known(known, layer, task.wanted.call)
    layout = arrange(values, layer_type=kind, image_size=study.size, arrangement=sits)
    try:
        check_spatial(layout, layer, kind)
    except LayoutError as error:
        raise LayoutError(
            "the conductance of {layer} has no places on the picture; choose a layer with maps, such as "
            "a convolution.",
            layer=layer,
        ) from error
    return Explanation(np.asarray(layout.maps.sum(0), np.float32), study.size, lattice=layout.lattice)
