"""Compiled nets beside the ones that they were made from: what the compiled code returns is compared."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from viz import LayerActivations, divergence

Backend = Callable[..., Any]


def wrong(graph: Callable[..., Any], _inputs: Any) -> Callable[..., Any]:
    """A compiler's backend with a fault: a constant is added to every result."""
    return lambda *given: tuple(each + 0.5 for each in graph(*given))


def halved(x: Tensor) -> Tensor:
    """A function that a test compiles."""
    return x / 2


class Halving(nn.Module):
    """A layer that is not compiled, and calls a function that may be."""

    def forward(self, x: Tensor) -> Tensor:
        return halved(x)


class Plain(nn.Module):
    """The same layer without a compiler."""

    def forward(self, x: Tensor) -> Tensor:
        return x / 2


@pytest.fixture(autouse=True)
def _no_compiled_code_stays() -> Iterator[None]:
    """The compiler keeps its code by the code that it was made of, which other tests run too."""
    yield
    torch._dynamo.reset()


def net() -> nn.Sequential:
    """Four layers whose second is a block."""
    torch.manual_seed(1)
    block = nn.Sequential(nn.Conv2d(4, 4, 1), nn.Tanh())
    return nn.Sequential(nn.Conv2d(3, 4, 3), block, Plain(), nn.Flatten(), nn.Linear(400, 3)).eval()


def pictures() -> Tensor:
    """Two pictures, (2, 3, 12, 12)."""
    return torch.rand(2, 3, 12, 12, generator=torch.Generator().manual_seed(5))


def in_place(layer: nn.Module, backend: Backend) -> nn.Module:
    """Compile a layer where it stands."""
    layer.compile(backend=backend)
    return layer


def by_its_method(layer: nn.Module, backend: Backend) -> nn.Module:
    """Compile a layer's own forward."""
    layer.forward = torch.compile(layer.forward, backend=backend)  # type: ignore[method-assign]
    return layer


def wrapped(layer: nn.Module, backend: Backend) -> nn.Module:
    """Compile a layer as most people do."""
    return torch.compile(layer, backend=backend)  # type: ignore[return-value]


def with_part(place: int, layer: nn.Module) -> nn.Module:
    """The net with another layer in a place."""
    found = net()
    found[place] = layer
    return found


COMPILED: dict[str, tuple[str, Callable[[Backend], nn.Module]]] = {
    "the net": ("", lambda backend: wrapped(net(), backend)),
    "the net in place": ("", lambda backend: in_place(net(), backend)),
    "the net's forward": ("", lambda backend: by_its_method(net(), backend)),
    "the net in DataParallel": ("", lambda backend: nn.DataParallel(wrapped(net(), backend))),
    "a block": ("1", lambda backend: with_part(1, wrapped(net()[1], backend))),
    "a block in place": ("1", lambda backend: with_part(1, in_place(net()[1], backend))),
    "a block's forward": ("1", lambda backend: with_part(1, by_its_method(net()[1], backend))),
}


def outputs(given: nn.Module) -> Tensor:
    """The outputs of a net that its owner calls."""
    with torch.no_grad():
        return given(pictures()).clone()


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("what", COMPILED)
def test_a_fault_of_the_compiler_is_found_where_its_code_ends(what: str, swapped: bool) -> None:
    """The output of the compiled part is the first that parts, and the last is what its owner gets."""
    layer, make = COMPILED[what]
    compiled = make(wrong)
    apart = (outputs(net()).double() - outputs(compiled)).abs().max().item()
    sides = (net(), compiled)
    found = divergence(*(reversed(sides) if swapped else sides), pictures())
    assert found.first is not None
    assert (found.first.layer, found.first.made_here) == (layer, True)
    last = list(found)[-1]
    assert (last.layer, last.other, last.max_abs) == ("", "", apart)


def test_a_compiled_function_runs_compiled_in_the_layer_that_calls_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without a sign of the compiler on the layer itself, which is the first that parts."""
    monkeypatch.setattr(f"{__name__}.halved", torch.compile(halved, backend=wrong))
    found = divergence(net(), with_part(2, Halving()), pictures()).first
    assert found is not None
    assert (found.layer, found.max_abs, found.made_here) == ("2", pytest.approx(0.5, abs=1e-6), True)


def test_a_compiled_method_of_a_class_runs_compiled() -> None:
    """Its forward, and one that this calls."""

    class Method(Plain):
        forward = torch.compile(Plain.forward, backend=wrong)

    class Halved(nn.Module):
        half = torch.compile(Plain.forward, backend=wrong)

        def forward(self, x: Tensor) -> Tensor:
            halves: Tensor = self.half(x)
            return halves

    for layer in (Method(), Halved()):
        found = divergence(net(), with_part(2, layer), pictures()).first
        assert found is not None
        assert (found.layer, found.max_abs, found.made_here) == ("2", pytest.approx(0.5, abs=1e-6), True)


@pytest.mark.parametrize("what", COMPILED)
def test_right_compiled_code_has_run_and_agrees(what: str) -> None:
    """And every layer outside it is compared."""
    ran = []

    def right(graph: Callable[..., Any], _inputs: Any) -> Callable[..., Any]:
        return lambda *given: ran.append(len(given)) or graph(*given)

    layer, make = COMPILED[what]
    found = divergence(net(), make(right), pictures())
    assert found.first is None
    assert ran
    compared = [row.layer for row in found if row.outside is not None]
    assert compared == ([layer] if not layer else ["0", "1", "2", "3", "4", ""])
    inside = {row.reason for row in found if row.layer and row.other is None}
    assert inside == {"inside a layer that is compiled, at least in part, or copied to several devices"}


def test_one_of_several_compiled_blocks_is_named() -> None:
    """Each of them is compared by its output."""
    compiled = net()
    for place, backend in ((0, "eager"), (1, wrong), (4, "eager")):
        compiled[place].compile(backend=backend)
    found = divergence(net(), compiled, pictures())
    assert [row.layer for row in found if row.made_here] == ["1"]
    assert [row.layer for row in found if row.outside] == ["1", "2", "3", "4", ""]


def test_layer_activations_of_a_net_with_compiled_blocks_run_them_compiled() -> None:
    """In eval mode, as they always run."""
    compiled = with_part(1, wrapped(net()[1], wrong)).train()
    found = divergence(LayerActivations(net(), "cpu"), LayerActivations(compiled, "cpu"), pictures())
    assert found.first is not None
    assert found.first.layer == "1"


def test_a_compiled_net_is_left_as_it_was() -> None:
    """Its hooks, its modes, its buffers, its compiled code, and what the compiler may do."""
    compiled = in_place(nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4)), "eager")
    before, code = copy.deepcopy(compiled.state_dict()), compiled._compiled_call_impl
    divergence(compiled, compiled, pictures())
    assert compiled._compiled_call_impl is code
    assert not any(layer._forward_hooks or layer._forward_pre_hooks for layer in compiled.modules())
    assert all(layer.training for layer in compiled.modules())
    assert all(torch.equal(value, before[name]) for name, value in compiled.state_dict().items())


def test_a_net_on_several_devices_is_called_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its copies are others on each device, so only what they return together is compared."""
    spread = nn.DataParallel(net())
    assert divergence(net(), spread, pictures()).first is None
    spread.device_ids = [0, 1]
    monkeypatch.setattr(nn.DataParallel, "forward", lambda self, x: self.module(x) + 1)
    found = divergence(net(), spread, pictures())
    assert found.first is not None
    assert (found.first.layer, found.first.made_here) == ("", True)
