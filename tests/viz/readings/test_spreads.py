"""Spread of the numbers of a normalisation, against NumPy's histograms of the same numbers."""

import numpy as np
import torch
from torch import nn

from tests.viz.readings.adding import reading_of
from viz.readings.spreads import normalised_with


def _random(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(7))


def test_a_channel_is_counted_before_and_after() -> None:
    """Of a batch normalisation: one spread for the whole block, the map's own numbers."""
    maps = _random(1, 3, 12, 12)
    layer = nn.BatchNorm2d(3).eval()
    layer.running_var.fill_(4.0)
    reading = reading_of(layer, maps, channel=2)
    (spread,) = reading.spreads
    for bins, values in ((spread.before, maps[0, 2]), (spread.after, layer(maps)[0, 2].detach())):
        counts, edges = np.histogram(values.double().numpy(), len(bins.counts))
        np.testing.assert_array_equal(bins.counts, counts)
        assert (bins.low, bins.high) == (edges[0], edges[-1])
    assert {cell.spread for cell in reading.cells} == {0}


def test_each_token_has_a_spread_of_its_own() -> None:
    """Layer normalisation: numbers of one row of a table share one, other rows have others."""
    reading = reading_of(nn.LayerNorm(16), _random(1, 9, 16), view={"kind": "table"})
    assert len(reading.spreads) == reading.rows
    assert [cell.spread for cell in reading.cells] == [
        row for row in range(reading.rows) for _ in range(reading.columns)
    ]
    assert all(sum(each.before.counts) == 16 for each in reading.spreads)


def test_what_is_normalised_together_has_the_mean_of_the_formula() -> None:
    """The numbers at the index, against the mean that the arithmetic found by itself."""
    maps, tokens = _random(1, 6, 5, 5), _random(1, 5, 8)
    for layer, given in ((nn.GroupNorm(2, 6), maps), (nn.InstanceNorm2d(6), maps), (nn.LayerNorm(8), tokens)):
        for cell in reading_of(layer, given, channel=0).cells:
            where = normalised_with(layer, cell.index)
            assert where is not None
            (mean,) = [float(each.value) for each in cell.numbers if each.name == "mean"]
            assert abs(float(given[where].double().mean()) - mean) < 1e-9


def test_a_number_alone_has_no_spread() -> None:
    """A map of one number, or of equal ones."""
    assert reading_of(nn.BatchNorm2d(2).eval(), torch.ones(1, 2, 1, 1)).spreads == ()
    assert reading_of(nn.BatchNorm2d(2).eval(), torch.ones(1, 2, 4, 4)).spreads == ()
