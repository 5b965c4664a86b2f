"""A capture's pictures without files: names, and small copies if kept."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pyarrow.compute as pc

from ...errors import ImageError, VizError
from ...exemplars.finished.tables import FinishedTable, finished_table
from ...exemplars.keeping import PICTURES_FILE
from ...pictures.images import check_size
from ...pictures.photo import Photo, photograph
from ..visit.jobs.reading import read_photo
from .sources import FOLDER

_FEW = 1 << 9  # rows with small pictures that are read at a time


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
        with finished_table(path) as table:
            groups = [group for group in table.groups if table.may_have(group, "picture", name)]
            row = next(filter(None, (_found(table, group, name) for group in groups)), None)
    except VizError:
        row = None
    if row is None or not row["width"]:
        return (0, 0), b""
    return (row["width"], row["height"]), row["thumbnail"] or b""


def _found(table: FinishedTable, group: int, name: str) -> dict[str, Any] | None:
    """Return a picture's row, if it is in a group of rows."""
    begun = 0
    for batch in table.batches(["picture"], [group]):
        names = batch["picture"]
        at = pc.index(names.indices, pc.index(names.dictionary, name)).as_py()
        if at >= 0:
            return _row_at(table, group, begun + at)
        begun += batch.num_rows
    return None


def _row_at(table: FinishedTable, group: int, at: int) -> dict[str, Any] | None:
    """Return a picture's row by its place in a group of rows."""
    for batch in table.batches(["width", "height", "thumbnail"], [group], rows=_FEW):
        if at < batch.num_rows:
            row: dict[str, Any] = batch.slice(at, 1).to_pylist()[0]
            return row
        at -= batch.num_rows
    return None
