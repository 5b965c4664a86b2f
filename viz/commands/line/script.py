"""``script``: its arguments and its steps."""

import argparse
from dataclasses import replace

from ...catalogue import models
from ...request.inspection import Inspection
from ...request.method import METHODS
from ..files import checked_target, is_standard_output, picture, say, writable, write_whole
from .one_run import add_layer, add_run, check_mode, mode_said
from .subject import activations, load_subject, settle, weights_said


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments, and the function that runs it."""
    parser.description = (
        "Write a script of plain PyTorch that makes the same numbers, draws them, and says whether they "
        "are the same: what one layer returns for one picture or, with --method, what counts for a class."
    )
    parser.set_defaults(command=write_script, name=parser.prog)
    add_run(parser)
    add_layer(parser, required=False)
    parser.add_argument("--method", choices=METHODS, help="how to tell what counts for the class of --target")
    parser.add_argument(
        "--target",
        type=int,
        metavar="CLASS",
        help="a class, counted from 0; without --method, the gradient of its score at the layer is captured",
    )
    parser.add_argument(
        "--out",
        required=True,
        metavar="FILE",
        help="script.py; its picture, script-picture.png, goes beside it; -: standard output, with "
        "picture.png in this folder",
    )


def write_script(options: argparse.Namespace) -> None:
    """Write a script and the picture that it reads, after cheap checks."""
    from ..capture import chosen_call, chosen_layer, layer_values
    from ..script import check_asked, picture_bytes, picture_name, script_text

    path, _ = checked_target(options.out, ("py",))
    stem = "" if is_standard_output(path) else path.stem
    beside = writable(str(path.with_name(picture_name(stem))))
    check_asked(options.method, options.layer, options.target)
    check_mode(options)
    settle(options)
    card, photo = models.describe(options.model), picture(options.image, options.crop)
    subject = load_subject(options.model, options.weights)
    layers, run = activations(subject), (options.model, options.weights)
    if options.layer is not None:
        options.layer = chosen_layer(layers, options.layer)
    wanted = Inspection(photo.fingerprint, *run, options.layer or "", gradient=options.target)
    wanted = replace(wanted, training=options.training)
    if options.layer is not None:
        values = layer_values(layers, subject, photo, options.layer, options.training)
        wanted = replace(wanted, call=chosen_call(values, options.call))
    text = script_text(subject, layers, wanted, photo, card, method=options.method, stem=stem)
    write_whole(beside, picture_bytes(photo))
    write_whole(path, text.encode())
    trained = weights_said(options) + mode_said(options)
    what = " of ".join(filter(None, (options.method, options.layer, options.model)))
    say(path, f"{path}: {what} ({trained}); it reads {beside.name}, so run it in that folder")
