"""Edits inside a run: what they change, in which order, and that they end with their block."""

import pytest
import torch
from torch import nn

from tests.viz.nets import Keywords, Plain, Reused
from viz.errors import CallError, EditError
from viz.hooks.activations import LayerActivations
from viz.hooks.edits import zero_channel


def test_an_edited_output_flows_on(images: torch.Tensor) -> None:
    """The next layer computes with the edited value."""
    model = Plain().eval()
    layers = LayerActivations(model, device="cpu")
    with layers.edit("conv1", output=zero_channel(1)), layers.capture("conv2") as record:
        layers.run(images)
    edited = model.conv1(images)
    edited[:, 1] = 0
    assert torch.equal(record["conv2"].output, model.conv2(edited))


def test_edited_inputs_reach_the_layer(images: torch.Tensor) -> None:
    """As a tuple, or as one value for a layer with one input."""
    model = Plain().eval()
    layers = LayerActivations(model, device="cpu")
    for function in (lambda inputs: (inputs[0] * 2,), lambda inputs: inputs[0] * 2):
        with layers.edit("conv1", inputs=function), layers.capture("conv1", inputs=True) as record:
            layers.run(images)
        assert torch.equal(record["conv1"].inputs[0], images * 2)
        assert torch.equal(record["conv1"].output, model.conv1(images * 2))


@pytest.mark.parametrize("edit_first", [True, False])
def test_a_capture_sees_the_edited_value_whatever_the_order_of_the_blocks(
    images: torch.Tensor, edit_first: bool
) -> None:
    """Edits come before records, also when the capture was opened first."""
    layers = LayerActivations(Plain(), device="cpu")
    edit, capture = layers.edit("fc", output=torch.zeros_like), layers.capture("fc")
    first, second = (edit, capture) if edit_first else (capture, edit)
    with first as one, second as other:
        layers.run(images)
    record = other if edit_first else one
    assert record["fc"].output.eq(0).all()


def test_the_order_holds_between_two_services_of_one_model(images: torch.Tensor) -> None:
    """Blocks of another LayerActivations on the same model take their turn too."""
    model = Plain()
    one, other = LayerActivations(model, device="cpu"), LayerActivations(model, device="cpu")
    with one.capture("fc") as record, other.edit("fc", output=torch.zeros_like):
        one.run(images)
    assert record["fc"].output.eq(0).all()


def test_edits_of_one_layer_stack_in_the_order_of_their_blocks(images: torch.Tensor) -> None:
    """Plus one, then times two."""
    model = Plain().eval()
    layers = LayerActivations(model, device="cpu")
    with layers.edit("fc", output=lambda value: value + 1), layers.edit("fc", output=lambda value: value * 2):
        result = layers.run(images)
    assert torch.equal(result, (model(images) + 1) * 2)


def test_an_edited_gradient_flows_back_and_is_what_a_record_shows(images: torch.Tensor) -> None:
    """Edits of one gradient stack too, and capturing at the layer shows the result."""
    layers = LayerActivations(Plain(), device="cpu")
    with layers.capture("conv1", "conv2", gradients=True) as plain:
        layers.run(images)[0, 0].backward()
    plus, times = (lambda flowing: flowing + 1), (lambda flowing: flowing * 2)
    with (
        layers.edit("conv2", gradient=plus),
        layers.capture("conv1", "conv2", gradients=True) as record,
        layers.edit("conv2", gradient=times),
    ):
        layers.run(images)[0, 0].backward()
    assert torch.equal(record["conv2"].gradient, (plain["conv2"].gradient + 1) * 2)
    assert not torch.equal(record["conv1"].gradient, plain["conv1"].gradient)


def test_one_call_of_a_reused_layer_can_be_edited_alone(images: torch.Tensor) -> None:
    """Calls are counted from 0 again in every run."""
    layers = LayerActivations(Reused(), device="cpu")
    with layers.capture("relu") as plain:
        layers.run(images)
    with layers.edit("relu", output=torch.zeros_like, call=1), layers.capture("relu") as record:
        layers.run(images)
        layers.run(images)
    assert [bool(call.output.eq(0).all()) for call in record["relu"]] == [False, True, False] * 2
    assert torch.equal(record["relu"][0].output, plain["relu"][0].output)


