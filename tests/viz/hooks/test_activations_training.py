"""Runs in training mode, edits of keyword inputs, and records that keep less: what researchers ask for."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from tests.viz.aliasing import Does, Net
from tests.viz.nets import Keywords, Plain
from viz.errors import CaptureError, EditError
from viz.hooks.activations import LayerActivations
from viz.hooks.values.structure import leaves


class Trained(nn.Module):
    """A batch normalisation and a dropout, of which one is in eval mode already."""

    def __init__(self) -> None:
        super().__init__()
        self.norm, self.drop = nn.BatchNorm1d(4), nn.Dropout(0.5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.drop(self.norm(x))


def test_a_run_in_training_mode_is_that_of_the_model_in_training_mode(rows: torch.Tensor) -> None:
    """With the same seed, bit for bit; outside the block the model evaluates."""
    model, plain = Trained(), Trained().train()
    layers = LayerActivations(model, device="cpu")
    with layers.training(seed=5), layers.capture() as record:
        found = layers.run(rows)
    torch.manual_seed(5)
    assert torch.equal(found, plain(rows))
    assert torch.equal(record["norm"].output, Trained().train().norm(rows))
    assert torch.equal(layers.run(rows), Trained().eval()(rows))


def test_a_run_as_it_is_trains_the_layers_that_are_in_training_mode(rows: torch.Tensor) -> None:
    """Here the norm, and not the dropout; its running mean is afterwards what it was."""
    model, plain = Trained().eval(), Trained().eval()
    layers = LayerActivations(model, device="cpu")
    model.norm.train()
    with layers.as_it_is():
        found = layers.run(rows)
    assert torch.equal(found, plain.norm.train()(rows))
    assert not model.norm.running_mean.any()
    assert [layer.training for layer in (model, model.norm, model.drop)] == [False, True, False]


def test_every_run_in_training_mode_draws_the_same_numbers(rows: torch.Tensor) -> None:
    """And leaves the caller's own generator alone; another seed draws others."""
    layers = LayerActivations(Trained(), device="cpu")
    before = torch.get_rng_state()
    with layers.training(seed=1):
        first, second = layers.run(rows), layers.run(rows)
    with layers.training(seed=2):
        other = layers.run(rows)
    assert torch.equal(first, second)
    assert not torch.equal(first, other)
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize("gradients", [False, True])
def test_training_leaves_buffers_and_flags_as_they_were(rows: torch.Tensor, *, gradients: bool) -> None:
    """The running statistics are those of before, also after a backward pass."""
    model = Trained()
    model.norm.eval()
    state = {name: value.clone() for name, value in model.state_dict().items()}
    layers = LayerActivations(model, device="cpu")
    with layers.training(), layers.capture(gradients=gradients):
        result = layers.run(rows)
        if gradients:
            result.sum().backward()
    assert all(torch.equal(value, state[name]) for name, value in model.state_dict().items())
    assert (model.training, model.norm.training, model.drop.training) == (True, False, True)


