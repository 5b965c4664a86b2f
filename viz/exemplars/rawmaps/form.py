"""Parts of Zarr v3: array metadata, chunks, and shard indexes.

A chunk holds one picture's maps. A shard is a file of chunks, one behind the other as they came, and at its
end an index that says where each of them lies: so a shard can grow by a picture at a time.

Source: Zarr core specification v3, and its codec ``sharding_indexed`` v1.0.
"""

import json
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

MISSING = np.uint64(2**64 - 1)
"""Where a chunk lies, and how long it is, if there is none: it reads as NaN."""
_LEVEL = 1  # raw maps shrink little, and zeros at any level
_MOST_BYTES, _MOST_PICTURES = 256 << 20, 4096
_PACKER = pa.Codec("zstd", compression_level=_LEVEL)
_LITTLE = {"name": "bytes", "configuration": {"endian": "little"}}
_CASTAGNOLI = 0x82F63B78


def pictures_in_a_shard(pictures: int, bytes_of_one: int) -> int:
    """Return the number of pictures in a shard, a power of two.

    There are 4,096 at most, and 256 MiB unpacked, unless one picture has more.
    """
    most = min(_MOST_PICTURES, _MOST_BYTES // max(1, bytes_of_one), 1 << (max(1, pictures) - 1).bit_length())
    return 1 << max(0, most.bit_length() - 1)


def array_metadata(
    shape: tuple[int, int, int, int], shard: int, dtype: np.dtype[Any], attributes: dict[str, Any]
) -> bytes:
    """Return ``zarr.json`` of an array.

    Args:
        shape: (pictures, channels, rows, columns).
        shard: how many pictures a shard has.
        dtype: float32 or float16.
        attributes: what else is known of it.
    """
    one = [1, *shape[1:]]
    sharding = {
        "chunk_shape": one,
        "codecs": [_LITTLE, {"name": "zstd", "configuration": {"level": _LEVEL, "checksum": False}}],
        "index_codecs": [_LITTLE, {"name": "crc32c"}],
        "index_location": "end",
    }
    return _written(
        {
            "zarr_format": 3,
            "node_type": "array",
            "shape": list(shape),
            "data_type": dtype.name,
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [shard, *shape[1:]]}},
            "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
            "fill_value": "NaN",
            "codecs": [{"name": "sharding_indexed", "configuration": sharding}],
            "dimension_names": ["picture", "channel", "row", "column"],
            "attributes": attributes,
        }
    )


def group_metadata(attributes: dict[str, Any]) -> bytes:
    """Return ``zarr.json`` of the folder that has the arrays."""
    return _written({"zarr_format": 3, "node_type": "group", "attributes": attributes})


def packed(values: NDArray[Any]) -> bytes:
    """Return a chunk as a shard has it."""
    plain = np.ascontiguousarray(values, values.dtype.newbyteorder("<")).tobytes()
    found: bytes = _PACKER.compress(plain, asbytes=True)
    return found


def index_bytes(index: NDArray[np.uint64]) -> bytes:
    """Return the end of a shard: its index and a checksum.

    ``index`` is (chunks, 2): the offset and the length of each chunk.
    """
    text = np.ascontiguousarray(index, "<u8").tobytes()
    return text + crc32c(text).to_bytes(4, "little")


def crc32c(data: bytes) -> int:
    """Return the Castagnoli checksum of some bytes.

    It goes a byte at a time, since an index has 64 kB at most.

    Source: RFC 3720, appendix B.4.
    """
    found = 0xFFFFFFFF
    for byte in data:
        found = _TABLE[(found ^ byte) & 0xFF] ^ (found >> 8)
    return found ^ 0xFFFFFFFF


def _entry(byte: int) -> int:
    for _ in range(8):
        byte = (byte >> 1) ^ (_CASTAGNOLI if byte & 1 else 0)
    return byte


_TABLE = tuple(map(_entry, range(256)))


def _written(metadata: dict[str, Any]) -> bytes:
    return (json.dumps(metadata, indent=2, ensure_ascii=False) + "\n").encode()
