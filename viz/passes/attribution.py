"""Gradients of one class score with respect to layers or the picture."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ..errors import LayoutError, RequestError, VizError
from ..findings.gradcam import check_spatial, grad_cam, real_parts
from ..findings.output_meaning import output_meaning
from ..findings.values import LayerValues, Leaf
from ..hooks.activations import LayerActivations
from ..hooks.records import Call, LayerRecord, gradients_by_path, leaves, to_array
from ..hooks.taps import Tap
from ..hooks.values.structure import map_tensors
from ..maps.layout import Layout, arrange
from ..pictures.photo import Photo
from ..pictures.subject import Subject
from ..profile.rows import LayerRow
from ..request.arrangement import NOTHING_KNOWN, Arrangement, Arrangements
from ..sentences import Sentence
from .class_scores import class_rows
from .forward import input_size, plain_leaf

NOT_REACHED = Sentence("no gradient arrives here, because the class score does not depend on this value.")


class Graph(Tap):
    """Has autograd record the run, and changes nothing."""

    needs_graph = True


def capture_gradients(
    layers: LayerActivations,
    subject: Subject,
    arguments: tuple[Any, ...],
    names: Iterable[str],
    target: int,
    *,
    inputs: bool = False,
    known: Arrangements = NOTHING_KNOWN,
    rows: Sequence[LayerRow] = (),
) -> dict[str, LayerValues]:
    """The gradients of a class score with respect to layers' outputs.

    They have the outputs' shapes. One forward and one backward pass serve all of them. Every call has its own
    gradient, and a Grad-CAM. The class ``target`` is counted from 0; its score is the model's output, without
    a softmax of ours. With ``inputs`` there are also the gradients with respect to the layers' inputs,
    through each call alone. ``known`` is what is known of the values' layouts, which gradients share;
    ``rows``, the model's survey, tells what its output means.

    Raises:
        RequestError: the model does not end in one score per class, or has no such class.
    """
    wanted = tuple(names)
    plain = LayerValues("", "", str(layers.device), (), input_size(arguments))
    with layers.capture(*wanted, inputs=inputs, gradients=True) as record:
        output = layers.run(*arguments)
        score = class_score(output, target)
        if score.requires_grad:  # otherwise the score depends on no captured layer
            score.backward()
        plain = replace(plain, score_of=_score_name(subject, target, output, rows))
        return {name: _gradients(layers, record[name], name, plain, known) for name in wanted}


def saliency(layers: LayerActivations, subject: Subject, photo: Photo, target: int) -> NDArray[np.float32]:
    """Return each input pixel's saliency for a class score, (height, width).

    It is the magnitude of gradient × input, the largest of the colours.

    Source: Shrikumar et al., "Not Just a Black Box: Learning Important Features Through Propagating
    Activation Differences", 2016, section 2; the largest of the colours: Simonyan et al., "Deep Inside
    Convolutional Networks", 2013, section 3.1.

    Raises:
        LayoutError: the input is not a picture (1, colours, height, width), or does not affect the score.
        RequestError: the model does not end in one score per class, or has no such class.
    """
    given: list[torch.Tensor] = []

    def follow(tensor: torch.Tensor) -> torch.Tensor:
        if not tensor.is_floating_point():
            return tensor
        given.append(tensor.detach().clone().requires_grad_())
        return given[-1].clone()  # the model may write to it

    with layers.trace(Graph):
        with torch.enable_grad():
            arguments = map_tensors(subject.arguments(photo.image), follow)
        score = class_score(layers.run(*arguments), target)
        picture = _picture(given)
        counts = _gradient(score, picture) * picture.detach()
    return np.asarray(plain_leaf(counts.abs().amax(1)[0]).array, np.float32)


def class_score(output: Any, target: int) -> torch.Tensor:
    """The score of one class, without axes, in the autograd graph.

    Raises:
        RequestError: the output is not one score for each class (1, classes), or has no such class.
    """
    with torch.enable_grad():  # also where the caller has switched it off
        return class_scores(output, target, 1)[0]


def class_scores(output: Any, target: int, rows: int) -> torch.Tensor:
    """The scores of one class (rows,) in the autograd graph.

    The inputs went through the model together.

    Raises:
        RequestError: the output is not one score for each class (rows, classes), or has no such class.
    """
    scores = all_scores(output, rows)
    if not 0 <= target < scores.shape[1]:
        raise RequestError(
            "there is no class {number}: this model has classes 0 to {last}.",
            number=target,
            last=scores.shape[1] - 1,
        )
    with torch.enable_grad():
        return scores[:, target]


def all_scores(output: Any, rows: int) -> torch.Tensor:
    """The scores of all classes (rows, classes), in the autograd graph.

    Raises:
        RequestError: the output is not one score for each class.
    """
    with torch.enable_grad():  # also where the caller has switched it off
        scores = class_rows(output, rows)
    if scores is None:
        raise RequestError(
            "this model does not end in one score per class, so there is no class to explain; choose a "
            "classification model."
        )
    return scores


def _score_name(subject: Subject, target: int, output: Any, rows: Sequence[LayerRow]) -> str:
    """A class and its score in words, by the output's meaning: ``class 'tabby cat' (logit 12.3)``."""
    scores = class_rows(output, 1)
    numbers = np.zeros(0) if scores is None else to_array(scores)[0]
    label = repr(subject.classes[target]) if target < len(subject.classes) else str(target)
    said = {"label": label, "number": f"{numbers[target]:.4g}".replace("-", "−")}
    match subject.output or output_meaning(numbers, rows):
        case "probabilities" | "labels":
            return Sentence("class {label} (probability {number})", **said)
        case "log-probabilities":
            return Sentence("class {label} (log-probability {number})", **said)
        case "number":
            return Sentence("class {label} ({number})", **said)
    return Sentence("class {label} (logit {number})", **said)


