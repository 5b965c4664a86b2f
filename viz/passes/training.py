"""Training mode for a request's runs, if a model allows it."""

import contextlib
from typing import Any

from ..errors import CaptureError
from ..hooks.activations import LayerActivations


def in_mode(layers: LayerActivations, training: int | None) -> contextlib.AbstractContextManager[None]:
    """Return a block of training mode with this seed; None: evaluation mode."""
    return contextlib.nullcontext() if training is None else layers.training(training)


def check_training(layers: LayerActivations, arguments: tuple[Any, ...]) -> None:
    """Refuse a model that cannot run in training mode.

    A detector, for one, then needs its targets.

    Raises:
        CaptureError: it cannot, and the message says what the model says.
    """
    try:
        with layers.training():
            layers.run(*arguments)
    except Exception as problem:  # whatever a model's own code raises
        raise CaptureError(
            "this model cannot run in training mode with one picture ({problem}); leave training mode out.",
            problem=str(problem) or type(problem).__name__,
        ) from problem
