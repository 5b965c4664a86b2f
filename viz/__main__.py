"""The command line, ``python -m viz`` or ``layerglass``, with the commands of ``_parser``.

Exit status 0: done. 2: the request cannot be met, and one line on standard error says why. 1: a bug, or
a sweep in which a layer failed or is shown wrongly.
"""

import argparse
import os
import pkgutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from tqdm import tqdm

from . import idle_threads  # noqa: F401  # before PyTorch
from .catalogue import models
from .commands.capture import FORMS, chosen_call, file_bytes, layer_values
from .commands.exemplars import (
    check_numbers,
    chosen_on_grey,
    looks_of,
    request_for,
    said_of,
    stopped_by_signals,
    usual_workers,
)
from .commands.exercises import exercise_faults
from .commands.files import SAMPLE, checked_target, picture, writable, write_whole
from .commands.layers import layer_layouts, layers_json, layers_tree, shape_text
from .commands.lessons import checked_lessons
from .commands.plans import checked_plans
from .commands.script import METHODS, check_asked, picture_bytes, picture_name, script_text
from .commands.serve import address_said, become_server, check_address, check_engine, offer_folder, tried_out
from .commands.sweep import Bounds, chosen, sweep
from .commands.sweep_report import append_row, read_report, summary
from .commands.visualise import (
    PICTURES,
    check_same_weights,
    direction_from,
    making_of,
    maxima_of,
    optimised,
    png_of,
    said_of_picture,
    wish_of,
)
from .course.folder import OWN as OWN_LESSONS
from .engine.engine_protocol import CHOICE
from .errors import RequestError, VizError
from .exemplars.listing import place_of
from .exemplars.search import FULL, HALF, Search, exemplars, pictures_listed
from .exemplars.sheet import TWELVE, drawn_by_lot, sheet_figure
from .exemplars.sources.thumbnails import USUAL_SIDE
from .exemplars.spread.cluster import check_installed
from .home import COMMAND, INSTALLED, PREFIX
from .hooks.activations import LayerActivations
from .maps.colour import AUTO, colour_table
from .maps.figures import FORMATS, save_figure
from .passes.forward import survey_subject
from .pictures.samples import sample_names
from .pictures.subject import Subject
from .profile.rows import LayerRow
from .reach.announced import announcement
from .request.edit_request import check_seed
from .request.inspection import Inspection
from .request.optimised import STEPS, WAYS
from .take_home.card import origin_of

DONE, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130
STANDARD_OUTPUT = "-"
OWN_MODEL = "LAYERGLASS_MODEL"  # the setting that names it, also for the process that serves the page
OWN = "your own, as package.module:factory"
ALLOW_CODE = "LAYERGLASS_ALLOW_CODE"  # the setting of the process that serves the page
CODE_ALLOWED = "Exercises run whatever Python a browser on this machine sends, with all that you may do."
LOADER = f"{PREFIX}viz.__main__:load_subject"
WITHOUT_COMMAND = "Without a command: serve. " if INSTALLED else ""
PRELOAD = {"torchvision": ["torchvision.models"], "timm": ["timm"]}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status."""
    options = _parser().parse_args(_words(sys.argv[1:] if arguments is None else arguments))
    try:
        status = options.command(options)
        sys.stdout.flush()
    except (VizError, models.ModelError) as error:
        print(f"{options.name}: {_one_line(error)}", file=sys.stderr)
        return REFUSED
    except BrokenPipeError:  # the reader of our output, such as `head`, has closed it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return INTERRUPTED
    else:
        return status or DONE
    return DONE


def _words(arguments: Sequence[str]) -> list[str]:
    """The arguments; ``layerglass`` without a command means the command that serves the page."""
    if not INSTALLED:
        return list(arguments)
    asks_help = "-h" in arguments[:1] or "--help" in arguments[:1]
    names_command = bool(arguments) and not arguments[0].startswith("-")
    return list(arguments) if asks_help or names_command else ["serve", *arguments]


def print_layers(options: argparse.Namespace) -> None:
    """Print a model's layers, from one pass on a plain grey picture."""
    _settle(options)
    subject = load_subject(options.model, options.weights)
    layers, own = _activations(subject), options.model == models.own_model_name()
    rows = tried_out(layers, subject, options.model) if own else survey_subject(layers, subject)
    layouts = layer_layouts(layers, subject, rows)
    print(layers_json(rows, layouts) if options.json else layers_tree(rows, layouts))


