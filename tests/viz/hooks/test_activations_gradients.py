"""Gradients: equal to autograd's, at the right layer, and without touching any others."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import torch
from torch import nn
from torch.utils import checkpoint as torch_checkpoint

from tests.viz.aliasing import Does, Net
from tests.viz.nets import Checkpointed, InPlace, Plain, PreActivation, Reused, Structured
from viz.errors import CallError
from viz.hooks.activations import LayerActivations


def test_gradients_equal_autograd_bit_for_bit(images: torch.Tensor) -> None:
    """The oracle is torch.autograd.grad on the same layers called by hand."""
    model = Plain().eval()
    layers = LayerActivations(model, device="cpu")
    with layers.capture(nn.Conv2d, gradients=True) as record:
        layers.run(images)[0, 3].backward()
    first = model.conv1(images)
    second = model.conv2(first)
    score = model.fc(model.pool(second).flatten(1))[0, 3]
    for name, expected in zip(record, torch.autograd.grad(score, [first, second]), strict=True):
        assert torch.equal(record[name].gradient, expected)


def test_gradients_are_those_from_before_an_in_place_operation(images: torch.Tensor) -> None:
    """Even if the model itself cannot be differentiated: mul_ overwrites what ReLU needs to keep."""
    model = InPlace().eval()
    layers = LayerActivations(model, device="cpu")
    with layers.capture("conv", "relu", gradients=True) as record:
        layers.run(images).square().sum().backward()
    conv = model.conv(images)
    relu = conv.relu()
    expected = torch.autograd.grad(((relu + 1) * 3).square().sum(), [conv, relu])
    assert torch.equal(record["conv"].gradient, expected[0])
    assert torch.equal(record["relu"].gradient, expected[1])


def test_an_in_place_layer_may_be_watched_at_its_input(images: torch.Tensor) -> None:
    """Its caller goes on with the input that the layer wrote into, and so sees what was written."""
    model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(inplace=True)).eval()
    conv, relu = model
    model.forward = lambda x: [value := conv(x), relu(value)][0]
    layers = LayerActivations(model, device="cpu")
    with layers.capture("1", inputs=True, gradients=True) as record:
        result = layers.run(images)
        result.square().sum().backward()
    leaf = conv(images).detach().requires_grad_()
    assert torch.equal(result, leaf.relu())
    assert torch.equal(
        record["1"].input_gradients[0], torch.autograd.grad(leaf.relu().square().sum(), leaf)[0]
    )


PARTS = [slice(None), slice(1, None)]


def pre_activations(part: slice) -> tuple[PreActivation, PreActivation]:
    """A net whose activation works in place, and the same net written out of place."""
    in_place, written_out = (PreActivation(inplace=way, part=part).eval().double() for way in (True, False))
    written_out.load_state_dict(in_place.state_dict())
    return in_place, written_out


@pytest.mark.parametrize("part", PARTS, ids=["whole", "a view"])
@pytest.mark.parametrize("inputs", [False, True])
def test_an_in_place_layer_whose_input_is_read_again_has_the_gradient_of_both_readers(
    images: torch.Tensor, part: slice, *, inputs: bool
) -> None:
    """As the same net written out of place has by plain autograd, before the activation too."""
    in_place, written_out = pre_activations(part)
    layers = LayerActivations(in_place, device="cpu")
    with layers.capture("conv1", "relu", gradients=True, inputs=inputs) as record:
        layers.run(images.double())[0, 2].backward()
    seen: dict[str, torch.Tensor] = {}
    for name in record:
        written_out.get_submodule(name).register_forward_hook(
            lambda _, __, output, name=name: seen.update({name: output})
        )
    score = written_out(images.double())[0, 2]
    for name, expected in zip(
        record, torch.autograd.grad(score, [seen[name] for name in record]), strict=True
    ):
        assert torch.allclose(record[name].gradient, expected, rtol=1e-12)


@pytest.mark.parametrize("part", PARTS, ids=["whole", "a view"])
def test_an_in_place_layers_gradient_is_the_slope_of_the_score(images: torch.Tensor, part: slice) -> None:
    """By finite differences: a plain hook adds a little to one value of what the layer returned."""
    model, _ = pre_activations(part)
    layers = LayerActivations(model, device="cpu")
    with layers.capture("relu", gradients=True) as record:
        layers.run(images.double())[0, 2].backward()
    place, step = (0, 1, 3, 2), 1e-5
    scores = []
    for change in (step, -step):
        hook = model.relu.register_forward_hook(
            lambda _, __, output, change=change: (output[place].add_(change), None)[1]
        )
        with hook, torch.no_grad():
            scores.append(model(images.double())[0, 2])
    slope = (scores[0] - scores[1]) / (2 * step)
    assert torch.allclose(record["relu"].gradient[place], slope, rtol=1e-6)


@pytest.mark.parametrize("part", PARTS, ids=["whole", "a view"])
def test_an_edited_gradient_of_an_in_place_layer_is_that_of_both_readers(
    images: torch.Tensor, part: slice
) -> None:
    """Nothing flows past the edit: with zero there, nothing comes to the convolution."""
    model, _ = pre_activations(part)
    layers = LayerActivations(model, device="cpu")
    found = []
    for factor in (1, 3, 0):
        with (
            layers.edit("relu", gradient=lambda flowing, factor=factor: flowing * factor),
            layers.capture("conv1", gradients=True) as record,
        ):
            layers.run(images.double())[0, 2].backward()
        found.append(record["conv1"].gradient)
    assert torch.allclose(found[1], 3 * found[0])
    assert found[0].abs().sum() > 0
    assert not found[2].any()


def test_a_layer_that_returns_its_input_unwritten_has_its_own_readers_gradient_alone(
    images: torch.Tensor,
) -> None:
    """A reader of the input reads what the layer was given: written out, these are two values."""
    model = nn.Sequential(nn.Dropout(inplace=True)).eval()
    dropout = model[0]
    model.forward = lambda x: [value := x * 1, (dropout(value) * 2 + value * 5).sum()][1]
    layers = LayerActivations(model, device="cpu")
    with layers.capture("0", gradients=True) as record:
        layers.run(images).backward()
    assert torch.equal(record["0"].gradient, torch.full_like(images, 2))


def test_each_call_of_a_reused_layer_has_its_own_gradient(images: torch.Tensor) -> None:
    """Three calls have the same shape, so neither shape nor order of arrival could tell them apart."""
    model = Reused().eval()
    layers = LayerActivations(model, device="cpu")
    with layers.capture("relu", gradients=True) as record:
        layers.run(images).square().sum().backward()
    first = model.conv1(images).relu()
    second = model.conv2(first).relu()
    third = (first + second).relu()
    expected = torch.autograd.grad(third.square().sum(), [first, second, third])
    assert all(
        torch.equal(call.gradient, value) for call, value in zip(record["relu"], expected, strict=True)
    )


def test_input_gradients_are_those_through_the_layer_alone(images: torch.Tensor) -> None:
    """They equal those of a full backward hook, although the input is used elsewhere too."""
    model, seen = Reused(), []
    layers = LayerActivations(model, device="cpu")
    with layers.capture("conv2", inputs=True, gradients=True) as record:
        layers.run(images).square().sum().backward()
    model.conv2.register_full_backward_hook(lambda _, into, __: seen.append(into))
    model(images).square().sum().backward()
    assert torch.equal(record["conv2"].input_gradients[0], seen[0][0])


def test_frozen_weights_and_plain_inputs_still_give_gradients(images: torch.Tensor) -> None:
    """The graph begins at the layer, also at its input."""
    layers = LayerActivations(Plain().requires_grad_(False), device="cpu")
    with layers.capture("conv1", inputs=True, gradients=True) as record:
        layers.run(images)[0, 0].backward()
    assert record["conv1"].gradient.shape == record["conv1"].output.shape
    assert record["conv1"].input_gradients[0].abs().sum() > 0


def test_the_weights_gradients_and_flags_are_left_alone(images: torch.Tensor) -> None:
    """A backward pass inside the block adds nothing to any parameter."""
    model = Plain()
    model.fc.requires_grad_(False)
    model.conv1.weight.grad = torch.ones_like(model.conv1.weight)
    layers = LayerActivations(model, device="cpu")
    with layers.capture(gradients=True):
        layers.run(images).sum().backward()
    assert [weight.grad is None for weight in model.parameters()] == [False] + [True] * 5
    assert model.conv1.weight.grad.eq(1).all()
    assert [weight.requires_grad for weight in model.parameters()] == [True] * 4 + [False] * 2


def test_weights_are_frozen_until_the_last_block_ends() -> None:
    """Blocks of several threads may overlap in any order."""
    model = nn.Linear(4, 4)
    model.bias.requires_grad_(False)
    one, other = (
        LayerActivations(nn.Sequential(model), device="cpu").capture(gradients=True) for _ in range(2)
    )
    one.__enter__()
    other.__enter__()
    one.__exit__(None, None, None)
    assert not model.weight.requires_grad
    other.__exit__(None, None, None)
    assert model.weight.requires_grad
    assert not model.bias.requires_grad


def test_the_callers_own_leaf_gets_its_gradient(images: torch.Tensor) -> None:
    """An input that requires grad is part of the graph, and its tensor hooks are not ours."""
    images.requires_grad_()
    layers = LayerActivations(nn.Sequential(nn.Identity(), nn.Flatten()), device="cpu")
    with layers.capture("0", gradients=True) as record:
        layers.run(images).square().sum().backward()
    assert torch.equal(images.grad, 2 * images)
    assert torch.equal(record["0"].gradient, images.grad)
    assert not images._backward_hooks


def test_gradients_keep_the_outputs_structure(rows: torch.Tensor) -> None:
    """A tuple gives a tuple, with None where no gradient flowed and where there is no tensor."""
    model = nn.ModuleDict({name: Structured().get_submodule(name) for name in ("pair", "words", "scores")})
    model.forward = lambda x: model["pair"](x)[0] + model["words"](x)[3] + model["scores"](x).logits
    layers = LayerActivations(model, device="cpu")
    with layers.capture(gradients=True) as record:
        layers.run(rows).sum().backward()
    ones = torch.ones_like(rows)
    assert torch.equal(record["pair"].gradient[0], ones)
    assert record["pair"].gradient[1] is None
    assert record["words"].gradient[:3] == (None, None, None)
    assert torch.equal(record["scores"].gradient.logits, ones)
    assert record["scores"].gradient.hidden == (None,)


def test_a_shape_beside_a_tensor_has_no_gradient(rows: torch.Tensor) -> None:
    """None stands in its place, at the output and at the inputs."""
    layers = LayerActivations(
        Net(lambda net, x: net.layer(x, x.shape)[0], layer=Does(lambda x, shape: (x * 3, shape))), "cpu"
    )
    with layers.capture("layer", inputs=True, gradients=True) as record:
        layers.run(rows).sum().backward()
    gradient, nothing = record["layer"].gradient
    assert ((gradient == 1).all(), nothing) == (True, None)
    gradient, nothing = record["layer"].input_gradients
    assert ((gradient == 3).all(), nothing) == (True, None)
    assert record["layer"].output[1] == rows.shape


@pytest.mark.parametrize("reentrant", [False, True])
def test_recomputation_by_checkpointing_is_no_second_call(rows: torch.Tensor, *, reentrant: bool) -> None:
    """Layers that run again during backward are recorded once, with the right gradient."""
    model = Checkpointed(reentrant=reentrant).eval()
    layers = LayerActivations(model, device="cpu")
    with layers.capture(gradients=True) as record:
        layers.run(rows).square().sum().backward()
    first = model.first(rows)
    (expected,) = torch.autograd.grad(model.second(torch.tanh(first)).square().sum(), first)
    assert torch.equal(record["first"].gradient, expected)
    assert len(record["second"]) == 1


def test_reentrant_checkpointing_gives_the_gradient_that_a_plain_hook_gets(rows: torch.Tensor) -> None:
    """The hook's tensors are those of the repetition; torch's function is in place again afterwards."""
    model, seen = Checkpointed(reentrant=True).eval(), []
    layers = LayerActivations(model, device="cpu")
    before = torch_checkpoint.CheckpointFunction
    with layers.capture("first", gradients=True) as outer, layers.capture("second", gradients=True) as inner:
        layers.model(rows).square().sum().backward()
        ours = outer["first"].gradient
    assert torch_checkpoint.CheckpointFunction is before
    assert len(inner["second"]) == 1

    def hook(_: object, __: object, output: torch.Tensor) -> None:
        if output.requires_grad:  # in the first pass it has no graph
            output.register_hook(seen.append)

    with model.first.register_forward_hook(hook):
        model(rows.requires_grad_()).square().sum().backward()
    assert torch.equal(ours, seen[0])


def test_another_threads_training_keeps_its_own_checkpointing(rows: torch.Tensor) -> None:
    """Only who asks for gradients of layers gets another way to repeat them."""
    layers = LayerActivations(Checkpointed(), device="cpu")
    with layers.capture("first", gradients=True), ThreadPoolExecutor(1) as thread:
        result = thread.submit(Checkpointed(reentrant=True), rows.requires_grad_()).result()
    assert type(result.grad_fn).__name__ == "CheckpointFunctionBackward"


@pytest.mark.parametrize("reentrant", [False, True])
def test_edits_are_made_again_when_checkpointing_recomputes(rows: torch.Tensor, *, reentrant: bool) -> None:
    """Otherwise the backward pass would see other values than the forward pass gave."""
    model = Checkpointed(reentrant=reentrant).eval()
    layers = LayerActivations(model, device="cpu")
    rows.requires_grad_()
    with layers.edit("first", output=lambda value: value * 2, gradient=lambda flowing: flowing):
        layers.run(rows).square().sum().backward()
    leaf = rows.detach().requires_grad_()
    result = model.second(torch.tanh(model.first(leaf) * 2)).square().sum()
    assert torch.allclose(rows.grad, torch.autograd.grad(result, leaf)[0])


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_gradients_are_found_although_the_caller_had_switched_them_off(
    mode: type, images: torch.Tensor
) -> None:
    """A service may sit inside no_grad or inference mode; the run for gradients does not."""
    layers = LayerActivations(Plain(), device="cpu")
    with mode():
        inputs = images + 0
        with layers.capture("conv1", gradients=True) as record:
            score = layers.run(inputs)
            with torch.inference_mode(False), torch.enable_grad():
                score.sum().backward()
    assert record["conv1"].gradient.abs().sum() > 0


def test_a_gradient_that_was_not_captured_is_an_error_that_says_so(images: torch.Tensor) -> None:
    """Three things that can be forgotten: gradients, inputs, and calling backward inside the block."""
    layers = LayerActivations(Plain(), device="cpu")
    with layers.capture("conv1") as plain, layers.capture("conv1", gradients=True) as record:
        score = layers.run(images).sum()
    score.backward()
    with pytest.raises(CallError, match="gradients=True"):
        _ = plain["conv1"].gradient
    with pytest.raises(CallError, match="inputs=True, gradients=True"):
        _ = record["conv1"].input_gradients
    with pytest.raises(CallError, match="inputs=True"):
        _ = record["conv1"].inputs
    assert record["conv1"].gradient is None


def test_a_stopped_run_gives_a_score_in_the_middle_of_the_model(images: torch.Tensor) -> None:
    """The value that ``until`` returns can be differentiated like any result."""
    model = Plain().eval()
    layers = LayerActivations(model, device="cpu")
    with layers.capture("conv1", gradients=True) as record:
        layers.run(images, until="conv2")[:, 2].sum().backward()
    first = model.conv1(images)
    assert torch.equal(
        record["conv1"].gradient, torch.autograd.grad(model.conv2(first)[:, 2].sum(), first)[0]
    )


def test_a_recurrent_layer_in_eval_mode_has_gradients(rows: torch.Tensor) -> None:
    """Tuples in tuples: output, hidden and cell state."""
    model = nn.LSTM(4, 3, batch_first=True).eval()
    layers = LayerActivations(nn.Sequential(model), device="cpu")
    inputs = rows[:, None]
    with layers.capture(0, gradients=True) as record:
        layers.run(inputs)[1][1].sum().backward()
    output, (hidden, cell) = record[0].gradient
    assert (output, hidden) == (None, None)
    assert cell.eq(1).all()


class NoDerivative(torch.autograd.Function):
    """The identity without a derivative, as PyTorch's int8 layers are."""

    @staticmethod
    def forward(ctx: Any, value: torch.Tensor) -> torch.Tensor:  # noqa: ARG004
        """Return the same values."""
        return value.clone()

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> None:
        """Bring nothing."""


