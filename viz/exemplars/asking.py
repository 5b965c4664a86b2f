"""Queries on the files of a run, without model or pictures."""

import json
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ..errors import RequestError
from .keeping import CARD_FILE, EXEMPLARS_FILE, MAXIMA_FILE, PICTURES_FILE

Measure = Literal["maximum", "mean"]
Row = dict[str, Any]
_ORDER = "order"
MOST_OF_A_GROUP = 600_000_000  # bytes: a run writes a million rows of numbers, or 4,096 small pictures


def card_of(out: Path) -> dict[str, Any]:
    """Return the card of a finished capture.

    Raises:
        RequestError: there is no finished capture in this folder.
    """
    try:
        card = json.loads((out / CARD_FILE).read_bytes())
    except (OSError, ValueError) as error:
        raise RequestError("{out} is no finished capture: it has no readable card.json", out=out) from error
    if not isinstance(card, dict) or not (out / MAXIMA_FILE).is_file():
        raise RequestError("{out} is no finished capture: it has no {file}", out=out, file=MAXIMA_FILE)
    return card


def check_groups(path: Path) -> int:
    """Check the size of a table's row groups; return its row count.

    No group may unpack to too many bytes. A capture may be anybody's: a few kilobytes of Parquet can stand
    for gigabytes.

    Raises:
        RequestError: one does.
        OSError, ArrowException: the file cannot be read.
    """
    about = pq.read_metadata(path)
    sizes = [about.row_group(number).total_byte_size for number in range(about.num_row_groups)]
    if max(sizes, default=0) > MOST_OF_A_GROUP:
        raise RequestError(
            "{path} unpacks to more than {most} MB at a time: it is not what a run has written",
            path=path,
            most=MOST_OF_A_GROUP // 10**6,
        )
    rows: int = about.num_rows
    return rows


def pictures_of(out: Path) -> list[str]:
    """Return the names of the pictures that a capture has numbers of.

    They are in the capture's order.

    Raises:
        RequestError: the file that has them cannot be read.
    """
    path = out / PICTURES_FILE
    try:
        check_groups(path)
        rows = pq.read_table(path, columns=["picture"], filters=pc.field("problem").is_null())
    except (OSError, pa.ArrowException) as error:
        raise RequestError("cannot read {path}: is it what a run has written?", path=path) from error
    names: list[str] = rows["picture"].to_pylist()
    return names


def strongest(out: Path, layer: str, channel: int, call: int = 0) -> list[Row]:
    """Return the kept pictures of a channel, the strongest first.

    They are rows of ``exemplars.parquet``.

    Raises:
        RequestError: there is no such file, or nothing about this channel in it.
    """
    found: list[Row] = _rows(out / EXEMPLARS_FILE, layer, call, channel).to_pylist()
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
    rows = _rows(out / MAXIMA_FILE, layer, call, channel)
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
    rows = _rows(out / MAXIMA_FILE, layer, call)
    sound = rows.filter(pc.invert(pc.is_nan(rows["maximum"]))).select(["channel", "maximum"])
    sound = sound.set_column(1, "maximum", sound["maximum"].cast(pa.float64()))
    names = {"count": "pictures", "mean": "mean", "stddev": "deviation", "min": "least", "max": "most"}
    found = sound.group_by("channel").aggregate([("maximum", name) for name in names]).sort_by("channel")
    called = {"channel": "channel"} | {f"maximum_{name}": word for name, word in names.items()}
    rows_found: list[Row] = found.rename_columns([called[name] for name in found.schema.names]).to_pylist()
    return rows_found


def _rows(path: Path, layer: str, call: int, channel: int | None = None) -> pa.Table:
    """Return the rows about a call or one of its channels."""
    about: list[tuple[str, str, object]] = [("layer", "==", layer), ("call", "==", call)]
    if channel is not None:
        about.append(("channel", "==", channel))
    try:
        check_groups(path)
        rows = pq.read_table(path, filters=about)
    except (OSError, pa.ArrowException) as error:
        raise RequestError("cannot read {path}: is it what a run has written?", path=path) from error
    if not len(rows):
        about_whom = {"path": path, "layer": layer, "call": call}
        if channel is None:
            raise RequestError("{path} has nothing about {layer}, call {call} from 0", **about_whom)
        raise RequestError(
            "{path} has nothing about channel {channel} of {layer}, call {call} from 0",
            channel=channel,
            **about_whom,
        )
    return rows
