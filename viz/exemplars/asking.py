"""Queries on the files of a run, without model or pictures."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc

from ..errors import RequestError
from .finished.tables import finished_table, unreadable
from .keeping import EXEMPLARS_FILE, MAXIMA_FILE, PICTURES_FILE
from .looked import STATISTICS
from .tables import EXEMPLARS, STATISTICS_TOO

Measure = Literal["maximum", "mean"]
Row = dict[str, Any]
_ORDER = "order"
_MOST_KEPT = 1 << 17  # pictures of a channel, each of which takes a kilobyte as Python has it


def pictures_of(out: Path) -> list[str]:
    """Return the names of the pictures that a capture has numbers of.

    They are in the capture's order.

    Raises:
        RequestError: the file that has them cannot be read.
    """
    names: list[str] = []
    with finished_table(out / PICTURES_FILE) as table:
        for batch in table.batches(["picture", "problem"]):
            rows = batch.filter(pc.is_null(batch["problem"])).select(["picture"])
            names += table.budget.unpacked(rows)["picture"].to_pylist()
    return names


def strongest(out: Path, layer: str, channel: int, call: int = 0) -> list[Row]:
    """Return the kept pictures of a channel, the strongest first.

    They are rows of ``exemplars.parquet``.

    Raises:
        RequestError: there is no such file, or nothing about this channel in it.
    """
    path = out / EXEMPLARS_FILE
    rows = rows_about(path, EXEMPLARS.names, layer, call, channel)
    if len(rows) > _MOST_KEPT:
        raise unreadable(path)
    found: list[Row] = rows.to_pylist()
    return found


def ranked(
    out: Path,
    layer: str,
    channel: int,
    call: int = 0,
    *,
    by: Measure = "maximum",
    least: bool = False,
    count: int = 9,
) -> list[Row]:
    """Return the pictures that excite a channel most or least.

    They are rows of ``maxima.parquet``, in order. Of equal ones, those come first that came first in the
    folder. A NaN is no excitation.

    Args:
        out: the folder of the results.
        layer: the layer's name.
        channel: which of its channels.
        call: which of its calls, counted from 0.
        by: by the strongest cell, or by the mean of all.
        least: the least excited ones, the least one first.
        count: how many.

    Raises:
        RequestError: there is no such file, or nothing about this channel in it.
    """
    rows = rows_about(out / MAXIMA_FILE, STATISTICS_TOO.names, layer, call, channel)
    rows = rows.append_column(_ORDER, pa.array(range(len(rows)))).filter(pc.invert(pc.is_nan(rows[by])))
    keys = [(by, "ascending" if least else "descending"), (_ORDER, "ascending")]
    found: list[Row] = rows.sort_by(keys)[:count].drop_columns([_ORDER]).to_pylist()
    return found


def spread(out: Path, layer: str, call: int = 0) -> list[Row]:
    """Return the spread of each channel's maxima over the pictures.

    The rows are those of one call, by channel. Each row has ``channel``, ``pictures`` (those without NaN),
    ``mean``, ``deviation`` (of all of them, not of a sample), ``least`` and ``most``.

    Raises:
        RequestError: there is no such file, or nothing about this layer in it.
    """
    rows = rows_about(out / MAXIMA_FILE, ["channel", "maximum"], layer, call)
    sound = rows.filter(pc.invert(pc.is_nan(rows["maximum"])))
    sound = sound.set_column(1, "maximum", sound["maximum"].cast(pa.float64()))
    names = {"count": "pictures", "mean": "mean", "stddev": "deviation", "min": "least", "max": "most"}
    found = sound.group_by("channel").aggregate([("maximum", name) for name in names]).sort_by("channel")
    called = {"channel": "channel"} | {f"maximum_{name}": word for name, word in names.items()}
    rows_found: list[Row] = found.rename_columns([called[name] for name in found.schema.names]).to_pylist()
    return rows_found


def rows_about(
    path: Path, columns: Sequence[str], layer: str, call: int, channel: int | None = None
) -> pa.Table:
    """Return the rows about a call or one of its channels.

    Of the columns, a file may lack further statistics.

    Raises:
        RequestError: the file cannot be read, or has nothing about it.
    """
    found: list[pa.Table] = []
    about = {"call": call} if channel is None else {"call": call, "channel": channel}
    with finished_table(path) as table:
        there = [name for name in columns if name not in STATISTICS or name in table.columns]
        for batch in table.batches([*dict.fromkeys([*there, "layer", *about])]):
            layers = batch["layer"]
            mine = pc.equal(layers.indices, pc.index(layers.dictionary, layer))
            for name, number in about.items():
                mine = pc.and_(mine, pc.equal(batch[name], number))
            found.append(table.budget.unpacked(batch.filter(mine).select(there)))
    rows = pa.concat_tables(found) if found else None
    if rows:
        return rows
    about_whom = {"path": path, "layer": layer, "call": call}
    if channel is None:
        raise RequestError("{path} has nothing about {layer}, call {call} from 0", **about_whom)
    raise RequestError(
        "{path} has nothing about channel {channel} of {layer}, call {call} from 0",
        channel=channel,
        **about_whom,
    )
