"""Tables of the lens: each number is where its names say."""

from functools import cache

import numpy as np

from tests.viz.lens.test_lens import capture
from viz.lens.labels import by_folder
from viz.lens.lens import Lens, lens
from viz.lens.tables import alike_table, channels_table, classes_table, layers_table, similarity_table

MADE = capture()


@cache
def found_lens() -> Lens:
    """Return the lens's findings in the capture, for all tests; not before one of them asks."""
    return lens(MADE, by_folder(MADE.pictures))


def test_a_row_for_each_layer() -> None:
    """With its probe, and with what is dead or could go."""
    table = layers_table(found_lens()).to_pandas()
    assert table.layer.tolist() == ["layer0", "layer1", "layer2"]
    assert (table.dead.tolist(), table.redundant.tolist()) == ([0, 1, 0], [0, 1, 0])
    assert table.accuracy.tolist() == [each.probe and each.probe.accuracy for each in found_lens().layers]
    assert (table.low < table.accuracy + 1e-12).all()


def test_a_row_for_each_channel() -> None:
    """The places of a layer are an order of its channels; a channel without a group has null."""
    table = channels_table(found_lens()).to_pandas()
    one = table[table.layer == "layer1"]
    assert one.group.fillna(-1).tolist() == [-1, 0, -1, 0, -1]
    assert one.dead.tolist() == [False] * 4 + [True]
    assert sorted(one.place) == list(range(5))


def test_a_row_for_each_channel_and_class() -> None:
    """Pandas finds the same means in the capture."""
    table = classes_table(found_lens())
    assert table is not None
    rows = table.to_pandas()
    assert len(rows) == 12 * 3
    for _, row in rows[rows.layer == "layer1"].iterrows():
        mine = [picture.startswith(row["class"] + "/") for picture in MADE.pictures]
        assert row.pictures == sum(mine) == 20
        column = MADE.columns(1).start + row.channel
        np.testing.assert_allclose(row["mean"], MADE.mean[mine, column].mean(), rtol=1e-6)
        np.testing.assert_allclose(row["maximum"], MADE.maximum[mine, column].mean(), rtol=1e-6)
    assert rows.score.isna().sum() == 3
    assert (
        0 < rows.chance.min() == rows.chance[rows.layer == "layer2"].max() < 1
    )  # few channels, equal classes


def test_a_row_for_each_pair() -> None:
    """Of layers, and of channels that are alike."""
    assert found_lens().similarity is not None
    pairs = similarity_table(found_lens().similarity, MADE.calls, MADE.calls, 60, 0.2).to_pandas()
    found = pairs[(pairs.layer == "layer1") & (pairs.other_layer == "layer2")]
    assert found.cka.item() == found_lens().similarity[1, 2]
    assert (found.pictures.item(), found.chance.item()) == (60, 0.2)
    alike = alike_table(MADE).to_pandas()
    best = alike[(alike.layer == "layer1") & (alike.channel == 3)].iloc[0]
    assert best.other == 1
    assert best.correlation > 0.9999
