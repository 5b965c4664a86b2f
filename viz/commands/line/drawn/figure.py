"""``figure``: its arguments and its steps."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tqdm import tqdm

from ....catalogue import models
from ....errors import RequestError
from ....maps.figures import FORMATS
from ....maps.reduction.reduce import ReductionRequest, check_reduction
from ....pictures.photo import Photo
from ....request.inspection import Inspection
from ....take_home.desk import (
    Window,
    heads_of,
    layer_panel,
    layer_said,
    photo_panel,
    row_names,
    sheet_file,
)
from ....take_home.panels import SCALES, TWO_COLUMNS, Panel, PhotoPanel, SheetStyle, panel_width
from ...files import checked_target, picture, say, source_name, write_whole
from ..one_run import add_reduction, check_colours, window_of
from ..subject import OWN, activations, add_device, load_subject, settle, weights_said

DPI, LEAST_DPI, MOST_DPI = 300, 30, 1200
MODEL_AND_LAYER = 2  # words of a panel; a third names weights


class _Shown(NamedTuple):
    """A layer of a model, for every picture."""

    model: str
    layer: str
    weights: str | None


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments, and the function that runs it."""
    parser.description = (
        "Write one figure of several layers, models and pictures: a row for each picture, a column for each "
        "layer, each reduced to one picture; its caption is printed."
    )
    parser.set_defaults(command=figure, name=parser.prog, usual_weights="pretrained")
    parser.add_argument("images", nargs="+", metavar="IMAGE", help="a picture file, or sample:cat")
    parser.add_argument(
        "--panel",
        nargs="+",
        action="append",
        required=True,
        metavar=("MODEL LAYER", "WEIGHTS"),
        help=f"a column: a model of the catalogue, or {OWN}; one of its layers; random, pretrained or a file "
        "of weights. Repeat it",
    )
    add_reduction(parser, usual="l2")
    _add_looks(parser)
    parser.add_argument("--out", required=True, metavar="FILE", help="figure.pdf, .svg or .png")
    add_device(parser)


def _add_looks(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--call", type=int, metavar="N", help="a call of layers that run several times, from 1"
    )
    parser.add_argument("--over", action="store_true", help="lay the maps over the whole photo")
    parser.add_argument("--photo", action="store_true", help="show the photos in a first column")
    parser.add_argument(
        "--scale",
        default=SCALES[0],
        metavar="S",
        help=f"the panels that share a range of colours: {', '.join(SCALES)} (default: own)",
    )
    parser.add_argument(
        "--title", action="append", default=[], metavar="TEXT", help="a column's title; once for each --panel"
    )
    parser.add_argument(
        "--columns", type=int, metavar="N", help="panels beside each other, if there is one picture"
    )
    parser.add_argument(
        "--width",
        type=float,
        default=TWO_COLUMNS,
        metavar="MM",
        help="of the figure, in millimetres: 88 for one column of many journals (default: 180)",
    )
    parser.add_argument(
        "--dpi", type=int, default=DPI, metavar="N", help=f"pixels in an inch (default: {DPI})"
    )
    parser.add_argument("--no-letters", action="store_true", help="no (a), (b) and on")


def figure(options: argparse.Namespace) -> None:
    """Write the figure, after cheap checks."""
    path, form = checked_target(options.out, FORMATS)
    photos = [picture(image) for image in options.images]
    columns = [_shown(words) for words in options.panel]
    heads = heads_of([(_named(each), _layer_said(options, each.layer)) for each in columns], options.title)
    style = _checked_style(options)
    made: list[list[Panel | PhotoPanel]] = [
        list(_panels(options, column, head, photos))
        for column, head in zip(tqdm(columns, unit="panel", delay=1), heads, strict=True)
    ]
    if options.photo:
        made.insert(0, list(_photo_panels(options, columns, photos)))
    grid = _wrapped([list(row) for row in zip(*made, strict=True)], options.columns)
    file = sheet_file(grid, style, form, options.dpi)
    write_whole(path, file.data)
    say(path, f"{path}: {style.width:g} mm wide", file.caption)


