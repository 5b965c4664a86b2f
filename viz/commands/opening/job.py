"""Job of a reading process for ``open``: a file's outline, without PyTorch."""

from typing import Any

from ...catalogue import models

_outline_of = models.own.outline_of  # the same: naming it imports it


def outline(data: bytearray) -> tuple[dict[str, Any], int, list[bytes]]:
    """Return a file's outline, and of a folder also its bytes.

    See ``models.own.FileOutline``.
    """
    whole = bytes(data)
    found, held = _outline_of(whole)
    body = b"" if held is whole else held
    return found.to_plain(), len(body), [body]
