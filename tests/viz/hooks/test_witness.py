"""A witness sees what hooks do not: one tiny net for each way past them."""

import contextlib
import contextvars
import copy
import sys
import threading
from collections.abc import Callable

import pytest
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from tests.viz.nets import hook_count
from viz.hooks.activations import LayerActivations
from viz.hooks.witness import LayerUses, Witness


class Way(nn.Module):
    """Has a layer and lets a function use it."""

    def __init__(self, use: Callable[[nn.Module, torch.Tensor], object], layer: nn.Module) -> None:
        super().__init__()
        self.use = use
        self.layer = layer

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.use(self.layer, x)
        return x


class Table(nn.Module):
    """A layer with a method besides ``forward``, which ``forward`` uses too."""

    def __init__(self) -> None:
        super().__init__()
        self.rows = nn.Parameter(torch.rand(4, 4))

    def row(self, index: int) -> torch.Tensor:
        return self.rows[index]

    def count(self) -> int:
        return len(self.rows)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.row(0)


class Caller(nn.Module):
    """A layer that overrides what every layer has."""

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        return x + 1


def seen(model: nn.Module, x: torch.Tensor, layer: nn.Module | None = None) -> LayerUses:
    """Return what a pass did with one layer."""
    layers = LayerActivations(model, device="cpu")
    with layers.trace(lambda by_layer: Witness(layers.model, by_layer, lambda *_: None)) as witness:
        layers.run(x)
    return witness.seen(layer or layers.module("layer"))


def by(use: Callable[[nn.Module, torch.Tensor], object], layer: nn.Module, x: torch.Tensor) -> LayerUses:
    """Return what a pass did with a layer that a function used."""
    return seen(Way(use, layer), x)


def in_thread(layer: nn.Module, x: torch.Tensor) -> None:
    """Call a layer from a thread of its own."""
    worker = threading.Thread(target=layer, args=(x,))
    worker.start()
    worker.join()


def in_context(layer: nn.Module, x: torch.Tensor) -> None:
    """Call a layer as a task does whose context began empty."""
    contextvars.Context().run(layer, x)


def caught(layer: nn.Module, x: torch.Tensor) -> None:
    """Call a layer that fails, and go on."""
    with contextlib.suppress(RuntimeError):
        layer(x[:, :1])


def on_the_way_back(layer: nn.Module, x: torch.Tensor) -> None:
    """Run a layer in a backward pass only."""
    with torch.enable_grad():
        start = x.clone().requires_grad_()
        start.register_hook(lambda gradient: layer(gradient).detach())
        (start * 2).sum().backward()


def repeated(layer: nn.Module, x: torch.Tensor) -> None:
    """Run a layer forward, and again on the way back."""
    with torch.enable_grad():
        checkpoint(layer, x.clone().requires_grad_(), use_reentrant=False).sum().backward()


@pytest.mark.parametrize(
    ("use", "facts"),
    [
        (nn.Module.__call__, {"runs": 1, "called": 1, "ended": 1}),
        (lambda *_: None, {}),
        (lambda layer, x: layer.forward(layer.forward(x)), {"runs": 2}),
        (lambda layer, x: type(layer).forward(layer, x), {"runs": 1}),
        (nn.Linear.forward, {"runs": 1}),  # as it was before the pass
        (lambda layer, x: copy.deepcopy(layer)(x), {}),
        (lambda layer, x: copy.copy(layer)(x), {}),
        (in_thread, {"runs": 1, "called": 1, "in_threads": 1}),
        (in_context, {"runs": 1, "called": 1, "in_contexts": 1}),
        (caught, {"runs": 1, "called": 1, "raised": "RuntimeError"}),
        (on_the_way_back, {"runs": 1, "called": 1, "ended": 1, "backward": 1}),
        (repeated, {"runs": 2, "called": 2, "ended": 1, "backward": 1}),  # the repetition ends early
    ],
)
def test_every_way_to_run_a_layer_is_seen(
    rows: torch.Tensor, use: Callable[[nn.Module, torch.Tensor], object], facts: dict[str, object]
) -> None:
    """And what the copy of a layer does is not taken for the layer's own."""
    found = by(use, nn.Linear(4, 4), rows)
    found.read = None
    assert found == LayerUses(watched=True, **facts)
    assert found.active == bool(facts)


def test_methods_count_where_a_tensor_goes_in_or_comes_out(rows: torch.Tensor) -> None:
    """Called by others, but not by the layer's own ``forward``, and not where they only tell a number."""
    assert by(lambda table, _: table.row(2), Table(), rows).methods == {"row": 1}
    assert by(lambda table, _: table.count(), Table(), rows).methods == {}
    assert by(lambda table, x: table(x), Table(), rows).methods == {}
    assert by(lambda caller, x: caller(x), Caller(), rows).methods == {"__call__": 1}
    assert by(lambda add, x: add.add(x, x), nn.quantized.FloatFunctional(), rows).methods == {"add": 1}


