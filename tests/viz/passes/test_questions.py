"""Code that asks what a tensor holds, and code that only asks for its shape."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn.attention.flex_attention import flex_attention
from torch.nn.utils.parametrizations import weight_norm

from tests.viz.nets import Returns, in_script
from viz.hooks.activations import LayerActivations
from viz.passes.questions import Questions


def chosen(x: torch.Tensor) -> torch.Tensor:
    """Return the values or their negatives, by the largest of a row."""
    return x if bool(x[0].amax(0) > 1) else -x


def twice(x: torch.Tensor) -> torch.Tensor:
    """Return twice the values, if there are any."""
    return 2 * x if len(x) > 0 else x


def filled(constant: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Return a constant, with values written into it in place."""
    constant[:] = values
    return constant


WEIGHT = nn.Parameter(torch.linspace(-1, 1, 8).view(2, 4))
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
    "a median of all": lambda x: x - x.median(),
    "the best of all": lambda x: x - x.flatten().topk(2).values[1],
    "the best row's": lambda x: x[:1] - x[:1].topk(1, dim=0).values,
    "an order of all": lambda x: x.flatten().sort().values,
    "places of an order": lambda x: x.flatten().argsort(descending=True),
    "a value by its rank": lambda x: x - x.flatten().kthvalue(3).values,
    "a share of all": lambda x: x - x.quantile(0.3),
    "a share in inference mode": torch.inference_mode()(lambda x: x * (x > x.quantile(0.3))),
    "the most common value": lambda x: x - x.flatten().mode().values,
    "a weight times all": lambda x: (x * WEIGHT).mean() * x,
    "a constant with values": lambda x: x * filled(torch.zeros(2, 4), x).mean(),
    "a constant with values in a part": lambda x: (
        x + (filled((all_ := torch.zeros(9, 4))[:2], x), all_.sum())[1]
    ),
    "a place where a constant was": lambda x: [torch.ones(2, 4).sum(), (x + 1).sum()][1] * x,
}
SILENT: dict[str, Callable[[torch.Tensor], Any]] = {
    "a shape": lambda x: x * x.shape[0] if x.ndim > 1 else x,
    "where": lambda x: torch.where(x.amax(1, keepdim=True) > 1, x, -x),
    "a script": in_script(twice),
    "an index": lambda x: x[:, x.argmax(1)],
    "rows": lambda x: torch.stack([row * 2 for row in x]),
    "an order of rows": lambda x: (
        x.sort(1).values + x.topk(2).values[:, :1] + x.median(1, keepdim=True).values
    ),
    "a weight's mean": lambda x: x / WEIGHT.abs().mean(),
    "a weight's number": lambda x: x * WEIGHT.sum().item() * WEIGHT.tolist()[0][0],
    "a branch by a weight": lambda x: x if WEIGHT.max() > 1 else -x,
    "a constant's norm": lambda x: x * torch.tensor([3.0, 4.0]).norm() * torch.arange(4.0).max(),
    "a constant with weights": lambda x: x * filled(torch.zeros(2, 4), WEIGHT).mean(),
    "a weight beside values": lambda x: (x + WEIGHT) * filled(x * 1, WEIGHT) * WEIGHT.view_as(x).mean(),
}


def asked(make: Callable[[torch.Tensor], Any], rows: torch.Tensor) -> bool:
    """Return whether a net of one layer asks in one run."""
    layer = make if isinstance(make, nn.Module) else Returns(make)
    layer.known = WEIGHT
    layers = LayerActivations(nn.Sequential(layer), device="cpu")
    with layers.trace(Questions, "") as questions:
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


def test_what_the_layer_in_question_makes_of_weights_alone_counts(rows: torch.Tensor) -> None:
    """It is another one once a channel is removed."""
    net = nn.Sequential(Returns(lambda _: WEIGHT * 1), Returns(lambda x: x - x.mean()))
    net.known = WEIGHT
    layers = LayerActivations(net, device="cpu")
    for names, expected in ((("",), False), (("", "0"), True)):
        with layers.trace(Questions, *names) as questions:
            layers.run(rows)
        assert questions.asked == expected


def test_a_weight_that_is_divided_by_its_norm_asks_nothing(rows: torch.Tensor) -> None:
    """PyTorch's own way to do that, with one norm for all of it."""
    assert not asked(weight_norm(nn.Linear(4, 4), dim=None), rows)


@pytest.mark.filterwarnings("ignore:flex_attention called without torch.compile:UserWarning")
def test_attention_that_compiles_itself_runs_while_it_is_listened_to() -> None:
    """PyTorch refuses to compile under a listener that does not say that it may be passed by."""
    tokens = torch.rand(1, 2, 16, 8)
    assert not asked(lambda x: flex_attention(x, x, x), tokens)
