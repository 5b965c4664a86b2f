"""The memory of the page's own process, as the system counts it."""

import os
from pathlib import Path

from ...system.memory import most_resident

_STATM = Path("/proc/self/statm")


def page_memory() -> int:
    """The bytes of physical memory of this process, shared ones too.

    Where there is no ``/proc`` it is their peak, or 0 if the system does not say.
    """
    try:
        return int(_STATM.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, AttributeError):
        return most_resident()  # all that macOS tells without a package
