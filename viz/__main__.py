"""The command line, ``python -m viz`` or ``layerglass``, with the commands of ``COMMANDS``.

Exit status 0: done. 2: the request cannot be met, and one line on standard error says why. 1: a bug, a sweep
in which a layer failed or is shown wrongly, or two nets that part.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple, NoReturn

from . import idle_threads  # noqa: F401  # before PyTorch
from .catalogue import models
from .commands.line.status import DONE, INTERRUPTED, REFUSED
from .errors import VizError
from .home import COMMAND, INSTALLED, version


class _Command(NamedTuple):
    """A command, and the module to import for it."""

    name: str
    says: str
    module: str
    example: str  # what may follow the name
    also: tuple[str, ...] = ()


COMMANDS = (
    _Command("layers", "the module tree with shapes", "layers", "lenet"),
    _Command(
        "graph", "layers and operations, and what flows between them", "graph", "lenet --out graph.html"
    ),
    _Command(
        "capture",
        "one layer of one picture, as a file",
        "capture",
        "sample:cat --model lenet --layer conv2 --out maps.png",
    ),
    _Command(
        "figure",
        "several layers, models and pictures as one figure",
        "drawn.figure",
        "sample:cat --panel photonet stage1 --panel photonet stage3 --over --out figure.pdf",
    ),
    _Command("open", "what a model file is, and which model it opens", "opening", "weights.pth sample:cat"),
    _Command(
        "script",
        "a layer, or what counts for a class, as plain PyTorch",
        "script",
        "sample:cat --model lenet --layer conv2 --out conv2.py",
    ),
    _Command(
        "capture-folder",
        "which pictures of a folder excite each channel most, and what else is kept of them",
        "exemplars",
        "photos --model photonet --out found",
        ("exemplars",),
    ),
    _Command(
        "diverge", "the first layer where two nets part", "diverge", "lenet lenet=weights.pth sample:cat"
    ),
    _Command(
        "film",
        "what layers make of one picture along some checkpoints",
        "drawn.film",
        "step-1.pth step-2.pth --model lenet --image sample:cat --out film",
    ),
    _Command(
        "visualise",
        "the picture that a channel wants to see",
        "drawn.visualise",
        "--model photonet --layer stem.conv --channel 3 --out wanted.png",
    ),
    _Command(
        "fool",
        "a change that nobody sees, and that misleads a model",
        "drawn.fool",
        "sample:cat --model photonet --out fooled.png",
    ),
    _Command("lens", "what a capture says about its classes and its layers", "lens", "found --out tables"),
    _Command("sweep", "every layer of every model of a family", "sweep", "--family bundled --limit 2"),
    _Command(
        "lessons", "whether a folder of lessons can be taught from", "teaching.lessons", "check my-lessons"
    ),
    _Command("plans", "whether a folder of lesson plans is true", "teaching.plans", "check my-plans"),
    _Command(
        "exercises", "whether exercises can be given to a class", "teaching.exercises", "check my-exercises"
    ),
    _Command("doctor", "what this machine has for the page, and what it lacks", "machine.doctor", "--json"),
    _Command(
        "serve",
        "the page, with a model of your own if you like",
        "serve",
        "--model my_package.nets:make --port 8502",
    ),
)
EXAMPLE = "For example: "
WITHOUT_COMMAND = "Without a command: serve. " if INSTALLED else ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status."""
    words = _words(sys.argv[1:] if arguments is None else arguments)
    options = _parser(words[0] if words else "").parse_args(words)
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
    """Return the arguments, with ``serve`` in place of no command."""
    if not INSTALLED:
        return list(arguments)
    asks = {"-h", "--help", "--version"} & set(arguments[:1])
    names_command = bool(arguments) and not arguments[0].startswith("-")
    return list(arguments) if asks or names_command else ["serve", *arguments]


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


class _Help(argparse.HelpFormatter):
    """A help text whose example stays in one line, to be copied."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if text.startswith(EXAMPLE) else super()._fill_text(text, width, indent)


class _Parser(argparse.ArgumentParser):
    """A parser that reports an error in one line."""

    def error(self, message: str) -> NoReturn:
        """Exit with status 2."""
        self.exit(REFUSED, f"{self.prog}: {message}; see {self.prog} --help\n")


def _parser(asked: str) -> argparse.ArgumentParser:
    """Return the parser, with the arguments of one command alone.

    Those of the others would import PyTorch.
    """
    parser = _Parser(
        prog=COMMAND,
        description="Look into the layers of a PyTorch model.",
        epilog=f"{WITHOUT_COMMAND}What a command takes: {COMMAND} COMMAND --help",
    )
    parser.add_argument("--version", action="version", version=f"layerglass {version()}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)
    for each in COMMANDS:
        example = f"{EXAMPLE}{COMMAND} {each.name} {each.example}"
        parser_of_it = commands.add_parser(
            each.name, aliases=each.also, help=each.says, epilog=example, formatter_class=_Help
        )
        if asked in (each.name, *each.also):
            import_module(f".commands.line.{each.module}", __package__).add(parser_of_it)
    return parser


if __name__ == "__main__":
    sys.exit(main())
