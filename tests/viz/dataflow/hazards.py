"""Nets with one hazard each for who follows values: their code, with its edges read off it by hand."""

from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.nn import functional


def linear() -> nn.Linear:
    """Return a layer from four values to four."""
    return nn.Linear(4, 4)


def residual(net: Any, x: torch.Tensor) -> torch.Tensor:
    """Edges.

    input -> a; a -> › add; input -> › add; › add -> output
    """
    return net.a(x) + x


def read_after_identity(net: Any, x: torch.Tensor) -> torch.Tensor:
    """Edges.

    input -> same; input -> a; a -> › add; same -> › add; › add -> output
    """
    kept = net.same(x)
    return net.a(x) + kept


def dropped(net: Any, x: torch.Tensor) -> torch.Tensor:
    """Edges.

    input -> b; b -> drop; drop -> a; a -> output
    """
    return net.a(net.drop(net.b(x)))


def joined(net: Any, x: torch.Tensor) -> torch.Tensor:
    """Edges.

    input -> a; input -> b; a -> › cat; b -> › cat; › cat -> output
    """
    return torch.cat([net.a(x), net.b(x)], 1)


def twice(net: Any, x: torch.Tensor) -> torch.Tensor:
    """Edges.

    input -> relu; relu -> a; a -> relu#1; relu#1 -> b; b -> output
    """
    return net.b(net.relu(net.a(net.relu(x))))


def overwritten(net: Any, x: torch.Tensor) -> torch.Tensor:
    """Edges.

    input -> a; a -> relu; relu -> b; b -> output
    """
    before = net.a(x)
    net.relu(before)
    return net.b(before)


def unused(net: Any, x: torch.Tensor) -> torch.Tensor:
    """Edges.

    input -> b; input -> a; a -> output
    """
    net.b(x)
    return net.a(x)


def functions(net: Any, x: torch.Tensor) -> torch.Tensor:
    """Edges.

    input -> a; a -> › flatten; › flatten -> › relu; › relu -> › mul; › mul -> output
    """
    return functional.relu(net.a(x).flatten(1)) * 2


def named(net: Any, x: torch.Tensor) -> dict[str, torch.Tensor]:
    """Edges.

    input -> a; input -> b; a -> output['a']; b -> output['b']
    """
    return {"a": net.a(x), "b": net.b(x)}


def seen_in_part(net: Any, x: torch.Tensor) -> torch.Tensor:
    """Edges.

    input -> a; a -> › chunk; › chunk -> › mul; › chunk -> › sin; › mul -> › cos; a -> › getitem; › mul -> ›
    getitem; › getitem -> › tan; › sin -> › stack; › cos -> › stack; › tan -> › stack; › stack -> output
    """
    y = net.a(x)
    left, right = y.chunk(2, 1)
    left.mul_(2)
    return torch.stack([right.sin(), left.cos(), y[:, :2].tan()])


def filled(net: Any, x: torch.Tensor) -> torch.Tensor:
    """Edges.

    input -> › getitem; › getitem -> › setitem; input -> b; b -> › getitem 2; › getitem 2 -> › setitem 2; ›
    setitem -> › setitem 2; › setitem 2 -> a; a -> output
    """
    y = torch.empty_like(x)
    y[:, :2] = x[:, 2:]
    y[:, 2:] = net.b(x)[:, :2]
    return net.a(y)


def reshaped(net: Any, x: torch.Tensor) -> torch.Tensor:
    """Edges.

    input -> a; a -> › view; › view -> › t; › t -> › view 2; › view 2 -> b; b -> › add; a -> › add; › add ->
    output
    """
    y = net.a(x)
    return net.b(y.view(4, 2).t().contiguous().view(2, 4)) + y


def with_constant(net: Any, x: torch.Tensor) -> torch.Tensor:
    """Edges.

    input -> a; a -> › add; › ones -> › add; › add -> output
    """
    return net.a(x) + torch.ones(4)


def with_shape_only(net: Any, x: torch.Tensor) -> torch.Tensor:
    """Edges.

    input -> a; a -> › add; b -> › add; › add -> output
    """
    return net.a(x) + net.b(torch.zeros_like(x))


def counted(net: Any, x: torch.Tensor) -> torch.Tensor:
    """Edges.

    input -> a; › add -> › add 2; a -> › add 2; › add 2 -> output
    """
    net.norm.running_mean.add_(1)
    return net.a(x) + net.norm.running_mean


def attended(net: Any, x: torch.Tensor) -> torch.Tensor:
    """Edges.

    input -> › view; › view -> a; › view -> b; a -> › scaled_dot_product_attention; › view -> ›
    scaled_dot_product_attention; b -> › scaled_dot_product_attention; › scaled_dot_product_attention ->
    output
    """
    x = x.view(1, 1, 2, 4)
    return functional.scaled_dot_product_attention(net.a(x), x, net.b(x))


def measured(net: Any, x: torch.Tensor) -> torch.Tensor:
    """Edges.

    input -> › add; input -> a; a -> › abs; › abs -> › max; › max -> › div; input -> › div; › div -> output
    """
    scale = net.a(x).abs().max() if bool(torch.is_tensor(x)) and not torch.equal(x, x + 1) else x
    return x / scale


CASES: tuple[tuple[Callable[..., Any], dict[str, nn.Module]], ...] = (
    (residual, {"a": linear()}),
    (read_after_identity, {"a": linear(), "same": nn.Identity()}),
    (dropped, {"a": linear(), "b": linear(), "drop": nn.Dropout()}),
    (joined, {"a": linear(), "b": linear()}),
    (twice, {"a": linear(), "b": linear(), "relu": nn.ReLU()}),
    (overwritten, {"a": linear(), "b": linear(), "relu": nn.ReLU(inplace=True)}),
    (unused, {"a": linear(), "b": linear()}),
    (functions, {"a": linear()}),
    (named, {"a": linear(), "b": linear()}),
    (seen_in_part, {"a": linear()}),
    (filled, {"a": linear(), "b": linear()}),
    (reshaped, {"a": linear(), "b": linear()}),
    (with_constant, {"a": linear()}),
    (with_shape_only, {"a": linear(), "b": linear()}),
    (counted, {"a": linear(), "norm": nn.BatchNorm1d(4)}),
    (attended, {"a": linear(), "b": linear()}),
    (measured, {"a": linear()}),
)
