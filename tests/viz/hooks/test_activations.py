"""Capturing and running: what a record holds, where a run ends, and what it leaves as it was."""

import contextlib

import pytest
import torch
from torch import nn

from tests.viz.aliasing import Net
from tests.viz.nets import CatchesAll, CatchesAndRaises, InPlace, Keywords, Noisy, Plain, Reused, Shared
from viz.errors import CallError, UnknownLayerError, UnsupportedModelError
from viz.hooks.activations import LayerActivations, wrap
from viz.script.overwriting import overwriting


def layers_of(model: nn.Module) -> LayerActivations:
    """Return the service for a model on the CPU."""
    return LayerActivations(model, device="cpu")


def test_a_capture_equals_calling_the_layers_by_hand(images: torch.Tensor) -> None:
    """The oracle is the model's own layers, called one after the other."""
    model = Plain().eval()
    layers = layers_of(model)
    with layers.capture("conv2", inputs=True) as record:
        layers.run(images)
    first = model.conv1(images)
    assert torch.equal(record["conv2"].inputs[0], first)
    assert torch.equal(record["conv2"].output, model.conv2(first))


def test_a_wrapped_model_is_called_and_answers_with_all_layers(images: torch.Tensor) -> None:
    """Plain hooks see the same; the model's own output is there, and no hook stays."""
    model = Plain().train()
    record = wrap(model)(images)
    assert model.training
    assert not any(layer._forward_hooks for layer in model.modules())
    seen = {}
    for name, layer in model.eval().named_modules():
        layer.register_forward_hook(lambda _, __, output, name=name: seen.update({name: output}))
    model(images)
    assert list(record) == ["", "conv1", "conv2", "pool", "fc"]
    assert all(torch.equal(record[name].output, output) for name, output in seen.items())


def test_a_wrapped_model_stays_where_it_is() -> None:
    """On whatever device its weights are; one without any is on the CPU, and what is no model is refused."""
    assert wrap(Plain()).device.type == "cpu"
    assert wrap(nn.Flatten())(torch.ones(2, 3, 4))[""].output.shape == (2, 12)
    with pytest.raises(UnsupportedModelError):
        wrap("resnet")


def test_run_returns_what_the_model_returns_without_a_graph(images: torch.Tensor) -> None:
    """The result of a run is the model's own, detached from autograd."""
    model = Plain().eval()
    result = layers_of(model).run(images.requires_grad_())
    assert torch.equal(result, model(images))
    assert not result.requires_grad


def test_captured_values_are_detached_even_when_the_model_is_called_by_hand(images: torch.Tensor) -> None:
    """Inside a block the model itself may be called; the record holds no graph."""
    model = Plain()
    with layers_of(model).capture("conv1") as record:
        model(images).sum().backward()
    assert not record["conv1"].output.requires_grad
    assert model.conv1.weight.grad is not None


def test_capture_without_a_selector_records_every_layer(images: torch.Tensor) -> None:
    """Every name has a record, with one call each."""
    layers = layers_of(Plain())
    with layers.capture() as record:
        layers.run(images)
    assert tuple(record) == record.names == layers.names == ("conv1", "conv2", "pool", "fc")
    assert [len(each) for each in record.values()] == [1, 1, 1, 1]
    assert dict(record)["fc"].output.shape == (2, 6)


def test_a_later_in_place_operation_does_not_reach_the_record(images: torch.Tensor) -> None:
    """The convolution's values stay as they were although ReLU, += and mul_ wrote over them."""
    model = InPlace().eval()
    layers = layers_of(model)
    with layers.capture("conv", "relu") as record:
        layers.run(images)
    assert torch.equal(record["conv"].output, model.conv(images))
    assert record["conv"].output.min() < 0
    assert torch.equal(record["relu"].output, model.conv(images).relu())


def test_inputs_are_those_from_before_an_in_place_layer_ran(images: torch.Tensor) -> None:
    """The input of an in-place ReLU still has its negative values."""
    model = InPlace().eval()
    layers = layers_of(model)
    with layers.capture("relu", inputs=True) as record:
        layers.run(images)
    assert torch.equal(record["relu"].inputs[0], model.conv(images))


