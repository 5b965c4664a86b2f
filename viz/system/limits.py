"""Limits of this process that the system enforces, where it has them."""

import logging

from .optional import optional

_resource = optional("resource")
log = logging.getLogger(__name__)


def raise_open_files(wanted: int) -> int | None:
    """Raise the limit on open files, and return what is granted.

    It is None where the system has no such limit.
    """
    if _resource is None:
        return None
    soft, hard = _resource.getrlimit(_resource.RLIMIT_NOFILE)
    if soft == _resource.RLIM_INFINITY:
        return None
    most = wanted if hard == _resource.RLIM_INFINITY else min(wanted, hard)
    if soft < most:
        _resource.setrlimit(_resource.RLIMIT_NOFILE, (most, hard))
    return int(max(soft, most))


def bound_data(size: int) -> None:
    """Let allocations of this process fail beyond so many bytes.

    Otherwise they would bring the machine to a halt. It does nothing on a system without such limits.
    """
    if _resource is None:
        return
    _, hard = _resource.getrlimit(_resource.RLIMIT_DATA)
    most = size if hard == _resource.RLIM_INFINITY else min(size, hard)
    _resource.setrlimit(_resource.RLIMIT_DATA, (most, hard))


def warn_of_unbounded_data() -> None:
    """Warn in the log if ``bound_data`` does nothing on this system."""
    if _resource is None:
        log.warning("this system bounds no process's memory: a model may take all that there is")
