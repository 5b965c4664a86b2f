"""Answers from the files, beside sorting in pandas."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.viz.exemplars.folders import Small, noise, searched
from tests.viz.exemplars.test_search import Poisoned
from viz.errors import RequestError
from viz.exemplars.asking import pictures_of, ranked, spread, strongest


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of a small net on sixty pictures."""
    place = tmp_path_factory.mktemp("asking")
    searched(noise(place / "pictures", 60), place / "out", Small())
    return place / "out"


@pytest.mark.parametrize("by", ["maximum", "mean"])
@pytest.mark.parametrize("least", [False, True])
def test_pictures_are_ranked_by_either_number_from_either_end(out: Path, by: str, least: bool) -> None:
    """The same pictures as a stable sort of the whole table."""
    table = pd.read_parquet(out / "maxima.parquet").query("layer == 'relu' and call == 1 and channel == 2")
    expected = table.sort_values(by, ascending=least, kind="stable").head(5)
    found = ranked(out, "relu", 2, 1, by=by, least=least, count=5)
    assert [row["picture"] for row in found] == list(expected.picture)
    assert [row[by] for row in found] == list(expected[by])


def test_the_strongest_are_the_ranked_ones(out: Path) -> None:
    """Both files agree."""
    one, other = strongest(out, "second", 1), ranked(out, "second", 1)
    assert [row["rank"] for row in one] == list(range(9))
    assert [(row["picture"], row["value"]) for row in one] == [
        (row["picture"], row["maximum"]) for row in other
    ]


def test_the_spread_is_that_of_all_pictures(out: Path) -> None:
    """A line for each channel, with the numbers that NumPy finds."""
    table = pd.read_parquet(out / "maxima.parquet").query("layer == 'first'")
    found = spread(out, "first")
    assert [row["channel"] for row in found] == list(range(5))
    for row in found:
        values = table[table.channel == row["channel"]].maximum.to_numpy(np.float64)
        assert row["pictures"] == 60
        assert (row["least"], row["most"]) == (values.min(), values.max())
        assert row["mean"] == pytest.approx(values.mean())
        assert row["deviation"] == pytest.approx(values.std())


def test_pictures_are_those_with_numbers(tmp_path: Path) -> None:
    """As the largest table names them; a file that is no picture is not among them."""
    pictures = noise(tmp_path / "pictures", 12)
    (pictures / "0-broken.png").write_bytes(b"nothing")
    searched(pictures, tmp_path / "out", Small())
    table = pd.read_parquet(tmp_path / "out" / "maxima.parquet")
    assert pictures_of(tmp_path / "out") == list(dict.fromkeys(table.picture))


def test_a_nan_is_neither_least_nor_most(tmp_path: Path) -> None:
    """A channel that has nothing else has no line."""
    searched(noise(tmp_path / "pictures", 20), tmp_path / "out", Poisoned())
    assert ranked(tmp_path / "out", "layer", 1) == ranked(tmp_path / "out", "layer", 1, least=True) == []
    assert [row["channel"] for row in spread(tmp_path / "out", "layer")] == [0, 2]


def test_what_is_not_there_is_said(out: Path, tmp_path: Path) -> None:
    """A layer, a call, a channel, a file."""
    with pytest.raises(RequestError, match="nothing about thrid, call 0"):
        spread(out, "thrid")
    with pytest.raises(RequestError, match="nothing about channel 9 of first, call 0"):
        strongest(out, "first", 9)
    with pytest.raises(RequestError, match="nothing about channel 0 of first, call 1"):
        ranked(out, "first", 0, 1)
    with pytest.raises(RequestError, match="cannot read"):
        spread(tmp_path, "first")
    with pytest.raises(RequestError, match="cannot read"):
        pictures_of(tmp_path)
