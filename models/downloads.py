"""Fetch a file of weights: whole and checked, or not at all.

Files go where ``torch.hub`` keeps them, under the same names, so that neither downloads what the other has. A
classroom without internet can keep the files on a machine of its own and name it in the environment variable
``LAYERGLASS_WEIGHTS_URL``: ``https://files.school.example/weights/`` turns a download into one of
``https://files.school.example/weights/resnet50-11ad3fa6.pth``.
"""

import os
import re
import socket
import threading
import time
from collections.abc import Mapping
from concurrent.futures import Future
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse
from pathlib import Path, PurePosixPath
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import torch

from .cards import Progress
from .errors import ModelError, WeightsDamagedError, WeightsUnavailableError
from .partial_file import INSTEAD, PartialFile
from .ranges import check_rest, rest_of, version_of
from .refused_memory import CHECKSUM

__all__ = ["checkpoint_path", "fetch", "require_answer"]

_MIRROR = "LAYERGLASS_WEIGHTS_URL"
_PATIENCE = 8.0  # seconds until a server must have answered, and between two pieces of a file
_PIECE = 1 << 18  # bytes
_PAUSES = (0.3, 1.0, 2.0, 4.0)  # seconds before a server is asked for the rest of a file that broke off
_TOO_LONG = 12.0  # seconds without a byte: whoever waits reads a sentence

_one_at_a_time: dict[str, threading.Lock] = {}


def checkpoint_path(url: str) -> Path:
    """Return where ``torch.hub`` keeps the file of that address."""
    return Path(torch.hub.get_dir()) / "checkpoints" / PurePosixPath(urlsplit(url).path).name


def fetch(url: str, progress: Progress | None = None, *, patience: float = _PATIENCE) -> Path:
    """Return the local file of ``url``, downloaded if it is missing.

    Threads that want the same file wait for the first of them. A download that broke off goes on where it
    stopped, at once or when the file is asked for again, if the server can tell that it is the same file.
    Otherwise what came is deleted.

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
            instead=INSTEAD,
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
            instead=INSTEAD,
        )
    return f"{base.rstrip('/')}/{checkpoint_path(url).name}" if base else url


def _download(url: str, path: Path, progress: Progress, patience: float) -> None:
    part, keep = PartialFile(path), True
    try:
        _fetch_rest(url, part, progress, patience)
        if part.resumed and not _is(path.name, part.digest):  # a mix of two files: all of it once more
            part.begin("")
            _fetch_rest(url, part, progress, patience)
        _check(path.name, part.digest)
        part.finish()
    except ModelError:  # a full disk, or another file
        keep = False
        raise
    except (OSError, HTTPException) as error:  # a time-out is an OSError
        raise _unavailable(url, path.name, part, error) from error
    finally:
        part.close(keep=keep)


def _fetch_rest(url: str, part: PartialFile, progress: Progress, patience: float) -> None:
    """Download the missing bytes of ``part``, with a few retries."""
    came = time.monotonic()
    for pause in (*_PAUSES, None):
        had = part.size
        try:
            with _response(url, patience, rest_of(part)) as response:
                _copy(response, part, progress)
        except (OSError, HTTPException) as error:
            if isinstance(error, HTTPError):
                error.close()
            _go_on(part, had, error)
            came = time.monotonic() if part.size > had else came
            if pause is None or time.monotonic() - came > _TOO_LONG:
                raise
            time.sleep(pause)
        else:
            return


def _go_on(part: PartialFile, had: int, error: OSError | HTTPException) -> None:
    """Raise a download's error, unless the rest can still be requested.

    ``had`` is the size of the part before the error.
    """
    if isinstance(error, HTTPError) and error.code < HTTPStatus.INTERNAL_SERVER_ERROR:
        if not (had and error.code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE):
            raise error
        part.begin("")  # it has become shorter: all of it
    elif not (had or part.version):
        raise error


def _unavailable(
    url: str, name: str, part: PartialFile, error: OSError | HTTPException
) -> WeightsUnavailableError:
    values = {"name": name, "place": urlsplit(url).netloc, "reason": _reason(error), "instead": INSTEAD}
    if part.is_kept:
        return WeightsUnavailableError(
            "{name} cannot be fetched from {place}: {reason}; the {done} MB that came are kept, and the next "
            "try goes on from there; {instead}",
            done=part.size >> 20,
            **values,
        )
    return WeightsUnavailableError("{name} cannot be fetched from {place}: {reason}; {instead}", **values)


def _response(url: str, patience: float, headers: Mapping[str, str] | None = None) -> HTTPResponse:
    """Return the server's response within ``patience`` seconds.

    A thread of its own does the waiting: a socket's time-out does not cover looking up the server's name, and
    starts again for each of its addresses, so a network that leads nowhere would hold a visitor for minutes.
    """
    answer: Future[HTTPResponse] = Future()
    threading.Thread(target=_open, args=(url, headers or {}, patience, answer), daemon=True).start()
    try:
        return answer.result(timeout=patience)
    except TimeoutError:
        answer.add_done_callback(_close)
        raise


def _open(url: str, headers: Mapping[str, str], patience: float, answer: "Future[HTTPResponse]") -> None:
    request = Request(  # noqa: S310  # http or https: see _mirrored
        url, headers={"User-Agent": "Layerglass", **headers}
    )
    try:
        answer.set_result(urlopen(request, timeout=patience))  # noqa: S310  # likewise
    except (OSError, HTTPException, ValueError) as error:
        answer.set_exception(error if not isinstance(error, ValueError) else URLError(str(error)))


def _close(answer: "Future[HTTPResponse]") -> None:
    """Close an answer that came after the waiting had ended."""
    if answer.exception() is None:
        answer.result().close()


def _copy(response: HTTPResponse, part: PartialFile, progress: Progress) -> None:
    """Add all bytes of ``response`` to ``part``."""
    length = int(response.headers.get("Content-Length") or 0)
    if response.status == HTTPStatus.PARTIAL_CONTENT:
        check_rest(response.headers, part)
    else:
        part.begin(version_of(response.headers))
    total = part.size + length if length else 0
    part.expect(total)
    progress(part.size, total)
    while piece := response.read(_PIECE):
        part.add(piece)
        progress(part.size, total)
    if part.size < total:
        raise ConnectionError(f"it broke off after {part.size:,} of {total:,} bytes")


def _is(name: str, digest: str) -> bool:
    """Return whether a SHA-256 agrees with that in a file's name.

    A name without a checksum agrees with any.
    """
    wanted = CHECKSUM.search(name)
    return wanted is None or digest.startswith(wanted[1])


def _check(name: str, digest: str) -> None:
    if not _is(name, digest):
        raise WeightsDamagedError(
            "what came for {file} is another file (its SHA-256 begins with {digest}); try again, "
            "or tell whoever runs this server",
            file=name,
            digest=digest[:8],
        )


def _reason(error: OSError | HTTPException) -> str:
    """Return the reason of a failed download, in a visitor's words."""
    cause = error.reason if isinstance(error, URLError) and not isinstance(error, HTTPError) else error
    if isinstance(error, HTTPError):
        return f"there is no such file (HTTP {error.code})"
    if isinstance(cause, socket.gaierror):
        return "its name cannot be looked up; there may be no network"
    if isinstance(cause, TimeoutError):
        return "it does not answer; there may be no network"
    return str(getattr(cause, "strerror", None) or cause)
