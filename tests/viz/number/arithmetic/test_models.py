"""Every layer of whole models that has no layers inside: explained, and in agreement with the capture."""

import pytest
import torch
from torch import nn
from torchvision import models as zoo

import models
from tests.viz.number.arithmetic.sampled_cells import findings
from viz import LayerActivations
from viz.number.arithmetic import explain

SIDES = {"alexnet": 64, "resnet18": 64, "mobilenet_v3_small": 64, "convnext_tiny": 64}


def _agree(model: nn.Module, images: torch.Tensor) -> set[str]:
    """Explain four random cells of every call of every layer; return the kinds that there were."""
    layers, kinds = LayerActivations(model, "cpu"), set()
    with layers.capture(lambda _, layer: not list(layer.children()), inputs=True) as record:
        layers.run(images)
    for name, calls in record.items():
        for call in calls:
            for _ in range(4):
                cell = [int(torch.randint(length, ())) for length in call.output.shape]
                found = explain(layers.module(name), call.inputs, call.output, cell)
                assert found.agrees, (name, cell, found)
                kinds.add(found.kind)
    return kinds


@pytest.mark.slow
@pytest.mark.parametrize("name", SIDES)
def test_every_number_of_the_model_agrees_with_its_arithmetic(name: str) -> None:
    """Untrained weights, with statistics of batch normalisation that are not 0 and 1."""
    model = zoo.get_model(name, weights=None)
    for layer in model.modules():
        if isinstance(layer, nn.BatchNorm2d):
            nn.init.normal_(layer.running_mean)
            nn.init.uniform_(layer.running_var, 0.5, 2)
    kinds = _agree(model, torch.rand(1, 3, SIDES[name], SIDES[name]))
    assert kinds >= {"convolution", "linear", "pooling", "activation"}


@pytest.mark.parametrize("name", ["lenet", "photonet", "signalnet", "efficientnet_lite0"])
def test_every_number_of_a_bundled_net_agrees_with_its_arithmetic(name: str) -> None:
    """Additions are layers there, and explained too."""
    shape = (1, 1, 128) if name == "signalnet" else (1, 3, 32, 32)
    kinds = _agree(models.load(name, "random"), torch.rand(shape))
    assert ("addition" in kinds) == (name in {"photonet", "efficientnet_lite0"})


FAMILIES = (
    *("mobilenet_v3_small", "regnet_y_400mf", "convnext_tiny", "vit_b_32", "shufflenet_v2_x0_5"),
    *("timm/nf_regnet_b0", "timm/test_efficientnet", "timm/test_byobnet", "timm/convnextv2_atto"),
    *("timm/levit_128s", "timm/resmlp_12_224", "timm/poolformer_s12", "timm/test_nfnet"),
)


@pytest.mark.slow
@pytest.mark.models
@pytest.mark.parametrize("name", FAMILIES)
def test_cells_of_every_family_are_explained_or_lead_to_a_layer_that_ran(name: str) -> None:
    """The layers that have none inside are all explained; of the others each sentence names some that ran."""
    if name not in models.names():
        pytest.skip("timm is optional: pip install -r requirements-timm.txt")
    found = findings(name)
    assert found.cells > 100
    assert (found.disagree, found.astray, dict(found.unexplained)) == ([], [], {})
