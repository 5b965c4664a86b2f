"""A capture's pictures without files: names, and small copies if kept."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ...errors import ImageError, VizError
from ...exemplars.asking import check_groups
from ...exemplars.keeping import PICTURES_FILE
from ...pictures.images import check_size
from ...pictures.photo import Photo, photograph
from ..visit.jobs.reading import read_photo
from .sources import FOLDER


class Thumbnails:
    """Pictures whose files are not here.

    Args:
        names: the pictures' names.
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
        """Return the small copy, enlarged to the picture's size.

        So the model prepares it alike, and boxes fit.

        Raises:
            ImageError: the capture has kept no copy of it, or says that it was larger than pictures may be.
        """
        size, data = _row(self._out / PICTURES_FILE, name)
        if not data:
            raise ImageError(
                "this capture's pictures are not on this server, and it has no thumbnails: --pictures names "
                "their folder"
            )
        check_size(*size)
        small = read_photo(data, visitor)
        return small if small.image.size == size else photograph(small.image.resize(size))


def _row(path: Path, name: str) -> tuple[tuple[int, int], bytes]:
    """Return a picture's size and its thumbnail, empty without one."""
    try:
        check_groups(path)
        with pq.ParquetFile(path) as file:
            rows = next(filter(None, (_found(file, group, name) for group in range(file.num_row_groups))), [])
    except (OSError, pa.ArrowException, VizError, KeyError):
        rows = []
    if not rows or not rows[0]["width"]:
        return (0, 0), b""
    return (rows[0]["width"], rows[0]["height"]), rows[0]["thumbnail"] or b""


def _found(file: pq.ParquetFile, group: int, name: str) -> list[dict[str, Any]]:
    """Return a picture's row, if it is in a group of rows."""
    columns = ["picture", "width", "height", "thumbnail"]
    names = file.read_row_group(group, columns[:1])["picture"]
    at = pc.index(names, name).as_py()
    if at < 0:
        return []
    rows: list[dict[str, Any]] = file.read_row_group(group, columns[1:]).slice(at, 1).to_pylist()
    return rows