class Buffers(nn.Module):
    """A net that writes into an expanded buffer, sets an empty one, and gives another one longer values."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.BatchNorm1d(4)
        self.register_buffer("expanded", torch.ones(1, 4).expand(2, 4))
        self.register_buffer("untouched", torch.ones(1, 4).expand(2, 4))
        self.register_buffer("empty", None)
        self.register_buffer("longer", torch.ones(1))
        self.last = nn.BatchNorm1d(4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.expanded[:1, :1].add_(x[0, 0])
        self.empty = x * 2 if self.empty is None else self.empty + x
        self.longer.data = torch.cat([self.longer, x[0, :1]])
        return self.last(self.norm(x)) * self.expanded + self.empty + self.longer.sum()


@pytest.mark.parametrize("gradients", [False, True])
def test_every_kind_of_buffer_is_put_back(rows: torch.Tensor, *, gradients: bool) -> None:
    """So each run is that of a fresh net with the same weights and the same random numbers."""
    layers = LayerActivations(Buffers(), device="cpu")
    model, plain = layers.model, Buffers().train()
    memory = model.expanded.untyped_storage()._cdata
    with layers.training(), layers.capture(gradients=gradients):
        found = [layers.run(rows).detach() for _ in range(2)]
    with torch.no_grad():
        expected = plain(rows)
    assert all(torch.equal(each, expected) for each in found)
    fresh = dict(Buffers().named_buffers())
    assert dict(model.named_buffers()).keys() == fresh.keys()
    assert model.empty is None
    assert all(torch.equal(value, fresh[name]) for name, value in model.named_buffers())
    assert model.expanded.stride() == (0, 1)
    assert model.expanded.untyped_storage()._cdata == memory


class Refused(torch.Tensor):
    """A tensor that nobody may write into."""

    def copy_(self, *_: object) -> torch.Tensor:
        """Refuse."""
        raise RuntimeError("not into this one")


def test_a_buffer_that_cannot_be_put_back_leaves_the_others_to_be(rows: torch.Tensor) -> None:
    """Those before it and behind it; its own error is told."""
    model = Buffers()
    model.register_buffer("refused", torch.zeros(1).as_subclass(Refused))
    model.norm.register_forward_hook(lambda *_: model.refused.add_(1))
    model.behind = nn.BatchNorm1d(4)
    model.last.register_forward_hook(lambda *call: model.behind(call[-1]))
    layers = LayerActivations(model, device="cpu")
    with pytest.raises(RuntimeError, match="not into this one"), layers.training():
        layers.run(rows)
    for norm in (model.norm, model.last, model.behind):
        assert not norm.running_mean.any()
        assert not norm.num_batches_tracked


def test_only_the_block_s_own_model_trains(rows: torch.Tensor) -> None:
    """A second one evaluates meanwhile."""
    layers, other = (LayerActivations(Trained(), device="cpu") for _ in range(2))
    with layers.training():
        assert torch.equal(other.run(rows), Trained().eval()(rows))


def test_gradients_in_training_mode_are_those_of_autograd(rows: torch.Tensor) -> None:
    """Through the batch's own mean, which no run in eval mode goes through."""
    layers, plain = LayerActivations(Trained(), device="cpu"), Trained().train()
    mine, theirs = rows.clone().requires_grad_(), rows.clone().requires_grad_()
    with layers.training(seed=3), layers.capture(gradients=True):
        layers.run(mine).square().sum().backward()
    torch.manual_seed(3)
    plain(theirs).square().sum().backward()
    assert torch.equal(mine.grad, theirs.grad)


def test_keyword_inputs_can_be_edited(rows: torch.Tensor) -> None:
    """The layer gets the new dict; the caller's own is as it was."""
    layers = LayerActivations(Keywords(), device="cpu")
    seen: list[dict[str, Any]] = []

    def doubled(given: dict[str, Any]) -> dict[str, Any]:
        seen.append(given)
        return {
            name: value * 2 if isinstance(value, torch.Tensor) else value for name, value in given.items()
        }

    plain = layers.run(rows)
    name = "layer"
    with layers.edit(name, keywords=doubled), layers.capture(name, inputs=True) as record:
        changed = layers.run(rows)
    assert seen == [{"factor": torch.tensor(3.0), "mode": "double"}]
    assert torch.allclose(changed, plain * 2)
    assert torch.equal(record[name].keywords["factor"], torch.tensor(6.0))


class Named(nn.Module):
    """A layer whose only input has a name."""

    def forward(self, *, x: torch.Tensor) -> torch.Tensor:
        return x + 1


def test_an_edit_of_keyword_inputs_returns_a_dict(rows: torch.Tensor) -> None:
    """Anything else is refused in a sentence, and so is an edit of positional inputs where there are none."""
    layers = LayerActivations(Net(lambda net, x: net.layer(x=x), layer=Named()), device="cpu")
    for edit, said in (
        ({"keywords": list}, "returned a list: it must return a dict"),
        ({"keywords": lambda _: None}, "returned None"),
        ({"inputs": lambda given: given}, "edit them with keywords="),
    ):
        with pytest.raises(EditError, match=said), layers.edit("layer", **edit):
            layers.run(rows)
    with layers.edit("layer", keywords=lambda given: {"x": given["x"] * 3}):
        assert torch.equal(layers.run(rows), rows * 3 + 1)


