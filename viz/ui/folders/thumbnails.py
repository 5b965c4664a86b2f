"""A capture's pictures whose files are not here: their names, and the small copies that it has kept."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import pyarrow as pa
import pyarrow.parquet as pq

from ...errors import ImageError
from ...exemplars.keeping import PICTURES_FILE
from ...pictures.photo import Photo, photograph
from ..visit.jobs.reading import read_photo
from .sources import FOLDER


class Thumbnails:
    """Pictures whose files are not here.

    Args:
        names: what the pictures are called.
        digest: names all pictures together.
        out: the capture's folder.
    """

    kind, place = FOLDER, ""
    stamps: Mapping[str, str] = MappingProxyType({})

    def __init__(self, names: Sequence[str], digest: str, out: Path) -> None:
        self.names, self.digest, self._out = names, digest, out

    def title(self, name: str) -> str:
        """See ``Source``."""
        return name

    def photo(self, name: str, visitor: str) -> Photo:
        """The small copy, as large as the picture was: so the model prepares it alike, and boxes fit.

        Raises:
            ImageError: the capture has kept no copy of it.
        """
        size, data = _row(self._out / PICTURES_FILE, name)
        if not data:
            raise ImageError(
                "this capture's pictures are not on this server, and it has no thumbnails: --pictures names "
                "their folder"
            )
        small = read_photo(data, visitor)
        return small if small.image.size == size else photograph(small.image.resize(size))


def _row(path: Path, name: str) -> tuple[tuple[int, int], bytes]:
    """Return a picture's size and its thumbnail; no bytes if there is none."""
    columns = ["width", "height", "thumbnail"]
    try:
        rows = pq.read_table(path, filters=[("picture", "==", name)], columns=columns).to_pylist()
    except (OSError, pa.ArrowException):
        rows = []
    if not rows or not rows[0]["width"]:
        return (0, 0), b""
    return (rows[0]["width"], rows[0]["height"]), rows[0]["thumbnail"] or b""