def capture_layer(options: argparse.Namespace) -> None:
    """Write one layer of one picture into a file; cheap checks come before the work."""
    path, form = checked_target(options.out, FORMS)
    if options.colormap != AUTO:
        colour_table(options.colormap)
    _check_training(options)
    _settle(options)
    card, photo = models.describe(options.model), picture(options.image, options.crop)
    subject = load_subject(options.model, options.weights)
    values = layer_values(_activations(subject), subject, photo, options.layer, options.training)
    wanted = Inspection(
        photo.fingerprint,
        options.model,
        options.weights,
        options.layer,
        call=chosen_call(values, options.call),
        colormap=options.colormap,
        training=options.training,
    )
    origin = origin_of(photo, card.preprocessing.describe())
    write_whole(path, file_bytes(values, wanted, form, figure=options.figure, origin=origin))
    shapes = ", ".join(shape_text(leaf.array.shape) for leaf in values.call(wanted.call).values())
    trained = _weights_said(options) + _mode_said(options)
    calls = f"call {wanted.call + 1} of {len(values.calls)}"
    print(f"{path}: {options.layer} of {options.model} ({trained}), {calls}, {shapes}")


def write_script(options: argparse.Namespace) -> None:
    """Write a script, and beside it the picture that it reads; cheap checks come before the work."""
    path, _ = checked_target(options.out, ("py",))
    beside = writable(str(path.with_name(picture_name(path.stem))))
    check_asked(options.method, options.layer, options.target)
    _check_training(options)
    _settle(options)
    card, photo = models.describe(options.model), picture(options.image, options.crop)
    subject = load_subject(options.model, options.weights)
    layers, run = _activations(subject), (options.model, options.weights)
    wanted = Inspection(photo.fingerprint, *run, options.layer or "", gradient=options.target)
    wanted = replace(wanted, training=options.training)
    if options.layer is not None:
        values = layer_values(layers, subject, photo, options.layer, options.training)
        wanted = replace(wanted, call=chosen_call(values, options.call))
    text = script_text(subject, layers, wanted, photo, card, method=options.method, stem=path.stem)
    write_whole(beside, picture_bytes(photo))
    write_whole(path, text.encode())
    trained = _weights_said(options) + _mode_said(options)
    what = " of ".join(filter(None, (options.method, options.layer, options.model)))
    print(f"{path}: {what} ({trained}); it reads {beside.name}, so run it in that folder")


def sweep_models(options: argparse.Namespace) -> int:
    """Look at every layer of every model of a family, continuing a report that exists already.

    The exit status is 1 if any layer, or a whole model, failed, or anything that was checked is wrong, now or
    in the report.
    """
    report = None if options.json in (None, STANDARD_OUTPUT) else writable(options.json)
    family = models.representatives if options.one_per_family else models.names
    names = chosen(family(options.family), options.models, options.limit)
    rows = [row for row in (read_report(report) if report else []) if row.model in names]
    known = {row.model for row in rows}
    left = [name for name in names if name not in known]
    bounds = Bounds(options.memory, options.timeout)
    with tqdm(total=len(names), initial=len(rows), unit="model", desc=options.family) as bar:
        for row in sweep(left, LOADER, bounds, PRELOAD.get(options.family, ()), options.against):
            rows.append(row)
            if report:
                append_row(report, row)
            print(row.as_json() if options.json == STANDARD_OUTPUT else row, flush=True)
            bar.update()
    print(summary(rows), file=sys.stderr if options.json == STANDARD_OUTPUT else sys.stdout)
    return DONE if all(row.sound for row in rows) else FAILED


