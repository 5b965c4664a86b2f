"""Captured tensors of real models, against fx, which runs a model's graph node by node, and against captum.

Neither shares code with the capture: fx has no hooks at all, and captum has hooks of its own.
"""

from collections import defaultdict
from typing import Any

import pytest
import torch
from torch import Tensor, fx, nn

import models
from viz.hooks.activations import LayerActivations

CLASSIFIERS = (
    *("alexnet", "vgg11", "squeezenet1_0", "squeezenet1_1", "googlenet", "densenet121"),
    *("resnet18", "resnet34", "resnet50", "resnet101", "resnext50_32x4d", "wide_resnet50_2"),
    *("mobilenet_v2", "mobilenet_v3_small", "mobilenet_v3_large", "mnasnet0_5", "mnasnet0_75", "mnasnet1_0"),
    *("shufflenet_v2_x0_5", "shufflenet_v2_x1_0", "shufflenet_v2_x1_5", "shufflenet_v2_x2_0"),
    *("efficientnet_b0", "efficientnet_b1", "efficientnet_b2", "efficientnet_v2_s"),
    *("regnet_x_400mf", "regnet_x_800mf", "regnet_y_400mf", "regnet_y_800mf", "regnet_y_1_6gf"),
    *("convnext_tiny", "convnext_small", "swin_t", "swin_v2_t"),
)
SHAPES = {
    **dict.fromkeys(CLASSIFIERS, (1, 3, 64, 64)),
    "inception_v3": (1, 3, 96, 96),
    "vit_b_32": (1, 3, 224, 224),
    "maxvit_t": (1, 3, 224, 224),
    **dict.fromkeys(
        ("lraspp_mobilenet_v3_large", "fcn_resnet50", "deeplabv3_mobilenet_v3_large"), (1, 3, 64, 64)
    ),
    **dict.fromkeys(("r3d_18", "mc3_18", "r2plus1d_18"), (1, 3, 4, 32, 32)),
}
UNTRACEABLE: dict[str, Any] = {
    "ssdlite320_mobilenet_v3_large": lambda: ([torch.rand(3, 64, 64)],),
    "fasterrcnn_mobilenet_v3_large_320_fpn": lambda: ([torch.rand(3, 64, 64)],),
    "raft_small": lambda: (torch.rand(1, 3, 128, 128), torch.rand(1, 3, 128, 128)),
}
# fx runs the fused attention, which rounds differently; the capture runs the layers inside it instead.
TOLERANCE = {"vit_b_32": 1e-5}
pytestmark = pytest.mark.slow


class Tracer(fx.Tracer):
    """Records which node of the graph each call of each module returned, without a hook."""

    def __init__(self) -> None:
        super().__init__(autowrap_modules=())
        self.returned: dict[str, list[Any]] = defaultdict(list)

    def call_module(self, m: nn.Module, forward: Any, args: Any, kwargs: Any) -> Any:
        name = self.path_of_module(m)
        output = super().call_module(m, forward, args, kwargs)
        self.returned[name].append(output)
        return output


class Copying(fx.Interpreter):
    """Runs a graph and copies every value when it is made, before a later in-place node can change it."""

    def __init__(self, graph: fx.GraphModule) -> None:
        super().__init__(graph)
        self.values: dict[fx.Node, Any] = {}

    def run_node(self, n: fx.Node) -> Any:
        value = super().run_node(n)
        self.values[n] = value.clone() if isinstance(value, Tensor) else value
        return value


def by_fx(model: nn.Module, images: Tensor) -> dict[str, list[Any]]:
    """Return the value of each call of each module, where that was one value of the graph."""
    tracer = Tracer()
    graph = fx.GraphModule(model, tracer.trace(model))
    run = Copying(graph)
    with torch.inference_mode():
        run.run(images.clone())
    return {
        name: [run.values[output.node] for output in outputs]
        for name, outputs in tracer.returned.items()
        if all(isinstance(output, fx.Proxy) for output in outputs)
    }


@pytest.mark.parametrize("name", SHAPES)
def test_every_captured_tensor_equals_what_fx_computes(name: str) -> None:
    """Every layer, containers and repeated calls too, bit for bit (attention: to five digits)."""
    model = models.load(name, weights="random")
    images = torch.rand(SHAPES[name], generator=torch.Generator().manual_seed(0))
    expected = by_fx(model, images)
    layers = LayerActivations(model, device="cpu")
    with layers.capture() as record:
        layers.run(images)
    compared, tolerance = 0, TOLERANCE.get(name, 0.0)
    for layer, values in expected.items():
        assert len(record[layer]) == len(values), layer
        for call, value in zip(record[layer], values, strict=True):
            if isinstance(value, Tensor):
                assert torch.allclose(call.output, value, rtol=tolerance, atol=tolerance, equal_nan=True), (
                    layer
                )
                compared += 1
    assert compared >= sum(1 for calls in record.values() for _ in calls) * 0.9


@pytest.mark.parametrize("name", UNTRACEABLE)
def test_captured_tensors_equal_captums_where_fx_cannot_go(name: str) -> None:
    """Eight layers of the model, spread over its depth, that ran once and returned one tensor."""
    from captum.attr import LayerActivation

    torch.manual_seed(0)
    model, arguments = models.load(name, weights="random"), UNTRACEABLE[name]()
    layers = LayerActivations(model, device="cpu")
    with layers.capture() as record:
        layers.run(*arguments)
    plain = [layer for layer, calls in record.items() if len(calls) == 1 and isinstance(calls.output, Tensor)]
    for layer in plain[:: max(1, len(plain) // 8)]:
        oracle = LayerActivation(lambda *_: model(*arguments), model.get_submodule(layer))
        with torch.no_grad():
            found = oracle.attribute(torch.zeros(1))
        assert torch.allclose(record[layer].output, found, rtol=0, atol=0, equal_nan=True), layer
