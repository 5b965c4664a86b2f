"""``serve``: its arguments and its steps."""

import argparse
import os
import shlex
import sys
from pathlib import Path

from ...course.folder import OWN as OWN_LESSONS
from ...engine.engine_protocol import CHOICE
from ...errors import RequestError
from ...reach.announced import first_words
from ...reach.listening import check_address
from ...reach.restart import SERVED
from ..serve import (
    become_server,
    check_engine,
    made_of,
    offer_pictures,
)
from .subject import OWN, activations, add_device, load_subject, place_models, settle, tried_out

ALLOW_CODE = "LAYERGLASS_ALLOW_CODE"  # the setting of the process that serves the page
CODE_ALLOWED = "Exercises run whatever Python a browser on this machine sends, with all that you may do."


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments, and the function that runs it."""
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
        help="what `capture-folder` has written: shown without a pass over its pictures",
    )
    parser.add_argument(
        "--labels",
        metavar="FILE",
        help="a CSV file with the columns picture and label: the classes of these pictures",
    )
    parser.add_argument(
        "--allow-code",
        action="store_true",
        help="run whole Python in exercises, for visitors of this machine alone; never behind a proxy",
    )
    add_device(parser)
    parser.add_argument(
        "--engine",
        metavar="E",
        help="where models run: process, local, ray or ray://HOST:PORT (default: process on Linux)",
    )


def serve_page(options: argparse.Namespace) -> None:
    """Serve the page, after a first run of an own model.

    The errors of an own model appear here, before the page is served.
    """
    check_address(options.host, options.port)
    place_models(options)
    if options.lessons:
        if not Path(options.lessons).is_dir():
            raise RequestError("there is no folder {folder}.", folder=options.lessons)
        os.environ[OWN_LESSONS] = str(Path(options.lessons).resolve())
    if engine := options.engine or os.environ.get(CHOICE):
        check_engine(engine)
        os.environ[CHOICE] = engine
    if options.allow_code:
        os.environ[ALLOW_CODE] = "1"
        print(CODE_ALLOWED, file=sys.stderr, flush=True)
    if options.model:
        if ":" not in options.model:
            raise RequestError(
                "{model} is not the name of a model of your own; write package.module:factory",
                model=repr(options.model),
            )
        settle(options)
        subject = load_subject(options.model, options.weights)
        tried_out(activations(subject), subject, options.model)
    count = offer_pictures(options.pictures, options.capture, options.labels)
    if count is not None:
        print(f"with {count:,} pictures that every visitor may look at", flush=True)
    if options.capture and not options.pictures:
        folder = made_of(options.capture)
        print(f"to show the capture's own pictures, name their folder: --pictures {folder!r}", flush=True)
    print(first_words(options.host, options.port), end="", flush=True)
    os.environ[SERVED] = shlex.join(sys.orig_argv)
    become_server(options.host, options.port)