def capture_folder(options: argparse.Namespace) -> int:
    """Write what a model makes of a folder of pictures; cheap checks come before the work."""
    folder, out = place_of(options.folder), Path(options.out)
    check_numbers(options.top, options.workers, options.thumbnails)
    if options.ray is not None:
        check_installed()
    sheet = checked_target(options.sheet, FORMATS) if options.sheet else None
    listing = pictures_listed(folder, out)
    _settle(options)
    subject = load_subject(options.model, options.weights)
    layers = _activations(subject)
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
    spread = options.ray is not None
    looks = looks_of(search, request, LOADER, options.ray, (OWN_MODEL,)) if spread else None
    bar = tqdm(total=listing.count, unit="picture", desc=options.model)
    with stopped_by_signals() as stopping, bar:
        outcome = exemplars(
            search,
            request,
            resume=options.resume,
            advance=lambda done: bar.update(done - bar.n),
            stopping=stopping,
            looks=looks,
        )
    print(*said_of(outcome, out, options.top, listing.others), sep="\n")
    if sheet and outcome.complete:
        _write_sheet(*sheet, search)
    return DONE if outcome.complete else INTERRUPTED


def _write_sheet(path: Path, form: str, search: Search) -> None:
    """Write what excites twelve channels drawn by lot, as a picture."""
    channels = drawn_by_lot(search.out, TWELVE)
    write_whole(path, save_figure(sheet_figure(search.out, search.folder, search.subject, channels), form))


def _workers(options: argparse.Namespace, device: str) -> int:
    """How many processes look at pictures; on a cluster how many models there are, 0 for as many as fit."""
    usual = 0 if options.ray is not None else usual_workers(device)
    return usual if options.workers is None else int(options.workers)


def visualise(options: argparse.Namespace) -> None:
    """Write the picture that a channel wants to see; cheap checks come before the work."""
    path, _ = checked_target(options.out, PICTURES)
    making = making_of(options)
    photo = picture(options.photo, "") if options.photo else None
    wish, beside = wish_of(options), Path(options.beside) if options.beside else None
    _settle(options)
    maxima = maxima_of(beside, wish, options.model, options.weights) if beside else None
    subject = load_subject(options.model, options.weights)
    layers = _activations(subject)
    if beside:
        check_same_weights(beside, layers)
    with tqdm(total=making.steps, unit="step", desc=wish.layer or options.model, delay=1) as bar:
        made = optimised(layers, subject, wish, making, photo, lambda done: bar.update(done - bar.n))
    write_whole(path, png_of(made))
    print(
        f"{path}: {options.model} ({_weights_said(options)})", *said_of_picture(made, wish, maxima), sep="\n"
    )


def look_through_lens(options: argparse.Namespace) -> int:
    """Print, and write, what a capture says about its classes and its layers."""
    from .commands.lens import through_lens  # noqa: PLC0415  # scikit-learn: other commands need not wait

    paths = (Path(each) if each else None for each in (options.labels, options.against, options.out))
    for line in through_lens(Path(options.folder), *paths):
        print(line)
    return DONE


def check_lessons(options: argparse.Namespace) -> int:
    """Check a folder of lessons; the exit status is 1 if anything in it is wrong."""
    folder = Path(options.folder) if options.folder else None
    return _report(*checked_lessons(folder, _survey, load_subject))


def check_plans(options: argparse.Namespace) -> int:
    """Check a folder of lesson plans; the exit status is 1 if anything in it is wrong."""
    return _report(*checked_plans(Path(options.folder) if options.folder else None, _survey, load_subject))


def _survey(subject: Subject) -> tuple[LayerRow, ...]:
    return survey_subject(_activations(subject), subject)


def _report(steps: int, wrong: Sequence[str]) -> int:
    for sentence in wrong:
        print(sentence)
    print(f"{steps} steps, {len(wrong)} faults")
    return FAILED if wrong else DONE


def serve_page(options: argparse.Namespace) -> None:
    """Serve the page; an own model runs once here first, so that its errors appear here."""
    check_address(options.host, options.port)
    if options.lessons:
        if not Path(options.lessons).is_dir():
            raise RequestError("there is no folder {folder}.", folder=options.lessons)
        os.environ[OWN_LESSONS] = str(Path(options.lessons).resolve())
    if options.engine:
        check_engine(options.engine)
        os.environ[CHOICE] = options.engine
    if options.allow_code:
        os.environ[ALLOW_CODE] = "1"
        print(CODE_ALLOWED, file=sys.stderr, flush=True)
    if options.model:
        if ":" not in options.model:
            raise RequestError(
                "{model} is not the name of a model of your own; write package.module:factory",
                model=repr(options.model),
            )
        _settle(options)
        subject = load_subject(options.model, options.weights)
        tried_out(_activations(subject), subject, options.model)
    count = offer_folder(options.pictures, options.capture)
    if count is not None:
        print(f"with {count:,} pictures that every visitor may look at", flush=True)
    print(
        f"Layerglass: {address_said(options.host, options.port)} (in a few seconds; Ctrl-C ends it)",
        flush=True,
    )
    print(announcement(options.host, options.port), end="", flush=True)
    become_server(options.host, options.port)


