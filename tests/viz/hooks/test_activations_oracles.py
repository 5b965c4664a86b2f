"""Second opinions that share no code with the capture: torch.fx, torchvision's feature extraction, captum."""

from collections import defaultdict
from typing import Any

import pytest
import torch
from captum.attr import LayerActivation
from torch import fx, nn
from torchvision import models
from torchvision.models.feature_extraction import create_feature_extractor

from viz.hooks.activations import LayerActivations


def built(name: str, size: int = 32) -> tuple[nn.Module, torch.Tensor]:
    """Return an untrained torchvision model in eval mode and two random pictures."""
    options = {"init_weights": False} if name in {"googlenet", "inception_v3"} else {}
    return models.get_model(name, weights=None, **options).eval(), torch.rand(2, 3, size, size)


class Copying(fx.Interpreter):
    """Runs a traced model node by node, and copies what each call of a layer gives before the next one."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__(fx.symbolic_trace(model))
        self.calls: dict[str, list[torch.Tensor]] = defaultdict(list)

    def call_module(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Keep a copy of the output."""
        output = super().call_module(target, args, kwargs)
        self.calls[target].append(output.clone())
        return output


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("resnet18", 32),
        ("alexnet", 64),
        pytest.param("resnet50", 32, marks=pytest.mark.slow),
        pytest.param("densenet121", 32, marks=pytest.mark.slow),
        pytest.param("mobilenet_v3_small", 32, marks=pytest.mark.slow),
        pytest.param("googlenet", 64, marks=pytest.mark.slow),
        pytest.param("shufflenet_v2_x0_5", 32, marks=pytest.mark.slow),
        pytest.param("vgg11_bn", 32, marks=pytest.mark.slow),
    ],
)
def test_every_call_of_every_layer_equals_a_traced_run(name: str, size: int) -> None:
    """Bit for bit, in-place layers, in-place additions and reused layers included."""
    model, images = built(name, size)
    layers = LayerActivations(model, device="cpu")
    with layers.capture() as record:
        layers.run(images)
    oracle = Copying(model)
    with torch.no_grad():
        oracle.run(images)
    assert {each for each in layers.select(nn.Conv2d) if record[each]} <= set(oracle.calls)
    for layer, calls in oracle.calls.items():
        for found, expected in zip(record[layer], calls, strict=True):
            assert torch.equal(found.output, expected), layer


def test_torchvisions_feature_extraction_agrees() -> None:
    """We compare layers whose values nothing overwrites."""
    model, images = built("resnet18")
    wanted = ["conv1", "layer1.1.conv2", "layer2.0.downsample.0", "layer3", "avgpool", "fc"]
    layers = LayerActivations(model, device="cpu")
    with layers.capture(*wanted) as record:
        layers.run(images)
    with torch.no_grad():
        expected = create_feature_extractor(model, wanted)(images)
    assert all(torch.equal(record[name].output, expected[name]) for name in wanted)


def test_captums_layer_activation_agrees() -> None:
    """At the output and at the input, of a layer that others write over too."""
    model, images = built("resnet18")
    for name in ("layer1.1.conv2", "layer1.1.bn2", "avgpool"):
        layers = LayerActivations(model, device="cpu")
        with layers.capture(name, inputs=True) as record:
            layers.run(images, until=name)
        captum = LayerActivation(model, model.get_submodule(name))
        with torch.no_grad():
            assert torch.equal(
                record[name].inputs[0], captum.attribute(images, attribute_to_layer_input=True)
            )
            assert torch.equal(record[name].output, captum.attribute(images))