def _picture(given: list[torch.Tensor]) -> torch.Tensor:
    if not given or given[0].ndim != 4 or len(given[0]) != 1:  # noqa: PLR2004  (N, C, H, W)
        raise LayoutError(
            "this model is not given one picture (1, colours, height, width): it has no saliency."
        )
    return given[0]


def _gradient(score: torch.Tensor, picture: torch.Tensor) -> torch.Tensor:
    found = torch.autograd.grad(score, picture, allow_unused=True)[0] if score.requires_grad else None
    if found is None:
        raise LayoutError("the picture has no saliency: {reason}", reason=NOT_REACHED)
    return found


def _gradients(
    layers: LayerActivations, record: LayerRecord, name: str, plain: LayerValues, known: Arrangements
) -> LayerValues:
    """One layer's gradients, and the Grad-CAM of every call."""
    calls = tuple(_of_call(call, known.get((name, n), {})) for n, call in enumerate(record))
    values = replace(plain, layer=name, type=layers.kind(name), calls=calls)
    return replace(values, cams=tuple(_cam(call, values, n) for n, call in enumerate(record)))


def _of_call(call: Call, known: Mapping[str, Arrangement | None]) -> dict[str, Leaf]:
    """The gradients of every tensor that the call returned or was given."""
    values, found = leaves(call.output) | leaves(call.inputs, "inputs"), gradients_by_path(call)
    arrived = {path: _leaf(value, found.get(path)) for path, value in values.items()}
    return {path: replace(leaf, arrangement=known.get(path)) for path, leaf in arrived.items()}


def _leaf(tensor: torch.Tensor, gradient: torch.Tensor | None) -> Leaf:
    """The gradient, or why there is none."""
    if gradient is not None:
        return plain_leaf(gradient)
    dtype = str(tensor.dtype).removeprefix("torch.")
    numbers = tensor.is_floating_point() or tensor.is_complex()
    no_numbers = Sentence(
        "{type} values have no gradient; only real and complex numbers have one.", type=dtype
    )
    return Leaf(np.empty(0, np.float32), dtype, NOT_REACHED if numbers else no_numbers)


def _cam(call: Call, values: LayerValues, place: int) -> Leaf:
    """The Grad-CAM of the call's first tensor, or why there is none."""
    try:
        tensors = leaves(call.output)
        if not tensors:
            raise LayoutError("{layer} returned no tensor, so it has no Grad-CAM.", layer=values.layer)
        path, returned = next(iter(tensors.items()))
        arrived = values.calls[place][path]
        if arrived.problem:
            raise LayoutError("{layer}: {problem}", layer=values.layer, problem=arrived.problem)
        first = _maps(real_parts(plain_leaf(returned).array)[0], values, arrived.arrangement)
        check_spatial(first, values.layer, values.type)
        maps, gradient = (
            np.concatenate([_maps(part, values, arrived.arrangement).maps for part in real_parts(array)])
            for array in (plain_leaf(returned).array, arrived.array)
        )
        return Leaf(grad_cam(maps, gradient), "float32", lattice=first.lattice)
    except VizError as error:
        return Leaf(np.empty(0, np.float32), "float32", str(error))


def _maps(array: NDArray[Any], values: LayerValues, arrangement: Arrangement | None) -> Layout:
    return arrange(array, layer_type=values.type, image_size=values.image_size, arrangement=arrangement)
