"""Each reason says what was seen, and where nothing was seen it says so: one tiny net for each kind."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import get_args

import pytest
import torch
from torch import nn

from tests.viz.hooks.test_witness import Caller, Way, caught, in_context, in_thread, on_the_way_back
from viz.hooks.activations import LayerActivations
from viz.profile.rows import Evidence, LayerRow
from viz.profile.tree import survey


def surveyed(model: nn.Module, x: torch.Tensor) -> dict[str, LayerRow]:
    """The rows of a model by name."""
    return {row.name: row for row in survey(LayerActivations(model, device="cpu"), x)}


def explained(model: nn.Module, x: torch.Tensor) -> dict[str, tuple[str | None, str | None]]:
    """The evidence and the reason of each layer without a call."""
    return {name: (row.evidence, row.reason) for name, row in surveyed(model, x).items() if not row.calls}


class Head(nn.Module):
    """timm's MetaFormer: the layers of ``head`` are called one by one."""

    def __init__(self) -> None:
        super().__init__()
        self.head = nn.Sequential()
        self.head.add_module("norm", nn.LayerNorm(4))
        self.head.add_module("drop", nn.Dropout())
        self.head.add_module("spare", nn.Identity())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head.drop(self.head.norm(x))


class Downsampling(nn.Module):
    """timm's HRNet: the ``forward`` of each of the layers in a list is called directly."""

    def __init__(self) -> None:
        super().__init__()
        self.modules_down = nn.ModuleList([nn.Sequential(nn.Linear(4, 4)), nn.Sequential(nn.ReLU())])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for down in self.modules_down:
            x = down.forward(x)
        return x


class Auxiliary(nn.Module):
    """Layers that training alone calls, in four ways to say so, and two that only look like it."""

    def __init__(self) -> None:
        super().__init__()
        names = ("plain", "joined", "nested", "inner", "eval_only", "both", "other_name")
        for name in names:
            self.add_module(name, nn.Identity())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.training:
            self.plain(x)
            for _ in range(2):
                self.nested(x)
        if self.joined is not None and self.training:
            self.joined(x)
        if x is None:
            if self.training:
                self.inner(x)
            self.both(x)
        if self.training:
            self.both(x)
        if not self.training and x is None:
            self.eval_only(x)
        return x


class Owner(nn.Module):
    """Runs three times, and uses of a layer nothing but a setting."""

    def __init__(self) -> None:
        super().__init__()
        self.block = Way(lambda layer, _: layer.p, nn.Dropout(0.5))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.block(self.block(self.block(x)))


def test_a_head_whose_layers_are_called_one_by_one_is_not_said_to_be_bypassed(rows: torch.Tensor) -> None:
    """``head.drop`` ran; what did not run is ``head`` as a whole, and what nobody calls in it."""
    assert explained(Head(), rows) == {
        "head": ("parts", "layers in it ran, such as head.norm, and its own forward() did not"),
        "head.spare": ("uncalled", "the model ran and never called it"),
    }


def test_a_forward_that_is_called_directly_is_not_said_to_be_called_in_parts(rows: torch.Tensor) -> None:
    """Though layers in it did run, and hooks saw them."""
    bypass = "its forward() was called directly, which bypasses every hook"
    assert explained(Downsampling(), rows) == {
        "modules_down": ("holder", "it only holds other layers or weights and is never called itself"),
        "modules_down.0": ("direct", bypass),
        "modules_down.1": ("direct", bypass),
    }


def pooled(layer: nn.Module, x: torch.Tensor) -> None:
    """Call a layer twice from a pool of threads."""
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(layer, (x, x)))


def in_task(layer: nn.Module, x: torch.Tensor) -> None:
    """Call a layer from a task in the event loop of a thread that waits for it."""

    async def call() -> None:
        layer(x)

    worker = threading.Thread(target=lambda: asyncio.run(call()))
    worker.start()
    worker.join()


