"""``lessons``: its arguments and its steps."""

import argparse
from pathlib import Path

from ..status import reported
from ..subject import add_device, load_subject, place_models, survey


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments, and the function that runs it."""
    parser.description = (
        "Check the course, or a folder of lessons of your own: every look, every run, every answer, and that "
        "all languages have the same steps. The page's /help/write-lessons says how lessons are written."
    )
    parser.set_defaults(command=check_lessons, name=parser.prog)
    parser.add_argument("check", choices=("check",), help="what to do with them")
    parser.add_argument(
        "folder", nargs="?", metavar="FOLDER", help="(default: the lessons that the page shows)"
    )
    add_device(parser)


def check_lessons(options: argparse.Namespace) -> int:
    """Check a folder of lessons, and return 1 if anything is wrong."""
    from ...lessons import checked_lessons

    place_models(options)
    folder = Path(options.folder) if options.folder else None
    return reported(*checked_lessons(folder, survey, load_subject))
