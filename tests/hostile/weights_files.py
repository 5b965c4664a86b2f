"""Files of weights made to do harm, assembled byte by byte, because no library would write them."""

import io
import json
import pickle
import struct
import zipfile

HEAD, END = b"\x80\x02", b"."
ARCHIVE_END = struct.Struct("<4s4H2IH")


def text(value: str) -> bytes:
    """Instructions for a text."""
    raw = value.encode()
    return b"X" + struct.pack("<I", len(raw)) + raw


def number(value: int) -> bytes:
    """Instructions for a whole number, of up to 255 bytes."""
    raw = value.to_bytes((value.bit_length() + 8) // 8, "little", signed=True)
    return b"\x8a" + bytes([len(raw)]) + raw


def named(name: str) -> bytes:
    """Instructions that name a thing: ``torch Tensor``."""
    return b"c" + name.replace(" ", "\n").encode() + b"\n"


def numbers(*values: int) -> bytes:
    """Instructions for a tuple of whole numbers."""
    return b"(" + b"".join(map(number, values)) + b"t"


def call(name: str, *arguments: bytes) -> bytes:
    """Instructions that call a named thing."""
    return named(name) + b"(" + b"".join(arguments) + b"tR"


def storage(count: int, kind: str = "torch FloatStorage", key: str = "0") -> bytes:
    """Instructions for a storage beside the pickle."""
    return b"(" + text("storage") + named(kind) + text(key) + text("cpu") + number(count) + b"tQ"


def tensor(part: bytes, shape: tuple[int, ...], stride: tuple[int, ...], offset: int = 0) -> bytes:
    """Instructions that rebuild a tensor as ``torch.save`` writes them."""
    hooks = call("collections OrderedDict")
    rest = (number(offset), numbers(*shape), numbers(*stride), b"\x89", hooks)
    return call("torch._utils _rebuild_tensor_v2", part, *rest)


def entry(value: bytes, name: str = "weight") -> bytes:
    """A pickle of a state dict with one entry."""
    return HEAD + b"}" + text(name) + value + b"s" + END


def archive(listed: bytes, **parts: bytes) -> bytes:
    """An archive of ``torch.save`` with this list; its storages are the other parts, ``_0`` first."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("archive/data.pkl", listed)
        made.writestr("archive/version", b"3\n")
        for name, data in parts.items():
            made.writestr(f"archive/data/{name.removeprefix('_')}", data)
    return file.getvalue()


def of_2019(listed: bytes, keys: tuple[str, ...] = (), behind: bytes = b"") -> bytes:
    """A file as ``torch.save`` wrote it before 2020, with this list."""
    machine = {"protocol_version": 1001, "little_endian": True, "type_sizes": {}}
    start = [pickle.dumps(each, 2) for each in (0x1950A86A20F9469CFC6C, 1001, machine)]
    viewed = listed.replace(b"tQ", b"NtQ")  # such files also say which storage one is a part of: none
    return b"".join(start) + viewed + pickle.dumps(list(keys), 2) + behind


def nested_key(levels: int) -> bytes:
    """A dict whose key is a tuple of twice a tuple of twice…; hashing it takes 2 ** levels steps."""
    return HEAD + b"})" + doubled(b"\x86", levels) + b"Ns" + END


def nested_call(levels: int) -> bytes:
    """A call with such a nested list; printing it takes 2 ** levels steps."""
    return entry(b"]" + doubled(b"\x86", levels) + b")R")


def doubled(pair: bytes, levels: int) -> bytes:
    """Instructions that put what is on the stack into a pair with itself, again and again."""
    return b"".join(
        b"r" + struct.pack("<I", each) + b"j" + struct.pack("<I", each) + pair for each in range(levels)
    )


def colliding_keys(count: int) -> bytes:
    """A dict of whole numbers that Python's hash cannot tell apart."""
    keys = (number(each * (2**61 - 1)) + b"N" for each in range(1, count + 1))
    return HEAD + b"}(" + b"".join(keys) + b"u" + END


def padded_directory(count: int) -> bytes:
    """An archive whose directory has entries of 64 kB, which some readers copy for every four bytes."""
    data = archive(entry(b"N"))
    end = data.rindex(b"PK\x05\x06")
    *_, size, position, _ = ARCHIVE_END.unpack(data[end:])
    first = data[position : position + size]
    padding = b"\xfe\xca\x00\x00" * 16_383
    sized = first[:30] + struct.pack("<H", len(padding)) + first[32:]
    length = count * (len(sized) + len(padding))
    return (
        data[:position]
        + (sized + padding) * count
        + ARCHIVE_END.pack(b"PK\x05\x06", 0, 0, count, count, length, position, 0)
    )


def many_lists(count: int, steps: int) -> bytes:
    """An archive with one list of weights and many others, each with this many instructions."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("archive/data.pkl", entry(b"N"))
        made.writestr("archive/version", b"3\n")
        for each in range(count):
            made.writestr(f"archive/more{each}.pkl", HEAD + b"N0" * (steps // 2) + b"N.")
    return file.getvalue()


def safetensors(header: str, body: bytes = b"") -> bytes:
    """A safetensors file with this header, right or wrong."""
    raw = header.encode()
    return len(raw).to_bytes(8, "little") + raw + body


def prefixed(names: int, prefixes: int) -> bytes:
    """A safetensors file whose names have this many prefixes."""
    number_of = ({"dtype": "F32", "shape": [], "data_offsets": [4 * at, 4 * at + 4]} for at in range(names))
    listed = {"module." * prefixes + str(at): each for at, each in enumerate(number_of)}
    return safetensors(json.dumps(listed), bytes(4 * names))