def test_keyword_inputs_are_recorded_as_they_were(rows: torch.Tensor) -> None:
    """Tensors and plain values that arrive by keyword are kept beside the positional inputs."""
    layers = layers_of(Keywords())
    with layers.capture("layer", inputs=True) as record:
        layers.run(rows)
    assert torch.equal(record["layer"].inputs[0], rows)
    assert record["layer"].keywords == {"factor": torch.tensor(3.0), "mode": "double"}


def test_a_run_does_not_write_into_the_callers_input(rows: torch.Tensor) -> None:
    """A model that works in place on its input works on a copy."""
    before = rows.clone()
    layers_of(Keywords()).run(rows)
    assert torch.equal(rows, before)


def test_every_call_of_a_reused_layer_is_kept_in_order(images: torch.Tensor) -> None:
    """Three calls of one ReLU, each equal to the functional oracle."""
    model = Reused().eval()
    layers = layers_of(model)
    with layers.capture("relu") as record:
        layers.run(images)
    first = model.conv1(images).relu()
    second = model.conv2(first).relu()
    expected = [first, second, (first + second).relu()]
    assert all(torch.equal(call.output, value) for call, value in zip(record["relu"], expected, strict=True))


def test_a_layer_with_two_names_is_captured_once_and_found_under_both(rows: torch.Tensor) -> None:
    """The two calls of the shared layer are in one record."""
    layers = layers_of(Shared())
    with layers.capture() as record:
        layers.run(rows)
    assert layers.names == ("encode", "decode")
    assert record.names == ("encode",)
    assert record["decode"] is record["encode"]
    assert len(record["decode"]) == 2


def test_a_layer_can_be_captured_under_its_second_name(rows: torch.Tensor) -> None:
    """The record goes by the name that was asked for."""
    layers = layers_of(Shared())
    with layers.capture("decode") as record:
        layers.run(rows, until="decode")
    assert record.names == ("decode",)
    assert "encode" in record


def test_several_runs_in_one_block_add_up(images: torch.Tensor) -> None:
    """Two runs give two calls, and "the only one" is then an error that says so."""
    layers = layers_of(Plain())
    with layers.capture("fc") as record:
        results = [layers.run(images), layers.run(images + 1)]
    assert all(torch.equal(call.output, value) for call, value in zip(record["fc"], results, strict=True))
    with pytest.raises(CallError, match="ran 2 times"):
        _ = record["fc"].output


def test_two_captures_at_once_both_see_the_call(images: torch.Tensor) -> None:
    """Blocks combine with a comma, also on the same layer."""
    layers = layers_of(Plain())
    with layers.capture("conv1") as one, layers.capture("conv1", "fc", inputs=True) as other:
        layers.run(images)
    assert torch.equal(one["conv1"].output, other["conv1"].output)
    assert len(other["fc"].inputs) == 1


def test_until_stops_the_forward_pass_and_returns_that_layers_output(images: torch.Tensor) -> None:
    """No later layer runs."""
    layers = layers_of(Plain())
    with layers.capture() as record:
        result = layers.run(images, until="conv2")
    assert torch.equal(result, record["conv2"].output)
    assert not record["pool"]
    with pytest.raises(CallError, match="'fc' never ran"):
        _ = record["fc"].output


@pytest.mark.parametrize(("until", "calls"), [("relu", 1), (("relu", 1), 2), ((nn.ReLU, 2), 3)])
def test_until_names_the_call_of_a_reused_layer(images: torch.Tensor, until: object, calls: int) -> None:
    """The first call unless another is asked for; it is recorded before the stop."""
    layers = layers_of(Reused())
    with layers.capture("relu") as record:
        layers.run(images, until=until)
    assert len(record["relu"]) == calls


@pytest.mark.parametrize("until", ["fc2", nn.Conv2d, ("fc", 1)])
def test_until_that_cannot_be_met_is_an_error(images: torch.Tensor, until: object) -> None:
    """Unknown, ambiguous, and a call that is never made."""
    with pytest.raises((UnknownLayerError, CallError)):
        layers_of(Plain()).run(images, until=until)


