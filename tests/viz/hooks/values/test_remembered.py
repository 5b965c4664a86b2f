"""Passes that can be repeated: what a net remembers is put back, and what it returned stays what it was."""

import random
from collections import Counter, OrderedDict, UserDict, defaultdict, deque
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from viz.hooks.activations import LayerActivations
from viz.hooks.values import remembered


class Plain:
    """An object with a total, and with itself among its attributes."""

    def __init__(self) -> None:
        self.total, self.itself = torch.zeros(2, 4), self


class Slotted:
    """An object without a ``__dict__``."""

    __slots__ = ("total",)

    def __init__(self) -> None:
        self.total = torch.zeros(2, 4)


class Listing(list[Any]):
    """A list of one's own, which has a count too."""

    count_of_all = 0


class Remembering(nn.Module):
    """Adds to its input what earlier passes left, and leaves something for the next.

    Args:
        remember: gets the net and its input; changes the net and returns the result.
    """

    def __init__(self, remember: Callable[["Remembering", torch.Tensor], Any]) -> None:
        super().__init__()
        self.layer, self.remember = nn.Identity(), remember
        self.register_buffer("state", torch.zeros(2, 4))
        self.register_buffer("expanded", torch.zeros(2, 1).expand(2, 4))
        self.hidden: torch.Tensor | None = None
        self.steps, self.history, self.table = 0, [], {"sum": torch.zeros(2, 4), "deep": [torch.ones(1)]}
        self.table["pages"] = torch.arange(16.0).view(2, 2, 4)
        self.table["page"] = self.table["pages"][0]
        self.queue, self.array, self.names = deque([1.0], maxlen=3), np.zeros(4, np.float32), {"a"}
        self.generator = torch.Generator().manual_seed(0)
        self.ordered, self.missing = OrderedDict(total=torch.zeros(2, 4)), defaultdict[str, float](float)
        self.counter, self.namespace = Counter[str](), SimpleNamespace(total=0)
        self.plain, self.slotted, self.listing = Plain(), Slotted(), Listing()
        self.user_dict, self.held = UserDict(total=0), (nn.BatchNorm1d(4, affine=False),)
        self.weight, self.bank = (
            nn.Parameter(torch.ones(2, 4)),
            nn.Parameter(torch.arange(16.0).view(2, 2, 4)),
        )
        self.numbers, self.chance = np.random.default_rng(0), random.Random(0)
        self.old_numbers = np.random.RandomState(0)

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


