"""Any question about any layer of the nets that come along, and its answer bit for bit."""

import random
import struct
import zlib
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import msgspec
import numpy as np

from tests.machine import patience
from viz.engine.engine import Engine
from viz.number.tasks import BreakdownTask
from viz.pictures.photo import Photo, photograph
from viz.pictures.samples import sample
from viz.profile.rows import LayerRow
from viz.request.edit_request import edits_from
from viz.request.inspection import Inspection
from viz.views.hook_tasks import TimelineTask
from viz.views.one_layer import Values, View
from viz.views.removal import Ablate
from viz.views.whole_model import Predict, Seen, Survey

MODELS = ("lenet", "photonet", "patchformer", "signalnet", "efficientnet_lite0")
SAMPLES = ("cat", "astronaut", "coffee", "rocket")
EDITS = ("zero:0", "scale:all:-2", "mean", "noise:all:0.5:7", "clamp:all:0.3", "swap:0:coffee")
MEASURED = ("seconds", "once")  # how long something took: in no two runs the same
WAIT = patience(120)
PNG = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True)
class Asking:
    """Subjects of random questions: pictures, and each model's layers that return something."""

    photos: tuple[Photo, ...]
    layers: Mapping[tuple[str, str], tuple[LayerRow, ...]]


def asking(engine: Engine, models: tuple[str, ...] = MODELS) -> Asking:
    """Return the pictures and layers to ask about, as an engine's surveys say."""
    layers = {}
    for place in [(model, weights) for model in models for weights in ("pretrained", "random")]:
        rows = engine.do(Survey(*place), visitor="survey").result(WAIT)
        layers[place] = tuple(row for row in rows if row.calls and row.shapes[0])
    return Asking(tuple(photograph(sample(name)) for name in SAMPLES), layers)


def random_task(chance: random.Random, about: Asking) -> Any:
    """A view, values, an edit, a gradient, a number, a prediction, an ablation or the hooks of a pass."""
    photo, (model, weights) = chance.choice(about.photos), chance.choice(list(about.layers))
    row = chance.choice(about.layers[model, weights])
    wanted = Inspection(
        photo.fingerprint,
        model,
        weights,
        row.name,
        call=chance.randrange(row.calls),
        colormap=chance.choice(("auto", "viridis", "coolwarm")),
        scale=chance.choice(("layer", "channel", "clipped")),
        order=chance.choice(("index", "mean", "variance")),
        viewport=chance.choice(((0, 0), (600, 400))),
        gradient=chance.choice((None, None, 0, 3)),
        edits=_edits(chance, about.layers[model, weights]),
        training=chance.choice((None, None, None, 5)),
    )
    cell = tuple(chance.randrange(4) for _ in range(3))
    make: Callable[[], Any] = chance.choice(
        (
            lambda: View(wanted, photo, whole=chance.random() < 0.5),
            lambda: View(wanted, photo),
            lambda: Values(wanted, photo),
            lambda: BreakdownTask(wanted, photo, cell),
            lambda: Predict(photo, model, weights),
            lambda: Seen(photo, model, weights),
            lambda: Ablate(wanted, photo, range(3)),
            lambda: TimelineTask(wanted, photo),
        )
    )
    return make()


def _edits(chance: random.Random, rows: tuple[LayerRow, ...]) -> tuple[Any, ...]:
    layers = [row.name for row in rows if "›" not in row.name and row.name]
    count = chance.choice((0, 0, 1, 2))
    return edits_from(";".join(f"{chance.choice(layers)}:{chance.choice(EDITS)}" for _ in range(count)))


@dataclass(frozen=True)
class Refused:
    """An error in place of an answer."""

    kind: str
    said: str


def outcome(future: "Future[Any]") -> Any:
    """The answer, or what it was refused with."""
    try:
        return future.result(WAIT)
    except Exception as error:  # noqa: BLE001  a refusal must be the same everywhere, whatever it is
        return Refused(type(error).__name__, str(error))


def bits(value: Any) -> Hashable:
    """An answer in a form that is equal for equal bits only; a number that is not itself is, here.

    Of a PNG these are the uncompressed ones: the same pixels can be compressed in several ways.
    """
    match value:
        case float():
            found: Hashable = struct.pack("d", value)
        case bytes() if value.startswith(PNG):
            found = uncompressed(value)
        case np.ndarray():
            found = str(value.dtype), value.shape, value.tobytes()
        case Mapping():
            found = tuple((key, bits(each)) for key, each in value.items())
        case tuple() | list() | range():
            found = tuple(bits(each) for each in value)
        case msgspec.Struct():
            found = type(value).__name__, bits(msgspec.structs.astuple(value))
        case _ if is_dataclass(value):
            names = [each.name for each in fields(value) if each.name not in MEASURED]
            found = type(value).__name__, tuple(bits(getattr(value, name)) for name in names)
        case _:
            found = value
    return found


def uncompressed(png: bytes) -> Hashable:
    """A PNG's chunks, their names and bytes, with the pixels' rows as they were before compression."""
    chunks, packed, at = [], b"", len(PNG)
    while at < len(png):
        length, name = struct.unpack_from(">I4s", png, at)
        data = png[at + 8 : at + 8 + length]
        if name == b"IDAT":
            packed += data
        else:
            chunks.append((name, data))
        at += 12 + length
    return (*chunks, zlib.decompress(packed))