def test_a_forward_of_one_layer_alone_is_seen_too(rows: torch.Tensor) -> None:
    """Some nets replace it on the layer; afterwards it is theirs again."""
    layer = nn.Linear(4, 4)
    layer.forward = own = lambda x: x + 1
    assert by(lambda layer, x: layer.forward(x), layer, rows).runs == 1
    assert vars(layer)["forward"] is own


def test_a_forward_that_is_no_function_cannot_be_seen(rows: torch.Tensor) -> None:
    """So nothing may be concluded from its silence."""
    built_in = type("BuiltIn", (nn.Module,), {"forward": staticmethod(torch.relu)})()
    found = by(lambda layer, x: layer.forward(x), built_in, rows)
    assert (found.runs, found.watched) == (0, False)


@pytest.mark.parametrize(
    ("use", "read"),
    [
        (lambda layer, x: x @ layer.weight, ("weight", "matmul")),
        (
            lambda layer, x: nn.functional.linear(x, bias=layer.bias, weight=torch.rand(4, 4)),
            ("bias", "linear"),
        ),
        (lambda layer, x: torch.cat([x, layer.weight]), ("weight", "cat")),
        (lambda layer, _: layer.weight.T, ("weight", "T")),
        (lambda layer, _: layer.weight.tolist(), ("weight", "tolist")),
        (lambda layer, _: layer.weight.shape, None),
        (lambda layer, _: layer.weight.dtype, None),
        (lambda layer, _: torch.zeros_like(layer.weight), None),
        (lambda layer, x: x.to(layer.weight), None),
        (lambda layer, x: layer(x), None),
        (lambda layer, x: layer.forward(x), None),
    ],
)
def test_a_weight_that_other_code_takes_is_seen(
    rows: torch.Tensor, use: Callable[[nn.Module, torch.Tensor], object], read: tuple[str, str] | None
) -> None:
    """Its values, that is: neither its shape, nor what the layer itself does with it."""
    model = Way(use, nn.Linear(4, 4))
    found = seen(model, rows).read
    assert (found and (found.weight, found.function)) == read
    assert found is None or found.layer is model


def test_a_weight_is_seen_in_a_layer_that_another_thread_runs(rows: torch.Tensor) -> None:
    """Torch does not do in other threads what it is told to do in one."""
    net = nn.Module()
    net.layer, net.other = nn.Linear(4, 4), Way(lambda _, x: x @ net.layer.weight, nn.ReLU())
    net.forward = lambda x: in_thread(net.other, x)
    assert seen(net, rows, net.layer).read == seen(net, rows, net.layer).read
    found = seen(net, rows, net.layer).read
    assert found is not None
    assert (found.weight, found.layer) == ("weight", net.other)


def test_a_method_that_was_stored_before_the_pass_is_seen(rows: torch.Tensor) -> None:
    """It is no longer looked up, in the class or anywhere; unless another profiler was there first."""
    layer, table = nn.Linear(4, 4), Table()
    forward, row, plus = layer.forward, table.row, Table.forward.__get__(table)
    assert by(lambda *_: forward(rows), layer, rows).runs == 1
    assert by(lambda *_: plus(rows), table, rows).runs == 1
    assert by(lambda *_: row(torch.tensor(1)), table, rows).methods == {"row": 1}
    sys.setprofile(other := lambda *_: None)
    try:
        assert by(lambda *_: forward(rows), layer, rows).runs == 0
        assert sys.getprofile() is other
    finally:
        sys.setprofile(None)
    by(lambda *_: None, layer, rows)
    assert sys.getprofile() is None


def test_classes_are_as_before_when_the_pass_has_ended(rows: torch.Tensor) -> None:
    """After success and after an error, with no hook left."""
    before = {cls: dict(vars(cls)) for cls in (nn.Linear, nn.ReLU, Table, Caller, Way)}
    for model in (Way(in_thread, Table()), Way(lambda layer, x: layer(x[:, :1]), nn.Linear(4, 4))):
        with contextlib.suppress(RuntimeError):
            seen(model, rows)
        assert hook_count(model) == 0
    assert {cls: dict(vars(cls)) for cls in before} == before


def test_layers_of_other_models_are_nobodys_business(rows: torch.Tensor) -> None:
    """They share classes with those that are watched, and run as ever."""
    stranger, given = nn.Linear(4, 4), []
    by(lambda _, x: given.append(stranger.forward(x)), nn.Linear(4, 4), rows)
    torch.testing.assert_close(given[0], stranger(rows))


def test_a_pass_within_a_pass_is_witnessed_apart(rows: torch.Tensor) -> None:
    """A model whose forward looks into another model; both let go of the classes in the end."""
    forward, inner = nn.Linear.forward, Way(lambda layer, x: layer.forward(x), nn.Linear(4, 4))
    within = []
    found = by(lambda layer, x: within.append(seen(inner, layer.forward(x))), nn.Linear(4, 4), rows)
    assert (found.runs, within[0].runs) == (1, 1)
    assert nn.Linear.forward is forward
