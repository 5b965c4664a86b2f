"""Lesson 0: a transformer's last layers, and hooks by type or name."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from .. import LayerActivations
from ..errors import UnknownLayerError

Seen = tuple[tuple[Tensor, ...], tuple[Tensor, ...]]  # what went into some layers, and what came out


class Encoder(nn.Module):
    """Returns (batch, tokens, width) for patches (batch, tokens, features): eight transformer layers."""

    def __init__(
        self,
        features: int = 768,
        tokens: int = 196,
        width: int = 768,
        heads: int = 4,
        depth: int = 8,
        *,
        batch_first: bool = True,
    ) -> None:
        super().__init__()
        layer = nn.TransformerEncoderLayer(width, heads, 4 * width, dropout=0.1, batch_first=batch_first)
        self.patch_linear = nn.Linear(features, width)
        self.position = nn.Parameter(torch.randn(tokens, width) * 0.02)
        self.encoder = nn.TransformerEncoder(layer, depth, enable_nested_tensor=False)
        self.regressor = nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.Linear(width, width))

    def forward(self, patches: Tensor) -> Tensor:
        """Return (batch, tokens, width)."""
        result: Tensor = self.regressor(self.encoder(self.patch_linear(patches) + self.position))
        return result


@contextlib.contextmanager
def without_fast_path() -> Iterator[None]:
    """Have attention layers run step by step for a while.

    Fused, they pass by the layers inside them.
    """
    before = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(value=False)
    try:
        yield
    finally:
        torch.backends.mha.set_fastpath_enabled(before)


# --- 1. The outputs of the last K layers ----------------------------------------------------------------


@torch.no_grad()
@without_fast_path()
def last_by_hook(model: Encoder, patches: Tensor, last: int) -> Tensor:
    """Return the last K layers' outputs of ``dropout2``, by plain hooks.

    Their shape is (K, batch, tokens, width).
    """
    seen: list[Tensor] = []

    def keep(_: nn.Module, __: Any, output: Tensor) -> None:
        seen.append(output.clone())

    layers = list(model.encoder.layers)[-last:]
    handles = [layer.get_submodule("dropout2").register_forward_hook(keep) for layer in layers]
    try:
        model(patches)
    finally:  # also when the model fails: a hook that is left behind goes on collecting
        for handle in handles:
            handle.remove()
    return torch.stack(seen)


def last_by_capture(model: Encoder, patches: Tensor, last: int) -> Tensor:
    """Return the same by ``LayerActivations``.

    It copies, removes hooks and takes care of eval mode.
    """
    depth = len(model.encoder.layers)
    names = [f"encoder.layers.{index}.dropout2" for index in range(depth - last, depth)]
    layers = LayerActivations(model, device="cpu")
    with layers.capture(*names) as record:
        layers.run(patches)
    return torch.stack([record[name].output for name in names])


@torch.no_grad()
@without_fast_path()
def last_by_hand(model: Encoder, patches: Tensor, last: int) -> Tensor:
    """Return the same without any hook, by the encoder's own arithmetic."""
    tokens, found = model.patch_linear(patches) + model.position, []
    for layer in model.encoder.layers:
        part: Callable[[str], nn.Module] = layer.get_submodule
        mixed = part("self_attn")(tokens, tokens, tokens, need_weights=False)[0]
        tokens = part("norm1")(tokens + mixed)
        found.append(
            part("linear2")(torch.relu(part("linear1")(tokens)))
        )  # in eval mode dropout does nothing
        tokens = part("norm2")(tokens + found[-1])
    return torch.stack(found[-last:])


@torch.no_grad()
def reach_of_a_neighbour(*, batch_first: bool) -> float:
    """Return how far sample 0's result moves as sample 1 changes."""
    torch.manual_seed(0)
    model = Encoder(features=3, tokens=1, width=8, heads=2, depth=1, batch_first=batch_first).eval()
    patches = torch.randn(2, 5, 3)
    before = model(patches)[0]
    patches[1] += 1
    return float((model(patches)[0] - before).abs().max())


# --- 2. Hooks by type and by name ------------------------------------------------------------------------


class TwoLinears(nn.Module):
    """Two linear layers and two ReLUs, which return their own values.

    It returns its result, and what its first three layers took and gave, so that hooks can be checked.
    """

    def __init__(self) -> None:
        super().__init__()
        self.linear_1 = nn.Linear(2, 2, bias=False)
        self.linear_2 = nn.Linear(2, 1)
        self.relu = nn.ReLU()
        self.relu6 = nn.ReLU6()
        with torch.no_grad():
            self.linear_1.weight.copy_(torch.tensor([[1.0, 1.0], [1.0, -1.0]]))
            self.linear_2.weight.copy_(torch.tensor([[2.0, 1.0]]))
            self.linear_2.bias.fill_(1.0)

    def forward(self, x: Tensor) -> tuple[Tensor, tuple[Tensor, ...], tuple[Tensor, ...]]:
        """Return the result, and the first three layers' inputs and outputs.

        The result is (N, 1).
        """
        first = self.linear_1(x)
        second = self.linear_2(first)
        third = self.relu(second)
        return self.relu6(third), (x, first, second), (first, second, third)


@torch.no_grad()
def seen_by_hooks(model: nn.Module, chosen: Iterable[nn.Module], x: Tensor) -> Seen:
    """Return inputs and outputs of the chosen layers, by plain hooks."""
    took: list[Tensor] = []
    gave: list[Tensor] = []

    def keep(_: nn.Module, inputs: tuple[Tensor, ...], output: Tensor) -> None:
        took.append(inputs[0].clone())  # inputs are always a tuple
        gave.append(output.clone())

    handles = [layer.register_forward_hook(keep) for layer in chosen]
    model(x)
    for handle in handles:
        handle.remove()
    return tuple(took), tuple(gave)


def by_type(model: TwoLinears, x: Tensor) -> Seen:
    """Return the inputs and outputs of all layers but the ReLU6."""
    return seen_by_hooks(model, [layer for layer in model.children() if not isinstance(layer, nn.ReLU6)], x)


def by_name(model: TwoLinears, name: str, x: Tensor) -> Seen:
    """Return the input and output of the layer with that name.

    A misspelt name finds nothing at all.
    """
    return seen_by_hooks(model, [layer for known, layer in model.named_modules() if known == name], x)


def by_capture(model: nn.Module, selectors: Sequence[Any], x: Tensor) -> Seen:
    """Return the same by ``LayerActivations``, whose selectors are names, types and predicates."""
    layers = LayerActivations(model, device="cpu")
    with layers.capture(*selectors, inputs=True) as record:
        layers.run(x)
    return tuple(calls.inputs[0] for calls in record.values()), tuple(
        calls.output for calls in record.values()
    )


def complaint(model: nn.Module, name: str) -> str:
    """Return what ``LayerActivations`` says about a name that no layer has."""
    try:
        LayerActivations(model, device="cpu").select(name)
    except UnknownLayerError as error:
        return str(error)
    return ""