def check_exercises(options: argparse.Namespace) -> int:
    """Say what is wrong with exercises; the exit status is 1 if anything is."""
    found = 0
    for fault in exercise_faults(options.folder, load_subject):
        print(fault, flush=True)
        found += 1
    if not found:
        print("These exercises can be given to a class.")
    return FAILED if found else DONE


def _settle(options: argparse.Namespace) -> None:
    """Settle which model and weights are meant; package.module:factory has weights of its own."""
    own = ":" in options.model
    if own:
        if str(Path.cwd()) not in sys.path:  # an installed command does not look here
            sys.path.insert(0, str(Path.cwd()))
        os.environ[OWN_MODEL] = options.model
        options.model = models.own_model_name()
    options.weights = options.weights or ("pretrained" if own else options.usual_weights)


def _weights_said(options: argparse.Namespace) -> str:
    """What is known of the weights; nobody but its owner knows whether an own model was trained."""
    if options.weights == "random":
        return "untrained"
    return "original weights" if options.model == models.own_model_name() else "trained"


def _check_training(options: argparse.Namespace) -> None:
    """Refuse a seed that is none before any work."""
    if options.training is not None:
        check_seed(options.training)


def _mode_said(options: argparse.Namespace) -> str:
    return "" if options.training is None else f", in training mode, seed {options.training}"


class _Parser(argparse.ArgumentParser):
    """A parser that reports an error in one line; ``--help`` shows the usage."""

    def error(self, message: str) -> NoReturn:
        """Exit with status 2."""
        self.exit(REFUSED, f"{self.prog}: {message}; see {self.prog} --help\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog=COMMAND,
        description="Look into the layers of a PyTorch model.",
        epilog=f"{WITHOUT_COMMAND}What a command takes: {COMMAND} COMMAND --help",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)
    _add_layers(commands.add_parser("layers", help="the module tree with shapes"))
    _add_capture(commands.add_parser("capture", help="one layer of one picture, as a file"))
    _add_script(commands.add_parser("script", help="a layer, or what counts for a class, as plain PyTorch"))
    _add_capture_folder(
        commands.add_parser(
            "capture-folder",
            aliases=["exemplars"],
            help="which pictures of a folder excite each channel most, and what else is kept of them",
        )
    )
    _add_visualise(commands.add_parser("visualise", help="the picture that a channel wants to see"))
    _add_lens(commands.add_parser("lens", help="what a capture says about its classes and its layers"))
    _add_sweep(commands.add_parser("sweep", help="every layer of every model of a family"))
    _add_lessons(commands.add_parser("lessons", help="whether a folder of lessons can be taught from"))
    _add_plans(commands.add_parser("plans", help="whether a folder of lesson plans is true"))
    _add_exercises(commands.add_parser("exercises", help="whether exercises can be given to a class"))
    _add_serve(commands.add_parser("serve", help="the page, with a model of your own if you like"))
    return parser


def _add_layers(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Print every layer: its name, type, parameters, calls, and the shapes of its outputs."
    )
    parser.set_defaults(command=print_layers, name=parser.prog)
    parser.add_argument("model", metavar="MODEL", help=f"such as lenet or resnet50, or {OWN}")
    parser.add_argument("--json", action="store_true", help="a list of objects instead of a table")
    _add_weights(parser, "random")


def _add_capture(parser: argparse.ArgumentParser) -> None:
    parser.description = "Write what one layer returns for one picture into a file."
    parser.set_defaults(command=capture_layer, name=parser.prog)
    _add_run(parser)
    _add_layer(parser, required=True)
    parser.add_argument("--colormap", default=AUTO, metavar="C", help="a matplotlib colormap (default: auto)")
    parser.add_argument(
        "--out",
        required=True,
        metavar="FILE",
        help="maps.png: one pixel per value; figure.pdf or .svg: a figure; .npz or .safetensors: numbers",
    )
    parser.add_argument("--figure", action="store_true", help="make a .png the figure too, not the bare maps")


