"""Arrow tables of the results, and their form in Parquet.

Reading these files needs nothing of ours.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from .looked import STATISTICS, Channels, LookedPicture, PictureResult
from .ranking import NUMBERS, Boxes, Kept, Key, nothing

_OF_A_CALL = ("picture", "layer", "call", "channel")
_TEXT = pa.dictionary(pa.int32(), pa.string())  # in memory; files have plain strings
MAXIMA = pa.schema(
    [
        ("picture", _TEXT),
        ("layer", _TEXT),
        ("call", pa.int32()),
        ("channel", pa.int32()),
        ("maximum", pa.float32()),
        ("mean", pa.float32()),
        ("row", pa.int32()),
        ("column", pa.int32()),
    ]
)
STATISTICS_TOO = pa.schema([*MAXIMA, *((name, pa.float32()) for name in STATISTICS)])
"""The same with further statistics, behind all others."""
PICTURES = pa.schema(
    [
        ("number", pa.int64()),
        ("picture", pa.string()),
        ("width", pa.int32()),
        ("height", pa.int32()),
        ("problem", pa.string()),
        ("thumbnail", pa.binary()),
    ]
)
"""A row for each picture: row n is picture n of the listing, and of every array of maps."""
_PLACE = [
    ("layer", pa.string()),
    ("call", pa.int32()),
    ("channel", pa.int32()),
    ("rank", pa.int32()),
    ("picture", pa.string()),
    ("value", pa.float32()),
    ("row", pa.int32()),
    ("column", pa.int32()),
]
EXEMPLARS = pa.schema([*_PLACE, ("box", pa.list_(pa.int32(), 4))])
KEPT = pa.schema([*_PLACE, ("number", pa.int64()), ("form", pa.int32())])
"""The exemplars of a run that goes on, with what it needs for that."""

WRITTEN: dict[str, Any] = {
    "compression": "zstd",
    "write_statistics": ["picture", "number", "maximum", "value"],
    "use_dictionary": ["picture", "layer", "call", "channel", "rank", "row", "column"],
    "store_schema": False,
}
"""How Parquet holds all of them: numbers that come again and again take a few bits each."""


def maxima_table(looked: Sequence[LookedPicture], *, statistics: bool = False) -> pa.Table:
    """Return a row for each channel of each picture, in order.

    With ``statistics``, a row has those of ``STATISTICS`` too.
    """
    schema = STATISTICS_TOO if statistics else MAXIMA
    parts = [
        _alike(calls, list(group), schema)
        for calls, group in groupby(looked, key=lambda each: each.peaks.calls)
    ]
    return pa.concat_tables(parts) if parts else schema.empty_table()


def pictures_table(seen: Sequence[PictureResult]) -> pa.Table:
    """Return a row for each picture, left out or not."""
    columns = {
        "number": [each.number for each in seen],
        "picture": [each.picture for each in seen],
        "width": [each.size[0] or None for each in seen],
        "height": [each.size[1] or None for each in seen],
        "problem": [each.problem or None for each in seen],
        "thumbnail": [each.thumbnail or None for each in seen],
    }
    return pa.table(columns, schema=PICTURES)


def _alike(calls: tuple[Channels, ...], looked: Sequence[LookedPicture], schema: pa.Schema) -> pa.Table:
    """Return the rows of pictures with the same calls."""
    counts, pictures = [call.channels for call in calls], len(looked)
    names = list(dict.fromkeys(call.layer for call in calls))
    layers = np.repeat([names.index(call.layer) for call in calls], counts).astype(np.int32)
    numbers = np.repeat([call.call for call in calls], counts).astype(np.int32)
    channels = np.concatenate(
        [np.arange(count, dtype=np.int32) for count in counts] or [np.empty(0, np.int32)]
    )
    order = np.repeat(np.arange(pictures, dtype=np.int32), sum(counts))
    columns = [
        pa.DictionaryArray.from_arrays(order, pa.array([each.picture for each in looked], pa.string())),
        pa.DictionaryArray.from_arrays(np.tile(layers, pictures), pa.array(names, pa.string())),
        np.tile(numbers, pictures),
        np.tile(channels, pictures),
        *(_joined(looked, name) for name in schema.names[len(_OF_A_CALL) :]),
    ]
    return pa.table(columns, schema=schema)


def _joined(looked: Iterable[LookedPicture], name: str) -> NDArray[Any]:
    if name in STATISTICS:
        return np.concatenate([each.peaks.more[name] for each in looked])
    return np.concatenate([getattr(each.peaks, name) for each in looked])


def kept_table(kept: Mapping[Key, Kept], names: Mapping[int, str]) -> pa.Table:
    """Return rows of the kept pictures, by call, channel and rank."""
    parts = [_kept_rows(key, records, names) for key, records in kept.items()]
    return pa.concat_tables(parts) if parts else KEPT.empty_table()


def exemplars_table(
    kept: Mapping[Key, Kept], names: Mapping[int, str], boxes: Mapping[Key, Boxes]
) -> pa.Table:
    """Return rows of the kept pictures, each with its cell's box.

    The box holds the pixels that the strongest cell sees.
    """
    parts = [
        _kept_rows(key, records, names)
        .drop_columns(["number", "form"])
        .append_column("box", _fours(boxes[key].transpose(1, 0, 2)[_there(records)]))
        for key, records in kept.items()
    ]
    return pa.concat_tables(parts).cast(EXEMPLARS) if parts else EXEMPLARS.empty_table()


def kept_of(table: pa.Table, channels: Iterable[Channels], top: int) -> dict[Key, Kept]:
    """Return the records that ``kept_table`` has written.

    ``channels`` has the number for each call.
    """
    found = {(call.layer, call.call): nothing(top, call.channels) for call in channels}
    columns = {name: table[name].to_numpy() for name in (*NUMBERS, "channel", "rank")}
    calls = list(zip(table["layer"].to_pylist(), table["call"].to_pylist(), strict=True))
    begun = 0
    for key, group in groupby(calls):
        rows = slice(begun, begun + sum(1 for _ in group))
        begun = rows.stop
        place = columns["rank"][rows], columns["channel"][rows]
        for name in NUMBERS:
            found[key][name][place] = columns[name][rows]
    return found


def _there(records: Kept) -> NDArray[np.bool_]:
    """Return a mask of the (channels, ranks) that exist."""
    there: NDArray[np.bool_] = ~np.isnan(records["value"].T)
    return there


def _kept_rows(key: Key, records: Kept, names: Mapping[int, str]) -> pa.Table:
    there = _there(records)
    channel, rank = np.nonzero(there)
    found, count = records.T[there], len(channel)
    columns = {
        "layer": pa.array([key[0]] * count, pa.string()),
        "call": np.full(count, key[1], np.int32),
        "channel": channel.astype(np.int32),
        "rank": rank.astype(np.int32),
        "picture": pa.array([names[int(number)] for number in found["number"]], pa.string()),
    }
    numbers = {
        name: np.ascontiguousarray(found[name]) for name in ("value", "row", "column", "number", "form")
    }
    return pa.table(columns | numbers, schema=KEPT)


def _fours(boxes: Boxes) -> pa.Array:
    return pa.FixedSizeListArray.from_arrays(pa.array(boxes.reshape(-1), pa.int32()), 4)
