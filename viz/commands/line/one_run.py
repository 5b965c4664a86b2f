"""Arguments of one run of a model on one picture."""

import argparse

from ...catalogue import models
from ...errors import RequestError
from ...home import COMMAND
from ...maps.colour.tables import AUTO, check_colormap
from ...maps.reduction.reduce import REDUCTIONS, TOP
from ...pictures.photo import Photo
from ...pictures.samples import sample_names
from ...request.edit_request import check_seed
from ..files import SAMPLE
from .subject import OWN, add_weights


def add_run(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a picture, a model, weights and mode."""
    samples = ", ".join(sample_names())
    parser.add_argument(
        "image", metavar="IMAGE", help=f"a picture file, or {SAMPLE}NAME with NAME one of {samples}"
    )
    parser.add_argument(
        "--crop",
        default="",
        metavar="X,Y,W,H",
        help="a part of the picture: left, top, width, height",
    )
    parser.add_argument("--model", required=True, metavar="M", help=f"a model of the catalogue, or {OWN}")
    parser.add_argument(
        "--training",
        type=int,
        metavar="SEED",
        help="run the model in training mode, with random numbers that begin with this seed",
    )
    add_weights(parser, "pretrained")


def add_layer(parser: argparse.ArgumentParser, *, required: bool) -> None:
    """Ask for a layer, and for one of its calls."""
    parser.add_argument(
        "--layer",
        required=required,
        metavar="L",
        help=f"a name that `{COMMAND} layers M` prints, or what fits one alone: a class, or a pattern",
    )
    parser.add_argument(
        "--call", type=int, metavar="N", help="which call of a layer that runs several times, from 1"
    )


def add_reduction(parser: argparse.ArgumentParser, *, usual: str | None = None) -> None:
    """Add the arguments of a layer as one picture, and its colours."""
    said = f" (default: {usual})" if usual else ""
    parser.add_argument(
        "--reduce",
        default=usual,
        metavar="HOW",
        help="the layer as one picture instead of all maps, reduced along its channels: "
        f"{', '.join(REDUCTIONS)}{said}",
    )
    parser.add_argument(
        "--top", type=int, metavar="K", help=f"how many of the strongest channels `top` sums (default: {TOP})"
    )
    parser.add_argument(
        "--colormap",
        default=AUTO,
        metavar="C",
        help="a matplotlib colormap, or with _root behind its name by the square root (default: auto)",
    )


def check_colours(options: argparse.Namespace) -> None:
    """Refuse a colormap that does not exist, or does nothing."""
    if options.colormap == AUTO:
        return
    if options.reduce == "pca":
        raise RequestError("pca has three components as red, green and blue: leave --colormap out")
    check_colormap(options.colormap)


def check_mode(options: argparse.Namespace) -> None:
    """Refuse a seed that is none before any work."""
    if options.training is not None:
        check_seed(options.training)


def mode_said(options: argparse.Namespace) -> str:
    """Return words about the mode; none about the usual one."""
    return "" if options.training is None else f", in training mode, seed {options.training}"


def window_of(card: models.ModelCard, photo: Photo, model: str) -> tuple[float, ...]:
    """Return the part of the picture that the model sees.

    Raises:
        RequestError: it is not known.
    """
    if not hasattr(card.preprocessing, "window"):
        raise RequestError(
            "--over needs a model that sees a part of the photo; of the input of {model} no part is known",
            model=model,
        )
    return tuple(card.preprocessing.window(photo.image.size))
