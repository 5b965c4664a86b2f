"""The two formats of ``torch.save``: an archive, and bare pickles.

The archive has parts; before 2020 there were pickles with storages behind them.

Source: torch/serialization.py for both; APPNOTE.TXT of PKWARE, sections 4.3 and 4.4, for the archive. Only
what PyTorch writes is read: uncompressed parts, in a file of less than 4 GiB.
"""

import struct
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from ..errors import OwnWeightsError
from ..sentences import Sentence
from .pickled import Pickles
from .pickled_weights import PickledStorage, PickledWeights
from .state_refusals import (
    ADVICE,
    ARCHIVE,
    LONGEST_LIST,
    MOST_ENTRIES,
    PYTORCH,
    damaged,
    not_read,
    too_many_names,
    too_many_parts,
)

__all__ = [
    "OLD_PROTOCOL",
    "PickleContents",
    "archive_parts",
    "check_order",
    "names_in",
    "read_archive",
    "read_pickles",
    "unpacked",
]

_PART, _ENTRY, _END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
_PART_FIELDS = struct.Struct("<4s5H3I2H")
_ENTRY_FIELDS = struct.Struct("<4s6H3I5H2I")
_END_FIELDS = struct.Struct("<4s4H2IH")
_LONGEST_COMMENT = 65_535
_IN_ZIP64 = 0xFFFF, 0xFFFFFFFF  # a count, and a place, that stand in another record
_ENCRYPTED, _DEFLATED = 1, 8
_LIST = "data.pkl"
_MAGIC, _VERSION = 0x1950A86A20F9469CFC6C, 1001
_IN_FRONT = 32  # bytes that have the first of these numbers, whatever the protocol
_OLD_STEPS = b"(}]c"  # a pickle begins so if its protocol is 0 or 1
OLD_PROTOCOL = Sentence("a PyTorch file of pickle_protocol 0 or 1")
_OTHER_ARCHIVE = Sentence("a ZIP archive that torch.save did not write")
Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PickleContents:
    """Content of a pickle of weights, and its storages' places.

    Attributes:
        contents: containers, texts, numbers and ``PickledTensor``.
        places: first byte of each storage and the byte after its last, by its key.
        stranger: the name of the first thing in it that is no part of a tensor, or an empty text.
    """

    contents: object
    places: Mapping[str, Range]
    stranger: str


@dataclass(frozen=True, slots=True)
class _Entry:
    """A part of an archive, as the archive's directory lists it."""

    name: str
    header: int
    size: int
    stored: int
    method: int

    @property
    def packed(self) -> bool:
        """True if the file holds its bytes in another form."""
        return self.method != 0 or self.stored != self.size


def read_archive(data: bytes) -> PickleContents:
    """Return the content of an archive of ``torch.save``.

    Only the pickle that lists the weights is read.

    Raises:
        OwnWeightsError: it holds more than weights, or would unpack to more than its own size.
        EOFError, LookupError, TypeError, ValueError: it is damaged.
    """
    parts = archive_parts(data)
    lists = [name for name in parts if name.endswith(f"/{_LIST}")]
    if not lists:
        raise not_read(_OTHER_ARCHIVE)
    if len(lists) > 1:
        raise damaged(PYTORCH, untrue=True)
    root, (start, stop) = lists[0].removesuffix(_LIST), parts[lists[0]]
    if stop - start > LONGEST_LIST:
        raise too_many_names()
    if data[start] in _OLD_STEPS:
        raise not_read(OLD_PROTOCOL)
    order = parts.get(f"{root}byteorder", (0, 0))
    check_order(order == (0, 0) or data[order[0] : order[1]] == b"little")
    meanings = PickledWeights()
    contents = Pickles(data, start, stop, meanings).load()
    places = {key: _place(parts[f"{root}data/{key}"], each) for key, each in meanings.storages.items()}
    return PickleContents(contents, places, meanings.stranger)


def read_pickles(data: bytes) -> PickleContents:
    """Return the content of a file that ``torch.save`` wrote before 2020.

    Raises:
        OwnWeightsError: it is another program's pickle.
        EOFError, LookupError, TypeError, ValueError: it is damaged.
    """
    if _MAGIC.to_bytes(10, "little") not in data[:_IN_FRONT]:
        raise OwnWeightsError(
            "This is a pickle that torch.save did not write; nothing in it was run. Please {advice}.",
            advice=ADVICE,
        )
    meanings = PickledWeights()
    pickles = Pickles(data, 0, min(len(data), LONGEST_LIST), meanings)
    if pickles.load() != _MAGIC or pickles.load() != _VERSION:
        raise damaged(PYTORCH)
    machine = pickles.load()
    check_order(isinstance(machine, dict) and machine.get("little_endian") is True)
    contents, keys = pickles.load(), pickles.load()
    if not isinstance(keys, list) or len(keys) != len(meanings.storages):
        raise damaged(PYTORCH, untrue=True)
    places, position = {}, pickles.position
    for key in keys:
        storage = meanings.storages[key] if isinstance(key, str) else None
        if storage is None or int.from_bytes(data[position : position + 8], "little") != storage.count:
            raise damaged(PYTORCH, untrue=True)
        places[key] = _place((position + 8, min(len(data), position + 8 + storage.bytes)), storage)
        position = places[key][1]
    return PickleContents(contents, places, meanings.stranger)