class Quantised(nn.Module):
    """A layer, or a part of one, in front of a step without derivative, and one behind."""

    def __init__(self, *, part: bool) -> None:
        super().__init__()
        self.front, self.behind, self.part = nn.Linear(4, 8), nn.Tanh(), part
        self.chosen = nn.Identity()

    def forward(self, given: torch.Tensor) -> torch.Tensor:
        """Return (N, 8), or (N, 4) of the layer's second half."""
        value = self.front(given)
        value = self.chosen(value[:, 4:] if self.part else value)
        found: torch.Tensor = self.behind(NoDerivative.apply(value))
        return found


@pytest.mark.parametrize("part", [False, True])
def test_in_front_of_a_step_without_derivative_no_gradient_arrives(part: bool) -> None:
    """PyTorch brings None to the hooks there; behind it the gradient is as ever, with edits too."""
    layers = LayerActivations(Quantised(part=part), "cpu")
    with layers.capture("front", "chosen", "behind", gradients=True) as record:
        layers.run(torch.ones(1, 4)).sum().backward()
    assert record["front"].gradient is None
    assert record["chosen"].gradient is None
    assert torch.equal(record["behind"].gradient, torch.ones(1, 4 if part else 8))
    with layers.edit("chosen", gradient=lambda gradient: gradient * 2):
        layers.run(torch.ones(1, 4)).sum().backward()
