"""Settings of an operator for the processes of models, in environment variables."""

import os
from collections.abc import Mapping

from ...profile.cost import MEGABYTE, free_memory
from .patience import Patience

ANSWER_SECONDS, MODELS_MB = "LAYERGLASS_ANSWER_SECONDS", "LAYERGLASS_MODELS_MB"
PROCESSES = "LAYERGLASS_PROCESSES"
USUAL = 4  # processes: three models can be looked at while another one is loaded
SHARE = 0.9  # of the free memory: beyond it, the system might end the page instead of a model


def patience_from(environment: Mapping[str, str] = os.environ, free: int | None = None) -> Patience:
    """Read the limits in ``LAYERGLASS_ANSWER_SECONDS`` and ``LAYERGLASS_MODELS_MB``.

    By default a task has 120 seconds, and all hosts together nine tenths of the free memory.

    Args:
        environment: settings by name; those that are not whole numbers above zero are ignored.
        free: bytes of memory; by default those that are free now.
    """
    most = int((free_memory() if free is None else free) * SHARE)
    return Patience(
        answering=_setting(environment, ANSWER_SECONDS) or Patience.answering,
        memory=_setting(environment, MODELS_MB) * MEGABYTE or most,
    )


def processes_from(environment: Mapping[str, str] = os.environ) -> int:
    """Read the largest number of processes from ``LAYERGLASS_PROCESSES``; by default 4."""
    return _setting(environment, PROCESSES) or USUAL


def _setting(environment: Mapping[str, str], name: str) -> int:
    text = environment.get(name, "")
    return int(text) if text.isascii() and text.isdigit() else 0