class Idle(Plain):
    """A layer that is there, and never called."""

    def __init__(self) -> None:
        super().__init__()
        self.idle = nn.ReLU()


SIDES = ("output", "inputs", "gradient", "input_gradient")


@pytest.mark.parametrize("side", SIDES)
def test_an_edit_of_a_call_that_a_run_does_not_make_is_an_error(images: torch.Tensor, side: str) -> None:
    """Any change of that call is one; without the edit the same run goes well."""
    layers = LayerActivations(Reused(), device="cpu")
    expected = r"'relu' changed nothing: it ran 3 times, so there is no call 3, counted from 0"
    with layers.edit("relu", call=3, **{side: unchanged}), pytest.raises(EditError, match=expected):
        layers.run(images)
    with layers.edit("relu", call=2, **{side: unchanged}):
        layers.run(images)
    layers.run(images)


@pytest.mark.parametrize("side", SIDES)
def test_an_edit_of_a_layer_that_never_runs_is_an_error(images: torch.Tensor, side: str) -> None:
    """Nothing could tell its result from that of a run without it."""
    layers = LayerActivations(Idle(), device="cpu")
    with (
        layers.edit("idle", **{side: unchanged}),
        pytest.raises(EditError, match="'idle' changed nothing, for hooks saw no call"),
    ):
        layers.run(images)


@pytest.mark.parametrize("side", SIDES)
def test_an_edit_that_no_call_by_hand_met_is_an_error(images: torch.Tensor, side: str) -> None:
    """Only the end of the block tells; a call that met it is enough, and none of the model is no error."""
    model = Idle()
    layers, edit = LayerActivations(model, device="cpu"), {side: unchanged}
    expected = "'conv1' changed nothing: it ran 2 times, so there is no call 2"
    with (
        pytest.raises(EditError, match="'idle' changed nothing, for hooks saw no call"),
        layers.edit("idle", **edit),
    ):
        model(images)
    with pytest.raises(EditError, match=expected), layers.edit("conv1", call=2, **edit):
        _ = model(images), model(images)
    with layers.edit("conv1", call=2, **edit):
        for _ in range(3):
            model(images)
    with layers.edit("conv1", **edit):
        model(images)
        layers.run(images, until="")
    with layers.edit("idle", **edit):
        model.conv1(images)


def test_an_edit_of_a_run_that_stopped_before_it_is_no_error_beside_a_call_that_met_it(
    images: torch.Tensor,
) -> None:
    """The run counts anew, and what the call met is met."""
    model = Plain()
    layers = LayerActivations(model, device="cpu")
    with layers.edit("conv2", output=unchanged):
        model(images)
        layers.run(images, until="conv1")
    with layers.edit("conv2", output=unchanged):
        layers.run(images, until="conv1")


def test_a_call_by_hand_that_fails_is_its_own_error(images: torch.Tensor) -> None:
    """Its error is not hidden; a caught one is no reason to refuse the edit."""
    model = Idle()
    layers = LayerActivations(model, device="cpu")
    with layers.edit("idle", output=unchanged), pytest.raises(RuntimeError, match="channels"):
        model(images[:, :1])


@pytest.mark.parametrize("call", [-1, -3])
def test_an_edit_of_a_call_that_is_counted_from_the_end_is_an_error(images: torch.Tensor, call: int) -> None:
    """While the model runs nobody knows where the end is."""
    layers = LayerActivations(Reused(), device="cpu")
    expected = f"'relu' changed nothing: it ran 3 times, so there is no call {call}, counted from 0"
    with layers.edit("relu", call=call, output=unchanged), pytest.raises(EditError, match=expected):
        layers.run(images)


@pytest.mark.parametrize(("layer", "call"), [("relu", 3), ("relu", -1), ("conv1", 5)])
def test_a_run_until_a_call_that_does_not_come_is_an_error(
    images: torch.Tensor, layer: str, call: int
) -> None:
    """It says which call of which layer, and where to see what there is, whatever edits are open."""
    layers = LayerActivations(Reused(), device="cpu")
    expected = f"without call {call}, counted from 0, of layer '{layer}', where it was to stop: see"
    with layers.edit("conv2", output=unchanged), pytest.raises(CallError, match=expected):
        layers.run(images, until=(layer, call))


