"""Silences of plain hooks on the installed PyTorch, which lesson nine is about.

Each test shows what a plain hook misses, and that the lesson's advice does not miss it. If one fails after an
update of PyTorch, the lesson is to be corrected.
"""

from collections.abc import Callable, Iterator
from copy import copy
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.modules.module import register_module_forward_hook
from torch.nn.parallel import replicate
from torch.utils.checkpoint import checkpoint
from torchvision.models.feature_extraction import create_feature_extractor

import models
from viz.course.folder import TEXTS, find, read_lessons
from viz.exercises.folder import find as find_exercise
from viz.pictures.samples import sample

WIDTH, HEADS, TOKENS = 8, 2, 5
TORCHSCRIPT = pytest.mark.filterwarnings("ignore:`torch.jit")


def heard_of(layer: nn.Module) -> list[Any]:
    """Return a list to which a plain hook of the layer adds each output."""
    outputs: list[Any] = []
    layer.register_forward_hook(lambda _, __, output: outputs.append(output))
    return outputs


def counted(net: nn.Module) -> dict[str, int]:
    """Return how often each layer is called from now on, which plain hooks count."""
    calls = {name: 0 for name, _ in net.named_modules()}

    def counting(name: str) -> Callable[..., None]:
        def hook(*_: object) -> None:
            calls[name] += 1

        return hook

    for name, layer in net.named_modules():
        layer.register_forward_hook(counting(name))
    return calls


@pytest.fixture(autouse=True)
def chance() -> None:
    """Weights and inputs are the same in each run."""
    torch.manual_seed(0)


def small() -> nn.Sequential:
    """Return a layer with weights, and one without."""
    return nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU()).eval()


class Shortcut(nn.Module):
    """A net with a function, an addition, and a layer that is in vain."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(WIDTH, WIDTH)
        self.relu = nn.ReLU()
        self.last = nn.Linear(WIDTH, WIDTH)

    def forward(self, given: Tensor) -> Tensor:
        """Return values of the shape of what was given."""
        last: Tensor = self.last(functional.relu(self.first(given)) + given)
        return last


class Fused(nn.Module):
    """Attention in one piece, as most nets have it."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH) for _ in range(3))

    def forward(self, tokens: Tensor) -> Tensor:
        """Return (N, heads, T, D / heads) for (N, T, D)."""
        query, key, value = (by_head(each(tokens)) for each in self.children())
        return functional.scaled_dot_product_attention(query, key, value)


