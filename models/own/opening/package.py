"""Folders of weights in a ZIP, as transformers saves them.

They hold shards with their index, and a configuration.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from ...errors import OwnWeightsError
from ..formats.exported import is_exported
from ..state_archive import names_in, unpacked
from ..state_reading import ZIP, FileContents, is_script, read_contents, table_of
from ..state_refusals import ARCHIVE, damaged, readable
from ..state_table import PlacedTensor, StateTable, StoredNumbers, checked

__all__ = ["PACKED", "Package", "is_package", "read_package", "weights_in"]

PACKED = (".safetensors", ".bin", ".pt", ".pth", ".ckpt")
"""Endings of files of weights, the preferred first."""
_INDEX, _CONFIG = ".index.json", "config.json"
_USUAL = "pytorch_model.bin"  # transformers puts its trainer's settings beside it
_LARGEST_JSON = 16_000_000
_ROOM = 64_000_000  # bytes that a package may unpack to, beyond twice its own


@dataclass(frozen=True, slots=True)
class Package:
    """Contents of a folder of weights.

    Attributes:
        data: the bytes of its files of weights, one after the other.
        contents: its tensors, in ``data``; of one file also what else it holds.
        config: the configuration beside the weights.
        files: the names of the files of weights.
    """

    data: bytes
    contents: FileContents
    config: Mapping[str, Any]
    files: tuple[str, ...]


def weights_in(data: bytes) -> tuple[StateTable, bytes]:
    """Return the tensors of a file or folder, and their bytes.

    A folder comes as a ZIP; the bytes of a file are the file itself.

    Raises:
        OwnWeightsError: it is damaged, or holds something other than weights.
    """
    with readable(ARCHIVE):
        names = names_in(data) if data.startswith(ZIP) else ()
        if not is_package(names):
            return table_of(data), data
        found = read_package(data)
    return checked(found.contents.table, len(found.data)), found.data


def is_package(names: Collection[str]) -> bool:
    """Return whether an archive is a folder of weights, not a program."""
    return any(map(_is_weights, names)) and not is_exported(names) and not is_script(names)


def read_package(data: bytes) -> Package:
    """Return the weights of a folder in a ZIP file.

    Raises:
        OwnWeightsError: a shard is missing, there is no one file of weights, or one cannot be read.
        LookupError, RecursionError, TypeError, ValueError: it is damaged.
    """
    names = tuple(name for name in names_in(data) if not name.startswith("__MACOSX/"))
    folder = _folder(names)
    inside = {PurePosixPath(name).name for name in names if str(PurePosixPath(name).parent) == folder}
    config = _json(data, folder, {_CONFIG} & inside, names)
    index = _json(data, folder, _index(inside), names)
    files = _shards(index, inside) if index else _weights(inside)
    real = {str(PurePosixPath(name)): name for name in names}  # some programs write ./ in front
    paths = [real[str(PurePosixPath(folder, file))] for file in files]
    parts = unpacked(data, lambda name: name in paths, 2 * len(data) + _ROOM)
    read = [read_contents(parts[path]) for path in paths]
    tables = [each.table for each in read]
    names_of = [each.name for table in tables for each in table.tensors]
    if len(set(names_of)) < len(names_of):
        raise _several(files)  # as one model in two precisions
    pickled = read[0].pickled if len(read) == 1 else None
    joined = _joined(tables, [len(parts[path]) for path in paths])
    return Package(
        b"".join(parts[path] for path in paths), FileContents(joined, pickled), config, tuple(files)
    )


def _is_weights(name: str) -> bool:
    return name.endswith(PACKED) and not name.startswith("__MACOSX/")


def _folder(names: Collection[str]) -> str:
    """Return the folder nearest to the top that has weights."""
    folders = [str(PurePosixPath(name).parent) for name in names if _is_weights(name)]
    return min(folders, key=lambda folder: (folder.count("/"), folder != ".", folder))


def _ending(names: Collection[str], ending: str) -> set[str]:
    return {name for name in names if name.endswith(ending)}


def _index(inside: Collection[str]) -> set[str]:
    """Return a folder's indexes of shards, of pickles only without others."""
    safe, pickled = (_ending(inside, f"{ending}{_INDEX}") for ending in PACKED[:2])
    return safe or (set() if _ending(inside, PACKED[0]) else pickled)


def _json(data: bytes, folder: str, names: Collection[str], parts: Collection[str]) -> dict[str, Any]:
    """Return a JSON file's object, or an empty one without a file."""
    if not names:
        return {}
    wanted = str(PurePosixPath(folder, min(names)))
    path = next(part for part in parts if str(PurePosixPath(part)) == wanted)
    found = json.loads(unpacked(data, lambda name: name == path, _LARGEST_JSON)[path])
    if not isinstance(found, dict):
        raise damaged(ARCHIVE)
    return found


def _shards(index: Mapping[str, Any], inside: Collection[str]) -> list[str]:
    """Return the files that an index names, in its order."""
    placed = index["weight_map"]
    if not isinstance(placed, dict):
        raise damaged(ARCHIVE)
    shards = list(dict.fromkeys(map(str, placed.values())))
    missing = [shard for shard in shards if shard not in inside]
    if missing:
        raise OwnWeightsError(
            "The index of this model names {count} files of weights; {missing} of them are missing: {first}.",
            count=len(shards),
            missing=len(missing),
            first="".join(filter(str.isprintable, missing[0][:80])),
        )
    return shards


def _weights(inside: Collection[str]) -> list[str]:
    """Return a folder's files of weights where no index names them.

    They are all safetensors, or one other file, of several the one that transformers writes.
    """
    found = next(filter(None, (sorted(_ending(inside, ending)) for ending in PACKED)))
    if _USUAL in found:
        return [_USUAL]
    if len(found) > 1 and not found[0].endswith(PACKED[0]):
        raise _several(found)
    return found


def _several(files: Collection[str]) -> OwnWeightsError:
    return OwnWeightsError(
        "There are {count} files of weights in this folder; open one of them alone.", count=len(files)
    )


def _joined(tables: list[StateTable], sizes: list[int]) -> StateTable:
    """Return the table of files that follow one another."""
    storages: list[StoredNumbers] = []
    tensors: list[PlacedTensor] = []
    first = 0
    for table, size in zip(tables, sizes, strict=True):
        tensors += [replace(each, storage=each.storage + len(storages)) for each in table.tensors]
        storages += [
            replace(each, start=each.start + first, stop=each.stop + first) for each in table.storages
        ]
        first += size
    return StateTable(tuple(storages), tuple(tensors))
