"""Operations take part like layers: captured, edited, stopped at; each compared with the code written out."""

import threading
from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F  # noqa: N812  its usual name
from torch import nn

from tests.viz.nets import Checkpointed, hook_count
from viz.errors import CallError, EditError, UnknownLayerError, UnsupportedModelError
from viz.hooks.activations import LayerActivations
from viz.hooks.taps import Tap


class Block(nn.Module):
    """An activation, an addition and a concatenation outside layers."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Twice as many columns as ``x`` has."""
        active = F.relu(self.fc(x))
        return torch.cat([active, active + x], 1)


class Twice(nn.Module):
    """A block that runs twice, and an addition of a number between."""

    def __init__(self) -> None:
        super().__init__()
        self.block = Block()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(N, 4) to (N, 4)."""
        x = self.block(x)[:, 2:6] + 1
        return self.block(x)[:, 2:6].tanh() * x


class Writes(nn.Module):
    """Every way of writing into a tensor, and one more name for its memory."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(N, 4) to (N, 4)."""
        out = self.fc(x)
        other = out  # an alias, which must go on seeing every write
        out += x
        torch.relu_(out)  # what it returns is thrown away
        out[:, 1] = 3
        left = out[:, :2]
        left.mul_(2)  # writes through a view
        return other * other


def by_hand(net: Writes, x: torch.Tensor) -> dict[str, torch.Tensor]:
    """The values of ``Writes`` in the order of its code, without any writing in place."""
    values = {"fc": net.fc(x)}
    values["add"] = values["fc"] + x
    values["relu"] = values["add"].relu()
    column = torch.full_like(x[:, :1], 3)
    values["setitem"] = torch.cat([values["relu"][:, :1], column, values["relu"][:, 2:]], 1)
    values["left"] = values["setitem"][:, :2]
    values["mul"] = values["left"] * 2
    whole = torch.cat([values["mul"], values["setitem"][:, 2:]], 1)
    return values | {"result": whole * whole}


@pytest.fixture
def x() -> torch.Tensor:
    """Three rows of random numbers, of both signs."""
    return torch.randn(3, 4, generator=torch.Generator().manual_seed(1))