def by_head(values: Tensor) -> Tensor:
    """Return (N, heads, T, D / heads) of (N, T, D)."""
    return values.reshape(len(values), -1, HEADS, WIDTH // HEADS).transpose(1, 2)


class Block(nn.Module):
    """A block of two layers beside an identity path."""

    def __init__(self) -> None:
        super().__init__()
        self.linear, self.relu = nn.Linear(WIDTH, WIDTH), nn.ReLU()

    def forward(self, given: Tensor) -> Tensor:
        """Return values of the shape of what was given."""
        added: Tensor = self.relu(self.linear(given)) + given
        return added


def test_a_plain_hook_does_not_see_what_is_given_by_name() -> None:
    """One that is registered with_kwargs does, before the layer and after it."""
    layer, given = nn.Linear(WIDTH, 1), torch.rand(1, WIDTH)
    plain: list[tuple[object, ...]] = []
    full: list[dict[str, Any]] = []
    layer.register_forward_pre_hook(lambda _, inputs: plain.append(inputs))
    layer.register_forward_hook(lambda _, inputs, __: plain.append(inputs))
    layer.register_forward_pre_hook(lambda _, __, named: full.append(named), with_kwargs=True)
    layer.register_forward_hook(lambda _, __, named, ___: full.append(named), with_kwargs=True)
    layer(input=given)
    assert plain == [(), ()]
    assert [list(named) for named in full] == [["input"], ["input"]]
    assert all(named["input"] is given for named in full)


def test_a_function_and_a_plus_have_no_place_for_a_hook() -> None:
    """Hooks of all layers miss what they make; a pre-hook of the next layer sees it."""
    net, given = Shortcut(), torch.rand(1, WIDTH)
    outputs = [heard_of(layer) for layer in net.modules()]
    before: list[Tensor] = []
    net.last.register_forward_pre_hook(lambda _, inputs: before.append(inputs[0]))
    net(given)
    made = net.first(given).relu() + given
    assert not any(torch.equal(made, output) for found in outputs for output in found)
    assert torch.equal(before[0], made)


def test_a_layer_that_is_never_called_is_found_by_counting() -> None:
    """It is in the net's list like the others; the count is 0 for it alone."""
    net = Shortcut()
    assert "relu" in dict(net.named_modules())
    calls = counted(net)
    net(torch.rand(1, WIDTH))
    assert calls == {"": 1, "first": 1, "relu": 0, "last": 1}


def test_fused_attention_shows_nobody_its_table() -> None:
    """It can be computed from what the layers of query and key return: with it the outputs are the same."""
    net = Fused()
    whole, query, key, value = (heard_of(layer) for layer in net.modules())
    mixed = net(torch.rand(1, TOKENS, WIDTH))
    shapes = {tuple(output.shape) for outputs in (whole, query, key, value) for output in outputs}
    assert shapes == {(1, TOKENS, WIDTH), (1, HEADS, TOKENS, WIDTH // HEADS)}
    q, k, v = (by_head(outputs[0]) for outputs in (query, key, value))
    table = (q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5).softmax(-1)
    assert torch.allclose(table.sum(-1), torch.ones(1, HEADS, TOKENS))
    assert torch.allclose(table @ v, mixed, atol=1e-6)


def encoder_layer() -> nn.TransformerEncoderLayer:
    """Return a layer that may take the fast path."""
    return nn.TransformerEncoderLayer(WIDTH, HEADS, WIDTH, batch_first=True).eval()


def test_attention_inside_an_encoder_layer_returns_no_table_to_its_hook() -> None:
    """Nor is its last layer called; asked alone, the attention returns its table."""
    layer, tokens = encoder_layer(), torch.rand(1, TOKENS, WIDTH)
    attention, last = heard_of(layer.self_attn), heard_of(layer.self_attn.out_proj)
    layer(tokens)
    assert len(attention) == 1
    mixed, table = attention[0]
    assert table is None
    assert last == []
    again, table = layer.self_attn(tokens, tokens, tokens)
    assert torch.allclose(again, mixed, atol=1e-6)
    assert torch.allclose(table.sum(-1), torch.ones(1, TOKENS))


def of_all_layers(layer: nn.Module, tokens: Tensor) -> list[str]:
    """Return the types of the layers that a hook of all layers hears of."""
    heard: list[str] = []
    handle = register_module_forward_hook(lambda called, _, __: heard.append(type(called).__name__))
    try:
        with torch.no_grad():
            layer(tokens)
    finally:
        handle.remove()
    return heard


@pytest.fixture
def slow_path() -> Iterator[Callable[[], None]]:
    """A switch that leaves the fast path until the test's end."""
    before = torch.backends.mha.get_fastpath_enabled()
    yield lambda: torch.backends.mha.set_fastpath_enabled(False)
    torch.backends.mha.set_fastpath_enabled(before)


def test_the_fast_path_of_an_encoder_layer_calls_no_layer_inside(slow_path: Callable[[], None]) -> None:
    """Without the fast path a hook of all layers hears of every one; with it, of the whole alone."""
    layer, tokens = encoder_layer(), torch.rand(1, TOKENS, WIDTH)
    assert of_all_layers(layer, tokens) == ["TransformerEncoderLayer"]
    slow_path()
    heard = of_all_layers(layer, tokens)
    assert (heard[0], heard[-1]) == ("MultiheadAttention", "TransformerEncoderLayer")
    assert heard.count("Linear") == heard.count("LayerNorm") == 2


def test_a_hook_inside_an_encoder_layer_leaves_the_fast_path_for_its_layer() -> None:
    """So it is called, and its presence changes by which way the values are computed."""
    layer, tokens = encoder_layer(), torch.rand(1, TOKENS, WIDTH)
    inside = heard_of(layer.linear1)
    assert "Linear" in of_all_layers(layer, tokens)
    assert len(inside) == 1


def two_replicas(net: nn.Module) -> list[nn.Module]:
    """Return what DataParallel makes of a net without weights for two devices."""
    return replicate(net, [0, 1])


def two_copies(net: nn.Module) -> list[nn.Module]:
    """Return what the lesson makes in its place, with each layer copied."""
    return [nn.Sequential(*map(copy, net.children())) for _ in range(2)]


@pytest.mark.parametrize("copies", [two_replicas, two_copies])
def test_a_hook_of_data_parallel_is_given_copies_each_with_a_part(
    copies: Callable[[nn.Module], list[nn.Module]],
) -> None:
    """A value written into the layer is lost; a list outside has all parts."""
    net, pictures = nn.Sequential(nn.ReLU(), nn.MaxPool2d(2)), torch.rand(2, 1, 4, 4)
    outside: list[tuple[nn.Module, Tensor]] = []

    def hook(layer: nn.Module, _: object, output: Tensor) -> None:
        layer.maps = output
        outside.append((layer, output))

    net[1].register_forward_hook(hook)
    for each, part in zip(copies(net), pictures.chunk(2), strict=True):
        each(part)
    assert not hasattr(net[1], "maps")
    assert [layer is net[1] for layer, _ in outside] == [False, False]
    assert torch.equal(torch.cat([output for _, output in outside]), functional.max_pool2d(pictures, 2))
    net(pictures)
    assert torch.equal(vars(net[1])["maps"], functional.max_pool2d(pictures, 2))


def test_data_parallel_makes_its_copies_in_the_way_that_is_tested_here() -> None:
    """Its own method calls the function above; whether it does so needs two GPUs."""
    assert nn.DataParallel.replicate.__globals__["replicate"] is replicate


@pytest.mark.parametrize("reentrant", [False, True])
def test_checkpointing_calls_a_hook_once_more_on_the_way_back(*, reentrant: bool) -> None:
    """A hook that is taken down before the way back is called once."""
    net = small()
    given = torch.rand(1, WIDTH, requires_grad=True)
    outputs = heard_of(net[0])
    checkpoint(net, given, use_reentrant=reentrant).sum().backward()
    assert len(outputs) == 2
    assert torch.equal(*outputs)
    assert outputs[0].requires_grad is not reentrant  # the older way runs first without gradients
    once: list[Tensor] = []
    with net[0].register_forward_hook(lambda _, __, output: once.append(output)):
        score = checkpoint(net, given, use_reentrant=reentrant).sum()
    score.backward()
    assert len(once) == 1


COMPILERS = pytest.mark.parametrize("backend", ["eager", "aot_eager"])  # neither needs a C++ compiler


def compiled(net: nn.Module, backend: str) -> nn.Module:
    """Return the compiled net, which is a layer around the net."""
    torch.compiler.reset()  # it remembers what it compiled for other tests
    found = torch.compile(net, backend=backend)
    assert isinstance(found, nn.Module)
    return found


@pytest.mark.slow
@COMPILERS
@torch.no_grad()  # the compiler asks tensors that a hook has kept for their gradients
def test_a_compiled_net_misses_hooks_that_came_after_its_first_run(backend: str) -> None:
    """The compiled net itself has hooks all the time; a reset compiles anew, and with them."""
    net, given = small(), torch.rand(1, WIDTH)
    faster = compiled(net, backend)
    faster(given)
    inside, whole, outside = heard_of(net[0]), heard_of(net), heard_of(faster)
    faster(given)
    assert (inside, whole, len(outside)) == ([], [], 1)
    torch.compiler.reset()
    faster(given)
    assert (len(inside), len(whole), len(outside)) == (1, 1, 2)
    assert torch.equal(inside[0].relu(), outside[1])


@pytest.mark.slow
@COMPILERS
@torch.no_grad()
def test_a_hook_that_came_before_the_first_run_of_a_compiled_net_is_compiled_along(backend: str) -> None:
    """It is called at each run, also if the net was handed to the compiler before."""
    net, given = small(), torch.rand(1, WIDTH)
    faster = compiled(net, backend)
    outputs = heard_of(net[0])
    for _ in range(3):
        faster(given)
    assert len(outputs) == 3
    assert torch.allclose(outputs[2], net[0](given))


def traced_of(net: nn.Module, given: Tensor) -> nn.Module:
    """Return TorchScript of what the net does with an input."""
    trace: Callable[[nn.Module, Tensor], nn.Module] = torch.jit.trace
    return trace(net, given)


@TORCHSCRIPT
def test_torchscript_calls_no_hook_of_the_net_that_it_was_made_of() -> None:
    """A script refuses hooks of its own; the net that it was made of calls them still."""
    net, given = small(), torch.rand(1, WIDTH)
    scripted = torch.jit.script(net)
    traced = traced_of(net, given)
    outputs = heard_of(net[0])
    assert torch.equal(scripted(given), traced(given))
    assert outputs == []
    with pytest.raises(RuntimeError, match="register_forward_hook is not supported"):
        scripted.register_forward_hook(print)
    net(given)
    assert len(outputs) == 1


@TORCHSCRIPT
def test_what_a_hook_changes_while_a_net_is_traced_stays_in_the_program() -> None:
    """Even when the hook is gone."""
    net, given = small(), torch.rand(1, WIDTH)
    plain = net(given)
    with net[1].register_forward_hook(lambda _, __, output: output + 1):
        traced = traced_of(net, given)
    assert torch.equal(net(given), plain)
    assert torch.equal(traced(given), plain + 1)


@pytest.mark.slow
def test_an_exported_net_calls_hooks_while_it_is_exported_and_then_never() -> None:
    """Unflattened, it has layers again, and they have hooks."""
    net, given = small(), torch.rand(1, WIDTH)
    outputs = heard_of(net[0])
    exported = torch.export.export(net, (given,))
    outputs.clear()
    exported.module()(given)
    assert outputs == []
    layers = torch.export.unflatten(exported)
    again = heard_of(layers.get_submodule("0"))
    layers(given)
    assert torch.equal(again[0], net[0](given))


def test_a_feature_extractor_calls_no_hook_of_a_block_and_none_of_what_it_leaves_out() -> None:
    """Layers of PyTorch's own are called as before; a block's output is a name to ask for."""
    net, given = nn.Sequential(Block(), nn.Flatten(), nn.Tanh()).eval(), torch.rand(1, WIDTH)
    extractor = create_feature_extractor(net, {"0": "block", "1": "flat"})
    calls = counted(net)
    found = extractor(given)
    assert {name for name, count in calls.items() if not count} == {"", "0", "2"}
    assert {name for name, count in calls.items() if count} == {"0.linear", "0.relu", "1"}
    assert torch.equal(found["block"], net[0](given))


def lesson_names(code: str) -> dict[str, Any]:
    """Return the names after a step's or an answer's code, on the net of lesson nine."""
    names: dict[str, Any] = {"torch": torch, "nn": nn, "F": functional, "print": lambda *_: None}
    names |= {"net": transformer(), "picture": picture()}
    exec(code, names)
    return names


def transformer() -> nn.Module:
    """Return the net of lesson nine as a step finds it, without hooks."""
    net: nn.Module = models.load("patchformer").eval().requires_grad_()
    return net


def picture() -> Tensor:
    """Return a sample as that net gets it."""
    given: Tensor = models.describe("patchformer").preprocessing(sample("coins"))
    return given


def as_the_net_makes(layer: str) -> Tensor:
    """Return what a plain hook of the layer sees while the whole net runs."""
    net = transformer()
    outputs = heard_of(net.get_submodule(layer))
    net(picture())
    found: Tensor = outputs[0]
    return found


@pytest.mark.parametrize(
    ("step", "expression", "layer"),
    [
        (1, "maps", "stem.conv1"),
        (2, "kept[0]", "blocks.0.add1"),
        (3, "table", "blocks.0.attention.softmax"),
        (4, "calls[1]", "stem.conv1"),
        (5, "found['maps']", "stem.relu1"),
    ],
)
def test_the_lessons_advice_sees_what_the_whole_net_makes(step: int, expression: str, layer: str) -> None:
    """The same values as a plain hook of the layer that it goes around, while the net runs."""
    code = find(read_lessons(TEXTS, "en"), "silent-hooks").steps[step - 1].code
    assert torch.allclose(eval(expression, lesson_names(code)), as_the_net_makes(layer), atol=1e-5)


@pytest.mark.parametrize(
    ("exercise", "expression", "layer"),
    [
        ("what-plus-makes", "total", "blocks.0.add1"),
        ("attention-without-its-layer", "weights", "blocks.3.attention.softmax"),
    ],
)
def test_the_exercises_of_lesson_nine_ask_for_what_the_whole_net_makes(
    exercise: str, expression: str, layer: str
) -> None:
    """Of attention they ask for the row of the answer's token."""
    found = lesson_names(find_exercise(exercise, "en").solution)[expression]
    made = as_the_net_makes(layer)
    assert torch.allclose(found, made if found.shape == made.shape else made[0, :, 0], atol=1e-5)


def test_the_parts_that_stay_silent_are_those_that_the_answer_does_not_name() -> None:
    """By its text, without any hook."""
    solution = find_exercise("who-stayed-silent", "en").solution
    parts = dict(transformer().get_submodule("blocks.0").named_children())
    silent = [name for name in parts if f"block.{name}(" not in solution]
    assert lesson_names(solution)["silent"] == silent


def test_the_lesson_counts_the_parts_of_its_net_right() -> None:
    """Eight in a block, five in its attention, and ten in the stem, of which relu1 is the fourth."""
    net = transformer()
    block, stem = (
        net.get_submodule("blocks.0"),
        [name for name, _ in net.get_submodule("stem").named_children()],
    )
    assert len(list(block.children())) == 8
    assert len(list(block.get_submodule("attention").children())) == 5
    assert (len(stem), stem.index("relu1")) == (10, 3)
    steps = find(read_lessons(TEXTS, "en"), "silent-hooks").steps
    assert "All eight parts of the block have a hook." in steps[1].text[0]
    assert steps[2].question.startswith("All five layers of the attention have a hook.")
    assert "`relu1`, the fourth of ten layers, while three layers have hooks" in steps[4].text[0]
    assert steps[4].code.count('\nlisten("') == 3
