"""Pictures on object storage, or at any other URI of pyarrow."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import pyarrow as pa
from pyarrow import fs

from ...errors import RequestError

MARK = "://"


class ListedFile(NamedTuple):
    """A file in a bucket, and its size in bytes.

    Its path begins behind the bucket's own.
    """

    path: str
    size: int


@dataclass(frozen=True)
class Bucket:
    """A place with pictures that has an address.

    Attributes:
        uri: such as ``s3://bucket/photos``, ``gs://…``, ``hdfs://…`` or ``file:///…``.
    """

    uri: str

    def __str__(self) -> str:
        scheme, mark, rest = self.uri.partition("?")[0].partition(MARK)
        host, slash, path = rest.partition("/")
        return f"{scheme}{mark}{host.rpartition('@')[2]}{slash}{path}"  # without keys

    def files(self) -> Iterator[ListedFile]:
        """Yield all files, in the order of a folder on disk.

        Names that begin with a dot are left out, also those of folders.

        Raises:
            RequestError: there is no such place, or it cannot be listed.
        """
        try:
            system, root = _opened(self.uri)
            found = system.get_file_info(fs.FileSelector(root, recursive=True))
        except (OSError, ValueError, pa.ArrowException) as error:
            raise RequestError(
                "cannot list {place}: {error}", place=self, error=_first_line(error)
            ) from error
        begun = len(root.rstrip("/")) + 1 if root else 0
        files = [ListedFile(each.path[begun:], each.size) for each in found if each.is_file]
        shown = (each for each in files if not any(part.startswith(".") for part in each.path.split("/")))
        yield from sorted(shown, key=lambda each: each.path.split("/"))

    def read(self, path: str, most: int) -> bytes:
        """Return the bytes of a file, at most so many.

        Raises:
            OSError: it cannot be read.
        """
        system, root = _opened(self.uri)
        with system.open_input_file(f"{root.rstrip('/')}/{path}" if root else path) as file:
            read: bytes = file.read(most)
        return read


@lru_cache(maxsize=8)
def _opened(uri: str) -> tuple[Any, str]:
    """Return an address's file system, and the path in it."""
    system, path = fs.FileSystem.from_uri(uri)
    return system, path


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
