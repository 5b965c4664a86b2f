"""``doctor``: its arguments and its steps."""

import argparse
import sys

from ....answers.message import as_json
from ...machine.diagnosis import diagnosis, diagnosis_lines
from ..status import DONE, FAILED


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments, and the function that runs it."""
    parser.description = (
        "Say what this machine has, what will work, and what to do about what is lacking. "
        "Exit status 0: the page can run here; 1: it cannot."
    )
    parser.set_defaults(command=examine, name=parser.prog)
    parser.add_argument("--json", action="store_true", help="print the facts as one JSON object")


def examine(options: argparse.Namespace) -> int:
    """Print the facts about this machine; return whether the page can run."""
    found = diagnosis()
    if options.json:
        sys.stdout.write(as_json(found).decode() + "\n")
    else:
        for line in diagnosis_lines(found):
            print(line)
    return DONE if found.page_runs else FAILED
