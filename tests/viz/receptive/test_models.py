"""Receptive fields of whole models, against gradients and against poisoned pixels."""

from collections.abc import Callable

import pytest
import torch
from torch import nn
from torchvision import models as zoo

import models
from tests.viz.receptive.oracles import box_of, poisoned, reached, smooth_twin
from viz import LayerActivations
from viz.receptive import Fields, all_receptive_fields

pytestmark = pytest.mark.slow

SIDES = {"alexnet": 64, "vgg11": 32, "resnet18": 64, "mobilenet_v3_small": 64, "convnext_tiny": 64}
Call = tuple[str, int]


def _outputs(model: nn.Module, images: torch.Tensor) -> dict[Call, torch.Tensor]:
    """Return what every call of every layer returned, in one graph, by plain hooks made here."""
    found: dict[Call, torch.Tensor] = {}

    def keep(name: str) -> Callable[..., torch.Tensor]:
        def hook(_layer: nn.Module, _args: object, output: torch.Tensor) -> torch.Tensor:
            found[name, sum(name == other for other, _ in found)] = output
            return output.clone()  # what comes next may write in place, and writes into the copy

        return hook

    handles = [layer.register_forward_hook(keep(name)) for name, layer in model.named_modules() if name]
    model(images)
    for handle in handles:
        handle.remove()
    return found


@pytest.mark.models
@pytest.mark.parametrize("name", SIDES)
def test_receptive_fields_are_the_support_of_the_gradient_for_every_layer(name: str) -> None:
    """A cell's box is that of its gradient's non-zeros, in the middle and in a corner of each layer."""
    model = zoo.get_model(name, weights=None).eval()
    images = torch.rand(2, 3, SIDES[name], SIDES[name])
    fields = all_receptive_fields(LayerActivations(model, "cpu"), images)
    outputs = _outputs(smooth_twin(model), images.requires_grad_())
    assert outputs.keys() == fields.keys()
    for call, output in outputs.items():
        _compare_two_cells(fields[call]["output"], output, images, call)


def _compare_two_cells(fields: Fields, output: torch.Tensor, images: torch.Tensor, call: Call) -> None:
    """Compare a middle cell for the first picture and the last cell for the second, in one backward pass."""
    middle = (0, *(length // 2 for length in output.shape[1:]))
    corner = (1, *(length - 1 for length in output.shape[1:]))
    (gradient,) = torch.autograd.grad(output[middle] + output[corner], images, retain_graph=True)
    for row, cell in enumerate((middle, corner)):
        field, support = fields.at(cell), (gradient[row] != 0).any(0)
        assert (field.top, field.left, field.bottom, field.right) == box_of(support), (call, cell)
        assert field.whole == (box_of(support) == (0, 0, *images.shape[2:])), (call, cell)


@pytest.mark.parametrize("name", ["alexnet", "resnet18", "shufflenet_v2_x0_5"])
@pytest.mark.parametrize("axis", [2, 3])
def test_nan_in_a_row_reaches_exactly_the_cells_whose_box_has_the_row(name: str, axis: int) -> None:
    """Every cell of every layer of the untouched model, maxima included."""
    model, images = zoo.get_model(name, weights=None).eval(), torch.rand(1, 3, 64, 64)
    fields = all_receptive_fields(LayerActivations(model, "cpu"), images)
    with torch.no_grad():
        outputs = _outputs(model, poisoned(images, axis))
    for call, output in outputs.items():
        assert torch.equal(output.isnan(), reached(fields[call]["output"], axis)), call


def test_a_quantised_model_has_the_fields_of_the_plain_one() -> None:
    """Its layers are fused, with weights packed away, and look at the same places."""
    images = torch.rand(1, 3, 64, 64)
    plain = all_receptive_fields(LayerActivations(zoo.resnet18(weights=None), "cpu"), images)
    layers = LayerActivations(models.load("quantized_resnet18", "random"), "cpu")
    found = all_receptive_fields(layers, images)
    for layer in ("layer1.0.conv1", "layer2.1.conv2", "layer3.0.downsample.0", "layer4.1", "fc"):
        ours, theirs = found[layer, 0]["output"], plain[layer, 0]["output"]
        for one, other in zip(ours.boxes.planes, theirs.boxes.planes, strict=True):
            assert torch.equal(one, other), layer
