"""Graphs of whole models, edge by edge, against torch.fx, which reads their code and runs no layer."""

import contextlib
from collections import defaultdict

import pytest
import torch
from torch import nn
from torchvision.models import get_model

from models.skeleton import without_numbers
from tests.viz.dataflow.symbolic import traced
from viz.answers.views.graph import GraphFacts
from viz.dataflow.tracing import model_graph
from viz.hooks.activations import LayerActivations
from viz.layer_names import calling_layer, is_operation

SIDES = {
    **dict.fromkeys(("alexnet", "vgg11", "vgg16_bn", "squeezenet1_0", "squeezenet1_1"), 64),
    **dict.fromkeys(("resnet18", "resnet50", "resnext50_32x4d", "wide_resnet50_2", "densenet121"), 64),
    **dict.fromkeys(("mobilenet_v2", "mobilenet_v3_small", "mobilenet_v3_large", "mnasnet0_5"), 64),
    **dict.fromkeys(("shufflenet_v2_x0_5", "shufflenet_v2_x1_0", "efficientnet_b0", "efficientnet_v2_s"), 64),
    **dict.fromkeys(("regnet_x_400mf", "regnet_y_400mf", "convnext_tiny", "swin_t", "swin_v2_t"), 64),
    **dict.fromkeys(("googlenet", "inception_v3"), 96),
    **dict.fromkeys(("fcn_resnet50", "deeplabv3_mobilenet_v3_large", "lraspp_mobilenet_v3_large"), 64),
    **dict.fromkeys(("vit_b_32", "maxvit_t"), 224),
}
WITHOUT_DRAWING = {"googlenet", "inception_v3"}
WITH_WEIGHTS = {"fcn_resnet50", "deeplabv3_mobilenet_v3_large", "lraspp_mobilenet_v3_large"}
COMPUTED = {"regnet_x_400mf", "regnet_y_400mf"}  # their constructor computes their widths with tensors
pytestmark = pytest.mark.slow


@pytest.mark.models
@pytest.mark.parametrize("name", SIDES)
def test_edges_are_those_of_the_code(name: str) -> None:
    """Nodes in the same order, and edges between the same ones; what fx keeps closed is one node here too."""
    model = zeroed(name)
    image = torch.rand(1, 3, SIDES[name], SIDES[name])
    code = traced(model, image)
    nodes, edges = folded(model_graph(LayerActivations(model, "cpu"), image), code.leaves)
    assert nodes == code.nodes
    assert edges == code.edges
    assert len(edges) >= len(nodes) - 1


def zeroed(name: str) -> nn.Module:
    """Return a model with zeros for weights: where values come from does not depend on them."""
    more = {"init_weights": False} if name in WITHOUT_DRAWING else {}
    more |= {"weights_backbone": None} if name in WITH_WEIGHTS else {}
    with contextlib.nullcontext() if name in COMPUTED else without_numbers():
        model: nn.Module = get_model(name, weights=None, **more).eval()
    for weight in (*model.to_empty(device="cpu").parameters(), *model.buffers()):
        weight.data.zero_()
    return model


def folded(graph: GraphFacts, leaves: set[str]) -> tuple[list[str], set[tuple[str, str]]]:
    """Return the labels of a graph's nodes, and its edges; what runs inside a leaf is the leaf."""
    calls: dict[str, int] = defaultdict(int)
    around = {node.parent for node in graph.nodes}
    labels: dict[int, str] = {}
    shown: list[str] = []
    for node in graph.nodes:
        if node.parent is not None and node.parent in labels:
            labels[node.id] = labels[node.parent]
        elif node.id not in around or node.name in leaves:
            name = (
                f"{calling_layer(node.name)} › {node.type}".strip() if is_operation(node.name) else node.name
            )
            name = node.type if node.type == "output" else name
            labels[node.id] = f"{name}#{calls[name]}"
            calls[name] += node.type != "output"
            shown += [] if labels[node.id] in shown else [labels[node.id]]
    edges = {(labels[edge.source], labels[edge.target]) for edge in graph.edges}
    return shown, {(source, target) for source, target in edges if source != target}
