"""The model of a command, with its weights and device.

What imports PyTorch is imported by the functions that need it: the server, which no command's model runs in,
need not wait for it.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from tqdm import tqdm

from ... import idle_threads  # noqa: F401  # before PyTorch
from ...catalogue import models
from ...errors import CaptureError, VizError
from ...pictures.subject import Subject
from ...profile.rows import LayerRow, first_layer
from ..files import contents

if TYPE_CHECKING:
    from ...hooks.activations import LayerActivations

OWN_MODEL = "LAYERGLASS_MODEL"  # the setting that names it, also for the process that serves the page
DEVICE = "LAYERGLASS_DEVICE"  # the setting that names it, likewise
OWN = "your own, as package.module:factory"
LOADER = f"{__name__}:load_subject"  # for other processes


def add_weights(parser: argparse.ArgumentParser, default: str) -> None:
    """Let the command choose between untrained and trained weights."""
    parser.add_argument(
        "--weights",
        metavar="W",
        help="random, pretrained (downloaded on first use), or a file of weights for this model "
        f"(default: {default}; of your own model: as made)",
    )
    parser.set_defaults(usual_weights=default)
    add_device(parser)


def add_device(parser: argparse.ArgumentParser) -> None:
    """Let the command choose where models run."""
    parser.add_argument(
        "--device",
        metavar="D",
        help=f"cpu, cuda, cuda:1, mps or auto (default: what {DEVICE} says, or else auto)",
    )


def place_models(options: argparse.Namespace) -> None:
    """Keep where models run for this process and those that it starts.

    Raises:
        RequestError: this machine has no such device.
    """
    if options.device:
        from ...hooks.hookable import check_device

        check_device(options.device)
        os.environ[DEVICE] = options.device


def settle(options: argparse.Namespace) -> None:
    """Settle which model, weights and device are meant.

    A model named ``package.module:factory`` has weights of its own.

    Raises:
        RequestError: this machine has no such device.
    """
    place_models(options)
    own = ":" in options.model
    if own:
        if str(Path.cwd()) not in sys.path:  # an installed command does not look here
            sys.path.insert(0, str(Path.cwd()))
        os.environ[OWN_MODEL] = options.model
        options.model = models.own_model_name()
    options.weights = options.weights or ("pretrained" if own else options.usual_weights)


def weights_said(options: argparse.Namespace) -> str:
    """Return words about the weights.

    Only its owner knows whether an own model was trained.
    """
    if options.weights == "random":
        return "untrained"
    if _is_file(options.weights):
        return f"weights of {options.weights}"
    return "original weights" if options.model == models.own_model_name() else "trained"


def load_subject(model: str, weights: str) -> Subject:
    """Return the model, ready to be shown a picture.

    A download reports to standard error. ``weights`` are ``"random"``, ``"pretrained"``, or a file.

    Raises:
        OwnWeightsError: the file's weights do not fit the model.
        RequestError: the file cannot be read.
    """
    card = models.describe(model)
    if _is_file(weights):
        state = models.own.read_state(contents(weights), limit=sys.maxsize)
        module = models.own.load_with(model, state)
    else:
        with _progress_bar(f"weights of {model}") as progress:
            module = models.load(model, weights=weights, progress=progress)
    return Subject(module, card.preprocessing, card.preprocessing.as_seen, card.classes, card.output)


def _is_file(weights: str) -> bool:
    return weights not in ("random", "pretrained") and Path(weights).is_file()


@contextmanager
def _progress_bar(title: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a function of (bytes done, bytes in all) with a bar.

    The bar appears when the function is first called.
    """
    with ExitStack() as bars:
        bar: tqdm[NoReturn] | None = None

        def progress(done: int, total: int) -> None:
            nonlocal bar
            bar = bar or bars.enter_context(tqdm(desc=title, unit="B", unit_scale=True, total=total or None))
            bar.update(done - bar.n)

        yield progress


def activations(subject: Subject) -> "LayerActivations":
    """Return the layers of a subject, on the environment's device."""
    from ...hooks.activations import LayerActivations

    return LayerActivations(subject.module, os.environ.get(DEVICE, "auto"), repeatable=True)


def survey(subject: Subject) -> tuple[LayerRow, ...]:
    """Return the layers of a subject, from one pass on grey."""
    from ...passes.forward import BLANK, survey_with_layouts

    return survey_with_layouts(activations(subject), subject.arguments(BLANK))[0]


def tried_out(layers: "LayerActivations", subject: Subject, name: str) -> tuple[LayerRow, ...]:
    """Return the layers of an own model, from one grey picture.

    Raises:
        CaptureError: it fails on that picture; the message says how.
        ModelError: its preparation makes no input of that picture.
    """
    from ...passes.forward import survey_subject

    try:
        rows = survey_subject(layers, subject)
        first_layer(rows)  # a model without layers is refused here
    except (VizError, models.ModelError):
        raise
    except Exception as error:  # their code may raise anything; the message says what
        wrong = f"{type(error).__name__}: {error}"
        raise CaptureError(
            "{name} cannot take a plain picture as its card prepares it: {wrong}", name=name, wrong=wrong
        ) from error
    return rows
