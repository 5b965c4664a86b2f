"""Memory that this process has taken, as the system counts it."""

import sys

from .optional import optional

_resource = optional("resource")


def most_resident() -> int:
    """Return the peak of this process's physical memory, in bytes.

    It is 0 where the system does not say.
    """
    if _resource is None:
        return 0
    counted = int(_resource.getrusage(_resource.RUSAGE_SELF).ru_maxrss)
    return counted if sys.platform == "darwin" else counted * 1024
