"""viz/script/attribution/facts.py: the task says what the functions of the service say, and by hand."""

import dataclasses
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from tests.viz.subjects import CLASSES, Counting, photo, prepare, subject, wanted
from viz.engine.limits import Limits
from viz.errors import LayoutError, RequestError, TooLargeError
from viz.hooks.activations import LayerActivations
from viz.passes.integrated_gradients import layer_conductance
from viz.passes.loaded import LoadedModel, loaded_model, one_pass
from viz.passes.occlusion import occlusion
from viz.pictures.subject import Subject
from viz.request.inspection import Inspection
from viz.request.method import METHODS, OF_ATTENTION, OF_LAYERS, Method
from viz.script.attribution.facts import Attribute, AttributionFacts

PICTURE = photo(2)
REQUEST = wanted(PICTURE, "first", gradient=1)


def loaded_of(made: Subject) -> LoadedModel:
    """A model, ready to be asked."""
    return loaded_model(made, LayerActivations(made.module, "cpu"))


def facts(method: str, request: Inspection = REQUEST, made: Subject | None = None, **most: int) -> Any:
    """Return the task's answer with a bench of its own."""
    loaded = loaded_of(made or subject(Counting()))

    def captured(asked: Inspection, picture: Any, *, whole: bool) -> Any:
        return one_pass(loaded, asked, picture, whole=whole)[asked.layer]

    bench: Any = SimpleNamespace(
        loaded=lambda *_: loaded, captured=captured, limits=Limits(**most), answered=lambda _: None
    )
    return Attribute(request, PICTURE, Method(method)).work(bench)


def slope(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the output of a layer of an equal net, and the gradient of the score of class 1 there."""
    net = Counting()
    kept: list[torch.Tensor] = []

    def keep(_: Any, __: Any, output: torch.Tensor) -> torch.Tensor:
        output.retain_grad()
        kept.append(output)
        return output.clone()

    net.get_submodule(name).register_forward_hook(keep)
    net(prepare(PICTURE.image))[0, 1].backward()
    gradient = kept[0].grad
    assert gradient is not None
    return kept[0].detach().numpy(), gradient.numpy()


def test_grad_cam_weights_each_channel_by_the_mean_of_its_gradient() -> None:
    """By hand, with autograd; what the layer's gradient was is there to be laid out."""
    found = facts("grad-cam")
    value, gradient = slope("first")
    weighted = (gradient.mean((2, 3), keepdims=True) * value).sum(1)[0]
    np.testing.assert_allclose(found.values, np.maximum(weighted, 0), rtol=1e-4, atol=1e-8)
    np.testing.assert_allclose(found.layer.call(0)["output"].array, gradient, rtol=1e-4, atol=1e-8)
    assert found.layer.score_of == ""


def test_saliency_is_the_largest_product_of_a_pixel_and_its_gradient() -> None:
    """By hand, with autograd."""
    images = prepare(PICTURE.image).requires_grad_()
    (gradient,) = torch.autograd.grad(Counting()(images)[0, 1], images)
    expected = (gradient * images).abs().amax(1)[0].detach().numpy()
    np.testing.assert_allclose(facts("saliency").values, expected, rtol=1e-4, atol=1e-8)


def test_the_other_methods_are_those_of_the_service() -> None:
    """With the steps and windows of a script; conductance stands where the layer's value stood."""
    layers, images = LayerActivations(Counting(), "cpu"), prepare(PICTURE.image)
    window, stride = Method("occlusion").windows((8, 8))
    expected = occlusion(layers, images, 1, window=window, stride=stride)
    np.testing.assert_array_equal(facts("occlusion").values, expected)
    found = facts("conductance")
    np.testing.assert_array_equal(found.values, layer_conductance(layers, images, "first", 1).values)
    assert found.layer.call(0)["output"].array is found.values
    total = facts("integrated-gradients").values.sum()
    with torch.no_grad():
        rise = float((Counting()(images) - Counting()(images * 0))[0, 1])
    assert total == pytest.approx(rise, rel=1e-2)


@pytest.mark.parametrize("method", [name for name in METHODS if name not in OF_ATTENTION])
def test_what_else_a_script_needs_is_said(method: str) -> None:
    """A script needs the device, the type and the input; the layer only if the method looks at one."""
    found = facts(method)
    assert (found.inputs, found.dtype, found.device, found.fused) == ((1, 3, 8, 8), "float32", "cpu", False)
    assert (found.layer is not None) == (method in OF_LAYERS)
    assert found.bytes >= found.values.nbytes
    assert found.values.dtype == np.float32


def test_each_question_has_a_key_of_its_own() -> None:
    """Another method, class, layer, call or mode is another answer."""
    others = ({"gradient": 2}, {"layer": "second"}, {"call": 1}, {"training": 0}, {"weights": "pretrained"})
    tasks = [Attribute(REQUEST, PICTURE, Method(method)) for method in METHODS]
    tasks += [Attribute(dataclasses.replace(REQUEST, **more), PICTURE) for more in others]
    assert len({task.key for task in tasks}) == len(tasks)


def test_what_cannot_be_attributed_is_refused_in_words() -> None:
    """No class, no method of that name, layers without places, models of two inputs, too much memory."""
    pair = Subject(
        Counting(), lambda image: (prepare(image), prepare(image)), lambda _: PICTURE.image, CLASSES
    )
    with pytest.raises(RequestError, match="choose a class, and one of these methods: grad-cam"):
        facts("saliency", dataclasses.replace(REQUEST, gradient=None))
    with pytest.raises(RequestError, match="one of these methods"):
        facts("lime")
    with pytest.raises(RequestError, match="classes 0 to 2"):
        facts("occlusion", dataclasses.replace(REQUEST, gradient=3))
    with pytest.raises(LayoutError, match="no attention among all places"):
        facts("attention-rollout")
    with pytest.raises(LayoutError, match="has no Grad-CAM"):
        facts("grad-cam", dataclasses.replace(REQUEST, layer="last"))
    with pytest.raises(TooLargeError):
        facts("saliency", capture=1)
    bench: Any = SimpleNamespace(
        loaded=lambda *_: dataclasses.replace(loaded_of(subject(Counting())), subject=pair), limits=Limits()
    )
    with pytest.raises(LayoutError, match="models that are given one tensor"):
        Attribute(REQUEST, PICTURE, Method("saliency")).work(bench)
    assert isinstance(facts("saliency"), AttributionFacts)