def seeded(kind: Callable[[], nn.Module]) -> nn.Module:
    """A net with the same weights each time, in eval mode."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return kind().eval()


def layers_of(model: nn.Module) -> LayerActivations:
    """The service for a model on the CPU."""
    return LayerActivations(model, device="cpu")


# -- capture


def test_operations_are_captured_with_inputs_beside_layers(x: torch.Tensor) -> None:
    """A list inside the arguments stays a list, a number a number, a keyword a keyword."""
    net = nn.Sequential(seeded(Block))
    names = ("0.fc", "0 › relu", "0 › add", "0 › cat")
    with layers_of(net).capture(*names, inputs=True) as record:
        layers_of(net).run(x)
    active = F.relu(net[0].fc(x))
    assert record.names == names
    assert torch.equal(record["0 › relu"].inputs[0], net[0].fc(x))
    assert record["0 › relu"].keywords == {"inplace": False}
    assert torch.equal(record["0 › relu"].output, active)
    assert [torch.equal(a, b) for a, b in zip(record["0 › add"].inputs, (active, x), strict=True)] == [
        True
    ] * 2
    (first, second), axis = record["0 › cat"].inputs
    assert axis == 1
    assert torch.equal(first, active)
    assert torch.equal(second, active + x)
    assert torch.equal(record["0 › cat"].output, net(x))
    assert torch.equal(record["0.fc"].output, net[0].fc(x))


def test_an_operation_of_a_shared_layer_has_as_many_calls_as_the_layer(x: torch.Tensor) -> None:
    """Each call of the layer counts its operations from one; a number is an input as it is."""
    net = seeded(Twice)
    layers = layers_of(net)
    with layers.capture("block › add", "› add", "block", inputs=True) as record:
        layers.run(x)
    first = F.relu(net.block.fc(x)) + x
    between = torch.cat([F.relu(net.block.fc(x)), first], 1)[:, 2:6] + 1
    second = F.relu(net.block.fc(between)) + between
    assert [
        torch.equal(call.output, value)
        for call, value in zip(record["block › add"], (first, second), strict=True)
    ] == [True, True]
    assert torch.equal(record["› add"].output, between)
    assert record["› add"].inputs[1] == 1
    seen: list[str] = []
    with layers.watch_operations(lambda name, _: seen.append(name)):
        layers.run(x)
    block = ["block › relu", "block › add", "block › cat"]
    assert seen == [*block, "› getitem", "› add", *block, "› getitem 2", "› tanh", "› mul"]


def test_several_runs_in_one_block_add_up_for_operations_too(x: torch.Tensor) -> None:
    """As they do for layers."""
    layers = layers_of(seeded(Block))
    with layers.capture("› cat") as record:
        layers.run(x)
        layers.run(2 * x)
    assert torch.equal(record["› cat"][1].output, layers.run(2 * x))
    assert len(record["› cat"]) == 2


def test_gradients_at_operations_equal_autograd(x: torch.Tensor) -> None:
    """At the output, and at the inputs through this operation alone, in their own structure."""
    net = seeded(Block)
    layers = layers_of(net)
    with layers.capture("› relu", "› add", "› cat", inputs=True, gradients=True) as record:
        layers.run(x).square().sum().backward()
    linear = net.fc(x).detach().requires_grad_()
    active = F.relu(linear)
    total = active + x
    score = torch.cat([active, total], 1).square().sum()
    at_linear, at_active, at_total = torch.autograd.grad(score, [linear, active, total])
    torch.testing.assert_close(record["› relu"].gradient, at_active, rtol=0, atol=0)
    torch.testing.assert_close(record["› relu"].input_gradients[0], at_linear, rtol=0, atol=0)
    torch.testing.assert_close(record["› add"].gradient, at_total, rtol=0, atol=0)
    torch.testing.assert_close(record["› add"].input_gradients[0], at_total, rtol=0, atol=0)
    (left, right), nothing = record["› cat"].input_gradients
    assert nothing is None
    torch.testing.assert_close(left, 2 * active.detach(), rtol=0, atol=0)
    torch.testing.assert_close(right, 2 * total.detach(), rtol=0, atol=0)


def test_watch_and_trace_see_operations_among_the_layers(x: torch.Tensor) -> None:
    """In the order in which they end, under the names that were given."""
    layers, seen = layers_of(seeded(Block)), []

    class Notes(Tap):
        def after(self, name: str, output: object) -> object:
            seen.append(f"traced {name}")
            return output

    with layers.watch(lambda name, _: seen.append(name), "› cat", "fc"), layers.trace(Notes, "› add"):
        layers.run(x)
    assert seen == ["fc", "traced › add", "› cat"]


def test_a_name_of_a_shared_layer_finds_its_operations_under_each_of_its_names(x: torch.Tensor) -> None:
    """An operation belongs to the layer, whatever its name; records find it by all of them."""
    net = nn.Sequential()
    net.one = seeded(Block)
    net.other = net.one
    net.forward = net.other.__call__
    layers = layers_of(net)
    with layers.capture("other › add", "one › add") as record:
        layers.run(x)
    assert record.names == ("one › add",)
    assert record["other › add"].output is record["one › add"].output


# -- edits


def test_the_output_of_an_operation_is_edited_for_all_that_follows(x: torch.Tensor) -> None:
    """The concatenation takes what the edit returned; the record has it too."""
    net = seeded(Block)
    layers = layers_of(net)
    with layers.edit("› relu", output=lambda value: value + 5), layers.capture("› relu") as record:
        result = layers.run(x)
    active = F.relu(net.fc(x)) + 5
    assert torch.equal(result, torch.cat([active, active + x], 1))
    assert torch.equal(record["› relu"].output, active)


def test_the_inputs_of_an_operation_are_edited(x: torch.Tensor) -> None:
    """The tuple of arguments, with the list inside."""
    net = seeded(Block)
    layers = layers_of(net)
    with layers.edit("› cat", inputs=lambda args: ([args[0][1], args[0][0]], args[1])):
        result = layers.run(x)
    active = F.relu(net.fc(x))
    assert torch.equal(result, torch.cat([active + x, active], 1))


def test_one_call_of_an_operation_is_edited_alone(x: torch.Tensor) -> None:
    """The second call of the block's addition; the first is as it was."""
    net = seeded(Twice)
    layers = layers_of(net)
    with layers.edit("block › add", output=torch.zeros_like, call=1):
        result = layers.run(x)
    between = net.block(x)[:, 2:6] + 1
    second = torch.cat([F.relu(net.block.fc(between)), torch.zeros_like(x)], 1)[:, 2:6]
    assert torch.equal(result, second.tanh() * between)


