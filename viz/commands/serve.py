"""``serve``: the page, in this process's place."""

import os
import socket
import sys
from pathlib import Path
from typing import NoReturn

from ..errors import CaptureError, VizError
from ..home import PAGE
from ..hooks.activations import LayerActivations
from ..passes.forward import survey_subject
from ..pictures.subject import Subject
from ..profile.tree import LayerRow


def tried_out(layers: LayerActivations, subject: Subject, name: str) -> tuple[LayerRow, ...]:
    """Return the layers of a model that somebody else wrote, from one pass on a plain grey picture.

    Raises:
        CaptureError: it fails on that picture, and how.
    """
    try:
        return survey_subject(layers, subject)
    except VizError:
        raise
    except Exception as error:  # their code may raise anything, and they are told what
        wrong = f"{type(error).__name__}: {error}"
        raise CaptureError(
            "{name} cannot take a plain picture as its card prepares it: {wrong}", name=name, wrong=wrong
        ) from error


def address_said(host: str | None, port: int) -> str:
    """Return the address for people, who reach a server for everybody by this machine's name."""
    names = {None: "localhost", "0.0.0.0": socket.gethostname()}  # noqa: S104  # it is read here, not listened on
    return f"http://{names.get(host, host)}:{port}"


def server_command(host: str | None, port: int) -> list[str]:
    """Return the command that serves the page; without a host, on this machine only."""
    address = ["--server.address", host] if host else []
    return [sys.executable, "-m", "streamlit", "run", str(PAGE), "--server.port", str(port), *address]


def server_environment() -> dict[str, str]:
    """Return this process's environment; what can be imported from here can be imported there."""
    paths = [str(Path.cwd()), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def become_server(host: str | None, port: int) -> NoReturn:
    """Serve the page until somebody ends it; nothing of this process stays but its number."""
    command = server_command(host, port)
    os.execve(command[0], command, server_environment())  # noqa: S606  # no shell, and our own interpreter