def _add_script(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Write a script of plain PyTorch that makes the same numbers, draws them, and says whether they "
        "are the same: what one layer returns for one picture or, with --method, what counts for a class."
    )
    parser.set_defaults(command=write_script, name=parser.prog)
    _add_run(parser)
    _add_layer(parser, required=False)
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
        help="script.py; its picture, script-picture.png, goes beside it",
    )


def _add_run(parser: argparse.ArgumentParser) -> None:
    """What is run, and how: a picture, a model with its weights, and its mode."""
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
    _add_weights(parser, "pretrained")


def _add_layer(parser: argparse.ArgumentParser, *, required: bool) -> None:
    parser.add_argument(
        "--layer", required=required, metavar="L", help=f"a name that `{COMMAND} layers M` prints"
    )
    parser.add_argument(
        "--call", type=int, metavar="N", help="which call of a layer that runs several times, from 1"
    )


def _add_capture_folder(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Look at every picture below a folder once, and write, for each channel of each layer, which of them "
        "excite it most, where, and how much of the picture that place sees; on request raw maps too. Ctrl-C "
        "stops and keeps what is done; --resume goes on, also after the process was killed."
    )
    parser.set_defaults(command=capture_folder, name=parser.prog)
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
    _add_weights(parser, "pretrained")


def _add_kept(parser: argparse.ArgumentParser) -> None:
    """Add what says how much of each picture is kept, and drawn."""
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


def _add_visualise(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Write the picture that a channel, a cell of it, a direction between channels, or a class wants to "
        "see, found by gradient ascent. "
        "Such pictures can mislead: look at exemplars too."
    )
    parser.set_defaults(command=visualise, name=parser.prog)
    parser.add_argument("--model", required=True, metavar="M", help=f"such as photonet or resnet50, or {OWN}")
    parser.add_argument("--layer", metavar="L", help="its name; not needed for a class")
    meant = parser.add_mutually_exclusive_group(required=True)
    meant.add_argument("--channel", type=int, metavar="C", help="a channel of the layer, counted from 0")
    meant.add_argument(
        "--direction",
        type=direction_from,
        metavar="C:W,…",
        help="channels, each with a weight: 3:1,7:-0.5 is channel 3 without half of channel 7",
    )
    meant.add_argument("--class", dest="target", type=int, metavar="K", help="a class of the model, from 0")
    parser.add_argument("--call", type=int, default=1, metavar="N", help="which of its calls (default: 1)")
    parser.add_argument(
        "--cell", type=int, nargs=2, metavar=("ROW", "COLUMN"), help="one cell of the channel"
    )
    parser.add_argument("--out", required=True, metavar="PICTURE", help="the file to write, a PNG")
    parser.add_argument("--method", choices=WAYS, default=WAYS[0], help="(default: %(default)s)")
    parser.add_argument("--steps", type=int, default=STEPS, metavar="N", help="(default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of what is random (default: 0)")
    parser.add_argument("--count", type=int, default=1, metavar="N", help="different pictures, side by side")
    parser.add_argument(
        "--from", dest="photo", metavar="PHOTO", help="begin with this photo, and stay near it"
    )
    parser.add_argument("--beside", metavar="DIR", help="what exemplars has found: says how far both agree")
    _add_weights(parser, "pretrained")


def _add_lens(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Read what exemplars has written, and say which channels are dead or redundant, how well each layer "
        "separates the classes of the pictures, and how alike the layers are. A picture's class is the first "
        "folder of its path, unless a file says it."
    )
    parser.set_defaults(command=look_through_lens, name=parser.prog)
    parser.add_argument("folder", metavar="DIR", help="the folder with the results of exemplars")
    parser.add_argument("--labels", metavar="FILE", help="a CSV file with the columns picture and label")
    parser.add_argument("--against", metavar="DIR", help="the results of another model, to compare layers")
    parser.add_argument("--out", metavar="FOLDER", help="a folder for tables and figures")


