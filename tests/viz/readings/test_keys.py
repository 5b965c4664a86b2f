"""Keys that a query looks at, against PyTorch's own attention weights."""

import pytest
import torch
from torch import Tensor, nn

from tests.viz.readings.adding import added, reading_of


class WindowAttention(nn.Module):
    """Attention without weights of its own, as libraries have it."""

    def __init__(self, *, masked: bool = False) -> None:
        super().__init__()
        self.masked = masked

    def forward(self, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        """Return softmax(query · key ÷ √length) · value."""
        scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
        if self.masked:
            scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -torch.inf)
        return scores.softmax(-1) @ value


def _tokens(seed: int) -> Tensor:
    return torch.randn(1, 10, 8, generator=torch.Generator().manual_seed(seed))


def test_shares_are_the_attention_weights_of_the_head() -> None:
    """Those that PyTorch returns for each head; the page makes the same of the scores."""
    layer, tokens = nn.MultiheadAttention(8, 2, batch_first=True), _tokens(1)
    reading = reading_of(layer, tokens, tokens, tokens)
    with torch.no_grad():
        _, weights = layer(tokens, tokens, tokens, average_attn_weights=False)
    (found,) = added([reading])
    for cell, made in zip(reading.cells, found, strict=True):
        assert cell.keys is not None
        wanted = weights[0, cell.keys.head, cell.index[1]].tolist()
        assert list(cell.keys.shares) == pytest.approx(wanted, abs=1e-6)
        assert made["shares"] == pytest.approx(wanted, abs=1e-6)
        assert cell.keys.query == cell.index[1]


def test_attention_without_weights_is_mixed_too() -> None:
    """Its scale follows from the length of a key; with a mask that is not known here, no keys are shown."""
    given = [_tokens(seed) for seed in (1, 2, 3)]
    reading = reading_of(WindowAttention(), *given)
    (found,) = added([reading])
    for cell, made in zip(reading.cells, found, strict=True):
        assert cell.keys is not None
        assert made["total"] == pytest.approx(float(cell.value), abs=1e-5)
    masked = reading_of(WindowAttention(masked=True), *given, at=(3, 3), view={"kind": "table"})
    assert masked.kind == "attention"
    assert all(cell.keys is None and cell.agrees for cell in masked.cells)


def test_a_softmax_shows_the_row_and_which_share_the_number_is() -> None:
    """Scores as they were given, shares as they were returned."""
    rows = torch.randn(1, 2, 6, 6)
    reading = reading_of(nn.Softmax(-1), rows, channel=1)
    for cell in reading.cells:
        assert cell.keys is not None
        assert list(cell.keys.scores) == pytest.approx(rows[cell.index[:3]].tolist())
        assert (cell.keys.head, cell.keys.query, cell.keys.key) == cell.index[1:]
        assert float(cell.keys.shares[cell.index[3]]) == pytest.approx(float(cell.value), rel=1e-5)