def test_a_layer_that_never_runs_is_no_place_to_stop_and_has_no_record(images: torch.Tensor) -> None:
    """Each way to ask for it is refused in a sentence that names it."""
    layers = LayerActivations(Idle(), device="cpu")
    with pytest.raises(CallError, match=r"without call 0, .* of layer 'idle'"):
        layers.run(images, until="idle")
    with layers.capture(inputs=True, gradients=True) as record:
        layers.run(images)
    for what in ("output", "inputs", "keywords", "gradient", "input_gradients"):
        with pytest.raises(CallError, match=r"layer 'idle' never ran: find out why with viz\.survey"):
            getattr(record["idle"], what)
    with pytest.raises(CallError, match="no call 0 of layer 'idle': it ran 0 times"):
        record["idle"][0]
    with pytest.raises(CallError, match="no call 5 of layer 'conv1': it ran once"):
        record["conv1"][5]


def test_an_edit_of_several_layers_needs_one_of_them_to_run(images: torch.Tensor) -> None:
    """A class or a predicate means every layer that there is, and some of those may rest."""
    layers = LayerActivations(Idle(), device="cpu")
    with layers.edit("idle", "conv1", output=torch.zeros_like), layers.capture("conv1") as record:
        layers.run(images)
    assert not record["conv1"].output.any()


def test_an_edit_behind_the_layer_at_which_a_run_stops_is_no_error(images: torch.Tensor) -> None:
    """The run was not to come so far; nor is it one in a block without a run."""
    layers = LayerActivations(Plain(), device="cpu")
    with layers.edit("conv2", output=torch.zeros_like):
        layers.run(images, until="conv1")
    with layers.edit("conv2", output=torch.zeros_like, call=7):
        pass


def test_an_error_of_the_models_own_comes_before_that_of_an_edit_without_a_call() -> None:
    """It is why the layer did not run."""
    layers = LayerActivations(Plain(), device="cpu")
    with layers.edit("conv2", output=torch.zeros_like), pytest.raises(RuntimeError, match="channels"):
        layers.run(torch.zeros(1, 7, 8, 8))


def unchanged(value: object) -> object:
    """The value itself."""
    return value


def test_an_edit_ends_with_its_block_and_leaves_the_model_as_it_was(images: torch.Tensor) -> None:
    """No value of an edited run reaches a later one."""
    model = Plain().eval()
    layers = LayerActivations(model, device="cpu")
    weights = [weight.clone() for weight in model.parameters()]
    before = layers.run(images)
    with layers.edit(nn.Conv2d, output=zero_channel(0), inputs=lambda inputs: inputs[0] + 1):
        assert not torch.equal(layers.run(images), before)
    assert torch.equal(layers.run(images), before)
    assert all(torch.equal(old, new) for old, new in zip(weights, model.parameters(), strict=True))


@pytest.mark.parametrize("part", ["output", "inputs", "gradient"])
def test_an_edit_that_returns_none_is_told_so(images: torch.Tensor, part: str) -> None:
    """The error names it, because a forgotten return statement is the commonest mistake."""
    layers = LayerActivations(Plain(), device="cpu")
    with pytest.raises(EditError, match="returned None"), layers.edit("conv1", **{part: lambda _: None}):
        layers.run(images).sum().backward()


def test_an_edit_of_nothing_is_an_error() -> None:
    """It is given neither an output, nor inputs, nor a gradient."""
    layers = LayerActivations(Plain(), device="cpu")
    with pytest.raises(EditError, match="at least one"), layers.edit("conv1"):
        pytest.fail("the block must not be entered")


def test_keyword_inputs_cannot_be_edited_unnoticed(rows: torch.Tensor) -> None:
    """Positional inputs are edited; a layer that has none says why nothing happened."""
    model = Keywords()
    layers = LayerActivations(model, device="cpu")
    with layers.edit("layer", inputs=lambda inputs: inputs[0] * 0):
        assert layers.run(rows).eq(0).all()
    model.forward = lambda x: model.layer(x=x, factor=torch.tensor(1.0), mode="")
    with layers.edit("layer", inputs=lambda inputs: inputs), pytest.raises(EditError, match="by keyword"):
        layers.run(rows)
