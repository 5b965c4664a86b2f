"""``plans``: what it takes, and its steps."""

import argparse
from pathlib import Path

from ..plans import checked_plans
from .status import reported
from .subject import load_subject, survey


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes, and which function runs it."""
    parser.description = (
        "Check the lesson plans, or a folder of your own: every look, every answer on the real net, and that "
        "all languages have the same steps. docs/teaching.md says how plans are written."
    )
    parser.set_defaults(command=check_plans, name=parser.prog)
    parser.add_argument("check", choices=("check",), help="what to do with them")
    parser.add_argument("folder", nargs="?", metavar="FOLDER", help="(default: the plans that come along)")


def check_plans(options: argparse.Namespace) -> int:
    """Check a folder of lesson plans; the exit status is 1 if anything in it is wrong."""
    return reported(*checked_plans(Path(options.folder) if options.folder else None, survey, load_subject))
