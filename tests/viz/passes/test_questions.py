"""Code that asks what a tensor holds, and code that only asks for its shape."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn.attention.flex_attention import flex_attention

from tests.viz.nets import Returns, in_script
from viz.hooks.activations import LayerActivations
from viz.passes.questions import Questions


def chosen(x: torch.Tensor) -> torch.Tensor:
    """Return the values or their negatives, by the largest of a row."""
    return x if bool(x[0].amax(0) > 1) else -x


def twice(x: torch.Tensor) -> torch.Tensor:
    """Return twice the values, if there are any."""
    return 2 * x if len(x) > 0 else x


ASKING: dict[str, Callable[[torch.Tensor], Any]] = {
    "if": lambda x: x if x.max() > 1 else -x,
    "a loop": lambda x: next(x for _ in range(int(x.sum().abs()) + 1)),
    "item": lambda x: x * x[0, 0].item(),
    "a list": lambda x: x * x.flatten().tolist()[0],
    "an index": lambda x: x[[0, 1][x.argmax() % 2]],
    "in": lambda x: -x if 0 in x else x,
    "max of several": lambda x: max(x[0, 0], x[0, 1]) * x,
    "NumPy": lambda x: x * float(x.numpy().max()),
    "equal": lambda x: x if torch.equal(x, -x) else -x,
    "text": lambda x: x if f"{x[0, 0]:.3f}" > "0" else -x,
    "a script": in_script(chosen),
    "a number of all": lambda x: torch.where(x.max() > 1, x, -x),
    "a mean of all": lambda x: x - x.mean((0, 1), keepdim=True),
    "the only row": lambda x: x[:1] - x[:1].mean(0),
}
SILENT: dict[str, Callable[[torch.Tensor], Any]] = {
    "a shape": lambda x: x * x.shape[0] if x.ndim > 1 else x,
    "where": lambda x: torch.where(x.amax(1, keepdim=True) > 1, x, -x),
    "a script": in_script(twice),
    "an index": lambda x: x[:, x.argmax(1)],
    "rows": lambda x: torch.stack([row * 2 for row in x]),
}


def asked(make: Callable[[torch.Tensor], Any], rows: torch.Tensor) -> bool:
    """Return whether a net of one layer asks in one run."""
    layers = LayerActivations(nn.Sequential(Returns(make)), device="cpu")
    with layers.trace(Questions, "0") as questions:
        layers.run(rows)
    return questions.asked


@pytest.mark.parametrize("name", ASKING)
def test_code_that_turns_values_into_pythons_own_asks(rows: torch.Tensor, name: str) -> None:
    """Every way from a tensor into a branch, a loop or a number."""
    assert asked(ASKING[name], rows)


@pytest.mark.parametrize("name", SILENT)
def test_code_that_leaves_values_in_tensors_does_not(rows: torch.Tensor, name: str) -> None:
    """Shapes are Python's own already."""
    assert not asked(SILENT[name], rows)


@pytest.mark.filterwarnings("ignore:flex_attention called without torch.compile:UserWarning")
def test_attention_that_compiles_itself_runs_while_it_is_listened_to() -> None:
    """PyTorch refuses to compile under a listener that does not say that it may be passed by."""
    tokens = torch.rand(1, 2, 16, 8)
    assert not asked(lambda x: flex_attention(x, x, x), tokens)