def _shown(words: Sequence[str]) -> _Shown:
    if not MODEL_AND_LAYER <= len(words) <= MODEL_AND_LAYER + 1:
        raise RequestError("--panel takes a model, a layer and, if you like, weights: --panel lenet conv2")
    model, layer, *weights = words
    return _Shown(model, layer, weights[0] if weights else None)


def _named(column: _Shown) -> str:
    if column.weights in (None, "pretrained"):
        return column.model
    return f"{column.model} ({Path(str(column.weights)).name})"


def _layer_said(options: argparse.Namespace, layer: str) -> str:
    return layer_said(layer, None if options.call is None else options.call - 1)


def _checked_style(options: argparse.Namespace) -> SheetStyle:
    """Refuse what does not go together before any work."""
    check_reduction(options.reduce, options.top)
    check_colours(options)
    if options.columns is not None and (options.columns < 1 or len(options.images) > 1):
        raise RequestError("--columns is a number from 1, for a figure of one picture")
    if not LEAST_DPI <= options.dpi <= MOST_DPI:
        raise RequestError("--dpi is from {least} to {most}", least=LEAST_DPI, most=MOST_DPI)
    images = options.images
    rows = row_names([source_name(each) for each in images])
    style = SheetStyle(options.width, options.scale, options.colormap, not options.no_letters, rows)
    across = len(options.panel) + options.photo
    panel_width(options.columns or across, across * len(images), style, options.reduce)
    return style


def _called(source: str) -> str:
    """Return a picture's name in a caption, which no font limits."""
    return source_name(source) or Path(source).name


def _panels(
    options: argparse.Namespace, column: _Shown, head: str, photos: Sequence[Photo]
) -> Iterator[Panel]:
    """Yield a layer as one picture, for each photo."""
    from ...capture import chosen_call, chosen_layer, layer_values

    run = argparse.Namespace(**vars(options) | column._asdict())
    settle(run)
    card, subject = models.describe(run.model), load_subject(run.model, run.weights)
    layers = activations(subject)
    layer = chosen_layer(layers, column.layer)
    for photo, source in zip(photos, options.images, strict=True):
        window = window_of(card, photo, run.model) if options.over else ()
        values = layer_values(layers, subject, photo, layer)
        call = chosen_call(values, options.call)
        wanted = Inspection(photo.fingerprint, run.model, run.weights, layer, call=call)
        reducing = ReductionRequest(options.reduce, top=options.top)
        what = (
            f"{column.model} ({weights_said(run)}), {_layer_said(options, layer)}, picture {_called(source)}"
        )
        under = photo if options.over else None
        yield layer_panel(head, what, values, wanted, reducing, photo=under, window=window)


def _photo_panels(
    options: argparse.Namespace, columns: Sequence[_Shown], photos: Sequence[Photo]
) -> Iterator[PhotoPanel]:
    """Yield photos; beside bare maps the part that models saw."""
    for photo, source in zip(photos, options.images, strict=True):
        windows = [_window_seen(each.model, photo) for each in columns]
        yield photo_panel(f"picture {_called(source)}", photo, windows, over=options.over)


def _window_seen(model: str, photo: Photo) -> Window:
    """Return the part that a model sees; empty if unknown."""
    if ":" in model:  # an own model's card is not read before it is loaded
        return ()
    card = models.describe(model)
    return window_of(card, photo, model) if hasattr(card.preprocessing, "window") else ()


def _wrapped(rows: list[list[Panel | PhotoPanel]], columns: int | None) -> list[list[Panel | PhotoPanel]]:
    """Return the panels of one picture in rows of so many."""
    if columns is None:
        return rows
    [row] = rows
    return [row[at : at + columns] for at in range(0, len(row), columns)]
