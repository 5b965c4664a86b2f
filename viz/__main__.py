"""The command line, ``python -m viz`` or ``layerglass``, with the commands of ``_parser``.

Exit status 0: done. 2: the request cannot be met, and one line on standard error says why. 1: a bug, a sweep
in which a layer failed or is shown wrongly, or two nets that part.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from . import idle_threads  # noqa: F401  # before PyTorch
from .catalogue import models
from .commands.line import (
    capture,
    diverge,
    exemplars,
    film,
    graph,
    layers,
    lens,
    opening,
    script,
    serve,
    sweep,
    visualise,
)
from .commands.line.status import DONE, INTERRUPTED, REFUSED
from .commands.line.teaching import exercises, lessons, plans
from .errors import VizError
from .home import COMMAND, INSTALLED, version

WITHOUT_COMMAND = "Without a command: serve. " if INSTALLED else ""


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
    asks = {"-h", "--help", "--version"} & set(arguments[:1])
    names_command = bool(arguments) and not arguments[0].startswith("-")
    return list(arguments) if asks or names_command else ["serve", *arguments]


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


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
    parser.add_argument("--version", action="version", version=f"layerglass {version()}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)
    layers.add(commands.add_parser("layers", help="the module tree with shapes"))
    graph.add(commands.add_parser("graph", help="layers and operations, and what flows between them"))
    capture.add(commands.add_parser("capture", help="one layer of one picture, as a file"))
    opening.add(commands.add_parser("open", help="what a model file is, and which model it opens"))
    script.add(commands.add_parser("script", help="a layer, or what counts for a class, as plain PyTorch"))
    exemplars.add(
        commands.add_parser(
            "capture-folder",
            aliases=["exemplars"],
            help="which pictures of a folder excite each channel most, and what else is kept of them",
        )
    )
    diverge.add(commands.add_parser("diverge", help="the first layer where two nets part"))
    film.add(commands.add_parser("film", help="what layers make of one picture along some checkpoints"))
    visualise.add(commands.add_parser("visualise", help="the picture that a channel wants to see"))
    lens.add(commands.add_parser("lens", help="what a capture says about its classes and its layers"))
    sweep.add(commands.add_parser("sweep", help="every layer of every model of a family"))
    lessons.add(commands.add_parser("lessons", help="whether a folder of lessons can be taught from"))
    plans.add(commands.add_parser("plans", help="whether a folder of lesson plans is true"))
    exercises.add(commands.add_parser("exercises", help="whether exercises can be given to a class"))
    serve.add(commands.add_parser("serve", help="the page, with a model of your own if you like"))
    return parser


if __name__ == "__main__":
    sys.exit(main())
