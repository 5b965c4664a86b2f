"""The memory of the page's own process, as the system counts it."""

import os
import sys
from pathlib import Path

_STATM = Path("/proc/self/statm")


def page_memory() -> int:
    """The bytes of physical memory that this process has, shared ones too; 0 if the system does not say."""
    try:
        return int(_STATM.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, AttributeError):
        return _most_ever()


def _most_ever() -> int:
    """The most that this process has ever had: all that macOS tells without a package."""
    try:
        import resource  # noqa: PLC0415  # Windows has none
    except ImportError:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
