"""Tiny nets in which two names share memory or a container: each notices a tool that copies."""

from collections.abc import Callable
from typing import Any

import torch
from torch import nn


class Net(nn.Module):
    """Layers by name, and a function that runs them."""

    def __init__(self, run: Callable[..., Any], **layers: nn.Module) -> None:
        super().__init__()
        self.run = run
        for name, layer in layers.items():
            setattr(self, name, layer)

    def forward(self, *given: Any, **keywords: Any) -> Any:
        return self.run(self, *given, **keywords)


class Does(nn.Module):
    """A layer that is one function."""

    def __init__(self, work: Callable[..., Any]) -> None:
        super().__init__()
        self.work = work

    def forward(self, *given: Any) -> Any:
        return self.work(*given)


class Returns(nn.Module):
    """A layer that returns its own buffer, or its own weight."""

    def __init__(self, *, weight: bool = False) -> None:
        super().__init__()
        self.register_buffer("state", torch.arange(4.0))
        self.weight = nn.Parameter(torch.arange(4.0))
        self._own_weight = weight

    def forward(self, _: torch.Tensor) -> torch.Tensor:
        return self.weight if self._own_weight else self.state


class Remembers(nn.Module):
    """A layer that keeps what it returns, and reads it again in its next call."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.kept: dict[str, torch.Tensor] = {}

    def forward(self, x: torch.Tensor) -> dict[str, torch.Tensor]:
        self.kept["now"] = self.linear(x) + self.kept.pop("now", 0)
        return self.kept


def _dropout(net: Net, x: torch.Tensor) -> torch.Tensor:
    h = x * 1
    y = net.layer(h)
    y += 1
    return h + y


def _relu(net: Net, x: torch.Tensor) -> torch.Tensor:
    h = net.linear(x)
    net.layer(h)
    return h * 2


def _flatten(net: Net, x: torch.Tensor) -> torch.Tensor:
    h = net.linear(x)
    flat = net.layer(h)
    flat[:, 0] = 5
    return h + x


def _two_views(net: Net, x: torch.Tensor) -> torch.Tensor:
    first, second = net.layer(net.linear(x))
    first += 1
    return second * 1


def _returned_state(net: Net, x: torch.Tensor) -> torch.Tensor:
    state = net.layer(x)
    state.data.add_(0)
    return net.layer(x) * x + state


def _written_state(net: Net, x: torch.Tensor) -> torch.Tensor:
    state = net.layer(x)
    state += 1
    result = net.layer(x) * x
    state -= 1
    return result


def _given_dict(net: Net, x: torch.Tensor) -> torch.Tensor:
    carried = {"x": net.linear(x)}
    net.layer(carried)
    return carried["x"] + carried["more"]


def _given_list(net: Net, x: torch.Tensor) -> torch.Tensor:
    carried = [net.linear(x)]
    net.layer(carried)
    return carried[0] + carried[1]


def _part_of_input(net: Net, x: torch.Tensor) -> torch.Tensor:
    h = net.linear(x)
    net.layer(h[:, :2])
    return h * 3


def _twice(net: Net, x: torch.Tensor) -> torch.Tensor:
    return net.layer(net.linear(x))["now"] * 1 + net.layer(x)["now"]


def _puts(carried: dict[str, torch.Tensor]) -> torch.Tensor:
    carried["more"] = carried["x"] * 2
    return carried["more"]


def _appends(carried: list[torch.Tensor]) -> torch.Tensor:
    carried.append(carried[0] * 2)
    return carried[1]


def _chunks(net: Net, x: torch.Tensor) -> torch.Tensor:
    query, key, value = net.qkv(x).chunk(3, dim=-1)
    return net.layer(query) * key + value


def _read_then_written(net: Net, x: torch.Tensor) -> torch.Tensor:
    h = net.linear(x)
    return net.layer(h) + h


def _doubles_then_clears(x: torch.Tensor) -> torch.Tensor:
    doubled = x * 2
    x.zero_()
    return doubled


def _linear() -> nn.Linear:
    return nn.Linear(4, 4)


NETS: dict[str, Callable[[], nn.Module]] = {
    "a dropout whose output is written": lambda: Net(_dropout, layer=nn.Dropout()),
    "an in-place ReLU whose input is read": lambda: Net(_relu, linear=_linear(), layer=nn.ReLU(inplace=True)),
    "a flatten whose view is written": lambda: Net(_flatten, linear=_linear(), layer=nn.Flatten()),
    "two views of one memory": lambda: Net(
        _two_views, linear=_linear(), layer=Does(lambda h: (h[:, :2], h[:, 1:3]))
    ),
    "a returned buffer": lambda: Net(_returned_state, layer=Returns()),
    "a returned buffer that is written": lambda: Net(_written_state, layer=Returns()),
    "a returned weight": lambda: Net(_returned_state, layer=Returns(weight=True)),
    "a dict that the layer puts into": lambda: Net(_given_dict, linear=_linear(), layer=Does(_puts)),
    "a list that the layer appends to": lambda: Net(_given_list, linear=_linear(), layer=Does(_appends)),
    "an in-place layer on a part": lambda: Net(_part_of_input, linear=_linear(), layer=nn.ReLU(inplace=True)),
    "a dict that the layer keeps": lambda: Net(_twice, linear=_linear(), layer=Remembers()),
    "chunks of one tensor": lambda: Net(_chunks, qkv=nn.Linear(4, 12), layer=nn.Identity()),
    "a layer that reads its input and clears it": lambda: Net(
        _read_then_written, linear=_linear(), layer=Does(_doubles_then_clears)
    ),
}