def test_gradients_at_an_operation_are_edited_on_both_sides(x: torch.Tensor) -> None:
    """Doubled at the output of the activation, and negated at its input."""
    net = seeded(Block)
    layers = layers_of(net)

    def gradient_at_fc(**edits: object) -> torch.Tensor:
        with layers.capture("fc", gradients=True) as record, layers.edit("› relu", **edits):
            layers.run(x).sum().backward()
        return record["fc"].gradient

    plain = gradient_at_fc(output=lambda value: value)
    expected = 2.0 * (net.fc(x) > 0)  # it is both in the concatenation and in the sum
    assert torch.equal(plain, expected)
    assert torch.equal(gradient_at_fc(gradient=lambda gradient: gradient * 3), expected * 3)
    assert torch.equal(gradient_at_fc(input_gradient=lambda gradient: -gradient), -expected)


def test_what_taps_compute_is_not_taken_for_the_models_operations(x: torch.Tensor) -> None:
    """Edits multiply, records clone and gradients hang on clones: none of it changes a name."""
    layers, seen = layers_of(seeded(Twice)), []
    with layers.watch_operations(lambda name, _: seen.append(name)):
        layers.run(x)
    plain = tuple(seen)
    seen.clear()
    with (
        layers.edit("block", inputs=lambda args: args[0] * 2, output=lambda value: value * 2 + 1),
        layers.edit("block › relu", output=lambda value: value * 2, gradient=lambda value: value * 2),
        layers.edit("block.fc", input_gradient=lambda value: value * 2),
        layers.capture("block", "› mul", inputs=True, gradients=True),
        layers.watch_operations(lambda name, _: seen.append(name)),
    ):
        layers.run(x)
    assert tuple(seen) == plain


# -- until


@pytest.mark.parametrize("call", [0, 1])
def test_a_run_ends_after_the_operation_that_is_asked_for(x: torch.Tensor, call: int) -> None:
    """The operation's value comes back, and nothing after it runs."""
    net = seeded(Twice)
    layers, seen = layers_of(net), []
    with layers.watch_operations(lambda name, _: seen.append(name)), layers.capture("block › add") as record:
        output = layers.run(x, until=("block › add", call))
    assert torch.equal(output, record["block › add"][call].output)
    assert seen[-1] == "block › add"
    assert seen.count("block › add") == call + 1
    assert hook_count(net) == 0


def test_a_stop_at_an_operation_in_place_returns_what_it_wrote(x: torch.Tensor) -> None:
    """Also at an assignment, which returns nothing to the model."""
    net = seeded(Writes)
    assert torch.equal(layers_of(net).run(x, until="› setitem"), by_hand(net, x)["setitem"])


# -- in place


