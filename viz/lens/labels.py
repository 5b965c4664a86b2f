"""Class labels of pictures, by folders or by a file."""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import RequestError
from ..sentences import Sentence, counted

LABELS_FILE = "labels.csv"
_COLUMNS = ("picture", "label")
_MOST_BYTES = 1 << 28
_SHOWN = 3


@dataclass(frozen=True)
class Labels:
    """The class of each picture.

    Attributes:
        classes: their names, in order.
        numbers: (pictures,) each one's place in ``classes``; -1 where it has none.
        unlabelled: the first few pictures without a class.
        unknown: the first few pictures that only the file of labels names.
        unknown_count: how many of those there are.
    """

    classes: tuple[str, ...]
    numbers: NDArray[np.int64]
    unlabelled: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    unknown_count: int = 0

    @property
    def counts(self) -> NDArray[np.int64]:
        """Number of pictures of each class."""
        return np.bincount(self.numbers[self.numbers >= 0], minlength=len(self.classes))

    @property
    def enough(self) -> bool:
        """True if there are at least two classes to compare."""
        return len(self.classes) > 1

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences about pictures and labels that do not match."""
        said: list[str] = []
        if not self.enough:
            said.append(
                Sentence(
                    "{classes}, and two are needed to compare: put the pictures into a folder for each "
                    "class, or name a file with the columns picture and label",
                    classes=counted("one class", "{count} classes", count=len(self.classes)),
                )
            )
            return tuple(said)
        if left := int((self.numbers < 0).sum()):
            said.append(
                Sentence(
                    "{pictures} of {all} without a class, such as {examples}",
                    pictures=counted("one picture", "{count} pictures", count=left),
                    all=len(self.numbers),
                    examples=", ".join(self.unlabelled),
                )
            )
        if self.unknown_count:
            said.append(
                Sentence(
                    "{labels} of pictures that the capture lacks, such as {examples}",
                    labels=counted("one label", "{count} labels", count=self.unknown_count),
                    examples=", ".join(self.unknown),
                )
            )
        return tuple(said)


def labels_for(pictures: Sequence[str], folder: Path, file: Path | None = None) -> Labels:
    """Return the class of each picture, from a file or its folders.

    The file is the given one, or else ``labels.csv`` of the folder if there is one.

    Args:
        pictures: their paths.
        folder: the capture's, or that of the pictures.
        file: a table with the columns ``picture`` and ``label``.

    Raises:
        RequestError: a file cannot be read, says two things of a picture, or fits no picture.
    """
    beside = folder / LABELS_FILE
    if file is None and beside.is_file():
        file = beside
    return by_folder(pictures) if file is None else by_file(pictures, file)


def by_folder(pictures: Sequence[str]) -> Labels:
    """Return the first folders of the paths as classes.

    A picture outside them has none.
    """
    return labelled(pictures, [path.split("/", 1)[0] if "/" in path else "" for path in pictures])


def by_file(pictures: Sequence[str], file: Path) -> Labels:
    """Return the classes that a table says.

    Raises:
        RequestError: see ``labels_for``.
    """
    said = _read(file)
    known = set(pictures)
    unknown = [path for path in said if path not in known]
    if len(unknown) == len(said):
        raise RequestError(
            "none of {labels} in {file} is of a picture of this capture: the file has {theirs}, the capture "
            "{ours}",
            labels=counted("one label", "{count} labels", count=len(said)),
            file=file.name,
            theirs=", ".join(unknown[:_SHOWN]) or "-",
            ours=", ".join(pictures[:_SHOWN]) or "-",
        )
    return labelled(pictures, [said.get(path, "") for path in pictures], unknown)


def labelled(pictures: Sequence[str], labels: Sequence[str], unknown: Sequence[str] = ()) -> Labels:
    """Return the classes of pictures, given the label of each.

    An empty label is none.
    """
    classes = tuple(sorted(set(labels) - {""}))
    place = {name: number for number, name in enumerate(classes)}
    numbers = np.array([place.get(label, -1) for label in labels], np.int64)
    left = [path for path, label in zip(pictures, labels, strict=True) if not label]
    return Labels(classes, numbers, tuple(left[:_SHOWN]), tuple(unknown[:_SHOWN]), len(unknown))


def labels_of(paths: Sequence[str], said: Mapping[str, str]) -> list[str]:
    """Return each path's label from a table, empty for none.

    If the path itself is not there, the longest end of it counts that no other path has.
    """
    shared = Counter(end for path in paths for end in _ends(path))
    return [
        next((said[end] for end in _ends(path) if end in said and (end == path or shared[end] == 1)), "")
        for path in paths
    ]


def _ends(path: str) -> list[str]:
    """Return the path, then each shorter end without its first folders."""
    parts = path.split("/")
    return ["/".join(parts[begun:]) for begun in range(len(parts))]


def labels_in(table: bytes, file: str) -> dict[str, str]:
    """Return the label of each picture that a table names.

    An empty label is none.

    Raises:
        RequestError: it is no table of labels, or says two things of a picture.
    """
    said: dict[str, str] = {}
    for path, label in _rows(table, file):
        if not path or not label:
            continue
        if said.setdefault(path, label) != label:
            raise RequestError(
                "{file} gives {picture} two labels, {one} and {other}",
                file=file,
                picture=path,
                one=said[path],
                other=label,
            )
    return said


def too_large(file: str) -> RequestError:
    """Return the error for a table with too many bytes."""
    return RequestError("{file} is too large for a table of labels", file=file)


def _read(file: Path) -> dict[str, str]:
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise too_large(file.name)
        return labels_in(file.read_bytes(), file.name)
    except OSError as error:
        reason = error.strerror or type(error).__name__  # without the path: visitors read it too
        raise _unreadable(file.name, reason) from error


def _rows(table: bytes, file: str) -> Iterator[tuple[str, str]]:
    """Yield each line's path and label, without the other columns."""
    try:
        text = table.decode("utf-8-sig")
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=_mark(text.partition("\n")[0]))
        places = _places([name.strip().lower() for name in next(rows, [])], file)
        for row in rows:
            path, label = (row[place].strip() if place < len(row) else "" for place in places)
            yield path.replace("\\", "/").removeprefix("./"), label
    except UnicodeDecodeError as error:
        raise _unreadable(file, Sentence("it is not text in UTF-8")) from error
    except csv.Error as error:
        raise _unreadable(file, str(error)) from error


def _mark(head: str) -> str:
    """Return the separator; Excel's is a semicolon beside decimal commas."""
    return ";" if ";" in head and "," not in head else ","


def _places(columns: Sequence[str], file: str) -> list[int]:
    missing = [name for name in _COLUMNS if name not in columns]
    if missing:
        raise RequestError(
            "{file} has no column {missing}: its first line is picture,label, and each line after "
            "it a picture's path and its class",
            file=file,
            missing=" or ".join(missing),
        )
    return [columns.index(name) for name in _COLUMNS]


def _unreadable(file: str, reason: str) -> RequestError:
    return RequestError("cannot read {file} as a table of labels: {reason}", file=file, reason=reason)