def _expanded_buffer(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    net.expanded[:1, :1] += x[:1, :1]
    return net.expanded * 1


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


def _ordered(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    net.ordered["total"] = net.ordered["total"] + x
    return net.ordered["total"]


def _missing(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    net.missing["new"] += 1
    return x * net.missing["new"]


def _counter(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    net.counter["passes"] += 1
    return x * net.counter.total()


def _namespace(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    net.namespace.total = net.namespace.total + x
    return net.namespace.total


def _user_dict(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    net.user_dict["total"] = net.user_dict["total"] + x
    return net.user_dict["total"] * 1


def _plain(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    net.plain.total = net.plain.total + x
    net.plain.later = getattr(net.plain, "later", 0) + 1
    return net.plain.total * net.plain.later


def _inside_plain(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    net.plain.itself.itself.total += x
    return net.plain.total


def _slotted(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    net.slotted.total = net.slotted.total + x
    return net.slotted.total


def _listing(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    net.listing.append(x)
    net.listing.count_of_all += 1
    return sum(net.listing) * net.listing.count_of_all


def _class_attribute(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    type(net).shared = getattr(type(net), "shared", 0) + x
    return type(net).shared


def _class_of_plain(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    net.kind.passes = getattr(net.kind, "passes", 0) + 1
    return x * net.kind.passes


def _held_layer(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    net.held[0].running_mean += x[0]
    return net.held[0].eval()(x)


def _weight(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    with torch.no_grad():
        net.weight += x
    return net.weight * 1


def _returned_weight(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    net.weight.data.mul_(2).add_(x)
    return net.weight.detach()


def _part_of_a_weight(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    net.weight.detach()[0][1:] = net.weight.detach()[0][1:] * 2
    return net.weight * x


def _other_data(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    net.weight.data = net.weight.data + x
    return net.weight * 1


def _data_of_a_buffer(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    net.weight.data = net.state
    net.state += x
    return net.weight * 1


def _data_of_another_weight(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    result = net.weight * x + net.bank.sum(0)
    net.weight.data = net.bank[1]
    net.weight.data.mul_(2)
    return result


def _other_part_of_the_same_memory(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    result = net.table["page"] * x + net.table["pages"].sum(0)
    net.table["page"].data = net.table["pages"][1]
    return result


def _data_that_equals_it(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    net.state += x
    result = net.table["sum"] * 1
    net.state.zero_()
    net.table["sum"].data = net.state
    return result


def _data_of_another_type(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    result = (net.state + x) / 3
    net.state.data = net.state.double()
    return result


def _kept_namespace(net: Remembering, x: torch.Tensor) -> SimpleNamespace:
    net.namespace.total = net.namespace.total + x
    net.namespace.inside = net.plain
    net.plain.itself, net.plain.total = None, x * 2
    return net.namespace


def _kept_dict_of_its_own(net: Remembering, x: torch.Tensor) -> dict[str, Any]:
    net.user_dict["more"] = x
    return {"kept": net.user_dict}


def _kept_queue(net: Remembering, x: torch.Tensor) -> tuple[deque[Any], float]:
    net.queue.append(float(x.sum()))
    return net.queue, 1.0


def _kept_array(net: Remembering, x: torch.Tensor) -> tuple[Any, ...]:
    net.array += x.numpy()[0]
    return net.array, net.array[:2]


def _numbers(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    return x * float(net.numbers.random()) * float(net.old_numbers.random())


def _chance(net: Remembering, x: torch.Tensor) -> torch.Tensor:
    return x * net.chance.random()


WAYS = [_buffer, _returned_buffer, _past_the_version, _new_buffer, _first_hidden, _steps, _history, _table]
WAYS += [
    _expanded_buffer,
    _queue,
    _array,
    _names,
    _generator,
    _new_attribute,
    _ordered,
    _missing,
    _counter,
    _namespace,
]
WAYS += [
    _user_dict,
    _plain,
    _inside_plain,
    _slotted,
    _listing,
    _class_attribute,
    _class_of_plain,
    _held_layer,
]
WAYS += [_weight, _returned_weight, _part_of_a_weight, _other_data, _numbers, _chance]
WAYS += [_data_of_a_buffer, _data_of_another_weight, _other_part_of_the_same_memory, _data_that_equals_it]
WAYS += [_data_of_another_type, _kept_namespace, _kept_dict_of_its_own, _kept_queue, _kept_array]


def fresh(way: Callable[[Remembering, torch.Tensor], Any]) -> Remembering:
    """A net that shares nothing with others, also not its class."""
    net: Remembering = type("Fresh", (Remembering,), {})(way)
    net.kind = type("FreshPlain", (Plain,), {})
    net.of_kind = net.kind()
    return net


def numbers(value: Any) -> Any:
    """All numbers of what a net returned, at this moment."""
    if isinstance(value, torch.Tensor | np.ndarray):
        return value.tolist()
    if isinstance(value, int | float | None):
        return value
    parts = value if isinstance(value, dict | list | tuple | deque) else vars(value)
    return [numbers(part) for part in (parts.values() if isinstance(parts, dict) else parts)]


@pytest.mark.parametrize("way", WAYS)
def test_every_pass_is_the_first_one(
    rows: torch.Tensor, way: Callable[[Remembering, torch.Tensor], Any]
) -> None:
    """The oracle is a fresh net for each input; results stay what they were when a later pass has run."""
    layers = LayerActivations(fresh(way), device="cpu", repeatable=True)
    given = [rows, rows * 3, rows]
    results = [layers.run(each) for each in given]
    with torch.no_grad():
        assert [numbers(each) for each in results] == [numbers(fresh(way)(each * 1)) for each in given]


def test_a_weight_is_put_back_after_a_pass_that_did_not_end_at_its_end(rows: torch.Tensor) -> None:
    """The stop leaves the pass early: what comes later in the model was not seen, and is watched still."""

    def run(net: Remembering, x: torch.Tensor) -> torch.Tensor:
        net.weight.data.mul_(2)
        return net.weight * x

    layers = LayerActivations(Remembering(run), device="cpu", repeatable=True)
    layers.run(rows, until="layer")
    with torch.no_grad():
        assert [layers.run(rows).tolist() for _ in range(3)] == [(rows * 2).tolist()] * 3


def test_all_weights_of_one_memory_are_put_back(rows: torch.Tensor) -> None:
    """PyTorch's own way to set them all at once makes them parts of one vector."""

    def run(net: Remembering, x: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            net.weight.mul_(2)
            net.bank.mul_(2)
        return net.weight * net.bank + 0 * x

    net = Remembering(run)
    nn.utils.vector_to_parameters(torch.ones(24), net.parameters())
    layers = LayerActivations(net, device="cpu", repeatable=True)
    assert [layers.run(rows).unique().tolist() for _ in range(3)] == [[4.0]] * 3


ARRAYS = {
    "a constant that equals nothing": np.frombuffer(np.full(2, np.nan).tobytes()),
    "arrays in an array": np.array([None, np.ones(2), np.ones(2)], object),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_an_array_that_cannot_be_written_or_compared_hinders_no_pass(rows: torch.Tensor, name: str) -> None:
    """Other state is put back all the same."""
    net = Remembering(_array)
    net.other = ARRAYS[name]
    layers = LayerActivations(net, device="cpu", repeatable=True)
    assert torch.equal(layers.run(rows), layers.run(rows))


def test_a_net_that_begins_to_write_into_its_weight_is_watched_from_then_on(rows: torch.Tensor) -> None:
    """Its first pass wrote nothing; the one that did has left its mark, and no later one does."""

    def run(net: Remembering, x: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:
            with torch.no_grad():
                net.weight.mul_(2)
        return net.weight * 1

    layers = LayerActivations(Remembering(run), device="cpu", repeatable=True)
    given = [-rows.abs(), rows.abs(), rows.abs(), rows.abs()]
    assert [float(layers.run(each).mean()) for each in given] == [1, 2, 4, 4]


def test_a_long_chain_of_objects_is_followed_as_far_as_it_is_allowed(rows: torch.Tensor) -> None:
    """A recursion would have an end of its own."""

    def run(net: Remembering, x: torch.Tensor) -> torch.Tensor:
        net.plain.total += x
        return net.plain.total

    net = Remembering(run)
    link = net.plain
    for _ in range(20_000):
        link.itself = Plain()
        link = link.itself
    layers = LayerActivations(net, device="cpu", repeatable=True)
    assert torch.equal(layers.run(rows), layers.run(rows))


def test_buffers_and_attributes_of_all_layers_are_put_back(
    rows: torch.Tensor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many layers there are: only what lies deeper counts towards the most that is followed."""
    monkeypatch.setattr(remembered, "MOST", 3)

    def run(net: Remembering, x: torch.Tensor) -> torch.Tensor:
        for layer in net.many:
            layer.running_mean += 1
            layer.total.add_(1)
        return sum(layer.running_mean.sum() + layer.total for layer in net.many) + 0 * x.sum()

    net = Remembering(run)
    net.many = nn.ModuleList(nn.BatchNorm1d(1, affine=False) for _ in range(10))
    for layer in net.many:
        layer.total = torch.zeros(1)
    layers = LayerActivations(net, device="cpu", repeatable=True)
    assert [float(layers.run(rows)) for _ in range(3)] == [20, 20, 20]


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
