"""The files of the command line: a picture in, a file out."""

import os
import sys
import uuid
from pathlib import Path

from ..errors import ImageError, RequestError
from ..pictures.images import MAX_BYTES, read_image
from ..pictures.photo import Photo, cropped, photograph
from ..pictures.samples import sample
from ..sentences import Sentence

SAMPLE = "sample:"
STANDARD_OUTPUT = "-"  # in place of a file's name


def picture(source: str, crop: str = "") -> Photo:
    """Return the picture of a file, or a bundled one.

    ``sample:cat`` names a bundled one. With a crop, it is that part of the picture.

    Raises:
        ImageError: the file is not a picture that can be read safely.
        RequestError: there is no such file or sample, or it may not be read, or has no such part.
    """
    return cropped(_whole(source), crop) if crop else _whole(source)


def _whole(source: str) -> Photo:
    if source.startswith(SAMPLE):
        return photograph(sample(source.removeprefix(SAMPLE)))
    data = contents(source, MAX_BYTES + 1)  # one more than allowed, to notice a file that is too large
    try:
        return photograph(read_image(data))
    except ImageError as error:
        raise ImageError("{layer}: {problem}", layer=source, problem=error) from error


def contents(source: str, most: int = -1) -> bytes:
    """Return a file's bytes, or the first of them.

    Raises:
        RequestError: there is no such file, or it may not be read.
    """
    try:
        with Path(source).open("rb") as file:
            return file.read(most)
    except OSError as error:
        raise RequestError("cannot read {source}: {error}", source=source, error=_reason(error)) from error


def source_name(source: str) -> str:
    """Return a picture's name without folders, if it is ASCII."""
    name = source.removeprefix(SAMPLE) if source.startswith(SAMPLE) else Path(source).name
    return name if name.isascii() else ""  # the font of a figure has few other letters


def checked_target(name: str, forms: tuple[str, ...]) -> tuple[Path, str]:
    """Return where to write, and the form that the name's ending means.

    This comes before any work. The name ``-`` means standard output, and the first of the forms.

    Raises:
        RequestError: another ending, or no file can be written there.
    """
    if name == STANDARD_OUTPUT:
        return Path(name), forms[0]
    form = Path(name).suffix.lower().removeprefix(".")
    if form not in forms:
        endings = ", ".join(f".{each}" for each in forms)
        raise RequestError(
            "cannot tell what to write into {name}: its name must end in one of {endings}",
            name=repr(name),
            endings=endings,
        )
    return writable(name), form


def writable(name: str) -> Path:
    """Return a file's path, if a file can be written there.

    Raises:
        RequestError: it cannot; the message says why.
    """
    path = Path(name)
    try:
        problem: str | None = _obstacle(path)
    except OSError as error:
        problem = _reason(error)
    if problem:
        raise RequestError("cannot write {name}: {problem}", name=name, problem=problem)
    return path


def _obstacle(path: Path) -> Sentence | None:
    """Return why no file can be written there, or None."""
    if not path.parent.is_dir():
        return Sentence("there is no folder {folder}; make it first", folder=path.parent)
    if path.is_dir():
        return Sentence("it is a folder")
    if os.access(path.parent, os.W_OK | os.X_OK):
        return None
    return Sentence("no permission to write in {folder}", folder=path.parent)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that appears complete or not at all.

    The path ``-`` is standard output.

    Raises:
        RequestError: it cannot be written; what was there before is still there.
    """
    if is_standard_output(path):
        sys.stdout.buffer.write(data)
        return
    try:
        target = Path(os.path.realpath(path))  # a link stays a link
        partial = target.with_name(f".{uuid.uuid4().hex}.part")
        try:
            partial.write_bytes(data)
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)
    except OSError as error:
        raise RequestError("cannot write {path}: {error}", path=path, error=_reason(error)) from error


def is_standard_output(path: Path) -> bool:
    """Return whether a target is standard output, and no file."""
    return str(path) == STANDARD_OUTPUT


def say(path: Path, *lines: str) -> None:
    """Print lines about a written file.

    They go to standard error, if the file went to standard output.
    """
    print(*lines, sep="\n", file=sys.stderr if is_standard_output(path) else sys.stdout)


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