@pytest.mark.parametrize(
    ("use", "layer", "evidence", "reason"),
    [
        (
            in_thread,
            nn.Linear(4, 4),
            "thread",
            "it ran once in another thread, and hooks see only the thread that runs the model",
        ),
        (
            pooled,
            nn.Linear(4, 4),
            "thread",
            "it ran 2 times in another thread, and hooks see only the thread that runs the model",
        ),
        (
            in_task,
            nn.ReLU(),
            "thread",
            "it ran once in another thread, and hooks see only the thread that runs the model",
        ),
        (
            in_context,
            nn.ReLU(),
            "context",
            "it ran in another context, such as an asyncio task, whose calls hooks do not see",
        ),
        (
            nn.ReLU.forward,
            nn.ReLU(),
            "direct",
            "its forward() was called directly, which bypasses every hook",
        ),
        (
            lambda layer, x: layer.forward(layer.forward(x)),
            nn.ReLU(),
            "direct",
            "its forward() was called directly 2 times, which bypasses every hook",
        ),
        (
            lambda add, x: add.add(x, x),
            nn.quantized.FloatFunctional(),
            "direct",
            "its add() was called directly, which bypasses every hook",
        ),
        (
            lambda layer, x: layer(x),
            Caller(),
            "direct",
            "its __call__() was called directly, which bypasses every hook",
        ),
        (caught, nn.Linear(4, 4), "raised", "its call raised RuntimeError, which the model caught"),
        (
            on_the_way_back,
            nn.Linear(4, 4),
            "backward",
            "it ran only during a backward pass, of which nothing is captured",
        ),
        (
            lambda layer, x: nn.functional.linear(x, layer.weight),
            nn.Linear(4, 4),
            "weight",
            "the model gave its weight to linear() and never called it",
        ),
        (lambda layer, _: layer.p, nn.Dropout(), "uncalled", "the model ran and never called it"),
        (lambda *_: None, Caller(), "uncalled", "the model ran and never called it"),
        (
            lambda layer, _: layer.weight.shape,
            nn.Linear(4, 4),
            "uncalled",
            "the model ran and never called it",
        ),
    ],
)
def test_a_reason_names_what_was_seen(
    rows: torch.Tensor,
    use: Callable[[nn.Module, torch.Tensor], object],
    layer: nn.Module,
    evidence: str,
    reason: str,
) -> None:
    """Never what some code seems to do."""
    assert explained(Way(use, layer), rows) == {"layer": (evidence, reason)}


def test_the_layer_around_one_that_is_not_called_is_named_with_its_runs(rows: torch.Tensor) -> None:
    """The evidence is that this layer ran, and how often."""
    assert explained(Owner(), rows) == {
        "block.layer": ("uncalled", "block ran 3 times and never called it"),
    }


def test_training_is_named_only_where_the_code_calls_a_layer_for_nothing_else(rows: torch.Tensor) -> None:
    """That the model ran without calling it is evidence; what the code says explains it."""
    found = {name: evidence for name, (evidence, _) in explained(Auxiliary(), rows).items()}
    assert found == dict.fromkeys(("plain", "joined", "nested", "inner"), "training") | dict.fromkeys(
        ("eval_only", "both", "other_name"), "uncalled"
    )


def test_a_part_of_a_layer_that_nothing_ran_has_the_evidence_of_that_layer(rows: torch.Tensor) -> None:
    """It is a part of what was not called."""
    whole = Way(lambda *_: None, nn.Sequential(nn.Sequential(nn.Linear(4, 4))))
    assert set(explained(whole, rows).values()) == {
        ("uncalled", "the model ran and never called it"),
        ("uncalled", "it is part of layer: the model ran and never called it"),
    }


def test_what_nothing_explains_is_not_explained(rows: torch.Tensor) -> None:
    """A ``forward`` that is no function cannot be seen to run, nor can what ended a call in its hooks."""
    built_in = type("BuiltIn", (nn.Module,), {"forward": staticmethod(torch.relu)})()
    nothing = ("none", "nothing that was seen of this pass says why")
    assert explained(Way(lambda layer, x: layer.forward(x), built_in), rows) == {"layer": nothing}
    refusing, refused = nn.Linear(4, 4), nn.Linear(1, 4)
    refusing.register_forward_pre_hook(lambda *_: torch.zeros(2) @ torch.zeros(3))
    refused.register_forward_hook(lambda *_: torch.zeros(2) @ torch.zeros(3))
    assert explained(Way(caught, refusing), rows) == {"layer": nothing}
    assert explained(Way(caught, refused), rows) == {"layer": nothing}


@pytest.mark.slow  # importing the compiler takes seconds
def test_layers_in_a_function_that_was_compiled_earlier_run_as_they_were_written(rows: torch.Tensor) -> None:
    """They were said not to be used."""

    class Compiled(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.fc, self.act = nn.Linear(4, 4), nn.ReLU()
            self.both = torch.compile(lambda x: self.act(self.fc(x)), backend="eager")

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.both(x)

    model = Compiled().eval()
    with torch.no_grad():
        model(rows)
    assert {name: row.calls for name, row in surveyed(model, rows).items()} == {"fc": 1, "act": 1}


def test_every_kind_of_evidence_has_a_net_here_or_in_the_tests_of_the_tree() -> None:
    """A new kind needs a net of its own."""
    here = {"raised", "thread", "context", "backward", "direct", "holder", "weight", "parts"}
    assert set(get_args(Evidence)) == here | {"training", "uncalled", "none", "scripted"}
