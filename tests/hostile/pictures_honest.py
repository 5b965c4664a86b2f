"""Picture files as programs write them: every format, in all storage variants that are in use."""

import struct
import zlib
from collections.abc import Callable, Iterator

import numpy as np
from PIL import Image, PngImagePlugin

from tests.hostile.pictures import bmp, chunk, noise, png, saved

_ADAM7 = ((0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1))
Generator = np.random.Generator


def honest_files(count: int) -> Iterator[tuple[str, bytes]]:
    """This many files of random sizes and pixels, which use each way of writing in turn."""
    ways = [*_plain_ways(), *_ways_by_hand()]
    for number in range(count):
        name, write = ways[number % len(ways)]
        yield f"{number}: {name}", write(np.random.default_rng(number))


def _plain_ways() -> Iterator[tuple[str, Callable[[Generator], bytes]]]:
    """Yield the ways in which Pillow writes pictures."""
    for mode in ("1", "L", "LA", "P", "RGB", "RGBA", "I;16"):
        yield f"PNG {mode}", _pillow(mode, "PNG")
    yield "PNG P, a colour transparent", _pillow("P", "PNG", transparency=3)
    yield "PNG P, all colours half transparent", _pillow("P", "PNG", transparency=bytes(range(256)))
    yield "PNG L, a grey transparent", _pillow("L", "PNG", transparency=7)
    yield "PNG with texts", _pillow("RGB", "PNG", pnginfo=_texts())
    yield "PNG that moves", _pillow("RGBA", "PNG", frames=3)
    for quality in (5, 50, 95):
        for subsampling in (0, 1, 2):
            yield f"JPEG {quality}", _pillow("RGB", "JPEG", quality=quality, subsampling=subsampling)
    for mode in ("L", "RGB", "CMYK"):
        yield f"JPEG {mode}, progressive", _pillow(mode, "JPEG", progressive=True)
        yield f"JPEG {mode}, restarts", _pillow(mode, "JPEG", restart_marker_blocks=1)
    for kind in ("JPEG", "WEBP", "PNG"):
        for orientation in range(1, 9):
            yield f"{kind} held {orientation}", _pillow("RGB", kind, exif=_camera(orientation))
    for mode in ("L", "RGB", "RGBA"):
        yield f"WebP {mode}", _pillow(mode, "WEBP")
        yield f"WebP {mode}, lossless", _pillow(mode, "WEBP", lossless=True)
        yield f"WebP {mode}, moving", _pillow(mode, "WEBP", lossless=True, frames=3)
    for mode in ("1", "L", "P", "RGB", "RGBA"):
        yield f"BMP {mode}", _pillow(mode, "BMP")
    for mode in ("L", "P", "RGB"):
        yield f"GIF {mode}", _pillow(mode, "GIF", comment=b"a comment" * 99)
        yield f"GIF {mode}, in lines", _pillow(mode, "GIF", interlace=0)
        yield f"GIF {mode}, moving", _pillow(mode, "GIF", frames=3, loop=0, disposal=2)
    yield "GIF, a colour transparent", _pillow("P", "GIF", transparency=5)


def _ways_by_hand() -> Iterator[tuple[str, Callable[[Generator], bytes]]]:
    """Yield the ways that Pillow reads and does not write."""
    for bits, colour in ((1, 0), (2, 0), (4, 0), (8, 0), (8, 2), (8, 4), (8, 6), (16, 2), (16, 6)):
        for interlace in (0, 1):
            yield f"PNG {bits} {colour} {interlace}", _png(bits, colour, interlace)
    for bits in (1, 4, 8, 16, 24, 32):
        for upwards in (True, False):
            yield f"BMP {bits}", _bitmap(bits, upwards=upwards)
    for bits in (4, 8):
        yield f"BMP of runs, {bits}", _runs(bits)


