"""Looking changes nothing: what a model returns with a capture around it is what it returns without one."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

from tests.viz.aliasing import NETS, Does, Net, Remembers
from viz.hooks.activations import LayerActivations
from viz.hooks.edits import scale
from viz.hooks.values.structure import leaves

MODES = [{}, {"inputs": True}, {"gradients": True}, {"inputs": True, "gradients": True}]


def plainly(make: Callable[[], nn.Module], *given: Any) -> Any:
    """Return the model's output on its own; a fresh one, because some remember."""
    torch.manual_seed(1)
    model = make().eval()
    with torch.no_grad():
        return model(*given)


def hooked(make: Callable[[], nn.Module]) -> LayerActivations:
    """The same model, to look at."""
    torch.manual_seed(1)
    return LayerActivations(make(), device="cpu")


@pytest.mark.parametrize("options", MODES, ids=lambda options: "+".join(options) or "outputs")
@pytest.mark.parametrize("name", NETS)
def test_a_capture_leaves_the_models_output_as_it_is(rows: torch.Tensor, name: str, options: Any) -> None:
    """Other values may share memory with those that a layer takes or returns."""
    expected = plainly(NETS[name], rows.clone())
    layers = hooked(NETS[name])
    with layers.capture(**options):
        assert torch.equal(layers.run(rows), expected)


@pytest.mark.parametrize("name", NETS)
def test_a_gradient_edit_that_changes_nothing_leaves_the_output_as_it_is(
    rows: torch.Tensor, name: str
) -> None:
    """At outputs and at inputs."""
    expected = plainly(NETS[name], rows.clone())
    layers = hooked(NETS[name])
    with layers.edit("layer", gradient=lambda flowing: flowing, input_gradient=lambda flowing: flowing):
        assert torch.equal(layers.run(rows), expected)


@pytest.mark.parametrize("name", sorted(name for name in NETS if "returned" not in name))
def test_the_pictures_gradient_is_that_of_the_model_alone(rows: torch.Tensor, name: str) -> None:
    """Autograd follows what is written into shared memory, with and without hooks."""
    torch.manual_seed(1)
    model = NETS[name]().eval().requires_grad_(False)
    leaf = rows.clone().requires_grad_()
    model(leaf * 1).square().sum().backward()
    layers, mine = hooked(NETS[name]), rows.clone().requires_grad_()
    with layers.capture(inputs=True, gradients=True):
        layers.run(mine * 1).square().sum().backward()
    assert torch.allclose(mine.grad, leaf.grad)


def test_a_returned_buffer_is_no_part_of_a_graph_afterwards(rows: torch.Tensor) -> None:
    """Neither is a returned weight."""
    for name in ("a returned buffer that is written", "a returned weight"):
        layers = hooked(NETS[name])
        with layers.capture(gradients=True):
            layers.run(rows).sum().backward()
        assert not layers.model.layer.state.requires_grad
        assert layers.model.layer.weight.is_leaf
        assert layers.model.layer.weight.requires_grad


def test_the_gradient_of_memory_that_is_written_later_is_that_of_its_values_before(
    rows: torch.Tensor,
) -> None:
    """The dropout's output is the memory that both of the sum's operands read after the write."""
    layers = hooked(NETS["a dropout whose output is written"])
    with layers.capture("layer", gradients=True) as record:
        layers.run(rows).square().sum().backward()
    assert torch.allclose(record["layer"].gradient, 2 * (2 * (rows + 1)) * 2)


def test_what_is_read_before_a_write_and_after_it_adds_up(rows: torch.Tensor) -> None:
    """Half of the gradient comes back through the view, half through what was written over it."""

    def run(net: Net, x: torch.Tensor) -> torch.Tensor:
        y = net.layer(net.linear(x))
        early = y * 10
        y *= 3
        return early + y

    torch.manual_seed(0)
    layers = LayerActivations(Net(run, linear=nn.Linear(4, 4), layer=nn.Flatten()), device="cpu")
    with layers.capture("layer", "linear", gradients=True) as record:
        layers.run(rows).sum().backward()
    assert torch.equal(record["layer"].gradient, torch.full((2, 4), 13.0))
    assert torch.equal(record["linear"].gradient, torch.full((2, 4), 13.0))


@pytest.mark.parametrize("name", sorted({*NETS} - {"a returned buffer that is written"}))
def test_gradients_of_a_call_by_hand_are_those_of_a_run(rows: torch.Tensor, name: str) -> None:
    """Also where the model writes into what has flown on as a view.

    Plain autograd cannot go back through the net that is left out: it overwrites what it has multiplied with.
    """
    found = []
    for by_hand in (False, True):
        layers = hooked(NETS[name])
        call = layers.model.eval() if by_hand else layers.run
        with layers.capture(inputs=True, gradients=True) as record:
            call(rows * 1).square().sum().backward()
        calls = [call for name in record for call in record[name]]
        found.append(list(leaves([[call.gradient, call.input_gradients] for call in calls]).values()))
    assert len(found[0]) == len(found[1]) > 0
    assert all(map(torch.equal, *found))


