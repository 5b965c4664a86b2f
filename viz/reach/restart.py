"""The command that starts this server again, open to a class."""

import os
import shlex
import sys
from collections.abc import Mapping, Sequence

SERVED = "LAYERGLASS_SERVED"
"""The setting that holds the command line of ``serve``, which becomes the page's server."""

_EVERYWHERE = "0.0.0.0"  # noqa: S104  # said to whoever may start the server, not listened on


def public_command(
    environment: Mapping[str, str] = os.environ, started: Sequence[str] = tuple(sys.orig_argv)
) -> str:
    """Return the command that serves the page to other machines.

    It is this server's own, with another address.

    Args:
        environment: of the server, in which make and ``serve`` say what they were asked for.
        started: the server's own command line.
    """
    if "MAKELEVEL" in environment:
        _, _, given = environment.get("MAKEFLAGS", "").partition("-- ")  # Source: GNU make, section 5.7.3
        kept = [word for word in shlex.split(given) if not word.startswith("HOST=")]
        return shlex.join(["make", "run", *kept, f"HOST={_EVERYWHERE}"])
    served = environment.get(SERVED)
    words, option = (shlex.split(served), "--host") if served else (started, "--server.address")
    return shlex.join([*_without(words, option), option, _EVERYWHERE])


def _without(words: Sequence[str], option: str) -> list[str]:
    """Return the words without an option and its value."""
    after = ["", *words]
    return [
        word
        for before, word in zip(after, words, strict=False)
        if option not in (before, word) and not word.startswith(f"{option}=")
    ]
