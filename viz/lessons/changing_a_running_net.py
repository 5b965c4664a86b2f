"""Lesson 4: gradients changed on their way, and kinds of hook."""

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F  # noqa: N812  (the usual name)
from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle

from .. import LayerActivations

Hook = Callable[[Tensor], Tensor | None]


class Gradients(NamedTuple):
    """The gradients of a, b and their product or sum c."""

    a: float
    b: float
    c: float


def plus_two(gradient: Tensor) -> Tensor:
    """Return a new gradient, larger by 2: the right way."""
    return gradient + 2


def plus_hundred_in_place(gradient: Tensor) -> None:
    """Add 100 to the gradient's own memory: the wrong way."""
    gradient += 100


# --- 1. A gradient changed on its way --------------------------------------------------------------------


def product(hook: Hook | None = None, at: tuple[float, float] = (7.0, 13.0)) -> Gradients:
    """Return the gradients of ``c = a · b``, maybe with a hook on c."""
    a, b = (torch.tensor(value, requires_grad=True) for value in at)
    c = a * b
    c.retain_grad()  # c is not a leaf: without this it would not keep its gradient
    if hook is not None:
        c.register_hook(hook)
    c.backward()
    return Gradients(*(0.0 if each.grad is None else each.grad.item() for each in (a, b, c)))


class Product(nn.Module):
    """The product of two tensors."""

    def forward(self, a: Tensor, b: Tensor) -> Tensor:
        """Return a · b."""
        return a * b


class ProductNet(nn.Module):
    """A net with one layer, c: the product of its two inputs."""

    def __init__(self) -> None:
        super().__init__()
        self.c = Product()

    def forward(self, a: Tensor, b: Tensor) -> Tensor:
        """Return a · b."""
        product: Tensor = self.c(a, b)
        return product


def product_by_edit(change: Callable[[Tensor], Tensor], at: tuple[float, float] = (7.0, 13.0)) -> Gradients:
    """Return the same by ``LayerActivations``, with an edit of the gradient.

    It is edited at the layer's output; the inputs' gradients are captured, too.
    """
    layers = LayerActivations(ProductNet(), device="cpu")
    with layers.edit("c", gradient=change), layers.capture("c", inputs=True, gradients=True) as record:
        layers.run(*map(torch.tensor, at)).backward()
    a, b = record["c"].input_gradients
    return Gradients(a.item(), b.item(), record["c"].gradient.item())


# --- 2. Why not in place ---------------------------------------------------------------------------------


def total(hook_on_a: Hook | None = None) -> Gradients:
    """Return the gradients of ``c = a + b``, maybe with a hook on a.

    That of c is the tensor that the caller passed in.
    """
    a, b = torch.tensor(7.0, requires_grad=True), torch.tensor(13.0, requires_grad=True)
    if hook_on_a is not None:
        a.register_hook(hook_on_a)
    start = torch.tensor(1.0)
    (a + b).backward(start)
    return Gradients(*(0.0 if each is None else each.item() for each in (a.grad, b.grad, start)))


def in_place_on_a_sum() -> str:
    """Return torch's error at an in-place change of a sum's gradient.

    All entries of that gradient are one number in memory.
    """
    y = torch.ones(3, requires_grad=True) * 1
    y.register_hook(plus_hundred_in_place)
    try:
        y.sum().backward()
    except RuntimeError as error:
        return str(error)
    return ""


# --- 3. Activations of a pooling layer -------------------------------------------------------------------


class SmallNet(nn.Module):
    """A convolution, an average pooling to 4×4, and a linear layer.

    It returns (N, 1) for pictures (N, 3, H, W).
    """

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 2)
        self.pool = nn.AdaptiveAvgPool2d((4, 4))
        self.fc = nn.Linear(8 * 4 * 4, 1)

    def forward(self, x: Tensor) -> Tensor:
        """Return one number for each picture."""
        result: Tensor = self.fc(self.pool(F.relu(self.conv(x))).flatten(1))
        return result


def pooled_by_hook(net: SmallNet, pictures: Tensor) -> Tensor:
    """Return the pooling's output by a hook that fills a dictionary.

    Its shape is (N, 8, 4, 4).
    """
    features: dict[str, Tensor] = {}

    def keep(_: nn.Module, __: Any, output: Tensor) -> None:
        features["pool"] = output.detach().clone()

    handle = net.pool.register_forward_hook(keep)
    net(pictures)
    handle.remove()
    return features["pool"]


def pooled_by_capture(net: SmallNet, pictures: Tensor) -> Tensor:
    """Return the same by ``LayerActivations``."""
    layers = LayerActivations(net, device="cpu")
    with layers.capture("pool") as record:
        layers.run(pictures)
    output: Tensor = record["pool"].output
    return output


# --- 4. Three kinds of hook in a running net -------------------------------------------------------------


class Outcome(NamedTuple):
    """A run's result, and its gradient with respect to the pictures.

    The result is (N, 1); the gradient is that of its sum.
    """

    result: Tensor
    gradient: Tensor


def five_times(_: nn.Module, into: Any, __: Any) -> tuple[Tensor, ...]:
    """Return new gradients for the layer's inputs, as a tuple.

    The inputs are a tuple, also when there is one.
    """
    return (into[0] * 5,)


PLAIN: dict[str, Callable[[SmallNet], RemovableHandle]] = {
    "pre-hook": lambda net: net.pool.register_forward_pre_hook(lambda _, inputs: inputs[0] * 3),
    "forward hook": lambda net: net.pool.register_forward_hook(lambda *given: given[2] + 1),
    "backward hook": lambda net: net.pool.register_full_backward_hook(five_times),
}
EDITS: dict[str, dict[str, Any]] = {
    "pre-hook": {"inputs": lambda inputs: inputs[0] * 3},
    "forward hook": {"output": lambda output: output + 1},
    "backward hook": {"input_gradient": lambda gradient: gradient * 5},
}


def outcome(net: SmallNet, pictures: Tensor, kind: str = "") -> Outcome:
    """Return a run's outcome while a hook changes the pooling layer.

    ``kind`` is the hook's; empty for none.
    """
    handle = PLAIN[kind](net) if kind else None
    x = pictures.clone().requires_grad_()
    result = net(x)
    (gradient,) = torch.autograd.grad(result.sum(), x)
    if handle:
        handle.remove()
    return Outcome(result.detach(), gradient)


def outcome_by_edit(net: SmallNet, pictures: Tensor, kind: str) -> Outcome:
    """Return the same by ``LayerActivations``."""
    layers = LayerActivations(net, device="cpu")
    x = pictures.clone().requires_grad_()
    with (
        layers.edit("pool", **EDITS[kind]),
        layers.capture("conv", gradients=True),
    ):
        result = layers.run(x)
        (gradient,) = torch.autograd.grad(result.sum(), x)
    return Outcome(result.detach(), gradient)
