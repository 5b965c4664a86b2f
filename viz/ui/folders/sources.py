"""Sources of pictures: the server's folder, own ones, the samples."""

import hashlib
import os
import threading
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Protocol

from ...errors import ImageError, RequestError
from ...exemplars.listing import Entry, entries, text_of
from ...home import LABELS, PICTURES
from ...pictures.images import MAX_BYTES
from ...pictures.own_donors import donor_photo
from ...pictures.photo import Photo
from ...pictures.samples import sample_names, sample_title
from ..visit.jobs.reading import read_photo
from ..visit.own_folder import OwnFolder

FOLDER, OWN, SAMPLES = "folder", "own", "samples"
KINDS = FOLDER, OWN, SAMPLES  # the first that a page has is shown first
LIST_AGAIN_SECONDS = 60.0


class Source(Protocol):
    """Pictures by name."""

    kind: str
    place: str
    """Where they are: other places have other names."""

    @property
    def names(self) -> Sequence[str]:
        """Names of the pictures, in order."""

    @property
    def digest(self) -> str:
        """Digest of all pictures together: others have another one."""

    @property
    def stamps(self) -> Mapping[str, str]:
        """Stamps by name: another picture of a name has another one."""

    def title(self, name: str) -> str:
        """Return a picture's title for visitors, by its name."""

    def photo(self, name: str, visitor: str) -> Photo:
        """The picture, decoded in a process of its own.

        Raises:
            ImageError: there is no such picture, or it cannot be read.
        """


class ServedFolder:
    """A folder on the server, whose pictures every visitor may see."""

    kind = FOLDER

    def __init__(self, root: Path) -> None:
        self.root, self.place = root, os.path.realpath(root)
        self._lock = threading.Lock()
        self._listed = 0.0
        self._names: dict[str, str] = {}
        self._stamps: dict[str, str] = {}
        self._digest = ""

    @property
    def names(self) -> Sequence[str]:
        """See ``Source``."""
        return tuple(self._known())

    @property
    def digest(self) -> str:
        """See ``Source``."""
        self._known()
        return self._digest

    @property
    def stamps(self) -> Mapping[str, str]:
        """See ``Source``."""
        self._known()
        return self._stamps

    def title(self, name: str) -> str:
        """See ``Source``."""
        return name

    def photo(self, name: str, visitor: str) -> Photo:
        """See ``Source``."""
        path = self._known().get(name)
        if path is None:
            raise ImageError("there is no such picture in the server's folder")
        return read_photo(_bytes(self.root / path), visitor)

    def _known(self) -> Mapping[str, str]:
        """Return the pictures' paths by their names, listed again now and then."""
        with self._lock:
            now = time.monotonic()
            if not self._names or now - self._listed > LIST_AGAIN_SECONDS:
                self._listed = now
                found = self._found()
                self._names = {text_of(each.path): each.path for each in found}
                self._stamps = {text_of(each.path): f"{each.size} {each.modified}" for each in found}
                about = (f"{name} {stamp}" for name, stamp in self._stamps.items())
                self._digest = _digest(self.place, *about)
            return self._names

    def _found(self) -> Sequence[Entry]:
        try:
            return [each for each in entries(self.root) if each.picture]
        except RequestError:
            return []


class OwnSource:
    """The pictures of one visit."""

    kind, place = OWN, ""

    def __init__(self, folder: OwnFolder) -> None:
        self.folder = folder

    @property
    def names(self) -> Sequence[str]:
        """See ``Source``."""
        return tuple(self.folder.files)

    @property
    def digest(self) -> str:
        """See ``Source``."""
        return _digest(*self.folder.files)

    @property
    def stamps(self) -> Mapping[str, str]:
        """See ``Source``: empty, since a name is made of the content."""
        return dict.fromkeys(self.folder.files, "")

    @property
    def labels(self) -> Mapping[str, str]:
        """The pictures' classes from the visitor's tables; empty without one."""
        return {name: file.label for name, file in self.folder.files.items()}

    def title(self, name: str) -> str:
        """See ``Source``."""
        file = self.folder.files.get(name)
        return file.name if file else ""

    def photo(self, name: str, visitor: str) -> Photo:
        """See ``Source``."""
        file = self.folder.files.get(name)
        if file is None:
            raise ImageError("this picture is not among yours any more")
        return read_photo(file.data, visitor)


class SampleSource:
    """The sample pictures, to look through before anybody brings any."""

    kind = place = SAMPLES

    @property
    def names(self) -> Sequence[str]:
        """See ``Source``."""
        return sample_names()

    @property
    def digest(self) -> str:
        """See ``Source``."""
        return _digest(*sample_names())

    @property
    def stamps(self) -> Mapping[str, str]:
        """See ``Source``: they never change while a server runs."""
        return dict.fromkeys(sample_names(), "")

    def title(self, name: str) -> str:
        """See ``Source``."""
        return sample_title(name)

    def photo(self, name: str, visitor: str) -> Photo:  # noqa: ARG002  # ours, so nobody has to wait for a reader
        """See ``Source``."""
        if name not in sample_names():
            raise ImageError("there is no such sample picture")
        return donor_photo(name)


@cache
def served() -> ServedFolder | None:
    """Return the server's folder; None if the operator names none."""
    named = os.environ.get(PICTURES, "")
    return ServedFolder(Path(named)) if named else None


def served_labels() -> Path | None:
    """Return the server's file of labels; None if the operator names none."""
    named = os.environ.get(LABELS, "")
    return Path(named) if named else None


def _bytes(path: Path) -> bytes:
    """Return a file's bytes, at most one beyond the limit."""
    if not path.is_file():  # reading a pipe would wait for ever
        raise ImageError("this is no file")
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ImageError("this file cannot be read: {reason}", reason=reason) from error


def _digest(*names: str) -> str:
    digest = hashlib.sha256()
    for name in names:
        digest.update(f"{name}\0".encode(errors="surrogateescape"))
    return digest.hexdigest()
