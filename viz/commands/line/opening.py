"""``open``: its arguments and its steps."""

import argparse

from ...errors import RequestError
from ...pictures.samples import sample_names
from ...sentences import Sentence
from ..files import SAMPLE, picture, source_name
from .subject import activations, add_device, place_models

NO_MODEL = Sentence("no model of the catalogue fits it, so none can run on the picture")


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments, and the function that runs it."""
    parser.description = (
        "Find out what a model file is and which model of the catalogue it opens, without running anything "
        "of it. With a picture, run that model on it."
    )
    parser.set_defaults(command=open_file, name=parser.prog)
    parser.add_argument(
        "file",
        metavar="FILE",
        help="a state dict, a checkpoint, a pickled module, safetensors, TorchScript, a .pt2, ONNX, or a "
        "folder or ZIP of shards",
    )
    samples = ", ".join(sample_names())
    parser.add_argument(
        "image",
        metavar="IMAGE",
        nargs="?",
        help=f"a picture file, or {SAMPLE}NAME with NAME one of {samples}",
    )
    parser.add_argument("--json", action="store_true", help="one object instead of lines")
    add_device(parser)


def open_file(options: argparse.Namespace) -> None:
    """Print a file's kind, its fits, and its result for a picture."""
    from ..opening.opened_file import opened_file, run_of, subject_of
    from ..opening.report import opening_json, opening_lines

    place_models(options)
    photo = picture(options.image) if options.image else None
    opened = opened_file(options.file)
    run, refused = None, opened.problem
    if photo and not refused:
        if opened.best is None:
            refused = NO_MODEL
        else:
            subject = subject_of(opened, opened.best)
            run = run_of(activations(subject), subject, photo)
    name = source_name(options.file) or options.file
    lines = (opening_json(opened, run),) if options.json else opening_lines(name, opened, run)
    print(*lines, sep="\n", flush=True)
    if refused:
        raise RequestError("{file}: {problem}", file=options.file, problem=refused)
