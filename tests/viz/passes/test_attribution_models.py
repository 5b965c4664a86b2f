"""Every layer's gradient in real architectures equals ``torch.autograd.grad`` bit for bit.

The oracle is a run of its own that changes nothing in place, so that each layer's output is still what the
layer returned when ``autograd.grad`` is asked about it. Nothing is copied and no tensor hook is used.
"""

from collections.abc import Callable
from functools import partial
from operator import add
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.overrides import TorchFunctionMode
from torchvision import models as torchvision_models

import models
from tests.viz.subjects import photo
from viz.findings.values import LayerValues
from viz.hooks.activations import LayerActivations
from viz.passes.attribution import capture_gradients
from viz.pictures.subject import Subject

pytestmark = pytest.mark.slow

TARGET = 3
Calls = dict[str, list[Any]]


class NothingInPlace(TorchFunctionMode):
    """Does in new memory what a model's code does in place: ``+=``, and ReLU with ``inplace=True``.

    The gradient at a batch norm's output is put in order: PyTorch misreads one that lies like tokens.
    """

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Call the function, or its twin that leaves its input alone."""
        del types
        if function is Tensor.__iadd__:
            return add(*args)
        if function in {functional.relu, functional.dropout, functional.relu6, functional.hardtanh}:
            return function(*args[:1], **{**(kwargs or {}), "inplace": False})
        output = function(*args, **(kwargs or {}))
        if function is functional.batch_norm:
            output.register_hook(torch.Tensor.contiguous)
        return output


def by_autograd(model: nn.Module, image: Tensor) -> tuple[Calls, Calls]:
    """The gradients of the score with respect to each call's output and first input; None for none."""
    outputs: Calls = {name: [] for name, _ in model.named_modules()}
    inputs: Calls = {name: [] for name in outputs}
    for layer in model.modules():
        if hasattr(layer, "inplace"):
            layer.inplace = False

    def note(name: str, _: nn.Module, args: tuple[Tensor, ...], output: Tensor) -> None:
        outputs[name].append(output)
        inputs[name].append(args[0])

    hooks = [layer.register_forward_hook(partial(note, name)) for name, layer in model.named_modules()]
    with NothingInPlace():
        score = model(image.clone().requires_grad_())[0, TARGET]
    for hook in hooks:
        hook.remove()
    found = []
    for calls in (outputs, inputs):
        flat = [tensor for tensors in calls.values() for tensor in tensors]
        gradients = iter(torch.autograd.grad(score, flat, retain_graph=True, allow_unused=True))
        found.append({name: [next(gradients) for _ in tensors] for name, tensors in calls.items()})
    return found[0], found[1]


def resnet18() -> nn.Module:
    """A reused, in-place ReLU in every block, and ``+=``."""
    return torchvision_models.resnet18(weights=None)


def alexnet() -> nn.Module:
    """Dropout, and linear layers behind in-place ReLUs."""
    return torchvision_models.alexnet(weights=None)


def googlenet() -> nn.Module:
    """Branches whose gradients are summed, in-place ReLUs that are no layers, and layers that do not run."""
    return torchvision_models.googlenet(weights=None, init_weights=False)


def patchformer() -> nn.Module:
    """A transformer."""
    return models.load("patchformer", weights="random")


def picture(side: int) -> Tensor:
    """One picture of noise (1, 3, side, side)."""
    return torch.randn(1, 3, side, side, generator=torch.Generator().manual_seed(5))


@pytest.mark.parametrize(
    ("build", "side"), [(resnet18, 64), (alexnet, 64), (googlenet, 64), (patchformer, 32)]
)
def test_every_gradient_equals_autograd_bit_for_bit(build: Callable[[], nn.Module], side: int) -> None:
    """At the output of every call of every layer, containers included; none where autograd has none."""
    torch.manual_seed(0)
    model, image = build().eval(), picture(side)
    layers = LayerActivations(model, device="cpu")
    subject = Subject(model, lambda _: image, lambda _: photo(0).image)
    found = capture_gradients(layers, subject, (image,), layers.names, TARGET)
    outputs, _ = by_autograd(model, image)
    compared = [compare(found[name], outputs[name]) for name in layers.names]
    assert sum(compared) > 15
    assert all(compared[place] for place, name in enumerate(layers.names) if outputs[name])


def compare(found: LayerValues, expected: list[Tensor | None]) -> int:
    """Return the number of gradients of a layer's calls, after checking that they are the same."""
    assert len(found.calls) == len(expected)
    for call, gradient in zip(found.calls, expected, strict=True):
        (leaf,) = call.values()
        assert bool(leaf.problem) == (gradient is None)
        if gradient is not None:
            np.testing.assert_array_equal(leaf.array, gradient.numpy(), strict=True, err_msg=found.layer)
    return len(expected)


def test_the_gradient_at_the_inputs_equals_autograd_where_an_input_is_used_once() -> None:
    """AlexNet is a chain: what a layer is given goes nowhere else."""
    torch.manual_seed(0)
    model, image = alexnet().eval(), picture(64)
    layers = LayerActivations(model, device="cpu")
    subject = Subject(model, lambda _: image, lambda _: photo(0).image)
    found = capture_gradients(layers, subject, (image,), layers.names, TARGET, inputs=True)
    _, inputs = by_autograd(model, image)
    for name in layers.names:
        np.testing.assert_array_equal(found[name].calls[0]["inputs[0]"].array, inputs[name][0].numpy())
