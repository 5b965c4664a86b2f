"""``lens``: its arguments and its steps."""

import argparse
from pathlib import Path

from .status import DONE


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments, and the function that runs it."""
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


def look_through_lens(options: argparse.Namespace) -> int:
    """Print, and write, a capture's findings about its classes and layers."""
    from ..lens import through_lens

    paths = (Path(each) if each else None for each in (options.labels, options.against, options.out))
    for line in through_lens(Path(options.folder), *paths):
        print(line)
    return DONE
