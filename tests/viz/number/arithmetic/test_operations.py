"""One number of an operation: the captured operands, put together again, give what it returned."""

from collections.abc import Callable
from itertools import product

import pytest
import torch
import torch.nn.functional as F  # noqa: N812  its usual name
from torch import Tensor, nn

from viz.findings.explanation import Explanation
from viz.hooks.activations import LayerActivations
from viz.hooks.values.structure import leaves
from viz.number.arithmetic import explain_operation

X = torch.randn(2, 4, 6, 6, generator=torch.Generator().manual_seed(0))
Y = torch.randn(2, 4, 6, 6, generator=torch.Generator().manual_seed(1))
ROW = torch.randn(6, generator=torch.Generator().manual_seed(2))
WEIGHT = torch.randn(5, 6, generator=torch.Generator().manual_seed(3))


class Code(nn.Module):
    """A model whose forward pass is a function."""

    def __init__(self, code: Callable[[Tensor], object]) -> None:
        super().__init__()
        self.code = code

    def forward(self, x: Tensor) -> object:
        """Return the function's result."""
        return self.code(x)


def explained(code: Callable[[Tensor], object], name: str, leaf: str = "output") -> list[Explanation]:
    """Every third cell of what an operation returned, each explained."""
    layers = LayerActivations(Code(code), device="cpu")
    with layers.capture(f"› {name}", inputs=True) as record:
        layers.run(X)
    call = record[f"› {name}"].only
    output = leaves(call.output)[leaf]
    cells = list(product(*map(range, output.shape)))[::3]
    return [
        explain_operation(name, call.inputs, output, cell, keywords=call.keywords, leaf=leaf)
        for cell in cells
    ]


@pytest.mark.parametrize(
    ("code", "name"),
    [
        (lambda x: x + Y, "add"),
        (lambda x: x + ROW, "add"),
        (lambda x: x + 1, "add"),
        (lambda x: torch.add(x, Y, alpha=3), "add"),
        (lambda x: x - Y, "sub"),
        (lambda x: 1 - x, "sub"),
        (lambda x: x - 1, "sub"),
        (lambda x: x * Y, "mul"),
        (lambda x: x * 0.5, "mul"),
        (lambda x: x / Y, "div"),
        (lambda x: x / 0, "div"),
        (lambda x: 2 / x, "div"),
        (lambda x: x @ Y, "matmul"),
        (lambda x: x @ ROW, "matmul"),
        (lambda x: torch.bmm(x[0], Y[0]), "bmm"),
        (lambda x: F.linear(x, WEIGHT), "linear"),
        (lambda x: F.linear(x, WEIGHT, WEIGHT[:, 0]), "linear"),
        (lambda x: torch.cat([x, Y], 1), "cat"),
        (lambda x: torch.cat((Y, x), dim=-1), "cat"),
        (lambda x: torch.cat([x, Y], axis=1), "cat"),
        (lambda x: torch.stack([x, Y], dim=2), "stack"),
        (lambda x: torch.stack([x, Y], axis=-1), "stack"),
        (lambda x: x.sum((2, 3)), "sum"),
        (lambda x: x.mean(1, keepdim=True), "mean"),
        (lambda x: x.mean(dim=(-2, -1)), "mean"),
        (lambda x: x.mean(axis=(2, 3)), "mean"),
        (lambda x: x.sum(axis=1, keepdims=True), "sum"),
        (lambda x: x[:, :1].squeeze(axis=1), "squeeze"),
        (lambda x: x.flatten(1), "flatten"),
        (lambda x: x.transpose(1, 2), "transpose"),
        (lambda x: x.permute(0, 2, 3, 1), "permute"),
        (lambda x: x[:, 1:, ::2], "getitem"),
        (lambda x: x.view(2, -1), "view"),
        (lambda x: x.roll(1, 2), "roll"),
        (F.relu, "relu"),
        (lambda x: F.relu(x * 1, inplace=True), "relu"),
        (torch.relu, "relu"),
        (F.gelu, "gelu"),
        (lambda x: F.gelu(x, approximate="tanh"), "gelu"),
        (F.silu, "silu"),
        (torch.sigmoid, "sigmoid"),
        (lambda x: x.tanh(), "tanh"),
        (lambda x: F.leaky_relu(x, 0.2), "leaky_relu"),
        (lambda x: F.elu(x, 0.7), "elu"),
        (F.hardswish, "hardswish"),
        (lambda x: F.softmax(x, dim=1), "softmax"),
        (lambda x: x.softmax(-1), "softmax"),
        (lambda x: torch.softmax(x, axis=-1), "softmax"),
        (lambda x: F.log_softmax(x, 1), "log_softmax"),
        (lambda x: F.max_pool2d(x, 2), "max_pool2d"),
        (lambda x: F.avg_pool2d(x, 3, 1, padding=1), "avg_pool2d"),
        (lambda x: F.adaptive_avg_pool2d(x, 1), "adaptive_avg_pool2d"),
    ],
)
def test_every_number_agrees_with_what_the_operation_returned(
    code: Callable[[Tensor], object], name: str
) -> None:
    """Recomputed in double precision, from the captured operands alone."""
    found = explained(code, name)
    assert found
    for each in found:
        assert each.explained, each.reason
        assert each.agrees, each


def test_the_second_of_several_tensors_is_found_in_the_input() -> None:
    """A chunk has its own place in what it was cut from."""
    found = explained(lambda x: x.chunk(2, 1), "chunk", "output[1]")
    assert all(each.agrees for each in found)
    assert found[0].source == (0, 2, 0, 0)


@pytest.mark.parametrize("size", ["split_size", "split_size_or_sections"])
def test_a_part_of_a_split_by_its_size_is_found_in_the_input(size: str) -> None:
    """The function ``torch.split`` and the method of a tensor call the size by different names."""
    (_, part), keywords = X.split(2, 1), {size: 2, "dim": 1}
    found = explain_operation("split", [X], part, (1, 0, 3, 5), keywords=keywords, leaf="output[1]")
    assert found.agrees
    assert found.source == (1, 2, 3, 5)


def test_the_operands_are_said_by_value_in_the_order_of_the_code() -> None:
    """``1 - x`` calls a function whose first argument is x."""
    value = float(X[0, 0, 0, 0])
    (first, *_) = explained(lambda x: 1 - x, "sub")
    assert first.numbers == (("input 0", 1.0), ("input 1", value))
    (first, *_) = explained(lambda x: x + Y, "add")
    assert first.numbers == (("input 0", value), ("input 1", float(Y[0, 0, 0, 0])))
    assert first.kind == "addition"


def test_an_operation_without_an_explanation_says_so() -> None:
    """Its name is in the sentence."""
    (first, *_) = explained(lambda x: x.cumsum(1), "cumsum")
    assert first.reason == "The arithmetic of cumsum is not explained here."


@pytest.mark.parametrize("function", ["sum", "mean"])
@pytest.mark.parametrize("axes", [[], ()])
@pytest.mark.parametrize("kept", [False, True])
def test_no_axis_means_every_one(function: str, axes: list[int] | tuple[int, ...], *, kept: bool) -> None:
    """As PyTorch reads it: the oracle is its own number."""
    output = getattr(torch, function)(X, axes, keepdim=kept)
    cell = (0,) * output.ndim
    found = explain_operation(function, (X, axes), output, cell, keywords={"keepdim": kept})
    assert found.agrees
    assert found.total == pytest.approx(float(output.flatten()[0]), rel=1e-5)
