"""Form of the raw maps: checked with the package zarr, which shares no line with ours."""

import json
from pathlib import Path

import google_crc32c
import numpy as np
import pytest
import zarr

from viz.exemplars.rawmaps.form import (
    MISSING,
    array_metadata,
    crc32c,
    group_metadata,
    index_bytes,
    packed,
    pictures_in_a_shard,
)


@pytest.mark.parametrize("text", [b"", b"123456789", bytes(range(256)) * 9])
def test_the_checksum_is_that_of_castagnoli(text: bytes) -> None:
    """As a library in C finds it; the second one is the example of every catalogue of checksums."""
    assert crc32c(text) == google_crc32c.value(text)
    assert crc32c(b"123456789") == 0xE3069283


@pytest.mark.parametrize(
    ("pictures", "size", "count"),
    [(10_000, 64 * 112 * 112 * 4, 64), (10_000, 16, 4096), (5, 16, 8), (1, 16, 1), (9, 1 << 40, 1)],
)
def test_a_shard_is_large_but_no_larger_than_it_must_be(pictures: int, size: int, count: int) -> None:
    """Ten thousand pictures of the first layer of a ResNet make 157 files of up to 206 MB."""
    assert pictures_in_a_shard(pictures, size) == count


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_zarr_reads_chunks_in_whatever_order_they_lie(tmp_path: Path, dtype: type) -> None:
    """Chunks that are missing are NaN, inside of a shard and as a whole shard."""
    values = np.random.default_rng(0).normal(size=(7, 2, 3, 5)).astype(dtype)
    metadata = array_metadata((7, 2, 3, 5), 4, np.dtype(dtype), {"layer": "a", "call": 1})
    (tmp_path / "zarr.json").write_bytes(metadata)
    index, text = np.full((4, 2), MISSING, np.uint64), b""
    for place, picture in ((2, 2), (0, 0)):
        chunk = packed(values[picture])
        index[place], text = (len(text), len(chunk)), text + chunk
    shard = tmp_path / "c/0/0/0/0"
    shard.parent.mkdir(parents=True)
    shard.write_bytes(text + index_bytes(index))
    array = zarr.open_array(tmp_path, mode="r")
    assert (array.shape, array.chunks, array.shards, array.dtype) == (
        (7, 2, 3, 5),
        (1, 2, 3, 5),
        (4, 2, 3, 5),
        dtype,
    )
    assert array.metadata.dimension_names == ("picture", "channel", "row", "column")
    assert dict(array.attrs) == {"layer": "a", "call": 1}
    found = array[:]
    assert np.array_equal(found[[0, 2]], values[[0, 2]])
    assert np.isnan(found[[1, 3, 4, 5, 6]]).all()


def test_a_group_has_what_is_said_of_it() -> None:
    """And nothing else."""
    assert json.loads(group_metadata({"a": "图"})) == {
        "zarr_format": 3,
        "node_type": "group",
        "attributes": {"a": "图"},
    }
