"""Tables that stand for much more than they are: little of them is in memory."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.viz.exemplars.finished.hostile import (
    let_lie,
    most_taken,
    write_exemplars,
    write_maxima,
    write_pictures,
)
from tests.viz.exemplars.folders import Small, noise, searched
from viz.errors import RequestError
from viz.exemplars import keeping
from viz.exemplars.asking import pictures_of, ranked, spread, strongest
from viz.exemplars.finished import tables
from viz.exemplars.finished.tables import Budget, finished_table
from viz.exemplars.tables import MAXIMA
from viz.lens.capture import read_capture
from viz.ui.folders.captured import opened
from viz.ui.folders.thumbnails import _row

LITTLE = 30_000_000  # bytes
CARD = '{"done": 300, "channels": [{"layer": "first", "type": "Conv2d", "call": 0, "channels": 1}]}'


def refused(ask: Callable[[], object], said: str) -> None:
    """Ask for what is refused."""
    with pytest.raises(RequestError, match=said):
        ask()


def long_texts(rows: int) -> pa.Array:
    """The same text of a megabyte in each row."""
    return pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array(["x" * 1_000_000]))


def test_every_row_of_a_run_is_read(tmp_path: Path) -> None:
    """Each column and group, as Arrow reads the whole file."""
    searched(noise(tmp_path / "pictures", 20), tmp_path / "out", Small())
    for name in ("maxima", "pictures", "exemplars"):
        path = tmp_path / "out" / f"{name}.parquet"
        whole = pq.read_table(path)
        pq.write_table(whole, path, row_group_size=50)
        with finished_table(path) as table:
            assert table.rows == len(whole)
            rows = pa.concat_tables(
                [table.budget.unpacked(batch) for batch in table.batches(whole.schema.names, rows=30)]
            )
        assert rows.to_pylist() == whole.to_pylist()


def test_tables_that_another_program_wrote_again_are_read(tmp_path: Path) -> None:
    """With types of its own for the same, which it says in the file, and no dictionaries."""
    searched(noise(tmp_path / "pictures", 5), tmp_path / "out", Small())
    expected = ranked(tmp_path / "out", "first", 0), strongest(tmp_path / "out", "first", 0)
    for name in ("maxima", "exemplars"):
        path = tmp_path / "out" / f"{name}.parquet"
        table = pq.read_table(path)
        for place, each in enumerate(table.schema):
            kind = pa.large_string() if pa.types.is_string(each.type) else each.type
            kind = pa.list_(pa.int32(), 4) if each.name == "box" else kind
            table = table.set_column(place, each.name, table[each.name].cast(kind))
        for packed in (True, False):
            pq.write_table(table, path, use_dictionary=packed)
            assert (ranked(path.parent, "first", 0), strongest(path.parent, "first", 0)) == expected
            assert len(opened(path.parent).store.pictures) == 5


def test_a_small_picture_that_every_row_repeats_is_in_memory_once(tmp_path: Path) -> None:
    """A file of a few kilobytes, which says of itself that it unpacks to one megabyte, would take 300."""
    path = write_pictures(tmp_path, 300)
    assert pq.read_metadata(path).row_group(0).total_byte_size < 1_100_000
    found: list[bytes] = []
    assert most_taken(lambda: found.append(_row(path, "0200.png")[1])) < LITTLE
    assert found == [bytes(range(250)) * 4_000]


@pytest.mark.parametrize("name", ["layer", "picture"])
def test_a_text_that_every_row_repeats_is_in_memory_once(tmp_path: Path, name: str) -> None:
    """Of numbers and of exemplars; by each that reads them."""
    write_maxima(tmp_path, 300, **{name: long_texts(300)})
    write_exemplars(tmp_path, 300, **{name: long_texts(300)})
    write_pictures(tmp_path, 300, problem=long_texts(300).dictionary_decode())
    (tmp_path / "card.json").write_text(CARD)
    for ask in (ranked, strongest):
        assert (
            most_taken(lambda ask=ask: refused(lambda: ask(tmp_path, "other", 0), "nothing about")) < LITTLE
        )
    assert most_taken(lambda: pictures_of(tmp_path)) < LITTLE
    assert most_taken(lambda: opened(tmp_path).store) < LITTLE
    assert most_taken(lambda: read_capture(tmp_path)) < LITTLE
    if name == "picture":
        assert most_taken(lambda: spread(tmp_path, "first")) < LITTLE


def test_what_is_kept_may_not_grow_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each text counts in full, as often as it is kept; of a large file more may be kept."""
    write_maxima(tmp_path, 300, picture=long_texts(300))
    monkeypatch.setattr(tables, "MOST_AT_A_TIME", 50_000_000)
    said = "takes more than 50 MB of memory"
    assert most_taken(lambda: refused(lambda: ranked(tmp_path, "first", 0), said)) < LITTLE