def test_a_part_that_is_written_later_has_its_own_part_of_the_gradient(rows: torch.Tensor) -> None:
    """A view of a view: the memory's gradient is larger than the layer's output."""

    def run(net: Net, x: torch.Tensor) -> torch.Tensor:
        whole = x * 1
        part = net.layer(whole)
        part *= 3
        return (whole * torch.arange(4.0)).sum()

    layers = LayerActivations(Net(run, layer=Does(lambda h: h[:, 1:3])), device="cpu")
    with layers.capture("layer", gradients=True) as record:
        layers.run(rows).backward()
    assert torch.equal(record["layer"].gradient, torch.tensor([[3.0, 6.0]]).expand(2, 2))


def test_an_edited_gradient_reaches_what_was_written_later(rows: torch.Tensor) -> None:
    """As it would without the write."""
    layers = hooked(NETS["an in-place ReLU whose input is read"])
    mine = rows.clone().requires_grad_()
    with layers.edit("layer", input_gradient=scale(10)):
        layers.run(mine).sum().backward()
    edited = mine.grad.clone()
    mine.grad = None
    with layers.capture("layer", gradients=True):
        layers.run(mine).sum().backward()
    assert torch.allclose(edited, 10 * mine.grad)


def test_a_net_that_no_backward_pass_was_meant_for_has_gradients(rows: torch.Tensor) -> None:
    """It overwrites what the sigmoid's own backward pass needs."""

    def run(net: Net, x: torch.Tensor) -> torch.Tensor:
        return net.linear(x).sigmoid().mul_(2)

    torch.manual_seed(0)
    model = Net(run, linear=nn.Linear(4, 4)).eval()
    layers = LayerActivations(model, device="cpu")
    with layers.capture("linear", gradients=True) as record:
        layers.run(rows).sum().backward()
    middle = model.linear(rows).sigmoid()
    assert torch.allclose(record["linear"].gradient, 2 * middle * (1 - middle))


@pytest.mark.parametrize(
    ("given", "run"),
    [
        (lambda x: (x, x), lambda _, one, other: one.add_(1) * other),
        (lambda x: (x, x[:, 1:3]), lambda _, whole, part: part.mul_(3).sum() + whole),
        (lambda x: (x[:, :2], x[:, 2:]), lambda _, one, other: one.add_(1) * other),
        (lambda x: ([x, x],), lambda _, both: both[0].add_(1) * both[1]),
        (lambda x: (x.t(), x), lambda _, turned, x: turned.mul_(2).sum() + x),
    ],
)
def test_inputs_that_share_memory_share_it_in_the_run(rows: torch.Tensor, given: Any, run: Any) -> None:
    """A tensor given twice, and a tensor with its view: the model writes into one and reads the other."""
    layers = LayerActivations(Net(run, layer=nn.Identity()), device="cpu")
    before = rows.clone()
    assert torch.equal(layers.run(*given(rows)), run(None, *given(rows.clone())))
    assert torch.equal(rows, before)


def test_a_number_and_its_conjugate_are_two_inputs() -> None:
    """They share memory, and differ by a mark on the tensor; likewise the part that a conjugate negates."""
    number = torch.tensor([1 + 2j, 3 - 4j])

    def both(_: Net, one: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
        return torch.stack([one.resolve_neg(), other.resolve_conj().resolve_neg()])

    layers = LayerActivations(Net(both, layer=nn.Identity()), device="cpu")
    for given in ((number, number.conj()), (number.imag, number.conj().imag)):
        assert torch.equal(layers.run(*given), both(None, *given))


def test_a_dict_given_by_position_is_the_callers_own_dict(rows: torch.Tensor) -> None:
    """The layer puts its result into it; the record keeps it as it was before."""
    layers = hooked(NETS["a dict that the layer puts into"])
    with layers.capture("layer", inputs=True, gradients=True) as record:
        layers.run(rows).sum().backward()
    (given,) = record["layer"].inputs
    assert list(given) == ["x"]
    assert torch.equal(record["layer"].input_gradients[0]["x"], torch.full((2, 4), 2.0))


def test_a_container_that_a_layer_keeps_stays_the_same_object(rows: torch.Tensor) -> None:
    """The model's own cache goes on growing while gradients are captured."""
    layers = LayerActivations(
        Net(lambda net, x: net.layer(x) is net.layer.kept, layer=Remembers()), device="cpu"
    )
    with layers.capture(gradients=True):
        assert layers.run(rows) is True


class Compiled(nn.Module):
    """Two layers, of which one runs in code that was compiled before: how, the test says."""

    def __init__(self, how: str) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(4, 4), nn.Linear(4, 4)
        work: Callable[..., Any] = self.second
        if how == "its compile method":
            self.second.compile(backend="eager")
        elif how == "torch.compile":
            work = torch.compile(self.second, backend="eager")
        else:
            work = torch.compile(lambda x: 1 * self.second(x), backend="eager")
        self.__dict__["work"] = work

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.work(self.first(x)).relu_()


@pytest.mark.parametrize("how", ["its compile method", "torch.compile", "a compiled function"])
def test_a_layer_that_was_compiled_before_is_captured_in_every_mode(rows: torch.Tensor, how: str) -> None:
    """It runs as it was written; the model's own compiled code has run before."""
    torch.manual_seed(0)
    model = Compiled(how).eval()
    with torch.no_grad():
        expected = model(rows)
    layers = LayerActivations(model, device="cpu")
    for options in MODES:
        with layers.capture(**options) as record:
            assert torch.equal(layers.run(rows), expected)
        second = nn.functional.linear(model.first(rows), model.second.weight, model.second.bias)
        assert torch.equal(record["second"].output, second)
