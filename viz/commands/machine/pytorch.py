"""PyTorch and its graphics card, looked for in another process."""

import json
import signal
import subprocess
import sys
from typing import NamedTuple

from ...sentences import Sentence
from .facts import Fact

_ASK = """
import json
version = error = card = ""
try:
    import torch
    version = torch.__version__
except Exception as problem:
    error = " ".join(str(problem).split()) or type(problem).__name__
else:
    try:
        if torch.cuda.is_available():
            card = torch.cuda.get_device_name(0)
        elif torch.backends.mps.is_available():
            card = "MPS"
    except Exception:
        pass
print()
print(json.dumps([version, error, card]))
"""


class Probe(NamedTuple):
    """Outcome of an import of PyTorch in another process.

    Attributes:
        version: empty if it cannot be imported.
        error: in words; empty if there is none.
        card: its name; empty if there is none.
        ended: the signal or the status of a process that did not live to say any of these.
    """

    version: str = ""
    error: str = ""
    card: str = ""
    ended: str = ""


def probe() -> Probe:
    """Import PyTorch in another process, and return what came of it.

    One made for another processor ends its process without an exception.
    """
    done = subprocess.run(  # noqa: S603  # this interpreter, with words of ours
        [sys.executable, "-P", "-c", _ASK],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        return Probe(ended=_end(done.returncode))
    return Probe(*json.loads(done.stdout.splitlines()[-1]))


def library(found: Probe) -> Fact:
    """Return whether PyTorch can be imported.

    It may be there, and not fit this machine.
    """
    if found.version:
        return Fact(name="pytorch", grade="good", said=f"PyTorch {found.version}")
    said = (
        Sentence("PyTorch cannot be imported: it ends its process ({how})", how=found.ended)
        if found.ended
        else Sentence("PyTorch cannot be imported: {error}", error=found.error)
    )
    advice = Sentence("Install it anew, as https://pytorch.org says for this machine.")
    return Fact(name="pytorch", grade="fatal", said=said, advice=advice)


def card(found: Probe) -> Fact:
    """Return the graphics card that PyTorch would use, if any."""
    said = (
        Sentence("graphics card: {name}", name=found.card)
        if found.card
        else Sentence("no graphics card that PyTorch uses: models run on the processor")
    )
    return Fact(name="card", grade="good", said=said)


def _end(status: int) -> str:
    try:
        return signal.Signals(-status).name
    except ValueError:  # no signal, as always on Windows
        return str(status)
