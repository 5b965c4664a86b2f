"""Passes that can be repeated: what a net remembers is put back, and what it returned stays what it was."""

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from viz.hooks.activations import LayerActivations


class Remembering(nn.Module):
    """Adds to its input what earlier passes left, and leaves something for the next.

    Args:
        remember: gets the net and its input; changes the net and returns the result.
    """

    def __init__(self, remember: Callable[["Remembering", torch.Tensor], Any]) -> None:
        super().__init__()
        self.layer, self.remember = nn.Identity(), remember
        self.register_buffer("state", torch.zeros(2, 4))
        self.hidden: torch.Tensor | None = None
        self.steps, self.history, self.table = 0, [], {"sum": torch.zeros(2, 4), "deep": [torch.ones(1)]}
        self.queue, self.array, self.names = deque([1.0], maxlen=3), np.zeros(4, np.float32), {"a"}
        self.generator = torch.Generator().manual_seed(0)

    def forward(self, x: torch.Tensor) -> Any:
        """Return what the function makes of rows (2, 4)."""
        return self.remember(self, self.layer(x))


def _buffer(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    net.state += x
    return net.state * 1


def _returned_buffer(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    net.state += x
    return net.state


def _past_the_version(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    net.state.data.add_(x)
    return net.state[:1]


def _new_buffer(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    net.state = net.state + x
    return net.state


def _first_hidden(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    net.hidden = x if net.hidden is None else net.hidden + x
    return net.hidden


def _steps(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    net.steps += 1
    return x * net.steps


def _history(net: Remembering, x: torch.Tensor) -> list[torch.Tensor]:
    net.history.append(x * 2)
    return net.history


def _table(net: Remembering, x: torch.Tensor) -> dict[str, Any]:
    net.table["sum"] += x
    net.table["deep"][0].mul_(2)
    net.table[f"more {len(net.table)}"] = x
    return net.table


def _queue(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    net.queue.append(sum(net.queue))
    return x * net.queue[-1]


def _array(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    net.array += x.numpy()[0]
    return torch.from_numpy(net.array.copy())


def _names(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    net.names.add(str(len(net.names)))
    return x * len(net.names)


def _generator(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    return x + torch.rand(2, 4, generator=net.generator)


def _new_attribute(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    net.later = getattr(net, "later", 0) + x
    return net.later


WAYS = [_buffer, _returned_buffer, _past_the_version, _new_buffer, _first_hidden, _steps, _history, _table]
WAYS += [_queue, _array, _names, _generator, _new_attribute]


def numbers(value: Any) -> list[Any]:
    """All numbers of what a net returned, at this moment."""
    if isinstance(value, torch.Tensor):
        return value.tolist()
    return [numbers(part) for part in (value.values() if isinstance(value, dict) else value)]


@pytest.mark.parametrize("way", WAYS)
def test_every_pass_is_the_first_one(
    rows: torch.Tensor, way: Callable[[Remembering, torch.Tensor], Any]
) -> None:
    """The oracle is a fresh net for each input; results stay what they were when a later pass has run."""
    layers = LayerActivations(Remembering(way), device="cpu", repeatable=True)
    given = [rows, rows * 3, rows]
    results = [layers.run(each) for each in given]
    with torch.no_grad():
        assert [numbers(each) for each in results] == [numbers(Remembering(way)(each * 1)) for each in given]


@pytest.mark.parametrize("way", [_buffer, _first_hidden, _steps])
def test_a_pass_that_fails_leaves_nothing(rows: torch.Tensor, way: Any) -> None:
    """As one that ends."""

    def fails(net: Remembering, x: torch.Tensor) -> torch.Tensor:
        way(net, x)
        raise ValueError("as told")

    net = Remembering(fails)
    layers = LayerActivations(net, device="cpu", repeatable=True)
    with pytest.raises(ValueError, match="as told"):
        layers.run(rows)
    assert (net.hidden, net.steps, bool(net.state.any())) == (None, 0, False)


def test_without_being_asked_a_state_goes_on_as_when_the_model_is_called(rows: torch.Tensor) -> None:
    """Frames of a film, one run each."""
    layers = LayerActivations(Remembering(_buffer), device="cpu")
    layers.run(rows)
    assert torch.equal(layers.run(rows), 2 * rows)


def test_gradients_are_those_of_the_first_pass(rows: torch.Tensor) -> None:
    """The backward pass comes when the state is back already: it needs what the pass multiplied with."""

    def run(net: Remembering, x: torch.Tensor) -> torch.Tensor:
        net.state += 1
        return (net.state * x).sum()

    layers = LayerActivations(Remembering(run), device="cpu", repeatable=True)
    for _ in range(2):
        with layers.capture("layer", gradients=True) as record:
            layers.run(rows).backward()
        assert torch.equal(record["layer"].gradient, torch.ones(2, 4))


class Hooked(nn.Module):
    """Hooks its own layer in its first pass, to return what that returned."""

    def __init__(self) -> None:
        super().__init__()
        self.layer, self.is_hooked = nn.Linear(4, 3), False

    def forward(self, x: torch.Tensor) -> list[torch.Tensor]:
        """Return what the layer returned, once for each hook on it."""
        seen: list[torch.Tensor] = []
        self.layer.seen = seen
        if not self.is_hooked:
            self.layer.register_forward_hook(lambda layer, _given, output: layer.seen.append(output))
            self.is_hooked = True
        self.layer(x)
        return seen


def test_a_model_that_hooks_itself_in_its_first_pass_does_so_once(rows: torch.Tensor) -> None:
    """As those of transformers: what it remembers of that is not taken from it."""
    layers = LayerActivations(Hooked(), "cpu", repeatable=True)
    with layers.capture("layer"):
        assert [len(layers.run(rows)) for _ in range(3)] == [1, 1, 1]


def test_a_layer_that_is_built_in_the_first_pass_stays_built(rows: torch.Tensor) -> None:
    """Otherwise every pass would draw its weights anew."""

    def run(net: Remembering, x: torch.Tensor) -> torch.Tensor:
        if not net.steps:
            net.built, net.steps = nn.Linear(4, 3), 1
        return net.built(x)

    layers = LayerActivations(Remembering(run), device="cpu", repeatable=True)
    assert torch.equal(layers.run(rows), layers.run(rows))
