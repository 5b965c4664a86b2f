"""Captures made up: of random numbers, written as a run writes them, or kept as arrays."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from viz.exemplars.finished.card import Call
from viz.lens.capture import Capture, starts_of


def calls_of(*channels: int) -> tuple[Call, ...]:
    """Calls with so many channels each."""
    return tuple(Call(f"layer{number}", "Conv2d", 0, count) for number, count in enumerate(channels))


def capture_of(mean: NDArray[np.floating], calls: Sequence[Call], pictures: Sequence[str] = ()) -> Capture:
    """A capture with these means; the maxima are twice as large."""
    names = tuple(pictures) or tuple(f"{number:04}.png" for number in range(len(mean)))
    values = np.asarray(mean, np.float32)
    return Capture("made", names, tuple(calls), 2 * values, values)


def in_classes(count: int, each: int) -> tuple[str, ...]:
    """Names of pictures in class folders."""
    return tuple(f"class{number}/{picture:03}.png" for number in range(count) for picture in range(each))


def write(folder: Path, capture: Capture, **card: object) -> Path:
    """Write a capture row by row, without any of our code for that."""
    folder.mkdir(parents=True, exist_ok=True)
    starts = starts_of(capture.calls)
    rows = [
        {
            "picture": picture,
            "layer": call.layer,
            "call": call.call,
            "channel": channel,
            "maximum": float(capture.maximum[number, start + channel]),
            "mean": float(capture.mean[number, start + channel]),
            "row": 0,
            "column": 0,
        }
        for number, picture in enumerate(capture.pictures)
        for call, start in zip(capture.calls, starts[:-1], strict=True)
        for channel in range(call.channels)
        if not np.isnan(capture.mean[number, start : start + call.channels]).all()
    ]
    pq.write_table(pa.Table.from_pylist(rows), folder / "maxima.parquet", row_group_size=7)
    listed = [
        {"layer": c.layer, "type": c.type, "call": c.call, "channels": c.channels} for c in capture.calls
    ]
    known = {"model": "made", "weights": "random", "weights_sha256": "0", "done": len(capture.pictures)}
    about = {**known, "complete": True, "channels": listed, "unreadable": [], "more": "is ignored", **card}
    (folder / "card.json").write_text(json.dumps(about))
    return folder
