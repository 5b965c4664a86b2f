"""Pages by their own headers, beside what an honest footer says of them."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from viz.exemplars.finished.pages import Page, pages_of


def table() -> pa.Table:
    """Rows of each kind that a run writes."""
    random = np.random.default_rng(0)
    rows = 5_000
    return pa.table(
        {
            "text": [f"picture {number % 40}" for number in range(rows)],
            "other": [f"a long name, number {number}" for number in range(rows)],
            "number": random.normal(size=rows).astype(np.float32),
            "count": random.integers(0, 9, rows),
            "lacks": [None, b"bytes"] * (rows // 2),
            "box": [[1, 2, 3, 4]] * rows,
        }
    )


def pages(path: Path, place: int) -> list[Page]:
    """The pages of one column, of all groups."""
    about = pq.read_metadata(path)
    with pa.OSFile(str(path)) as source:
        return [
            page
            for group in range(about.num_row_groups)
            for page in pages_of(source, about.row_group(group).column(place))
        ]


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("compression", ["none", "zstd", "snappy"])
def test_pages_are_as_large_as_an_honest_footer_says(tmp_path: Path, version: str, compression: str) -> None:
    """A footer counts the headers too, of some ten bytes each and two values of the column."""
    path = tmp_path / "table.parquet"
    pq.write_table(
        table(),
        path,
        row_group_size=2_000,
        data_page_version=version,
        compression=compression,
        data_page_size=1_000,
        write_batch_size=100,
    )
    about = pq.read_metadata(path)
    for place in range(about.num_columns):
        columns = [about.row_group(group).column(place) for group in range(about.num_row_groups)]
        found = pages(path, place)
        assert len(found) > len(columns)
        assert sum(page.values for page in found) == sum(each.num_values for each in columns)
        headers = sum(each.total_uncompressed_size for each in columns) - sum(page.size for page in found)
        if compression == "none":
            assert 10 * len(found) < headers < 150 * len(found)


def test_pages_of_places_in_a_dictionary_are_known(tmp_path: Path) -> None:
    """A writer that may use none has none."""
    path = tmp_path / "table.parquet"
    pq.write_table(table(), path, use_dictionary=["text"])
    assert any(page.is_packed for page in pages(path, 0))
    assert not any(page.is_packed for page in pages(path, 1))


@pytest.mark.parametrize("encoding", ["DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"])
def test_encodings_in_which_a_text_repeats_the_one_before_are_refused(tmp_path: Path, encoding: str) -> None:
    """A few bytes may stand there for as many texts as anybody likes."""
    path = tmp_path / "table.parquet"
    pq.write_table(table(), path, use_dictionary=False, column_encoding={"text": encoding})
    with pytest.raises(ValueError, match="encoding"):
        pages(path, 0)


def test_damaged_headers_are_refused_or_read(tmp_path: Path) -> None:
    """Nothing else is raised, and reading ends."""
    path = tmp_path / "table.parquet"
    pq.write_table(table(), path, compression="none")
    about, whole = pq.read_metadata(path), path.read_bytes()
    random = np.random.default_rng(1)
    refused = 0
    for _ in range(2_000):
        place = int(random.integers(about.num_columns))
        column = about.row_group(0).column(place)
        begun = column.dictionary_page_offset or column.data_page_offset
        damaged = bytearray(whole)
        for at in random.integers(begun, begun + 25, 2):
            damaged[at] = random.integers(256)
        try:
            list(pages_of(pa.BufferReader(bytes(damaged)), column))
        except ValueError:
            refused += 1
    assert refused > 200


@pytest.mark.parametrize(
    "header",
    [
        bytes([0x15, 0, 0x15, 1, 0x15, 2, 0]),  # of -1 bytes
        bytes([0x15, 0, 0x15, 2, 0x15, 1, 0]),  # stored in -1 bytes: the next would be before it
        bytes([0x15, 0, 0x15, 2, 0x05, 4, 2, 0x15, 2, 0]),  # its size twice
        bytes([0x15, 0, 0x16, 2, 0x15, 2, 0]),  # a size that others do not read as one
        bytes([0x15, 0, 0x15, *[0x80] * 5, 1, 0x15, 2, 0]),  # a size that others cut to 32 bits
        bytes([0x1C] * 5_000),  # deep
        bytes([0x18, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]),  # a text beyond the end
        b"\0",
        b"",
    ],
)
def test_headers_that_no_writer_writes_are_refused(tmp_path: Path, header: bytes) -> None:
    """Another reader might understand them in another way."""
    path = tmp_path / "table.parquet"
    pq.write_table(table(), path)
    column = pq.read_metadata(path).row_group(0).column(0)
    begun = column.dictionary_page_offset
    with pytest.raises(ValueError, match=r"header|zero"):
        list(pages_of(pa.BufferReader(bytes(begun) + header), column))
