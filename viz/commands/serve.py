"""``serve``: replaces this process with the server of the page."""

import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from ..engine.engine_protocol import check_choice
from ..errors import RequestError
from ..exemplars.asking import pictures_of
from ..exemplars.finished.card import card_of
from ..exemplars.listing import listed, text_of
from ..home import CAPTURE, LABELS, PAGE, PICTURES
from ..lens.labels import by_file
from ..system.processes import become


def check_engine(engine: str) -> None:
    """Refuse an engine that does not exist or lacks something.

    Raises:
        RequestError: there is no such engine, or Ray is not installed.
    """
    check_choice(engine)
    if engine.startswith("ray") and find_spec("ray") is None:
        raise RequestError("Ray is not installed: install layerglass[ray], or choose another engine")


def server_command(host: str | None, port: int) -> list[str]:
    """Return the command that serves the page.

    Without a host, it is served on this machine only.
    """
    address = ["--server.address", host] if host else []
    return [sys.executable, str(PAGE), "--server.port", str(port), *address]


def server_environment() -> dict[str, str]:
    """Return this process's environment, with its import path for the child."""
    paths = [str(Path.cwd()), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def offer_pictures(folder: str | None, capture: str | None, labels: str | None) -> int | None:
    """Let the server offer a folder, a capture, or both.

    It returns how many pictures there are; None if neither is given.

    Args:
        folder: it is listed once, because that may take long.
        capture: what ``exemplars`` has written.
        labels: a table with the columns ``picture`` and ``label``, whose classes the lens shall compare.

    Raises:
        RequestError: there is no picture in the one, the other is no capture, or the table cannot be read or
            fits none of them.
    """
    names: list[str] | None = None
    count: int | None = None
    if folder is not None:
        names = _offer_folder(Path(folder))
        count = len(names)
    if capture is not None:
        count = count or card_of(Path(capture)).done
        os.environ[CAPTURE] = str(Path(capture).resolve())
    if labels:
        if names is None and capture is not None:
            names = pictures_of(Path(capture))
        _offer_labels(Path(labels), names)
    return count


def made_of(capture: str) -> str:
    """Return the folder that a capture names, as printable text.

    Only the starter of a server may have it opened.

    Raises:
        RequestError: it is no finished capture.
    """
    return "".join(filter(str.isprintable, card_of(Path(capture)).folder))


def _offer_folder(folder: Path) -> list[str]:
    names: list[str] = []
    listed(folder, each=lambda path: names.append(text_of(path)))
    os.environ[PICTURES] = str(folder.resolve())
    return names


def _offer_labels(file: Path, names: Sequence[str] | None) -> None:
    if names is None:
        raise RequestError("--labels says the classes of pictures: name these with --pictures or --capture")
    by_file(names, file)
    os.environ[LABELS] = str(file.resolve())


def become_server(host: str | None, port: int) -> NoReturn:
    """Become the page's server, in the same process, until somebody ends it."""
    become(server_command(host, port), server_environment())
