"""Receptive field of each kept cell, on the prepared picture."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ..findings.explanation import Field
from ..hooks.activations import LayerActivations
from ..passes.forward import input_size
from ..pictures.subject import Subject
from ..receptive import Fields, all_receptive_fields
from ..receptive.boxes import EMPTY
from .chosen import ChosenLayer, cell_index
from .ranking import Boxes, Kept, Key

Box = tuple[int, int, int, int]
_GREY = (127, 127, 127)


def boxes_of(
    layers: LayerActivations,
    subject: Subject,
    kept: Mapping[Key, Kept],
    chosen: Mapping[str, ChosenLayer],
    sizes: Sequence[tuple[int, int]],
) -> dict[Key, Boxes]:
    """Return the receptive fields of all kept cells.

    They are in pixels of the picture as prepared. If the model cannot be followed, each is the whole picture.

    Args:
        layers: the model's layers.
        subject: how pictures are prepared.
        kept: what is kept for the channels of each call.
        chosen: how each layer lies, by its name.
        sizes: for each form of inputs the (width, height) of a picture that gets it. Receptive fields depend
            on the form alone, so any picture of that size will do.
    """
    found = {key: np.zeros((*records.shape, 4), np.int32) for key, records in kept.items()}
    for form, size in enumerate(sizes):
        arguments = subject.arguments(Image.new("RGB", size, _GREY))
        fields = _fields(layers, arguments)
        whole = (0, 0, *input_size(arguments)[::-1])
        for key, records in kept.items():
            here = np.nonzero((records["form"] == form) & ~np.isnan(records["value"]))
            if len(here[0]):
                found[key][here] = _boxes_of(records[here], here[1], chosen[key[0]], fields.get(key), whole)
    return found


def box_of(field: Field) -> Box:
    """Return a receptive field as Pillow has boxes: left, top, right, bottom."""
    return field.left, field.top, field.right, field.bottom


def _boxes_of(
    records: Kept, channels: NDArray[np.intp], layer: ChosenLayer, fields: Fields | None, whole: Box
) -> Boxes:
    """Return the boxes of a layer's kept cells.

    They are (cells, 4); a cell without a place has the whole picture.
    """
    boxes = np.tile(np.array(whole, np.int32), (len(records), 1))
    placed = records["row"] >= 0
    if fields is not None and placed.any():
        here = records[placed]
        boxes[placed] = _boxes(fields, cell_index(layer, channels[placed], here["row"], here["column"]))
    return boxes


def _fields(layers: LayerActivations, arguments: tuple[Any, ...]) -> dict[Key, Fields]:
    try:
        found = all_receptive_fields(layers, arguments, operations=True)
    except Exception:  # noqa: BLE001  # a model may raise anything when it is followed; it ran without that
        return {}
    return {key: next(iter(leaves.values())) for key, leaves in found.items() if leaves}


def _boxes(fields: Fields, cells: tuple[Any, ...]) -> Boxes:
    """Return the boxes of cells, each an index along all axes.

    They are (cells, 4), and zeros where a cell sees nothing.
    """
    top, left, bottom, right = (plane[cells].numpy() for plane in fields.boxes.planes[:4])
    edges = np.stack([-left, -top, right + 1, bottom + 1], axis=1)
    seen = (np.stack([top, left, bottom, right], axis=1) != EMPTY).all(1)
    return np.where(seen[:, None], edges, 0).astype(np.int32)
