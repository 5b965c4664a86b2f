"""One number of attention: against the same layer in double precision, and against perturbed values."""

import pytest
import torch
from torch import nn
from torch.nn import functional

from tests.viz.number.arithmetic.every_cell import check_against_double, every_cell, shifted
from viz.number.arithmetic import explain


def _random(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape)))


def _attention(**options: object) -> nn.MultiheadAttention:
    torch.manual_seed(3)
    layer = nn.MultiheadAttention(8, 2, **options)  # type: ignore[arg-type]
    for weight in layer.parameters():
        nn.init.normal_(weight, std=0.7)
    return layer


LAYERS = [
    _attention(),
    _attention(batch_first=True, bias=False),
    _attention(add_bias_kv=True, add_zero_attn=True),
    _attention(kdim=5, vdim=3, batch_first=True),
]


@pytest.mark.parametrize("layer", LAYERS, ids=["plain", "batch first", "more keys", "other sizes"])
def test_every_number_and_every_share_is_the_layers_own(layer: nn.MultiheadAttention) -> None:
    """Numbers and softmax rows, averaged and of each head, with and without a batch."""
    sizes = 8, layer.kdim, layer.vdim
    lengths = (3, 4, 4)
    rows = [_random(length, size) for length, size in zip(lengths, sizes, strict=True)]
    axis = 0 if layer.batch_first else 1
    batch = [torch.stack((each, each.flip(0)), axis) for each in rows]
    for given in (rows, batch):
        found = check_against_double(layer, given)
        assert set(found) == {"output[0]", "output[1]"}
        check_against_double(layer, given, {"average_attn_weights": False})
        check_against_double(layer, given, {"need_weights": False})


@pytest.mark.parametrize("layer", LAYERS[:2], ids=["plain", "batch first"])
def test_masks_take_keys_out_of_the_row(layer: nn.MultiheadAttention) -> None:
    """Of booleans and of numbers, for the keys of a picture, of a query, and of a head."""
    hidden = torch.zeros(4, 4, dtype=torch.bool).index_fill(1, torch.tensor([2]), value=True)
    sequence = _random(4, 2, 8) if not layer.batch_first else _random(2, 4, 8)
    given = [sequence, sequence, sequence]
    padding = torch.tensor([[False, False, True, True], [False] * 4])
    for keywords in (
        {"attn_mask": hidden},
        {"attn_mask": _random(4, 4)},
        {"attn_mask": _random(4, 4, 4)},
        {"key_padding_mask": padding},
        {"attn_mask": hidden.tril(), "key_padding_mask": padding},
    ):
        check_against_double(layer, given, keywords)
    shares = every_cell(layer, given, {"attn_mask": hidden})["output[1]"]
    assert {each.total for cell, each in shares.items() if cell[-1] == 2} == {0.0}


def test_the_text_names_scores_shares_and_values() -> None:
    """The largest share times its value stands in the sum; perturbing that value moves the number so much."""
    layer = LAYERS[1]
    sequence = _random(1, 4, 8)
    output = layer(sequence, sequence, sequence)[0].detach()
    found = explain(layer, [sequence] * 3, output, (0, 1, 5), leaf="output[0]")
    assert "query · key × 0.5 = " in found.text
    assert "softmax = " in found.text
    assert found.kind == "attention"
    assert not explain(
        layer, [sequence] * 3, shifted(output, (0, 1, 5), 1e-3), (0, 1, 5), leaf="output[0]"
    ).agrees


class _DotProductAttention(nn.Module):
    def __init__(self, *, causal: bool = False, temperature: float | None = None) -> None:
        super().__init__()
        self.causal, self.temperature, self.dropout = causal, temperature, nn.Dropout(0.1)

    def forward(
        self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, mask: torch.Tensor | None = None
    ) -> torch.Tensor:
        scale = None if self.temperature is None else 1 / self.temperature
        return functional.scaled_dot_product_attention(
            query, key, value, mask, is_causal=self.causal, scale=scale
        )


@pytest.mark.parametrize(
    ("layer", "mask"),
    [
        (_DotProductAttention(), None),
        (_DotProductAttention(causal=True), None),
        (_DotProductAttention(temperature=2.5), None),
        (_DotProductAttention(), torch.ones(4, 4, dtype=torch.bool).tril()),
        (_DotProductAttention(), _random(4, 4)),
    ],
    ids=["plain", "causal", "temperature", "mask", "added"],
)
def test_attention_without_weights_is_explained_by_queries_keys_and_values(
    layer: nn.Module, mask: torch.Tensor | None
) -> None:
    """Although it has a dropout inside that never ran."""
    given = [_random(2, 2, 4, 5), _random(2, 2, 4, 5) + 1, _random(2, 2, 4, 3)]
    check_against_double(layer, given if mask is None else [*given, mask])


class LinearAttention(nn.Module):
    """Attention without a softmax."""

    def forward(self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        """Return queries times keys times values."""
        return query @ key.transpose(-1, -2) @ value


def test_attention_that_computes_something_else_is_not_explained() -> None:
    """Its name and its inputs fit, and its numbers do not."""
    given = [_random(2, 4, 5), _random(2, 4, 5), _random(2, 4, 6)]
    found = every_cell(LinearAttention(), given)["output"].values()
    assert not any(each.explained for each in found)
    assert next(iter(found)).reason == "The arithmetic of LinearAttention is not explained here."
