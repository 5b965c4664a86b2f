"""Arrow tables of the lens: their readers need nothing of ours."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from ..exemplars.finished.card import Call
from .capture import Capture
from .channels import alike
from .lens import LayerLens, Lens
from .same import first_of_each, same_pictures
from .similarity import Matrix


def layers_table(found: Lens) -> pa.Table:
    """Return a row for each call, with its probe's accuracy.

    The probe's columns are null without one.
    """
    rows = []
    for each in found.layers:
        probe = each.probe
        rows.append(
            {
                "layer": each.call.layer,
                "call": each.call.call,
                "type": each.call.type,
                "channels": each.call.channels,
                "dead": int(each.dead.sum()),
                "redundant": each.spare,
                "accuracy": probe and probe.accuracy,
                "low": probe and probe.low,
                "high": probe and probe.high,
                "chance": probe and probe.chance,
            }
        )
    numbers = [(name, pa.float64()) for name in ("accuracy", "low", "high", "chance")]
    counts = [(name, pa.int32()) for name in ("channels", "dead", "redundant")]
    names = [("layer", pa.string()), ("call", pa.int32()), ("type", pa.string())]
    return pa.Table.from_pylist(rows, pa.schema([*names, *counts, *numbers]))


def channels_table(found: Lens) -> pa.Table:
    """Return a row for each channel.

    ``dead``; ``group``, the number of its group of redundant channels in its layer, null for none; and
    ``place``, where it stands in the heat map, null without classes.
    """
    parts = []
    for each in found.layers:
        count = each.call.channels
        group = np.full(count, -1, np.int32)
        for number, channels in enumerate(each.groups or ()):
            group[list(channels)] = number
        place = np.full(count, -1, np.int32)
        if each.classes:
            place[each.classes.order] = np.arange(count)
        parts.append(
            pa.table(
                {
                    **_names(each.call, count),
                    "channel": np.arange(count, dtype=np.int32),
                    "dead": each.dead,
                    "group": pa.array(group, mask=group < 0),
                    "place": pa.array(place, mask=place < 0),
                }
            )
        )
    return pa.concat_tables(parts)


def classes_table(found: Lens) -> pa.Table | None:
    """Return a row for each channel and class; None without classes.

    The classes are in the order of ``found.class_order``.
    """
    parts = [_classes(each, found) for each in found.layers if each.classes]
    return pa.concat_tables(parts) if parts else None


def _classes(each: LayerLens, found: Lens) -> pa.Table:
    classes, order = each.classes, found.class_order
    assert classes is not None  # noqa: S101  # for type checkers: the caller asks
    channels, count = each.call.channels, len(order)
    names = [found.labels.classes[number] for number in order]
    return pa.table(
        {
            **_names(each.call, channels * count),
            "channel": np.repeat(np.arange(channels, dtype=np.int32), count),
            "class": pa.array(names * channels, pa.string()),
            "pictures": np.tile(found.labels.counts[order].astype(np.int32), channels),
            "maximum": classes.maximum[:, order].reshape(-1),
            "mean": classes.mean[:, order].reshape(-1),
            "score": classes.score[:, order].reshape(-1),
            "chance": np.tile(classes.chance[order], channels),
        }
    )


def alike_table(capture: Capture) -> pa.Table:
    """Return a row for each channel and one that correlates with it.

    Both are of one layer, and the correlation is over the pictures that differ.
    """
    parts, different = [], first_of_each(same_pictures(capture.signature()))
    for number, call in enumerate(capture.calls):
        found = alike(capture.mean[different, capture.columns(number)])
        rows = [(channel, *each) for channel, others in enumerate(found) for each in others]
        channels, others, scores = zip(*rows, strict=True) if rows else ((), (), ())
        parts.append(
            pa.table(
                {
                    **_names(call, len(rows)),
                    "channel": pa.array(channels, pa.int32()),
                    "other": pa.array(others, pa.int32()),
                    "correlation": pa.array(scores, pa.float64()),
                }
            )
        )
    return pa.concat_tables(parts)


def similarity_table(
    matrix: Matrix, calls: Sequence[Call], others: Sequence[Call], pictures: int, chance: float
) -> pa.Table:
    """Return a row for each pair of calls, with their CKA.

    It has the number of pictures, and the CKA that chance alone reaches.
    """
    return pa.table(
        {
            "layer": pa.array([each.layer for each in calls for _ in others], pa.string()),
            "call": pa.array([each.call for each in calls for _ in others], pa.int32()),
            "other_layer": pa.array([each.layer for _ in calls for each in others], pa.string()),
            "other_call": pa.array([each.call for _ in calls for each in others], pa.int32()),
            "cka": matrix.reshape(-1),
            "pictures": np.full(matrix.size, pictures, np.int32),
            "chance": np.full(matrix.size, chance),
        }
    )


def _names(call: Call, rows: int) -> dict[str, pa.Array]:
    return {
        "layer": pa.array([call.layer] * rows, pa.string()),
        "call": pa.array(np.full(rows, call.call, np.int32)),
    }
