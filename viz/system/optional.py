"""Modules of Python that not every system has."""

from importlib import import_module
from typing import Any


def optional(name: str) -> Any:
    """Import a module of Python; return None where the system lacks it.

    Windows has no ``fcntl``, for instance.
    """
    try:
        return import_module(name)
    except ImportError:
        return None
