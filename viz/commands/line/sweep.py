"""``sweep``: its arguments and its steps."""

import argparse
import pkgutil
import sys

from tqdm import tqdm

from ...catalogue import models
from ...home import PREFIX
from ..files import writable
from ..sweep_report import Bounds, append_row, read_report, summary
from .status import DONE, FAILED
from .subject import LOADER, add_device, place_models

STANDARD_OUTPUT = "-"
COMMAND_LINE = f"{PREFIX}viz.__main__"  # with every command, which no model's process has to import then
FAMILIES = ("bundled", "torchvision", "timm")  # as models.families() has them, which imports PyTorch
PRELOAD = {"torchvision": ["torchvision.models"], "timm": ["timm"]}


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments, and the function that runs it."""
    parser.description = (
        "Load every model of a family with untrained weights, capture and draw every layer, and report for "
        "each how many layers were drawn, how many explained, and which failed; whether maps are drawn where "
        "their values sit; and whether capturing changes what the model returns."
    )
    parser.set_defaults(command=sweep_models, name=parser.prog)
    parser.add_argument("--family", required=True, metavar="F", help=", ".join(FAMILIES))
    parser.add_argument("--models", metavar="A,B", help="only these of the family")
    parser.add_argument(
        "--one-per-family", action="store_true", help="of timm, the smallest of each architecture"
    )
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N")
    parser.add_argument(
        "--json",
        nargs="?",
        const=STANDARD_OUTPUT,
        metavar="REPORT",
        help="a file for one JSON object per line and model; models that it has already are skipped",
    )
    parser.add_argument(
        "--against",
        type=_function_name,
        metavar="MODULE:FUNCTION",
        help="also compare every captured tensor, such as by tools.plain_hooks:compared",
    )
    for word, unit, most in (("--memory", "GB", Bounds.memory), ("--timeout", "S", Bounds.seconds)):
        parser.add_argument(
            word, type=float, default=most, metavar=unit, help="for one model (default: %(default)s)"
        )
    add_device(parser)


def _function_name(words: str) -> str:
    """These words, if they name something that can be imported.

    Raises:
        argparse.ArgumentTypeError: they do not.
    """
    try:
        pkgutil.resolve_name(words)
    except (ValueError, ImportError, AttributeError) as error:
        raise argparse.ArgumentTypeError(f"{words!r} is not module:function: {error}") from error
    return words


def sweep_models(options: argparse.Namespace) -> int:
    """Look at every layer of a family's models, continuing a report.

    The exit status is 1 if any layer, or a whole model, failed, or anything that was checked is wrong, now or
    in the report.
    """
    from ..sweep import chosen, sweep

    place_models(options)
    report = None if options.json in (None, STANDARD_OUTPUT) else writable(options.json)
    family = models.representatives if options.one_per_family else models.names
    names = chosen(family(options.family), options.models, options.limit)
    rows = [row for row in (read_report(report) if report else []) if row.model in names]
    known = {row.model for row in rows}
    left = [name for name in names if name not in known]
    bounds, preload = (
        Bounds(options.memory, options.timeout),
        (COMMAND_LINE, *PRELOAD.get(options.family, ())),
    )
    with tqdm(total=len(names), initial=len(rows), unit="model", desc=options.family) as bar:
        for row in sweep(left, LOADER, bounds, preload, options.against):
            rows.append(row)
            if report:
                append_row(report, row)
            print(row.as_json() if options.json == STANDARD_OUTPUT else row, flush=True)
            bar.update()
    print(summary(rows), file=sys.stderr if options.json == STANDARD_OUTPUT else sys.stdout)
    return DONE if all(row.sound for row in rows) else FAILED
