"""Modules of Python that not every system has."""

from importlib import import_module
from typing import Any


def optional(name: str) -> Any:
    """Import a module of Python; None where the system has none of that name, as Windows has no ``fcntl``."""
    try:
        return import_module(name)
    except ImportError:
        return None
