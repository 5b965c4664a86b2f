"""Grad-CAM on ten architectures against two other people's code: captum and pytorch-grad-cam."""

from typing import NamedTuple

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torchvision import models as torchvision_models

from tests.viz.subjects import photo
from viz.findings.gradcam import enlarged
from viz.hooks.activations import LayerActivations
from viz.passes.attribution import capture_gradients
from viz.pictures.subject import Subject

pytestmark = pytest.mark.slow

SIDE = 96
# Layers whose output the next one does not write into: both other codes keep references.
LAYERS = {
    "resnet18": "layer4",
    "alexnet": "features.11",
    "googlenet": "inception5a",
    "squeezenet1_1": "features.12",
    "mobilenet_v2": "features.17",
    "mobilenet_v3_small": "features.11",
    "shufflenet_v2_x0_5": "stage3",
    "densenet121": "features.denseblock3",
    "efficientnet_b0": "features.6",
    "regnet_x_400mf": "trunk_output.block3",
}


class Case(NamedTuple):
    """A model, its layer, the picture, the class, and the Grad-CAM that was found."""

    model: nn.Module
    layer: nn.Module
    image: Tensor
    target: int
    cam: NDArray[np.float32]


@pytest.fixture(params=LAYERS)
def case(request: pytest.FixtureRequest) -> Case:
    """One of the ten, untrained, on noise."""
    name = request.param
    torch.manual_seed(3)
    fast = {"init_weights": False} if name == "googlenet" else {}
    model = torchvision_models.get_model(name, weights=None, **fast).eval()
    image = torch.randn(1, 3, SIDE, SIDE)
    subject = Subject(model, lambda _: image, lambda _: photo(0).image)
    layers = LayerActivations(model, device="cpu")
    target = int(model(image).argmax())
    found = capture_gradients(layers, subject, (image,), [LAYERS[name]], target)[LAYERS[name]]
    assert found.cams[0].array.any()
    return Case(model, model.get_submodule(LAYERS[name]), image, target, found.cams[0].array)


def test_captum_finds_the_same_map(case: Case) -> None:
    """The map at the layer's own size, to 1e-5 of its brightest place."""
    from captum.attr import LayerGradCam

    method = LayerGradCam(case.model, case.layer)
    expected = method.attribute(case.image, case.target, relu_attributions=True)[0, 0].detach().numpy()
    brightest = expected.max()
    np.testing.assert_allclose(case.cam / brightest, expected / brightest, rtol=0, atol=1e-5)


def test_pytorch_grad_cam_finds_the_same_picture(case: Case) -> None:
    """The map enlarged to the picture; that code stretches it to 0 … 1 before and after enlarging."""
    from pytorch_grad_cam import GradCAM
    from pytorch_grad_cam.utils.model_targets import ClassifierOutputTarget

    with GradCAM(model=case.model, target_layers=[case.layer]) as theirs:
        expected = theirs(input_tensor=case.image, targets=[ClassifierOutputTarget(case.target)])[0]
    ours = stretched(enlarged(stretched(case.cam), (SIDE, SIDE)))
    np.testing.assert_allclose(ours, expected, rtol=0, atol=1e-5)


def stretched(cam: NDArray[np.float32]) -> NDArray[np.float32]:
    """From 0 for the smallest value to 1 for the largest."""
    return (cam - cam.min()) / (np.ptp(cam) + 1e-7)
