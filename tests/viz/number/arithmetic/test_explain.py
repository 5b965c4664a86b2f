import dataclasses
import json
import math

import pytest
import torch
from torch import nn

from viz.errors import RequestError
from viz.number.arithmetic import explain


def test_a_convolution_shows_the_patch_of_the_channel_that_counts_most() -> None:
    """At a corner the window reaches into the padding, and the sums of all channels and the bias add up."""
    layer, images = nn.Conv2d(3, 2, 3, padding=1), torch.rand(1, 3, 5, 5)
    found = explain(layer, [images], layer(images), (0, 1, 0, 4))
    sums = dict(found.channels)
    assert found.patch is not None
    assert found.patch.channel == max(sums, key=lambda at: abs(sums[at]))
    assert found.patch.axes == ((-1, 0, 1), (3, 4, 5))
    assert found.patch.length == (5, 5)
    assert found.patch.values[:3] == (0.0, 0.0, 0.0)
    assert found.patch.values[3] == float(images[0, found.patch.channel, 0, 3])
    assert found.patch.total == pytest.approx(
        sum(value * weight for value, weight in zip(found.patch.values, found.patch.weights, strict=True))
    )
    assert found.total == pytest.approx(sum(sums.values()) + dict(found.numbers)["bias"])


def test_another_channel_of_the_same_group_can_be_asked_for() -> None:
    """A channel that the cell does not see has no patch."""
    layer, images = nn.Conv2d(4, 4, 3, groups=2), torch.rand(1, 4, 5, 5)
    output = layer(images)
    found = explain(layer, [images], output, (0, 3, 1, 1), channel=2)
    assert found.patch is not None
    assert found.patch.channel == 2
    assert torch.tensor(found.patch.weights).view(3, 3).equal(layer.weight[3, 0])
    assert [channel for channel, _ in found.channels] == [2, 3]
    assert explain(layer, [images], output, (0, 3, 1, 1), channel=1).patch is None


def test_a_maximum_says_where_it_was() -> None:
    """Padding is never the maximum, and is shown empty."""
    layer, images = nn.MaxPool2d(3, 2, 1), -torch.rand(1, 2, 6, 6) - 1
    found = explain(layer, [images], layer(images), (0, 1, 0, 0))
    assert found.source is not None
    assert float(images[found.source]) == found.total
    assert found.patch is not None
    assert found.patch.values[0] is None


def test_a_linear_layer_shows_its_largest_terms_and_sums_up_the_rest() -> None:
    """All terms together with the bias are the number."""
    layer, rows = nn.Linear(200, 3), torch.randn(1, 200)
    found = explain(layer, [rows], layer(rows), (0, 2))
    products = [abs(term.product) for term in found.terms]
    assert products == sorted(products, reverse=True)
    count, rest = found.others
    assert len(found.terms) + count == 200
    whole = sum(term.product for term in found.terms) + rest + dict(found.numbers)["bias"]
    assert whole == pytest.approx(found.total)
    assert found.terms[0].weight == layer.weight[2, found.terms[0].place].item()


def test_the_text_is_the_arithmetic_itself() -> None:
    """With the real numbers, and real signs."""
    row = torch.tensor([[-1.5, 4.0]])
    norm = nn.LayerNorm(2, eps=1e-5)
    assert explain(nn.ReLU(), [row], row.relu(), (0, 0)).text == "max(0, (−1.5)) = 0"
    text = explain(norm, [row], norm(row), (0, 1)).text
    assert text == "(4 − 1.25) ÷ √(7.5625 + 1e−05) × 1 + 0 = 0.999999"
    pooled = nn.AvgPool1d(2)
    assert explain(pooled, [row], pooled(row), (0, 0)).text == "(−1.5 + 4) ÷ 2 = 1.25"


def test_a_number_that_the_layer_did_not_make_does_not_agree() -> None:
    """One unit in the fifth digit is more than rounding."""
    layer, images = nn.Conv2d(3, 2, 3), torch.rand(1, 3, 5, 5)
    wrong = layer(images).detach() * 1.00001
    found = explain(layer, [images], wrong, (0, 1, 2, 2))
    assert found.explained
    assert not found.agrees
    assert found.difference == found.value - found.total != 0


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.bfloat16])
def test_the_layers_own_precision_is_said_and_used(dtype: torch.dtype) -> None:
    """Half precision may differ more, double must not."""
    layer, images = nn.Conv2d(3, 2, 3).to(dtype), torch.rand(1, 3, 5, 5).to(dtype)
    found = explain(layer, [images], layer(images), (0, 1, 2, 2))
    assert found.agrees
    assert found.precision == str(dtype).removeprefix("torch.")
    assert found.tolerance < {torch.float64: 1e-13, torch.float16: 0.1, torch.bfloat16: 0.5}[dtype]


def test_nan_and_infinity_agree_with_themselves() -> None:
    """They pass through a sum, a mean and a softmax as in torch."""
    row = torch.tensor([[math.nan, math.inf, -math.inf, 1.0]])
    layers = (
        nn.Linear(4, 4),
        nn.AvgPool1d(2),
        nn.MaxPool1d(2),
        nn.Softmax(1),
        nn.LayerNorm(4),
        nn.SiLU(),
    )
    for layer in layers:
        output = layer(row)
        for place in range(output.shape[1]):
            found = explain(layer, [row], output, (0, place))
            assert found.agrees, (layer, place, found)


class _Own(nn.Conv2d):
    def forward(self, images: torch.Tensor) -> torch.Tensor:
        return super().forward(images).relu()


def test_what_is_not_explained_says_why() -> None:
    """A container, a layer of two inputs, a subclass that computes more, inputs that were not captured."""
    images = torch.rand(1, 3, 5, 5)
    block = nn.Sequential(nn.Conv2d(3, 2, 3), nn.ReLU())
    for layer, words in ((block, "made of other layers"), (_Own(3, 2, 3), "forward pass of its own")):
        inside = [name for name, _ in layer.named_children()]
        found = explain(layer, [images], layer(images), (0, 0, 0, 0), ran=inside)
        assert not found.explained
        assert words in found.reason
    pair = nn.Bilinear(5, 5, 2)
    assert "Bilinear" in explain(pair, [images, images], pair(images, images), (0, 0, 0, 0)).reason
    assert "captured" in explain(nn.ReLU(), [], images, (0, 0, 0, 0)).reason


def test_a_cell_outside_the_output_is_refused() -> None:
    """Too many axes, too few, too far, and negative."""
    images = torch.rand(1, 3, 5, 5)
    for cell in ((0, 0, 0), (0, 3, 0, 0), (0, 0, 0, -1), (0, 0, 0, 0, 0)):
        with pytest.raises(RequestError, match=r"\(1, 3, 5, 5\)"):
            explain(nn.ReLU(), [images], images, cell)


def test_an_explanation_is_made_of_plain_values() -> None:
    """Ready for JSON, and no gradient is touched."""
    layer, images = nn.Conv2d(3, 2, 3), torch.rand(1, 3, 5, 5, requires_grad=True)
    found = explain(layer, [images], layer(images), (0, 1, 2, 2))
    assert json.loads(json.dumps(dataclasses.asdict(found)))["kind"] == "convolution"
    assert layer.weight.grad is None