def test_a_record_may_keep_less_of_each_tensor(images: torch.Tensor) -> None:
    """Such as each channel's mean; what is no tensor is kept as it is."""
    model = Plain().eval()
    layers = LayerActivations(model, device="cpu")
    with layers.capture("conv1", inputs=True, keep=lambda tensor: tensor.mean((2, 3))) as record:
        layers.run(images)
    assert torch.equal(record["conv1"].output, model.conv1(images).mean((2, 3)))
    assert torch.equal(record["conv1"].inputs[0], images.mean((2, 3)))
    with layers.capture("fc", keep=lambda tensor: tuple(tensor.shape)) as record:
        layers.run(images)
    assert record["fc"].output == (2, 6)


def test_what_is_kept_of_a_tensor_is_a_copy(rows: torch.Tensor) -> None:
    """A part of it, too, is as it was when the layer returned."""
    model = nn.Sequential(nn.Linear(4, 4), nn.ReLU(inplace=True)).eval()
    layers = LayerActivations(model, device="cpu")
    with layers.capture("0", keep=lambda tensor: tensor[:, :2]) as record:
        layers.run(rows)
    assert torch.equal(record["0"].output, model[0](rows)[:, :2])


def test_a_record_stays_within_its_budget(images: torch.Tensor) -> None:
    """The first tensor too many ends the run with a sentence; the next run works."""
    layers = LayerActivations(Plain(), device="cpu")
    size = 2 * 4 * 6 * 6 * 4
    with layers.capture("conv1", budget=size) as record:
        layers.run(images)
    assert record["conv1"].output.nbytes == size
    with (
        pytest.raises(CaptureError, match="beyond its budget of 1,151 bytes"),
        layers.capture(budget=size - 1),
    ):
        layers.run(images)
    assert layers.run(images).shape == (2, 6)


def test_gradients_of_gradients_need_the_graph_to_be_kept(rows: torch.Tensor) -> None:
    """The oracle is autograd on the same functions by hand."""
    model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1)).eval()
    layers, mine = LayerActivations(model, device="cpu"), rows.clone().requires_grad_()
    with layers.capture("1", gradients=True, create_graph=True) as record:
        torch.autograd.grad(layers.run(mine).square().sum(), mine, create_graph=True)
        (found,) = torch.autograd.grad(record["1"].gradient.square().sum(), mine)
    theirs = rows.clone().requires_grad_()
    middle = torch.tanh(model[0](theirs))
    (first,) = torch.autograd.grad(model[2](middle).square().sum(), middle, create_graph=True)
    assert torch.allclose(found, torch.autograd.grad(first.square().sum(), theirs)[0])


@pytest.mark.parametrize("way", [np.asarray, lambda x: (x, x[:, :1]), lambda x: {"all": [np.asarray(x)]}])
def test_what_is_kept_of_a_tensor_is_a_copy_in_whatever_it_comes(
    rows: torch.Tensor, way: Callable[[torch.Tensor], Any]
) -> None:
    """In an array, a tuple or a dict, too, no later write reaches it, and its bytes count."""
    model = nn.Sequential(nn.Linear(4, 4), nn.ReLU(inplace=True)).eval()
    layers, plain = LayerActivations(model, device="cpu"), model[0](rows).detach()
    assert (plain < 0).any()
    with layers.capture("0", keep=way) as record:
        layers.run(rows)
    expected = leaves(way(plain.clone()))
    found = leaves(record["0"].output)
    assert list(found) == list(expected)
    assert all(torch.equal(found[path], value) for path, value in expected.items())
    size = sum(value.nbytes for value in expected.values())
    with pytest.raises(CaptureError), layers.capture("0", keep=way, budget=size - 1):
        layers.run(rows)
    with layers.capture("0", keep=way, budget=size):
        layers.run(rows)


def test_arrays_that_a_layer_returns_count_in_the_budget(rows: torch.Tensor) -> None:
    """Four bytes for each of its eight numbers."""
    layers = LayerActivations(Net(lambda net, x: net.layer(x), layer=Does(lambda x: x.numpy())), device="cpu")
    with pytest.raises(CaptureError), layers.capture("layer", budget=31):
        layers.run(rows)
    with layers.capture("layer", budget=32) as record:
        layers.run(rows)
    assert np.array_equal(record["layer"].output, rows.numpy())
