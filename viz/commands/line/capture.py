"""``capture``: its arguments and its steps."""

import argparse
import sys

from ...catalogue import models
from ...errors import RequestError
from ...findings.values import LayerValues
from ...maps.reduction.reduce import ReductionRequest, check_reduction
from ...request.inspection import Inspection
from ...take_home.card import origin_of
from ...take_home.reduced import one_picture, reduced_file
from ..files import checked_target, picture, say, source_name, write_whole
from .one_run import add_layer, add_reduction, add_run, check_colours, check_mode, mode_said, window_of
from .subject import activations, load_subject, settle, weights_said


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments, and the function that runs it."""
    parser.description = "Write what one layer returns for one picture into a file."
    parser.set_defaults(command=capture_layer, name=parser.prog)
    add_run(parser)
    add_layer(parser, required=True)
    parser.add_argument(
        "--out",
        required=True,
        metavar="FILE",
        help="maps.png: one pixel per value; figure.pdf or .svg: a figure; .npz or .safetensors: numbers; "
        "-: a PNG to standard output",
    )
    parser.add_argument("--figure", action="store_true", help="make a .png the figure too, not the bare maps")
    _add_reduction(parser)


def _add_reduction(parser: argparse.ArgumentParser) -> None:
    """Let the command write the layer as one picture."""
    add_reduction(parser)
    parser.add_argument(
        "--channels",
        type=_numbers,
        metavar="A,B,…",
        help="the channels to reduce, each once (default: all)",
    )
    parser.add_argument(
        "--at",
        type=_numbers,
        metavar="ROW,COLUMN",
        help="the place that `similar` compares all others with, counted from 0 (default: the strongest)",
    )
    parser.add_argument(
        "--over",
        action="store_true",
        help="lay that picture over the whole photo, with the part that the model saw marked, as a figure",
    )


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(",")))


def capture_layer(options: argparse.Namespace) -> None:
    """Write one layer of one picture into a file, after cheap checks."""
    from ...profile.chance import Draws, differing
    from ..capture import FORMS, chosen_call, chosen_layer, file_bytes, layer_values

    path, form = checked_target(options.out, FORMS)
    check_colours(options)
    check_mode(options)
    _check_reduction(options)
    settle(options)
    card, photo = models.describe(options.model), picture(options.image, options.crop)
    window = window_of(card, photo, options.model) if options.over else ()
    subject = load_subject(options.model, options.weights)
    layers, draws = activations(subject), Draws()
    options.layer = chosen_layer(layers, options.layer)
    values = layer_values(layers, subject, photo, options.layer, options.training)
    wanted = Inspection(
        photo.fingerprint,
        options.model,
        options.weights,
        options.layer,
        call=chosen_call(values, options.call),
        colormap=options.colormap,
        training=options.training,
    )
    origin = origin_of(photo, card.preprocessing.describe(), source_name(options.image))
    model = f"{options.model} ({weights_said(options)})"
    if options.reduce:
        reducing = ReductionRequest(options.reduce, options.channels, options.top, options.at)
        one = one_picture(values, wanted, reducing, photo=photo if options.over else None, window=window)
        data = reduced_file(form, one, wanted, figure=options.figure, origin=origin, model=model)
    else:
        data = file_bytes(values, wanted, form, figure=options.figure, origin=origin, model=model)
    write_whole(path, data)
    say(path, f"{path}: {_said_of(options, values, wanted.call)}")
    if draws.any() and differing(layers, subject.arguments(photo.image), [options.layer]):
        sentence = "{model} draws random numbers in every pass: {layer} returns other values each time."
        print(sentence.format(model=options.model, layer=options.layer), file=sys.stderr)


def _said_of(options: argparse.Namespace, values: LayerValues, call: int) -> str:
    from ..layers import shape_text

    shapes = ", ".join(shape_text(leaf.array.shape) for leaf in values.call(call).values())
    trained = weights_said(options) + mode_said(options)
    return f"{options.layer} of {options.model} ({trained}), call {call + 1} of {len(values.calls)}, {shapes}"


def _check_reduction(options: argparse.Namespace) -> None:
    """Refuse what does not go together before any work."""
    if options.reduce:
        check_reduction(options.reduce, options.top, options.at)
    elif options.over or options.channels or options.top is not None or options.at:
        raise RequestError(
            "--over, --channels, --top and --at need --reduce, which makes one picture of the layer"
        )
    if options.at and len(options.at) != len(("row", "column")):
        raise RequestError("--at takes a row and a column, such as 3,4")
