"""``exercises``: its arguments and its steps."""

import argparse

from ..status import DONE, FAILED
from ..subject import load_subject


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments, and the function that runs it."""
    parser.description = (
        "Read exercises in every language, and run their code: the solution must be right, the code to begin "
        "with and the known mistakes must not. One line for whatever is wrong, with its file and its line."
    )
    parser.set_defaults(command=check_exercises, name=parser.prog)
    parser.add_argument("what", choices=["check"], help="what to do with them")
    parser.add_argument(
        "folder", nargs="?", metavar="FOLDER", help="with en/, zh/ … in it (default: those that are served)"
    )


def check_exercises(options: argparse.Namespace) -> int:
    """Print the faults of exercises, and return 1 if there are any."""
    from ...exercises import exercise_faults

    found = 0
    for fault in exercise_faults(options.folder, load_subject):
        print(fault, flush=True)
        found += 1
    if not found:
        print("These exercises can be given to a class.")
    return FAILED if found else DONE
