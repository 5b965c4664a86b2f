"""``capture``: one layer's call for one picture, as a file's bytes."""

from dataclasses import replace
from typing import Any

from ..errors import CallError, UnknownLayerError
from ..exemplars.chosen import layers_meant
from ..findings.values import LayerValues
from ..hooks.activations import LayerActivations
from ..layer_names import listed
from ..passes.forward import capture
from ..passes.training import check_training, in_mode
from ..pictures.photo import Photo
from ..pictures.subject import Subject
from ..profile.tree import survey
from ..receptive.places.known import known_arrangements
from ..request.inspection import Inspection
from ..sentences import counted
from ..take_home.card import NOWHERE, Origin
from ..take_home.exports import export
from ..take_home.forms import EXPORTS
from ..views.drawing import draw_view

FORMS = tuple(EXPORTS)


def layer_values(
    layers: LayerActivations, subject: Subject, photo: Photo, layer: str, training: int | None = None
) -> LayerValues:
    """Return the layer's output for the picture, of every call.

    With a seed, the model runs in training mode.

    Raises:
        CallError: the layer has no output; the message says why.
        CaptureError: the model cannot run in training mode.
        UnknownLayerError: the model has no such layer.
    """
    arguments = subject.arguments(photo.image)
    known = known_arrangements(layers, arguments)
    if training is not None:
        check_training(layers, arguments)
    with in_mode(layers, training):
        values = capture(layers, subject.arguments(photo.image), (layer,), known=known)[layer]
        if not values.calls:
            reason = _why_not(layers, arguments, layer)
            raise CallError("{layer} has no output: {reason}.", layer=layer, reason=reason)
    return values


def chosen_layer(layers: LayerActivations, word: str) -> str:
    """Return the one layer that a name, class or pattern means.

    Raises:
        UnknownLayerError: it means none, or several.
    """
    found = layers_meant(layers, word)
    if len(found) > 1:
        raise UnknownLayerError(
            "{word} means {count} layers: choose one of {names}",
            word=repr(word),
            count=len(found),
            names=listed(found),
        )
    return found[0]


def chosen_call(values: LayerValues, number: int | None) -> int:
    """Return the call, counted from 0, for a number from 1.

    None means the only call.

    Raises:
        CallError: there is no such call, or there are several and none was chosen.
    """
    calls = len(values.calls)
    if number is None and calls > 1:
        raise CallError(
            "{layer} ran {calls} times: choose with --call 1 to --call {calls}",
            layer=values.layer,
            calls=calls,
        )
    if number is not None and not 1 <= number <= calls:
        raise CallError(
            counted(
                "there is no call {number}, because {layer} ran once: leave --call out",
                "there is no call {number}, because {layer} ran {count} times: --call 1 to --call {count}",
                count=calls,
                number=number,
                layer=values.layer,
            )
        )
    return (number or 1) - 1


def file_bytes(
    values: LayerValues,
    wanted: Inspection,
    form: str,
    *,
    figure: bool = False,
    origin: Origin = NOWHERE,
    model: str = "",
) -> bytes:
    """Return the file's bytes in one of ``FORMS``.

    A PNG is the mosaic with one pixel per value, unless ``figure``. Figures and files of numbers say where
    the model's input came from, ``origin``; a figure's title begins with ``model``.

    Raises:
        LayoutError: the layer's value cannot be drawn.
        RequestError: there is no such colormap.
    """
    wanted = replace(wanted, layer=values.layer)
    if form == "png" and not figure:
        return draw_view(values, wanted).png
    return export(form, values, wanted, origin=origin, model=model)


def _why_not(layers: LayerActivations, arguments: tuple[Any, ...], layer: str) -> str:
    rows = survey(layers, *arguments)
    return next(row.reason for row in rows if layer in (row.name, *row.aliases)) or "no reason is known"