def test_more_may_be_kept_of_a_large_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many bytes as a run of so much on the disk needs; what was taken is gone."""
    monkeypatch.setattr(tables, "MOST_AT_A_TIME", 1_000)
    path = tmp_path / "table"
    for size in (0, 10_000_000):
        path.write_bytes(bytes(size))
        budget = Budget(path)
        budget.take(1_000 + 8 * size)
        with pytest.raises(RequestError, match="takes more than"):
            budget.take(1 + 8 * size)


def test_a_footer_that_lies_of_a_packed_page_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says that each group unpacks to a byte; what stands before the page says how much it is."""
    path = write_pictures(tmp_path, 3, thumbnail=[bytes(3_000_000)] * 3)
    pq.write_table(pq.read_table(path), path, use_dictionary=False, compression="zstd", store_schema=False)
    assert _row(path, "0001.png") == ((8, 8), bytes(3_000_000))
    assert let_lie(path) == 2
    assert pq.read_metadata(path).row_group(0).total_byte_size == 1
    assert pq.read_table(path)["thumbnail"][1].as_py() == bytes(3_000_000)  # Arrow reads it all the same
    monkeypatch.setattr(tables, "MOST_AT_A_TIME", 5_000_000)
    assert most_taken(lambda: _row(path, "0001.png")) < 1_000_000
    with finished_table(path) as table, pytest.raises(RequestError, match="unpacks to more than 5 MB"):
        list(table.batches(["thumbnail"]))


def test_a_row_with_a_list_of_millions_is_not_read(tmp_path: Path) -> None:
    """A run has four numbers there; the file says truly that its pages are small."""
    count = 40_000_000
    box = pa.ListArray.from_arrays(pa.array([0, count], pa.int32()), pa.array(np.zeros(count, np.int32)))
    path = write_exemplars(tmp_path, 1, box=box)
    assert path.stat().st_size < 10_000
    assert pq.read_metadata(path).row_group(0).total_byte_size < 10_000
    said = "unpacks to more than 600 MB"
    assert most_taken(lambda: refused(lambda: strongest(tmp_path, "first", 0), said)) < LITTLE


def test_a_value_that_is_too_long_is_refused(tmp_path: Path) -> None:
    """As long as a small picture may be, and a byte more; of any column of texts, packed or plain."""
    for more, sound in ((0, True), (1, False)):
        data = bytes(tables.LONGEST_VALUE + more)
        for packed in (True, False):
            path = write_pictures(tmp_path, 2, thumbnail=[data, b""])
            table = pq.read_table(path)
            pq.write_table(table, path, use_dictionary=packed)
            assert bool(_row(path, "0000.png")[1]) is sound


