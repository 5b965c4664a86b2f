"""``diverge``: its arguments and its steps."""

import argparse
import sys
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

from ...comparison.report import json_line, markdown, table, verdict
from ...comparison.terms import CAPTURED, DEFAULT, ONNX, Tolerance
from ...errors import RequestError
from ...pictures.photo import Photo
from ...pictures.samples import sample_names
from ...pictures.subject import Subject
from ..files import SAMPLE, contents, picture, writable, write_whole
from .status import DONE, FAILED
from .subject import OWN, activations, add_device, load_subject, place_models, settle

if TYPE_CHECKING:  # --help waits for no import of PyTorch
    from torch import nn

    from ...hooks.activations import LayerActivations

PRECISIONS = ("float16", "bfloat16")  # by PyTorch's names
UNTRAINED = "@random"
NETS = (
    f"a model of the catalogue, or {OWN}; with {UNTRAINED} behind it untrained, with =FILE with the weights "
    f"of a file, with {' or '.join(f'{each}:' for each in PRECISIONS)} before it in that precision; or a "
    f"file ({' or '.join(CAPTURED)}) with the output of each layer under the layer's name; or an {ONNX} "
    "file, which is given what the other net is given"
)


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments, and the function that runs it."""
    parser.description = (
        "Compare two nets layer by layer on one picture, and name the first layer where they part. Exit "
        "status 0: they agree; 1: a layer is outside the tolerance; 2: they cannot be compared."
    )
    parser.set_defaults(command=compare_nets, name=parser.prog)
    parser.add_argument("a", metavar="A", help=f"the net that is right: {NETS}".replace("%", "%%"))
    parser.add_argument("b", metavar="B", help="the net that may be wrong, in the same words")
    samples = ", ".join(sample_names())
    parser.add_argument(
        "image", metavar="IMAGE", help=f"a picture file, or {SAMPLE}NAME with NAME one of {samples}"
    )
    parser.add_argument(
        "--tolerance",
        type=_tolerance,
        default=DEFAULT,
        metavar="ABS[,REL]",
        help="outside is |A − B| > ABS + REL × |B|; one number stands for both "
        f"(default: {DEFAULT.absolute:g},{DEFAULT.relative:g}, above what folding batch norms does)",
    )
    parser.add_argument(
        "--match",
        action="append",
        default=[],
        metavar="LAYER=OTHER",
        help="a layer of A and the layer of B that it belongs to, where names mislead; may be repeated",
    )
    parser.add_argument("--json", action="store_true", help="one object per line and layer")
    parser.add_argument("--markdown", metavar="FILE", help="write the table as Markdown too")
    add_device(parser)


def compare_nets(options: argparse.Namespace) -> int:
    """Print the rows of a comparison, and return its exit status.

    It is ``DONE`` if the two agree.
    """
    from ...comparison.divergence import divergence

    place_models(options)
    matches = dict(_match(words) for words in options.match)
    report = writable(options.markdown) if options.markdown else None
    photo = picture(options.image)
    a, b = (_side(name, photo) for name in (options.a, options.b))
    if not (a.arguments or b.arguments) and str in {type(a.net), type(b.net)}:
        raise RequestError("an ONNX file does not say how a picture is prepared: compare it with a model")
    found = divergence(
        a.net,
        b.net,
        a.arguments or b.arguments,
        other_inputs=b.arguments or a.arguments,
        tolerance=options.tolerance,
        matches=matches,
    )
    if report is not None:
        write_whole(report, markdown(found).encode())
    if options.json:
        for row in found:
            print(json_line(row))
    else:
        print(table(found))
    print(verdict(found), file=sys.stderr if options.json else sys.stdout)
    return DONE if found.first is None else FAILED


class _Side(NamedTuple):
    """A net, an ONNX file or values by layer, with its arguments."""

    net: "LayerActivations | nn.Module | dict[str, Any] | str"
    arguments: tuple[Any, ...] = ()


def _side(name: str, photo: Photo) -> _Side:
    """Return the side that a name on the command line means.

    Raises:
        ModelError: there is no such model, or its weights cannot be had.
        RequestError: there is no such file, or it holds no values.
    """
    ending = "" if "=" in name and not Path(name).is_file() else PurePath(name).suffix
    if ending == ONNX:
        contents(name, 1)
        return _Side(name)
    if ending in CAPTURED:
        from ...comparison.values_file import read_values

        return _Side(read_values(name, contents(name)))
    precision, rest = _precision(name)
    model, equals, weights = rest.partition("=")
    if not equals and model.endswith(UNTRAINED):
        model, weights = model.removesuffix(UNTRAINED), "random"
    elif equals:
        contents(weights, 1)  # a name that is no file's would mean trained weights
    chosen = argparse.Namespace(model=model, weights=weights, usual_weights="pretrained", device=None)
    settle(chosen)
    subject = load_subject(chosen.model, chosen.weights)
    if precision:
        import torch

        subject.module.to(getattr(torch, precision))
    return _Side(_as_it_runs(subject), subject.arguments(photo.image))


def _as_it_runs(subject: Subject) -> "LayerActivations | nn.Module":
    """Return a model's layers, or the whole of a compiled model."""
    from ...comparison.compiled_side import has_compiled_parts

    layers = activations(subject)
    return subject.module.eval() if has_compiled_parts(subject.module) else layers


def _precision(name: str) -> tuple[str, str]:
    """Return a precision's name, or an empty one, and the rest."""
    word, colon, rest = name.partition(":")
    return (word, rest) if colon and word in PRECISIONS else ("", name)


def _tolerance(words: str) -> Tolerance:
    """Return a tolerance from one number, or two with a comma.

    Raises:
        argparse.ArgumentTypeError: they are no numbers.
    """
    absolute, _, relative = words.partition(",")
    try:
        return Tolerance(float(absolute), float(relative or absolute))
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"{words!r} is not one number, or two with a comma between them"
        ) from error


def _match(words: str) -> tuple[str, str]:
    layer, equals, other = words.partition("=")
    if not equals:
        raise RequestError("{words} names no two layers; write LAYER=OTHER", words=repr(words))
    return layer, other