def _pillow(mode: str, kind: str, *, frames: int = 1, **options: object) -> Callable[[Generator], bytes]:
    def write(random: Generator) -> bytes:
        size = (int(random.integers(1, 48)), int(random.integers(1, 48)))
        pictures = [_picture(mode, size, int(random.integers(1 << 30))) for _ in range(frames)]
        more = {"save_all": True, "append_images": pictures[1:]} if frames > 1 else {}
        return saved(pictures[0], kind, **options, **more)

    return write


def _picture(mode: str, size: tuple[int, int], seed: int) -> Image.Image:
    if mode == "I;16":
        return Image.fromarray(np.random.default_rng(seed).integers(0, 65536, size[::-1], dtype=np.uint16))
    if mode in ("1", "P"):
        return noise("RGB" if mode == "P" else "L", size, seed).convert(mode)
    return noise(mode, size, seed)


def _texts() -> PngImagePlugin.PngInfo:
    texts = PngImagePlugin.PngInfo()
    texts.add_text("Software", "a program")
    texts.add_itxt("Comment", "说明", "zh", "说明", zip=True)
    return texts


def _camera(orientation: int) -> bytes:
    exif = Image.Exif()
    exif[0x0112] = orientation
    return exif.tobytes()


def _png(bits: int, colour: int, interlace: int) -> Callable[[Generator], bytes]:
    """In several chunks; interlaced ones in seven passes. Source: PNG specification, section 8.2."""

    def write(random: Generator) -> bytes:
        values = {0: 1, 2: 3, 4: 2, 6: 4}[colour]
        pixels = random.integers(0, 1 << bits, (*random.integers(1, 30, 2), values), dtype=np.uint16)
        steps = _ADAM7 if interlace else ((0, 0, 1, 1),)
        passes = [pixels[top::down, left::across] for top, left, down, across in steps]
        rows = b"".join(b"\0" + _packed(row, bits) for each in passes if each.size for row in each)
        packed = zlib.compress(rows)
        cuts = [packed[start : start + 7] for start in range(0, len(packed), 7)]
        chunks = b"".join(chunk(b"IDAT", cut) for cut in cuts)
        return png(bits, colour, chunks, size=(pixels.shape[1], pixels.shape[0]), interlace=interlace)

    return write


def _packed(row: np.ndarray, bits: int) -> bytes:
    """The numbers of a row packed into bytes, the highest bit first."""
    digits = row.reshape(-1, 1) >> np.arange(bits - 1, -1, -1, dtype=np.uint16) & 1
    return np.packbits(digits.astype(np.uint8)).tobytes()


def _bitmap(bits: int, *, upwards: bool) -> Callable[[Generator], bytes]:
    def write(random: Generator) -> bytes:
        width, height = (int(side) for side in random.integers(1, 30, 2))
        stride = (width * bits + 31) // 32 * 4
        body = random.integers(0, 256, stride * height, dtype=np.uint8).tobytes()
        return bmp(bits, 0, body, size=(width, height if upwards else -height))

    return write


def _runs(bits: int) -> Callable[[Generator], bytes]:
    """Rows of runs and of literal pixels, in random order."""

    def write(random: Generator) -> bytes:
        width, height = (int(side) for side in random.integers(6, 300, 2))
        rows = (b"".join(_codes(random, width, bits)) + b"\0\0" for _ in range(height))
        whole = bmp(bits, {8: 1, 4: 2}[bits], b"".join(rows) + b"\0\1", size=(width, height))
        palette = random.integers(0, 256, 4 << bits, dtype=np.uint8).tobytes()
        return whole[:54] + palette + whole[54 + len(palette) :]

    return write


def _codes(random: Generator, width: int, bits: int) -> Iterator[bytes]:
    while width:
        count = int(random.integers(1, min(width, 255) + 1))
        content = random.integers(0, 256, (count * bits + 7) // 8, dtype=np.uint8).tobytes()
        literal = count > 2 and random.integers(2)
        yield (
            b"\0" + struct.pack("B", count) + content + bytes(len(content) % 2)
            if literal
            else bytes([count, content[0]])
        )
        width -= count