def _place(found: Range, storage: PickledStorage) -> Range:
    """Return a storage's place, after a check of its size."""
    if found[1] - found[0] != storage.bytes:
        raise damaged(PYTORCH, untrue=True)
    return found


def check_order(little: bool) -> None:
    """Refuse a file whose numbers' first bytes are the largest.

    Raises:
        OwnWeightsError: they are.
    """
    if not little:
        raise OwnWeightsError(
            "The numbers in this file were written on a machine with the opposite byte order; {advice}.",
            advice=ADVICE,
        )


def names_in(data: bytes) -> tuple[str, ...]:
    """Return the names of an archive's parts, as its directory lists them.

    Raises:
        OwnWeightsError: there are too many, or it has no directory.
        LookupError, TypeError, ValueError, struct.error: it is damaged.
    """
    return tuple(entry.name for entry in _directory(data))


def unpacked(data: bytes, wanted: Callable[[str], bool], most: int) -> dict[str, bytes]:
    """Return the wanted parts of any program's archive, unpacked, by name.

    ``most`` is the number of bytes that they may have together.

    Raises:
        OwnWeightsError: they are larger.
        LookupError, TypeError, ValueError, struct.error: it is damaged.
    """
    entries = [entry for entry in _directory(data) if wanted(entry.name)]
    if sum(entry.size for entry in entries) > most:
        raise OwnWeightsError(
            "This archive would unpack to more than {size} MB; {advice}.",
            size=f"{most / 1e6:,.0f}",
            advice=ADVICE,
        )
    return {entry.name: _unpacked(data, entry) for entry in entries}


def _unpacked(data: bytes, entry: _Entry) -> bytes:
    start, stop = _range(data, entry)
    if entry.method == _DEFLATED:
        machine = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            found = machine.decompress(memoryview(data)[start:stop], entry.size + 1)
        except zlib.error as error:
            raise damaged(ARCHIVE) from error
    else:
        found = data[start:stop] if entry.method == 0 else b""
    if len(found) != entry.size:
        raise damaged(ARCHIVE, untrue=True)
    return found


def archive_parts(data: bytes) -> dict[str, Range]:
    """Return the places of an archive's parts, none overlapping another.

    A part that is compressed is left out: TorchScript's program is, and no part of a state dict.
    """
    listed = _directory(data)
    entries = [entry for entry in listed if not entry.packed]
    if any(map(_is_read, set(listed) - set(entries))) or sum(entry.size for entry in entries) > len(data):
        raise OwnWeightsError(
            "This archive would unpack to more than its own {size} bytes, unlike PyTorch's; {advice}.",
            size=f"{len(data):,}",
            advice=ADVICE,
        )
    places = {entry.name: _range(data, entry) for entry in entries}
    order = sorted((entry.header, places[entry.name][1]) for entry in entries)
    if len(places) < len(entries) or any(one[1] > other[0] for one, other in pairwise(order)):
        raise damaged(PYTORCH, untrue=True)
    return places


def _is_read(entry: _Entry) -> bool:
    part = entry.name.partition("/")[2]
    return part == _LIST or part.startswith("data/")


def _directory(data: bytes) -> list[_Entry]:
    end = data.rfind(_END, max(0, len(data) - _LONGEST_COMMENT - _END_FIELDS.size))
    if end < 0:
        raise damaged(PYTORCH)
    *_, count, _, position, _ = _END_FIELDS.unpack(data[end : end + _END_FIELDS.size])
    if count == _IN_ZIP64[0] or position == _IN_ZIP64[1]:
        raise OwnWeightsError(
            "This archive has more than 4 GB, or more than 65,534 parts, and cannot be read here; save its "
            "weights as safetensors."
        )
    if count > MOST_ENTRIES:
        raise too_many_parts()
    entries = []
    for _ in range(count):
        entry, position = _entry(data, position)
        entries.append(entry)
    return entries


def _entry(data: bytes, position: int) -> tuple[_Entry, int]:
    """Return an entry of the directory, and where the next one begins."""
    fields = _ENTRY_FIELDS.unpack(data[position : position + _ENTRY_FIELDS.size])
    sign, _, _, flags, method, _, _, _, packed, size, name, extra, comment, *_, header = fields
    if sign != _ENTRY or flags & _ENCRYPTED:
        raise damaged(PYTORCH)
    position += _ENTRY_FIELDS.size
    text = _text(data[position : position + name])
    return _Entry(text, header, size, packed, method), position + name + extra + comment


def _text(name: bytes) -> str:
    """Return a name in UTF-8, or else in ZIP's first code page."""
    try:
        return str(name, "utf-8")
    except UnicodeDecodeError:
        return str(name, "cp437")


def _range(data: bytes, entry: _Entry) -> Range:
    """Return the byte range of a part, after the part's header."""
    fields = _PART_FIELDS.unpack(data[entry.header : entry.header + _PART_FIELDS.size])
    start = entry.header + _PART_FIELDS.size + fields[-2] + fields[-1]
    if fields[0] != _PART or start + entry.stored > len(data):
        raise damaged(PYTORCH)
    return start, start + entry.stored
