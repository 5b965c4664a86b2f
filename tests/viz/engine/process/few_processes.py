"""Imported by a nursery: after SIGUSR1 its user may have no further process, after SIGUSR2 as before."""

import ctypes
import os
import resource
import signal

_NOBODY, _CAP_SYS_ADMIN, _CAP_SYS_RESOURCE = 65534, 21, 24  # Source: linux/capability.h
_VERSION = 0x20080522


def count_processes() -> None:
    """Have the system count our processes, which it does not do for root: as nobody's, without its leave."""
    libc = ctypes.CDLL(None)
    os.setresuid(_NOBODY, 0, 0)
    header, sets = (ctypes.c_uint32 * 2)(_VERSION, 0), (ctypes.c_uint32 * 6)()
    libc.capget(header, sets)
    for at in range(3):  # effective, permitted and inheritable
        sets[at] &= ~(1 << _CAP_SYS_ADMIN | 1 << _CAP_SYS_RESOURCE)
    if libc.capset(header, sets):
        raise OSError("the system does not let us count processes")


if os.geteuid() == 0:
    count_processes()
_SOFT, _HARD = resource.getrlimit(resource.RLIMIT_NPROC)
for told, most in ((signal.SIGUSR1, 0), (signal.SIGUSR2, _SOFT)):
    signal.signal(told, lambda *_, most=most: resource.setrlimit(resource.RLIMIT_NPROC, (most, _HARD)))