@pytest.mark.parametrize("net", [CatchesAll, CatchesAndRaises])
def test_a_model_that_catches_everything_cannot_spoil_a_stop(
    rows: torch.Tensor, net: type[nn.Module]
) -> None:
    """The stop's value is returned, and what runs after it is not recorded."""
    model = net().eval()
    layers = layers_of(model)
    with layers.capture() as record:
        result = layers.run(rows, until="first")
    assert torch.equal(result, model.first(rows))
    assert [len(each) for each in record.values()] == [1, 0][: len(record)]


def test_layers_are_in_eval_mode_for_the_run_only(rows: torch.Tensor) -> None:
    """Dropout is off, statistics stay, and every layer gets its own flag back."""
    model = Noisy()
    model.norm.eval()
    mean = model.norm.running_mean.clone()
    result = layers_of(model).run(rows)
    assert (model.training, model.norm.training, model.drop.training) == (True, False, True)
    assert torch.equal(model.norm.running_mean, mean)
    assert torch.equal(result, model.eval()(rows))


def test_an_index_selects_from_a_sequential_as_in_the_model_itself(images: torch.Tensor) -> None:
    """The same layers by index, from either end, on a Sequential inside a model."""
    features = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Conv2d(4, 5, 3))
    layers = layers_of(features)
    with layers.capture(0, -1) as record:
        layers.run(images)
    assert record.names == ("0", "2")
    assert torch.equal(record[0].output, features[0](images))
    assert record[-1] is record["2"]


def test_a_record_takes_any_selector_that_means_one_captured_layer(images: torch.Tensor) -> None:
    """A class with one captured layer will do; one with two will not."""
    layers = layers_of(Plain())
    with layers.capture("conv1", "conv2", "fc") as record:
        layers.run(images)
    assert record[nn.Linear] is record["fc"]
    with pytest.raises(UnknownLayerError, match="2 captured layers"):
        _ = record[nn.Conv2d]


def test_a_record_says_whether_a_layer_is_unknown_or_was_not_captured(images: torch.Tensor) -> None:
    """Two different mistakes, two different sentences."""
    layers = layers_of(Plain())
    with layers.capture("conv1") as record:
        layers.run(images)
    with pytest.raises(UnknownLayerError, match="did not capture 'conv2'; did you mean conv1"):
        _ = record["conv2"]
    with pytest.raises(UnknownLayerError, match="no layer named 'conv3'"):
        _ = record["conv3"]
    assert "conv2" not in record
    assert "conv3" not in record


class Tries(nn.Module):
    """A layer that first tries itself on something else, in vain, and returns what it was given."""

    def forward(self, x: torch.Tensor, *, trial: bool = False) -> torch.Tensor:
        if trial:
            raise ValueError("in vain")
        with contextlib.suppress(ValueError):
            self(x * 0, trial=True)
        return x


def test_a_call_of_a_layer_in_itself_that_raises_leaves_no_trace_in_the_call_around_it(
    rows: torch.Tensor,
) -> None:
    """The record's input is that of the call that ended, and gradients are those of its own readers."""

    def run(net: Net, x: torch.Tensor) -> torch.Tensor:
        hidden = net.first(x)
        return (net.tries(hidden) * 2 + hidden * 5).sum()

    layers = layers_of(Net(run, first=nn.Linear(4, 4), tries=Tries()))
    with layers.capture("first", "tries", inputs=True, gradients=True) as record:
        layers.run(rows).backward()
    assert torch.equal(record["tries"].inputs[0], layers.model.first(rows).detach())
    assert record["tries"].keywords == {}
    assert (record["tries"].gradient == 2).all()
    assert (record["first"].gradient == 7).all()
    for edit in ("gradient", "input_gradient"):
        with (
            layers.edit("tries", **{edit: torch.zeros_like}),
            layers.capture("first", gradients=True) as record,
        ):
            layers.run(rows).backward()
        assert (record["first"].gradient == 5).all()
    assert not overwriting(layers, (rows,), "tries").meets("tries", 0, "output")
