"""Tables of a run: the columns that are promised, and what a run needs to go on, there and back."""

import numpy as np
import pyarrow as pa

from tests.viz.exemplars.test_ranking import looked
from viz.exemplars.looked import Channels
from viz.exemplars.ranking import Ranking
from viz.exemplars.tables import exemplars_table, kept_of, kept_table, maxima_table


def ranked() -> Ranking:
    """Two channels of one call and one of another; the second channel has no picture but NaN."""
    calls = (Channels("a", 0, 2), Channels("b", 1, 1))
    ranking = Ranking(2)
    ranking.add([looked(n, float(n), np.nan, float(-n), calls=calls) for n in range(3)])
    ranking.forget_names()
    return ranking


def test_exemplars_have_the_columns_that_are_promised() -> None:
    """Channel by channel, the strongest first; the box stands beside its row."""
    ranking = ranked()
    boxes = {
        key: np.arange(kept.size * 4, dtype=np.int32).reshape(*kept.shape, 4)
        for key, kept in ranking.kept.items()
    }
    table = exemplars_table(ranking.kept, ranking.names, boxes)
    names = ("layer", "call", "channel", "rank", "picture", "value", "row", "column", "box")
    assert table.schema.names == list(names)
    assert [tuple(row.values()) for row in table.to_pylist()] == [
        ("a", 0, 0, 0, "2.png", 2.0, 2, 2, [0, 1, 2, 3]),
        ("a", 0, 0, 1, "1.png", 1.0, 1, 1, [8, 9, 10, 11]),
        ("b", 1, 0, 0, "0.png", 0.0, 0, 0, [0, 1, 2, 3]),
        ("b", 1, 0, 1, "1.png", -1.0, 1, 1, [4, 5, 6, 7]),
    ]
    assert table.schema.field("value").type == pa.float32()
    assert {table.schema.field(name).type for name in ("call", "channel", "rank", "row", "column")} == {
        pa.int32()
    }


def test_what_is_kept_comes_back_from_its_table() -> None:
    """Also for channels for which nothing is kept."""
    ranking = ranked()
    channels = [Channels(*key, kept.shape[1]) for key, kept in ranking.kept.items()]
    found = kept_of(kept_table(ranking.kept, ranking.names), channels, 2)
    assert found.keys() == ranking.kept.keys()
    for key, kept in ranking.kept.items():
        for name in kept.dtype.names or ():
            assert np.array_equal(found[key][name], kept[name], equal_nan=True)


def test_maxima_of_pictures_with_other_calls_stand_below_each_other() -> None:
    """In the order of the pictures."""
    calls = (Channels("a", 0, 1), Channels("a", 1, 1))
    rows = maxima_table([looked(0, 1.0), looked(1, 2.0, 3.0, calls=calls), looked(2, 4.0)]).to_pylist()
    assert [(row["picture"], row["layer"], row["call"], row["maximum"]) for row in rows] == [
        ("0.png", "layer", 0, 1.0),
        ("1.png", "a", 0, 2.0),
        ("1.png", "a", 1, 3.0),
        ("2.png", "layer", 0, 4.0),
    ]


def test_without_pictures_there_are_columns() -> None:
    """As of a run that was stopped at once."""
    for table in (maxima_table([]), exemplars_table({}, {}, {}), kept_table({}, {})):
        assert table.num_rows == 0
        assert "channel" in table.schema.names