def wrong_columns() -> list[tuple[str, pa.Array]]:
    """Columns of the right names that no run writes."""
    rows, floats = pa.array([0, 1]), pa.array([0.0, float("inf")])
    numbers = [each.name for each in MAXIMA if each.name not in {"picture", "layer"}]
    wrong: list[tuple[str, pa.Array]] = [
        ("picture", rows),
        ("layer", floats),
        ("picture", pa.array(["a", None])),
    ]
    wrong += [(name, pa.array([b"a", b"b"])) for name in MAXIMA.names]
    no_text = pa.StringArray.from_buffers(2, pa.py_buffer(np.int32([0, 1, 2])), pa.py_buffer(b"\xff\xfe"))
    wrong += [("picture", no_text), ("layer", no_text)]
    wrong += [(name, pa.array(["a", "b"])) for name in numbers]
    wrong += [(name, pa.array([None, None], pa.int32())) for name in numbers]
    wrong += [(name, pa.array([[1], [2]])) for name in MAXIMA.names]
    wrong += [(name, pa.array([{name: "a"}, {name: "b"}])) for name in MAXIMA.names]
    wrong += [(name, pa.array([b"ab", b"cd"], pa.binary(2))) for name in MAXIMA.names]
    return [*wrong, ("call", floats), ("row", floats), ("maximum", rows)]


def test_columns_of_another_kind_are_refused_in_one_sentence(tmp_path: Path) -> None:
    """By each reader of the largest table; of pictures and exemplars too."""
    (tmp_path / "card.json").write_text(CARD)
    for name, column in wrong_columns():
        write_maxima(tmp_path, 2, **{name: column})
        if name != "channel":  # a store counts the rows of a call
            refused(lambda: opened(tmp_path).store, "cannot read")
        refused(lambda: ranked(tmp_path, "first", 0), "cannot read")
        if name not in {"row", "column"}:  # of which the lens has no need
            refused(lambda: read_capture(tmp_path), "cannot read")
    four = [0, 0, 1, 1]
    for box in (["a", "b"], [four, [0]], [four, None], [four, [0, 0, 1, None]], [four, [*four, 2]]):
        write_exemplars(tmp_path, 2, box=pa.array(box))
        refused(lambda: strongest(tmp_path, "first", 0), "cannot read")
    path = write_pictures(tmp_path, 2)
    whole = pq.read_table(path)
    for name in ("picture", "width", "thumbnail"):
        place = whole.schema.names.index(name)
        pq.write_table(whole.set_column(place, name, pa.array([[1], [2]])), path)
        assert _row(path, "0000.png") == ((0, 0), b"")
        pq.write_table(whole.remove_column(place), path)
        assert _row(path, "0000.png") == ((0, 0), b"")


def test_damaged_tables_are_refused_or_read(tmp_path: Path) -> None:
    """Wherever bytes are other ones, nothing else is raised."""
    path = write_maxima(tmp_path, 300)
    whole, random = path.read_bytes(), np.random.default_rng(0)
    for _ in range(150):
        damaged = bytearray(whole)
        for at in random.integers(4, len(whole) - 8, 3):
            damaged[at] = random.integers(256)
        path.write_bytes(damaged)
        try:
            spread(tmp_path, "first")
        except RequestError:
            continue


@pytest.mark.parametrize("pictures", [4, 6])
def test_groups_that_the_rows_fill_exactly_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pictures: int
) -> None:
    """With no empty group behind them, nor where another writer leaves one."""
    monkeypatch.setattr(keeping, "_GROUP", 4)
    monkeypatch.setattr(keeping, "_PICTURES", 2)
    searched(noise(tmp_path / "pictures", pictures), tmp_path / "out", Small())
    for name in ("maxima", "pictures"):
        path = tmp_path / "out" / f"{name}.parquet"
        whole, groups = pq.read_table(path), pq.read_metadata(path)
        assert all(groups.row_group(each).num_rows for each in range(groups.num_row_groups))
        with pq.ParquetWriter(path, whole.schema) as writer:
            writer.write_table(whole, 2)
            writer.write_table(whole[:0])
        with finished_table(path) as table:
            read = [table.budget.unpacked(batch) for batch in table.batches(whole.schema.names)]
        assert pa.concat_tables(read).to_pylist() == whole.to_pylist()
    assert len(read_capture(tmp_path / "out").pictures) == pictures
    assert len(opened(tmp_path / "out").store.pictures) == pictures