def test_operations_in_place_keep_inputs_from_before_and_outputs_from_after(x: torch.Tensor) -> None:
    """Although each of them writes into the memory of the one before."""
    net = seeded(Writes)
    layers = layers_of(net)
    with layers.capture("› add", "› relu", "› setitem", "› mul", inputs=True) as record:
        result = layers.run(x)
    values = by_hand(net, x)
    assert torch.equal(result, values["result"])
    before = {"add": "fc", "relu": "add", "setitem": "relu", "mul": "left"}
    for name, earlier in before.items():
        assert torch.equal(record[f"› {name}"].output, values[name]), name
        assert torch.equal(record[f"› {name}"].inputs[0], values[earlier]), name
    assert torch.equal(record["› add"].inputs[1], x)
    assert record["› setitem"].inputs[1:] == ((slice(None), 1), 3)


@pytest.mark.parametrize("graph", [False, True])
@pytest.mark.parametrize("name", ["add", "relu", "setitem", "mul"])
def test_an_edit_of_an_operation_in_place_is_written_into_the_models_memory(
    x: torch.Tensor, name: str, graph: bool
) -> None:
    """The model keeps its own names for that memory, so what counts is what stands there."""
    net = seeded(Writes)
    layers = layers_of(net)
    with (
        layers.edit(f"› {name}", output=lambda value: value - 2),
        layers.capture(f"› {name}", inputs=graph, gradients=graph),
    ):
        result = layers.run(x)

    def less(value: torch.Tensor, at: str) -> torch.Tensor:
        return value - 2 if at == name else value

    out = less(less(net.fc(x) + x, "add").relu(), "relu").clone()
    out[:, 1] = 3
    out = less(out, "setitem").clone()
    out[:, :2] = less(out[:, :2] * 2, "mul")
    assert torch.equal(result, out * out)


@pytest.mark.parametrize("inputs", [False, True])
def test_gradients_at_operations_in_place_equal_those_of_the_code_without(
    x: torch.Tensor, inputs: bool
) -> None:
    """Autograd on the same arithmetic, where nothing is overwritten, is the oracle."""
    net = seeded(Writes)
    layers = layers_of(net)
    names = ("add", "relu", "setitem", "mul")
    with layers.capture(*(f"› {name}" for name in names), inputs=inputs, gradients=True) as record:
        layers.run(x.clone().requires_grad_()).sum().backward()
    values = by_hand(net, x)
    wanted = torch.autograd.grad(values["result"].sum(), [values[name] for name in (*names, "fc")])
    for name, gradient in zip(names, wanted, strict=False):
        assert torch.equal(record[f"› {name}"].gradient, gradient), name
    if inputs:
        assert torch.equal(record["› add"].input_gradients[0], wanted[-1])
        assert torch.equal(record["› relu"].input_gradients[0], wanted[0])


def test_the_inputs_of_an_operation_in_place_are_edited_and_the_result_written_back(x: torch.Tensor) -> None:
    """The new input is another tensor; the model's own one takes the sum."""
    net = seeded(Writes)
    layers = layers_of(net)
    with layers.edit("› add", inputs=lambda args: (args[0] * 0, args[1])), layers.capture("› relu") as record:
        layers.run(x)
    assert torch.equal(record["› relu"].output, x.relu())


