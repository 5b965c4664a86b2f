"""``visualise``: its arguments and its steps."""

import argparse
from dataclasses import replace
from pathlib import Path

from tqdm import tqdm

from ....request.optimised import STEPS, WAYS
from ...files import checked_target, picture, say, write_whole
from ..subject import OWN, activations, add_weights, load_subject, settle, weights_said


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments, and the function that runs it."""
    parser.description = (
        "Write the picture that a channel, a cell of it, a direction between channels, or a class wants to "
        "see, found by gradient ascent. "
        "Such pictures can mislead: look at exemplars too."
    )
    parser.set_defaults(command=visualise, name=parser.prog)
    parser.add_argument("--model", required=True, metavar="M", help=f"such as photonet or resnet50, or {OWN}")
    parser.add_argument(
        "--layer", metavar="L", help="its name, or a pattern that fits it alone; not for a class"
    )
    meant = parser.add_mutually_exclusive_group(required=True)
    meant.add_argument("--channel", type=int, metavar="C", help="a channel of the layer, counted from 0")
    meant.add_argument(
        "--direction",
        type=_direction,
        metavar="C:W,…",
        help="channels, each with a weight: 3:1,7:-0.5 is channel 3 without half of channel 7",
    )
    meant.add_argument("--class", dest="target", type=int, metavar="K", help="a class of the model, from 0")
    parser.add_argument("--call", type=int, default=1, metavar="N", help="which of its calls (default: 1)")
    parser.add_argument(
        "--cell", type=int, nargs=2, metavar=("ROW", "COLUMN"), help="one cell of the channel"
    )
    parser.add_argument(
        "--out", required=True, metavar="PICTURE", help="the file to write, a PNG; -: standard output"
    )
    parser.add_argument("--method", choices=WAYS, default=WAYS[0], help="(default: %(default)s)")
    parser.add_argument("--steps", type=int, default=STEPS, metavar="N", help="(default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of what is random (default: 0)")
    parser.add_argument("--count", type=int, default=1, metavar="N", help="different pictures, side by side")
    parser.add_argument(
        "--from", dest="photo", metavar="PHOTO", help="begin with this photo, and stay near it"
    )
    parser.add_argument("--beside", metavar="DIR", help="what exemplars has found: says how far both agree")
    add_weights(parser, "pretrained")


def visualise(options: argparse.Namespace) -> None:
    """Write the picture that a channel wants to see, after cheap checks."""
    from ...capture import chosen_layer
    from ...visualise import (
        PICTURES,
        check_same_weights,
        making_of,
        maxima_of,
        optimised,
        png_of,
        said_of_picture,
        wish_of,
    )

    path, _ = checked_target(options.out, PICTURES)
    making = making_of(options)
    photo = picture(options.photo, "") if options.photo else None
    wish, beside = wish_of(options), Path(options.beside) if options.beside else None
    settle(options)
    maxima = maxima_of(beside, wish, options.model, options.weights) if beside else None
    subject = load_subject(options.model, options.weights)
    layers = activations(subject)
    if wish.layer:
        wish = replace(wish, layer=chosen_layer(layers, wish.layer))
    if beside:
        check_same_weights(beside, layers)
    with tqdm(total=making.steps, unit="step", desc=wish.layer or options.model, delay=1) as bar:
        made = optimised(layers, subject, wish, making, photo, lambda done: bar.update(done - bar.n))
    write_whole(path, png_of(made))
    say(path, f"{path}: {options.model} ({weights_said(options)})", *said_of_picture(made, wish, maxima))


def _direction(text: str) -> tuple[tuple[int, float], ...]:
    """Return the (channel, weight) pairs of a text such as ``3:1,7:-0.5``.

    Raises:
        ValueError: it is another text.
    """
    pairs = (each.split(":") for each in text.split(","))
    return tuple((int(channel), float(weight)) for channel, weight in pairs)
