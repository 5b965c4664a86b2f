"""Size limit of a visitor's file of weights."""

import os

from ..errors import OwnWeightsError

__all__ = ["check_size", "size_limit"]

_LIMIT = "LAYERGLASS_WEIGHTS_MB"
_DEFAULT_LIMIT = 512
_MEGABYTE = 1_000_000


def size_limit() -> int:
    """Return the size limit of a file of weights, in bytes.

    ``LAYERGLASS_WEIGHTS_MB`` sets it in megabytes; the default is 512.
    """
    asked = os.environ.get(_LIMIT, "")
    return _MEGABYTE * (int(asked) if asked.isascii() and asked.isdigit() else _DEFAULT_LIMIT)


def check_size(data: bytes, limit: int | None = None) -> None:
    """Refuse a file of more than ``limit`` bytes, by default ``size_limit()``.

    Raises:
        OwnWeightsError: it is larger.
    """
    limit = size_limit() if limit is None else limit
    if len(data) > limit:
        raise OwnWeightsError(
            "This file of weights has more than the {most} MB that are read here.",
            most=f"{limit / _MEGABYTE:,.0f}",
        )
