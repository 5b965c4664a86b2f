"""Commands in advice, as this system's terminal takes them."""

import shlex
import subprocess
import sys

from ...home import COMMAND, INSTALLED


def to_paste(*words: str) -> str:
    """Return a command as a line to paste into a terminal."""
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


def ours(*words: str) -> str:
    """Return a command of Layerglass as a line to paste.

    In a checkout it names this interpreter: ``python`` may be another one, without our packages.
    """
    return to_paste(*([COMMAND] if INSTALLED else [sys.executable, "-m", "viz"]), *words)