def test_an_edit_in_place_of_another_shape_is_refused(x: torch.Tensor) -> None:
    """It does not fit into the memory; broadcasting would hide that."""
    layers = layers_of(seeded(Writes))
    with layers.edit("› relu", output=lambda value: value[:1]), pytest.raises(EditError, match="this shape"):
        layers.run(x)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        (lambda x, out: torch.mul(x, 2, out=out), "mul"),
        (lambda _, out: F.relu(out, inplace=True), "relu"),
        (lambda x, out: out.copy_(x), "copy"),
        (lambda _, out: out.fill_(7), "fill"),
        (lambda _, out: out.masked_fill_(out > 0, 9), "masked_fill"),
    ],
)
def test_every_spelling_of_writing_in_place_can_be_edited(
    x: torch.Tensor, code: Callable[[torch.Tensor, torch.Tensor], object], name: str
) -> None:
    """The model drops what the function returns, and goes on with the memory that it wrote into."""

    class Net(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            out = x * 0 + 1
            code(x, out)
            return out

    layers = layers_of(Net())
    plain = layers.run(x)
    place = f"› {name} 2" if name == "mul" else f"› {name}"
    with layers.edit(place, output=lambda value: value + 1):
        assert torch.equal(layers.run(x), plain + 1)


def test_reshaping_in_place_is_left_as_it_is(x: torch.Tensor) -> None:
    """``unsqueeze_`` changes the tensor's shape and writes no values; a capture does not disturb it."""

    class Net(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            out = x * 2
            out.unsqueeze_(0)
            return out

    layers = layers_of(Net())
    with layers.capture("› unsqueeze", inputs=True) as record:
        assert torch.equal(layers.run(x), (2 * x)[None])
    assert torch.equal(record["› unsqueeze"].output, (2 * x)[None])


# -- what is refused


def test_an_operation_of_a_layer_that_does_not_exist_is_refused_at_once() -> None:
    """Before any run, with the nearest layer's name."""
    layers = layers_of(seeded(Twice))
    for ask in (layers.capture, layers.edit):
        options = {"output": torch.relu} if ask == layers.edit else {}
        with (
            pytest.raises(UnknownLayerError, match=r"no layer named 'blok'; did you mean block"),
            ask("blok › add", **options),
        ):
            raise AssertionError
    with pytest.raises(UnknownLayerError, match="names no operation"):
        layers.select("block ›")
    with pytest.raises(UnknownLayerError, match="is an operation, not a layer"):
        layers.module("block › add")


def test_an_operation_that_the_code_does_not_make_is_named_with_those_that_it_makes(x: torch.Tensor) -> None:
    """By a record, by an edit that met nothing, and by a run that was to stop there."""
    layers = layers_of(seeded(Twice))
    made = "in this run the code of 'block' made no mul; it made: relu, add, cat"
    with layers.capture("block › mul", "block") as record:
        layers.run(x)
    with pytest.raises(CallError, match=made):
        _ = record["block › mul"].output
    assert len(record["block › mul"]) == 0
    for edit in ({"output": torch.relu}, {"gradient": torch.relu}, {"inputs": torch.relu}):
        with pytest.raises(EditError, match=f"changed nothing: {made}"), layers.edit("block › mul", **edit):
            layers.run(x)
    with pytest.raises(CallError, match=made):
        layers.run(x, until="block › mul")
    with pytest.raises(CallError, match="the model's own code made no sub; it made: getitem, add, getitem 2"):
        layers.run(x, until="› sub")
    with pytest.raises(CallError, match=r"the code of 'block\.fc' made no linear, and no other operation"):
        layers.run(x, until="block.fc › linear")
    with (
        pytest.raises(EditError, match="it ran 2 times"),
        layers.edit("block › add", output=torch.relu, call=2),
    ):
        layers.run(x)


def test_an_edit_of_an_operation_and_a_layer_needs_only_one_of_them(x: torch.Tensor) -> None:
    """As an edit of several layers does."""
    layers = layers_of(seeded(Twice))
    with layers.edit("block › mul", "block.fc", output=torch.zeros_like):
        assert torch.equal(layers.run(x), layers.run(x))


def test_an_edit_in_checkpointed_code_is_refused_when_gradients_are_wanted(x: torch.Tensor) -> None:
    """The repetition in the backward pass would leave it out; without gradients it works."""
    net = seeded(Checkpointed)
    layers = layers_of(net)
    with layers.edit("› tanh", output=torch.zeros_like):
        assert torch.equal(layers.run(x), net.second(torch.zeros_like(x)))
        with (
            pytest.raises(UnsupportedModelError, match="activation checkpointing"),
            layers.capture("first", gradients=True),
        ):
            layers.run(x)
    with (
        layers.capture("› tanh", gradients=True),
        pytest.raises(UnsupportedModelError, match="repeats '› tanh'"),
    ):
        layers.run(x)
    with layers.capture("› tanh") as values, layers.capture("first", gradients=True) as record:
        layers.run(x).sum().backward()
    first = net.first(x)
    assert torch.equal(values["› tanh"].output, first.tanh())
    assert torch.equal(
        record["first"].gradient, torch.autograd.grad(net.second(first.tanh()).sum(), first)[0]
    )


# -- names and cost


def test_no_mode_is_open_unless_operations_are_asked_for(x: torch.Tensor) -> None:
    """Nor after a run or a call that failed, nor when the block is over."""
    depths: list[int] = []

    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.fc = nn.Linear(4, 4)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            depths.append(torch._C._len_torch_function_stack())
            return self.fc(x)

    net = Net()
    layers = layers_of(net)
    with layers.capture():
        layers.run(x)
    with layers.capture("› add"):
        net(x)
        layers.run(x)
        for call in (layers.run, net):
            with pytest.raises(RuntimeError, match="shapes"):
                call(x[:, :1])
            assert not torch._C._len_torch_function_stack()
    net(x)
    assert depths == [0, 1, 1, 1, 1, 0]
    assert hook_count(net) == 0


def test_a_layer_that_raised_is_not_taken_for_the_caller_of_what_follows(x: torch.Tensor) -> None:
    """The model catches the exception and goes on in its own code."""

    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.block, self.narrow = seeded(Block), nn.Linear(1, 1)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            for layer in (self.narrow, self.block):
                try:
                    x = layer(x if layer is self.narrow else x[:, :1])
                except RuntimeError:
                    x = x + 1
            return x

    seen: list[str] = []
    layers = layers_of(Net())
    with layers.watch_operations(lambda name, _: seen.append(name)):
        layers.run(x)
    assert seen == ["› add", "› getitem", "› add 2"]


def test_a_model_called_by_another_thread_does_not_disturb_the_names(x: torch.Tensor) -> None:
    """Hooks are on the layers for all threads; only the thread of the run counts."""
    net, seen = seeded(Twice), []
    layers = layers_of(net)

    def see(name: str, _: object) -> None:
        seen.append(name)
        other = threading.Thread(target=net, args=(x,))
        other.start()
        other.join()

    with layers.watch_operations(see):
        layers.run(x)
    assert seen.count("› tanh") == 1
    assert seen[-1] == "› mul"
    assert len(seen) == 11


# -- calls that no run makes


class Generates(nn.Module):
    """A net that is called again and again, by itself or by its user, as language models are."""

    def __init__(self) -> None:
        super().__init__()
        self.block, self.fc = Block(), nn.Linear(8, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.fc(self.block(x)) - x

    def generate(self, x: torch.Tensor) -> torch.Tensor:
        """Three steps."""
        for _ in range(3):
            x = self(x)
        return x

    def encode(self, x: torch.Tensor) -> torch.Tensor:
        """A part of the net alone."""
        return self.block(x).sigmoid()


def step(net: Generates, x: torch.Tensor) -> torch.Tensor:
    """One step with the block's addition doubled, written out."""
    active = F.relu(net.block.fc(x))
    return net.fc(torch.cat([active, (active + x) * 2], 1)) - x


def test_an_edited_operation_is_edited_whoever_calls_the_model(x: torch.Tensor) -> None:
    """The user, the model's own method, or a run: the numbers are those of the code written out."""
    net = seeded(Generates)
    layers = layers_of(net)
    with torch.no_grad(), layers.edit("block › add", output=lambda value: value * 2):
        assert torch.equal(net(x), step(net, x))
        assert torch.equal(layers.run(x), step(net, x))
        assert torch.equal(net.generate(x), step(net, step(net, step(net, x))))
        assert torch.equal(layers.run(x), step(net, x))
    assert hook_count(net) == 0


def test_operations_are_recorded_in_every_call_of_the_model(x: torch.Tensor) -> None:
    """As many calls as the model had, each with its own values; so are those of a layer called alone."""
    net = seeded(Generates)
    layers = layers_of(net)
    with torch.no_grad(), layers.capture("› sub") as outer, layers.capture("block › cat") as inner:
        last = net.generate(x)
        net.encode(x)
    assert [len(outer["› sub"]), len(inner["block › cat"])] == [3, 4]
    assert torch.equal(outer["› sub"][-1].output, last)
    assert torch.equal(inner["block › cat"][-1].output, net.block(x))


def test_an_operation_has_its_gradient_in_a_call_by_hand(x: torch.Tensor) -> None:
    """Against autograd on the code written out."""
    net = seeded(Generates)
    with layers_of(net).capture("block › relu", gradients=True) as record:
        net(x).square().sum().backward()
    active = F.relu(net.block.fc(x)).detach().requires_grad_()
    score = (net.fc(torch.cat([active, active + x], 1)) - x).square().sum()
    assert torch.allclose(record["block › relu"].gradient, torch.autograd.grad(score, active)[0])


def test_an_edit_that_no_call_by_hand_met_is_refused(x: torch.Tensor) -> None:
    """Only when the block ends is it certain; one pass that met it is enough."""
    net = seeded(Generates)
    layers = layers_of(net)
    with (
        pytest.raises(
            EditError, match=r"'block › tanh' changed nothing: in this run .*; it made: relu, add, cat"
        ),
        layers.edit("block › tanh", output=lambda value: value),
    ):
        net(x)
    with layers.edit("› sub", output=lambda value: value):
        net(x)
        net.encode(x)
    with layers.edit("› sub", output=lambda value: value):
        layers.run(x)
        net.encode(x)


@pytest.mark.parametrize("name", ["› sub", "block › relu"])
def test_an_edit_of_a_call_that_no_call_by_hand_makes_is_refused(x: torch.Tensor, name: str) -> None:
    """The operation is there, so only its number is wrong."""
    net = seeded(Generates)
    with (
        pytest.raises(EditError, match=f"'{name}' changed nothing: it ran once, so there is no call 5"),
        layers_of(net).edit(name, output=lambda value: value, call=5),
    ):
        net(x)


def test_an_edit_of_code_that_runs_past_its_hooks_says_so(x: torch.Tensor) -> None:
    """Its forward was called directly, so nobody knows what it made; that of a layer in a run likewise."""
    net = seeded(Generates)
    layers, edit = layers_of(net), {"output": lambda value: value}
    with (
        pytest.raises(EditError, match=r"no call of the model's own code in this run: .* Call the model"),
        layers.edit("› sub", **edit),
    ):
        net.forward(x)
    with layers.edit("block › relu", **edit):
        net.forward(x)
    net.forward = lambda x: net.fc(net.block.forward(x))
    with (
        layers.edit("block › relu", **edit),
        pytest.raises(EditError, match="no call of the code of 'block' in this run"),
    ):
        layers.run(x)


def test_a_call_that_was_interrupted_leaves_no_mode_open(x: torch.Tensor) -> None:
    """Torch tells no hook of the end of such a call."""
    net = seeded(Generates)

    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), layers_of(net).edit("block › cat", output=interrupt):
        net(x)
    assert not torch._C._len_torch_function_stack()
    assert hook_count(net) == 0


# -- the model itself


def test_the_model_itself_is_captured_and_edited_under_the_empty_name(x: torch.Tensor) -> None:
    """It is not among the names, nor among those that a selection without a name means."""
    net = seeded(Twice)
    layers = layers_of(net)
    assert layers.select("") == layers.select(net) == ("",)
    assert layers.module("") is net
    assert "" not in layers.names
    assert "" not in layers.select()
    assert "" not in layers.select(nn.Module)
    with layers.capture("", "block", inputs=True, gradients=True) as record:
        result = layers.run(x)
        result.square().sum().backward()
    assert torch.equal(record[""].output, result)
    assert torch.equal(record[net].inputs[0], x)
    assert torch.equal(record[""].gradient, 2 * result)
    assert torch.equal(layers.run(x, until=""), result)
    expected = net(2 * x) + 1
    with layers.edit("", inputs=lambda args: args[0] * 2, output=lambda value: value + 1):
        assert torch.equal(layers.run(x), expected)
