"""``capture-folder``, or ``exemplars``: its arguments and its steps."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tqdm import tqdm

from ...exemplars.listing import place_of
from ...exemplars.sources.thumbnails import USUAL_SIDE
from ...maps.figures import FORMATS, save_figure
from ..files import checked_target, write_whole
from .status import DONE, INTERRUPTED
from .subject import LOADER, OWN, OWN_MODEL, activations, add_weights, load_subject, settle

if TYPE_CHECKING:
    from ...exemplars.search import Search


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments, and the function that runs it."""
    parser.description = (
        "Look at every picture below a folder once, and write, for each channel of each layer, which of them "
        "excite it most, where, and how much of the picture that place sees; on request raw maps too. Ctrl-C "
        "stops and keeps what is done; --resume goes on, also after the process was killed."
    )
    parser.set_defaults(command=capture_folder, name=parser.prog)
    _add_looked_at(parser)
    parser.add_argument(
        "--top", type=int, default=9, metavar="N", help="pictures for each channel (default: %(default)s)"
    )
    parser.add_argument("--out", required=True, metavar="DIR", help="a folder for the results")
    parser.add_argument("--resume", action="store_true", help="go on with the run whose results DIR has")
    parser.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help="processes, each with a copy of the model; beside a graphics card they only read pictures; with "
        "--ray, models (default: by the processors)",
    )
    _add_kept(parser)
    parser.add_argument(
        "--ray",
        nargs="?",
        const="",
        metavar="ADDRESS",
        help="on a cluster of Ray, such as ray://HOST:10001 (without ADDRESS: RAY_ADDRESS, or this machine)",
    )
    add_weights(parser, "pretrained")


def _add_looked_at(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for the pictures, the model and its layers."""
    parser.add_argument(
        "folder", metavar="FOLDER", help="with pictures, also in folders below it; or its address, as s3://…"
    )
    parser.add_argument("--model", required=True, metavar="M", help=f"a model of the catalogue, or {OWN}")
    parser.add_argument(
        "--layers",
        nargs="+",
        default=[],
        metavar="SELECTOR",
        help="names of layers, of classes such as Conv2d, or patterns such as 'layer1.*' (default: every "
        "layer whose channels have places on the picture)",
    )


def _add_kept(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for the files to keep and the sheet."""
    parser.add_argument(
        "--maps", nargs="+", default=[], metavar="SELECTOR", help="layers whose raw maps are kept, as Zarr"
    )
    parser.add_argument("--half", action="store_true", help="keep raw maps as float16, in half the room")
    parser.add_argument(
        "--statistics", action="store_true", help="the minimum, deviation and positive share of each channel"
    )
    parser.add_argument(
        "--thumbnails",
        type=int,
        default=USUAL_SIDE,
        metavar="PIXELS",
        help="the longest side of the small pictures; 0 for none (default: %(default)s)",
    )
    parser.add_argument(
        "--sheet", metavar="FILE", help="also a .png, .pdf or .svg of twelve channels drawn by lot"
    )


def capture_folder(options: argparse.Namespace) -> int:
    """Write a model's capture of a folder, after cheap checks."""
    from ...exemplars.search import FULL, HALF, Search, exemplars, pictures_listed
    from ...exemplars.spread.cluster import check_installed
    from ..exemplars import check_numbers, chosen_on_grey, looks_of, request_for, said_of, stopped_by_signals

    folder, out = place_of(options.folder), Path(options.out)
    check_numbers(options.top, options.workers, options.thumbnails)
    if options.ray is not None:
        check_installed()
    sheet = checked_target(options.sheet, FORMATS) if options.sheet else None
    listing = pictures_listed(folder, out)
    settle(options)
    subject = load_subject(options.model, options.weights)
    layers = activations(subject)
    chosen = chosen_on_grey(layers, subject, options.layers)
    maps = chosen_on_grey(layers, subject, options.maps) if options.maps else ()
    request = replace(
        request_for(options.model, options.weights, options.top, layers, chosen, listing),
        statistics=options.statistics,
        thumbnails=options.thumbnails,
        maps=tuple(layer.name for layer in maps),
        maps_type=HALF if options.half else FULL,
    )
    search = Search(folder, out, layers, subject, chosen, _workers(options, layers.device.type), maps)
    elsewhere = options.ray is not None and looks_of(search, request, LOADER, options.ray, (OWN_MODEL,))
    bar = tqdm(total=listing.count, unit="picture", desc=options.model)
    with stopped_by_signals() as stopping, bar:
        outcome = exemplars(
            search,
            request,
            resume=options.resume,
            advance=lambda done: bar.update(done - bar.n),
            stopping=stopping,
            looks=elsewhere or None,
        )
    print(*said_of(outcome, out, options.top, listing.others), sep="\n")
    if sheet and outcome.complete:
        _write_sheet(*sheet, search)
    return DONE if outcome.complete else INTERRUPTED


def _write_sheet(path: Path, form: str, search: "Search") -> None:
    """Write the exemplars of twelve channels drawn by lot, as a picture."""
    from ...exemplars.sheet import TWELVE, drawn_by_lot, sheet_figure

    channels = drawn_by_lot(search.out, TWELVE)
    write_whole(path, save_figure(sheet_figure(search.out, search.folder, search.subject, channels), form))


def _workers(options: argparse.Namespace, device: str) -> int:
    """Return the number of worker processes, or of a cluster's models.

    On a cluster, 0 stands for as many as fit.
    """
    from ..exemplars import usual_workers

    usual = 0 if options.ray is not None else usual_workers(device)
    return usual if options.workers is None else int(options.workers)