def _add_sweep(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Load every model of a family with untrained weights, capture and draw every layer, and report for "
        "each how many layers were drawn, how many explained, and which failed; whether maps are drawn where "
        "their values sit; and whether capturing changes what the model returns."
    )
    parser.set_defaults(command=sweep_models, name=parser.prog)
    parser.add_argument("--family", required=True, metavar="F", help=", ".join(models.families()))
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


def _add_lessons(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Check the course, or a folder of lessons of your own: every look, every run, every answer, and that "
        "all languages have the same steps. docs/lessons.md says how lessons are written."
    )
    parser.set_defaults(command=check_lessons, name=parser.prog)
    parser.add_argument("check", choices=("check",), help="what to do with them")
    parser.add_argument("folder", nargs="?", metavar="FOLDER", help="(default: the lessons that come along)")


def _add_plans(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Check the lesson plans, or a folder of your own: every look, every answer on the real net, and that "
        "all languages have the same steps. docs/teaching.md says how plans are written."
    )
    parser.set_defaults(command=check_plans, name=parser.prog)
    parser.add_argument("check", choices=("check",), help="what to do with them")
    parser.add_argument("folder", nargs="?", metavar="FOLDER", help="(default: the plans that come along)")


def _add_exercises(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Read exercises in every language, and run their code: the solution must be right, the code to begin "
        "with and the known mistakes must not. One line for whatever is wrong, with its file and its line."
    )
    parser.set_defaults(command=check_exercises, name=parser.prog)
    parser.add_argument("what", choices=["check"], help="what to do with them")
    parser.add_argument(
        "folder", nargs="?", metavar="FOLDER", help="with en/, zh/ … in it (default: those that are served)"
    )


def _add_serve(parser: argparse.ArgumentParser) -> None:
    parser.description = "Serve the page in the browser."
    parser.set_defaults(command=serve_page, name=parser.prog, weights="pretrained")
    parser.add_argument("--model", metavar="M", help=f"a model of {OWN}; it comes first")
    parser.add_argument("--port", type=int, default=8501, metavar="N", help="(default: %(default)s)")
    parser.add_argument("--host", metavar="H", help="0.0.0.0 lets others in (default: this machine only)")
    parser.add_argument("--lessons", metavar="FOLDER", help="a course of your own in place of ours")
    parser.add_argument(
        "--pictures",
        metavar="FOLDER",
        help="a folder to look through: every visitor may see all its pictures",
    )
    parser.add_argument(
        "--capture",
        metavar="DIR",
        help="what `exemplars` has written: shown without a pass over its pictures",
    )
    parser.add_argument(
        "--allow-code",
        action="store_true",
        help="run whole Python in exercises, for visitors of this machine alone; never behind a proxy",
    )
    parser.add_argument(
        "--engine",
        metavar="E",
        help="where models run: local, process, ray or ray://HOST:PORT (default: local)",
    )


def _add_weights(parser: argparse.ArgumentParser, default: str) -> None:
    parser.add_argument(
        "--weights",
        choices=("random", "pretrained"),
        help=f"trained weights are downloaded on first use (default: {default}; of your own model: as made)",
    )
    parser.set_defaults(usual_weights=default)


def load_subject(model: str, weights: str) -> Subject:
    """Return the model, ready to be shown a picture; a download reports to standard error."""
    card = models.describe(model)
    with _progress_bar(f"weights of {model}") as progress:
        module = models.load(model, weights=weights, progress=progress)
    return Subject(module, card.preprocessing, card.preprocessing.as_seen, card.classes)


@contextmanager
def _progress_bar(title: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a function of (bytes done, bytes in all); a bar appears when it is first called."""
    with ExitStack() as bars:
        bar: tqdm[NoReturn] | None = None

        def progress(done: int, total: int) -> None:
            nonlocal bar
            bar = bar or bars.enter_context(tqdm(desc=title, unit="B", unit_scale=True, total=total or None))
            bar.update(done - bar.n)

        yield progress


def _activations(subject: Subject) -> LayerActivations:
    return LayerActivations(subject.module, device=os.environ.get("LAYERGLASS_DEVICE", "auto"))


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


if __name__ == "__main__":
    sys.exit(main())
