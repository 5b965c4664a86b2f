"""``film``: its arguments and its steps."""

import argparse
from pathlib import Path
from typing import Any

from tqdm import tqdm

from ....maps.figures import FORMATS, save_figure
from ...files import checked_target, picture, write_whole
from ..subject import OWN, activations, add_device, load_subject, settle


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments, and the function that runs it."""
    parser.description = (
        "Write what the layers of a model make of one picture at each of some checkpoints. Their steps are "
        "the last numbers in the names of the files, or their order."
    )
    parser.set_defaults(command=film, name=parser.prog, weights=None, usual_weights="random")
    parser.add_argument("checkpoints", nargs="+", metavar="CHECKPOINT", help="a file of weights")
    parser.add_argument("--model", required=True, metavar="M", help=f"a model of the catalogue, or {OWN}")
    parser.add_argument("--image", required=True, metavar="IMAGE", help="a picture, or sample:cat")
    parser.add_argument("--out", required=True, metavar="DIR", help="a folder for the frames")
    parser.add_argument(
        "--layers",
        nargs="+",
        default=[],
        metavar="SELECTOR",
        help="names of layers, of classes such as Conv2d, or patterns (default: all with weights)",
    )
    parser.add_argument(
        "--figure",
        metavar="FILE",
        help="also a .png, .pdf or .svg: the share of dead channels by layer and step",
    )
    add_device(parser)


def film(options: argparse.Namespace) -> None:
    """Write a frame for each checkpoint."""
    from torch import nn

    from ....exemplars.chosen import layers_meant
    from ....frames.checkpoints import checkpoint_film

    figure = checked_target(options.figure, FORMATS) if options.figure else None
    photo, files = picture(options.image), [Path(each) for each in options.checkpoints]
    settle(options)
    subject = load_subject(options.model, options.checkpoints[0])
    layers = activations(subject)
    chosen = [name for word in options.layers for name in layers_meant(layers, word)]
    bar = tqdm(total=len(files), unit="checkpoint", delay=1)

    def load(file: Path) -> tuple[nn.Module, tuple[Any, ...]]:
        bar.update()
        found = load_subject(options.model, str(file))
        return activations(found).model, found.arguments(photo.image)

    with bar:
        made = checkpoint_film(files, load, chosen, Path(options.out))
    if figure:
        write_whole(figure[0], save_figure(made.figure(), figure[1]))
    print(f"{options.out}: {made}")
