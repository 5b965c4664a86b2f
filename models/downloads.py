"""Fetch a file of weights: whole and checked, or not at all.

Files go where ``torch.hub`` keeps them, under the same names, so that neither downloads what the other has. A
classroom without internet can keep the files on a machine of its own and name it in the environment variable
``LAYERGLASS_WEIGHTS_URL``: ``https://files.school.example/weights/`` turns a download into one of
``https://files.school.example/weights/resnet50-11ad3fa6.pth``.
"""

import hashlib
import os
import re
import socket
import threading
import uuid
from concurrent.futures import Future
from http.client import HTTPException, HTTPResponse
from pathlib import Path, PurePosixPath
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import torch

from .cards import Progress
from .errors import WeightsDamagedError, WeightsUnavailableError
from .refused_memory import CHECKSUM
from .sentences import Sentence

__all__ = ["checkpoint_path", "fetch", "require_answer"]

_MIRROR = "LAYERGLASS_WEIGHTS_URL"
_PATIENCE = 8.0  # seconds until a server must have answered, and between two pieces of a file
_PIECE = 1 << 18  # bytes
_INSTEAD = Sentence("untrained weights can be shown meanwhile")

_one_at_a_time: dict[str, threading.Lock] = {}


def checkpoint_path(url: str) -> Path:
    """Return where ``torch.hub`` keeps the file of that address."""
    return Path(torch.hub.get_dir()) / "checkpoints" / PurePosixPath(urlsplit(url).path).name


def fetch(url: str, progress: Progress | None = None, *, patience: float = _PATIENCE) -> Path:
    """Return the path of the file of ``url``, downloading it if it is not here.

    Threads that want the same file wait for the first of them. A failed download leaves nothing behind.

    Args:
        url: an http or https address; only its last part counts where ``LAYERGLASS_WEIGHTS_URL`` is set.
        progress: called with (bytes done, bytes in all), the second 0 where the server does not say.
        patience: seconds until the server must have answered, and at most between two pieces.

    Raises:
        WeightsUnavailableError: no network, no such file, or the download broke off.
        WeightsDamagedError: what came is not the file whose checksum is in its name.
    """
    path = checkpoint_path(url)
    with _one_at_a_time.setdefault(str(path), threading.Lock()):
        if not path.exists():
            _download(_mirrored(url), path, progress or _silent, patience)
    return path


def require_answer(url: str, *, patience: float = _PATIENCE) -> None:
    """Check that a server answers at all, whatever it says.

    Raises:
        WeightsUnavailableError: no network, or nothing came within ``patience`` seconds.
    """
    try:
        _response(url, patience).close()
    except HTTPError as error:
        error.close()
    except (OSError, HTTPException) as error:
        place = urlsplit(url).netloc
        raise WeightsUnavailableError(
            "{place} cannot be reached: {reason}; {instead}",
            place=place,
            reason=_reason(error),
            instead=_INSTEAD,
        ) from error


def _silent(done: int, total: int) -> None:
    """Ignore a progress report."""


def _mirrored(url: str) -> str:
    base = os.environ.get(_MIRROR, "").strip()
    if base and not re.match(r"https?://\w", base):
        raise WeightsUnavailableError(
            "{mirror} is {base}, which is no http:// or https:// address; {instead}",
            mirror=_MIRROR,
            base=repr(base),
            instead=_INSTEAD,
        )
    return f"{base.rstrip('/')}/{checkpoint_path(url).name}" if base else url


def _download(url: str, path: Path, progress: Progress, patience: float) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _response(url, patience) as response:
            _keep(response, path, progress)
    except (OSError, HTTPException) as error:  # a time-out is an OSError, and so is a full disk
        place = urlsplit(url).netloc
        raise WeightsUnavailableError(
            "{name} cannot be fetched from {place}: {reason}; {instead}",
            name=path.name,
            place=place,
            reason=_reason(error),
            instead=_INSTEAD,
        ) from error


def _keep(response: HTTPResponse, path: Path, progress: Progress) -> None:
    """Write what ``response`` brings to ``path``, which appears only once it is whole and checked."""
    partial = path.with_name(f"{path.name}.{uuid.uuid4().hex}.part")
    try:
        with partial.open("wb") as file:
            digest = _copied(response, file, progress)
        _check(path.name, digest)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def _response(url: str, patience: float) -> HTTPResponse:
    """Return the server's answer, waiting no longer than ``patience`` seconds for it in all.

    A thread of its own does the waiting: a socket's time-out does not cover looking up the server's name, and
    starts again for each of its addresses, so a network that leads nowhere would hold a visitor for minutes.
    """
    answer: Future[HTTPResponse] = Future()
    threading.Thread(target=_open, args=(url, patience, answer), daemon=True).start()
    try:
        return answer.result(timeout=patience)
    except TimeoutError:
        answer.add_done_callback(_close)
        raise


def _open(url: str, patience: float, answer: "Future[HTTPResponse]") -> None:
    request = Request(url, headers={"User-Agent": "Layerglass"})  # noqa: S310  # http or https: see _mirrored
    try:
        answer.set_result(urlopen(request, timeout=patience))  # noqa: S310  # likewise
    except (OSError, HTTPException, ValueError) as error:
        answer.set_exception(error if not isinstance(error, ValueError) else URLError(str(error)))


def _close(answer: "Future[HTTPResponse]") -> None:
    """Close an answer that came after the waiting had ended."""
    if answer.exception() is None:
        answer.result().close()


def _copied(response: HTTPResponse, file: IO[bytes], progress: Progress) -> str:
    """Return the SHA-256 of what was copied from ``response`` to ``file``, all of it."""
    total, done, digest = int(response.headers.get("Content-Length") or 0), 0, hashlib.sha256()
    progress(done, total)
    while piece := response.read(_PIECE):
        file.write(piece)
        digest.update(piece)
        done += len(piece)
        progress(done, total)
    if done < total:
        raise ConnectionError(f"it broke off after {done:,} of {total:,} bytes")
    return digest.hexdigest()


def _check(name: str, digest: str) -> None:
    wanted = CHECKSUM.search(name)
    if wanted and not digest.startswith(wanted[1]):
        raise WeightsDamagedError(
            "what came for {file} is another file (its SHA-256 begins with {digest}); try again, "
            "or tell whoever runs this server",
            file=name,
            digest=digest[:8],
        )


def _reason(error: OSError | HTTPException) -> str:
    """Return why a download failed, in words for a visitor who wanted to see a picture."""
    cause = error.reason if isinstance(error, URLError) and not isinstance(error, HTTPError) else error
    if isinstance(error, HTTPError):
        error.close()
        return f"there is no such file (HTTP {error.code})"
    if isinstance(cause, socket.gaierror):
        return "its name cannot be looked up; there may be no network"
    if isinstance(cause, TimeoutError):
        return "it does not answer; there may be no network"
    return str(getattr(cause, "strerror", None) or cause)
