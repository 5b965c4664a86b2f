"""Peaks of channels on a folder's pictures, and parts that cells see."""

import io
import time
from typing import Any

from PIL import Image

from ...engine.task import Bench
from ...errors import CaptureError, VizError
from ...exemplars.card import torch_version, weights_digest
from ...exemplars.chosen import NOWHERE, ChosenLayer, cell_index, chosen_layers
from ...exemplars.peaks import watching
from ...findings.explanation import Field
from ...hooks.values.structure import leaves
from ...passes.forward import BLANK, input_size
from ...passes.loaded import LoadedModel
from ...receptive import Fields, receptive_fields
from ..folder.tasks import Box, Identify, PassIdentity, PeaksOf, PicturePeaks, SeenByCells, SeenSmall

_QUALITY = 90
_GREY = (127, 127, 127)


def identity(task: Identify, bench: Bench) -> PassIdentity:
    """Return the identity of a pass, without its pictures."""
    loaded = bench.loaded(task.model, task.weights)
    names = tuple(layer.name for layer in _chosen(loaded, bench, (task.model, task.weights)))
    device = loaded.layers.device.type
    return PassIdentity(weights_digest(loaded.layers.model), torch_version(), device, names)


def peaks_of(task: PeaksOf, bench: Bench) -> PicturePeaks:
    """Return the peaks of every channel on the task's picture.

    Only layers with maps have channels here.
    """
    loaded = bench.loaded(task.model, task.weights)
    chosen = _chosen(loaded, bench, (task.model, task.weights))
    arguments = loaded.subject.arguments(task.photo.image)
    begun = time.perf_counter()
    with watching(loaded.layers, chosen) as tap:
        _run(loaded, arguments)
        found = tap.peaks
    took = time.perf_counter() - begun
    return PicturePeaks(
        found.calls, found.maximum, found.mean, found.row, found.column, input_size(arguments), took
    )


def seen_small(task: SeenSmall, bench: Bench) -> bytes:
    """The picture as the model sees it."""
    subject, buffer = bench.loaded(task.model, task.weights).subject, io.BytesIO()
    seen = subject.as_seen(subject.prepare(task.photo.image))
    seen.convert("RGB").save(buffer, "JPEG", quality=_QUALITY)
    return buffer.getvalue()


def seen_by_cells(task: SeenByCells, bench: Bench) -> tuple[Box | None, ...]:
    """The part of the prepared picture that each cell sees.

    None where that is all of it, or unknown.
    """
    loaded = bench.loaded(task.model, task.weights)
    chosen = _chosen(loaded, bench, (task.model, task.weights))
    layer = next((layer for layer in chosen if layer.name == task.layer), None)
    fields = _fields(loaded, bench, task) if layer else None
    if layer is None or not isinstance(fields, Fields):
        return (None,) * len(task.cells)
    return tuple(
        None if NOWHERE in cell else _box(fields.at(cell_index(layer, *cell))) for cell in task.cells
    )


def _run(loaded: LoadedModel, arguments: tuple[Any, ...]) -> None:
    try:
        loaded.layers.run(*arguments)
    except VizError:
        raise
    except Exception as error:  # a model may raise anything, and other pictures still work
        wrong = f"{type(error).__name__}: {error}"
        raise CaptureError("the model fails on this picture: {wrong}", wrong=wrong) from error


def _chosen(loaded: LoadedModel, bench: Bench, about: tuple[str, str]) -> tuple[ChosenLayer, ...]:
    found: tuple[ChosenLayer, ...] = bench.remembered(
        ("folder layers", *about),
        lambda: chosen_layers(loaded.layers, loaded.subject.arguments(BLANK), (), vectors=True),
    )
    return found


def _fields(loaded: LoadedModel, bench: Bench, task: SeenByCells) -> Fields | str:
    """Return the layer's fields, or why there are none.

    They are kept, because they fit every picture of this size.
    """
    arguments = loaded.subject.arguments(Image.new("RGB", task.photo_size, _GREY))
    shapes = tuple(tuple(tensor.shape) for tensor in leaves(arguments).values())

    def found() -> Fields | str:
        try:
            return receptive_fields(loaded.layers, arguments, task.layer, task.call)
        except Exception as error:  # noqa: BLE001  # a model may raise anything when it is followed
            return f"{type(error).__name__}: {error}"

    about = ("fields", task.model, task.weights, task.layer, task.call, "", shapes)
    fields: Fields | str = bench.remembered(about, found)
    return fields


def _box(field: Field) -> Box | None:
    return None if field.whole else (field.left, field.top, field.right, field.bottom)
