"""As ``sitecustomize``: gives modules of ours, and them alone, a Python as Windows has it.

PyTorch and the others are those of this system, and would fail.
"""

import builtins
import ctypes
import importlib
import os
import platform
import signal
import socket
import subprocess
import sys
from types import ModuleType
from typing import Any

OURS = {"viz", "models", "layerglass", "app"}
NO_MODULES = {"fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"}
NOT_IN = {
    os: "fork forkpty sched_getaffinity sysconf nice getuid geteuid getgid getegid killpg getpgid setsid "
    "uname getloadavg statvfs fchmod fchown mkfifo pread pwrite sendfile memfd_create register_at_fork "
    "setpriority waitstatus_to_exitcode WNOHANG PRIO_PROCESS",
    signal: "SIGKILL SIGUSR1 SIGUSR2 SIGHUP SIGALRM SIGCHLD SIGSTOP setitimer ITIMER_REAL pthread_sigmask",
    socket: "AF_UNIX send_fds recv_fds",
}
OTHERWISE: dict[tuple[ModuleType, str], Any] = {
    (sys, "platform"): "win32",
    (os, "name"): "nt",
    (platform, "libc_ver"): lambda: ("", ""),
}
_frame, _popen, _cdll = sys._getframe, subprocess.Popen, ctypes.CDLL
_import, _import_module = builtins.__import__, importlib.import_module


def is_ours(depth: int) -> bool:
    """Return whether the caller so many frames above is a module of ours."""
    try:
        told = _frame(depth + 1).f_globals
    except ValueError:  # Python itself
        return False
    return (told.get("__package__") or told.get("__name__", "")).partition(".")[0] in OURS


def without(module: ModuleType, names: set[str]) -> None:
    """Take names from a module, for us."""

    class Less(ModuleType):
        def __getattribute__(self, name: str) -> Any:
            if is_ours(1):
                if name in names:
                    raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
                if (module, name) in OTHERWISE:
                    return OTHERWISE[module, name]
            return super().__getattribute__(name)

    module.__class__ = Less


def imported(name: str, *more: Any, **named: Any) -> Any:
    """Import a module as a line of code does."""
    if name in NO_MODULES and is_ours(1):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return _import(name, *more, **named)


def imported_by_name(name: str, package: str | None = None) -> ModuleType:
    """Import a module as ``importlib.import_module`` does."""
    if name in NO_MODULES and is_ours(1):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    if name.startswith("."):
        return _import_module(name, package)
    return _import_module(name)


class Popen(_popen):
    """A process that is given no open file by its number."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        if named.get("pass_fds"):
            raise ValueError("pass_fds not supported on Windows.")
        super().__init__(*arguments, **named)


class CDLL(_cdll):
    """A library, which has a name."""

    def __init__(self, name: str | None, *arguments: Any, **named: Any) -> None:
        if name is None and is_ours(1):
            raise TypeError("argument of type 'NoneType' is not iterable")
        super().__init__(name, *arguments, **named)


if __name__ == "sitecustomize":
    for place in {*NOT_IN, *(module for module, _ in OTHERWISE)}:
        without(place, set(NOT_IN.get(place, "").split()))
    builtins.__import__, importlib.import_module = imported, imported_by_name
    subprocess.Popen, ctypes.CDLL = Popen, CDLL
