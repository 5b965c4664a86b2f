"""Picture files made to be expensive, written by hand if no program would write them."""

import struct
import zlib
from collections.abc import Callable, Iterable
from io import BytesIO

import numpy as np
from PIL import Image

WIDTH, HEIGHT = 8000, 5000  # 40 megapixels, the most that are read
LONG = 19_900_000  # bytes, somewhat fewer than are read
SMALL = Image.new("RGB", (16, 16), "teal")
_GIF_FRAME = b",\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0;"


def saved(picture: Image.Image, kind: str, **options: object) -> bytes:
    """The picture as a file."""
    file = BytesIO()
    picture.save(file, kind, **options)  # type: ignore[arg-type]
    return file.getvalue()


def chunk(name: bytes, data: bytes) -> bytes:
    """A PNG chunk."""
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def zeros(count: int) -> bytes:
    """A zlib stream of that many zeros."""
    packer, piece = zlib.compressobj(9), bytes(1 << 20)
    parts = [packer.compress(piece[: count - done]) for done in range(0, count, len(piece))]
    return b"".join(parts) + packer.flush()


def png(
    bits: int,
    colour: int,
    pixels: bytes,
    *,
    size: tuple[int, int] = (1, 1),
    interlace: int = 0,
    more: bytes = b"",
) -> bytes:
    """A PNG file; its pixels are chunks, or a zlib stream that is put into one."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", *size, bits, colour, 0, 0, interlace))
    chunks = pixels if pixels[4:8] == b"IDAT" else chunk(b"IDAT", pixels)
    return b"\x89PNG\r\n\x1a\n" + header + more + chunks + chunk(b"IEND", b"")


def large_png(bits: int, colour: int, *, interlace: int = 0, more: bytes = b"") -> bytes:
    """40 megapixels of zeros in a small file."""
    values = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
    rows = HEIGHT * (1 + WIDTH * bits * values // 8)
    return png(
        bits,
        colour,
        zeros(rows + 99 * HEIGHT * interlace),
        size=(WIDTH, HEIGHT),
        interlace=interlace,
        more=more,
    )


def png_of_empty_chunks(name: bytes) -> bytes:
    """One pixel in a file full of chunks without content."""
    packed, count = zlib.compress(b"\0\7"), LONG // 12
    if name == b"IDAT":
        return png(8, 0, chunk(name, packed[:4]) + chunk(name, b"") * count + chunk(name, packed[4:]))
    return png(8, 0, packed, more=chunk(name, b"") * count)


def jpeg(segments: bytes) -> bytes:
    """A small JPEG file with something before its own segments."""
    whole = saved(SMALL, "JPEG")
    return whole[:2] + segments + whole[2:]


def segment(marker: int, content: bytes) -> bytes:
    """A JPEG segment."""
    return struct.pack(">BBH", 0xFF, marker, 2 + len(content)) + content


def jpeg_of_filling(count: int) -> bytes:
    """40 megapixels, whose only pass is endless filling."""
    whole = saved(SMALL, "JPEG")
    frame, passes = whole.index(b"\xff\xc0"), whole.index(b"\xff\xda")
    sized = whole[: frame + 5] + struct.pack(">HH", HEIGHT, WIDTH) + whole[frame + 9 : passes + 14]
    return sized + b"\xff" * count + b"\xff\xd9"


def exif_of_entries(count: int) -> bytes:
    """Camera data with a long list of no use."""
    return b"II*\0\x08\0\0\0" + struct.pack("<H", count) + bytes(12 * count)


def scan(components: Iterable[int], first: int, last: int, bits: int, data: bytes) -> bytes:
    """A pass of a progressive JPEG file."""
    listed = b"".join(bytes([component, 0]) for component in components)
    return segment(0xDA, bytes([len(listed) // 2]) + listed + bytes([first, last, bits])) + data


def jpeg_of_passes(count: int, *, arithmetic: bool = False) -> bytes:
    """40 megapixels, refined again and again by passes that change nothing."""
    base = saved(Image.new("L", (16, 16)), "JPEG", progressive=True)
    frame = base.index(b"\xff\xc2")
    sized = base[frame + 2 : frame + 5] + struct.pack(">HH", HEIGHT, WIDTH) + base[frame + 9 : frame + 13]
    runs = segment(0xC4, b"\x10\1" + bytes(15) + b"\xe0") + segment(0xC4, b"\0\1" + bytes(15) + b"\0")
    nothing = bytes(2 * (WIDTH * HEIGHT // 64 // 16384 + 2))
    passes = scan([1], 0, 0, 1, b"") + scan([1], 1, 63, 1, nothing)
    passes += scan([1], 1, 63, 0x10, nothing) * (count - 2)
    kind = b"\xff\xca" if arithmetic else b"\xff\xc2"
    return base[:frame] + kind + sized + runs + passes + b"\xff\xd9"


def gif(before: bytes) -> bytes:
    """One pixel, with something before its frame."""
    return b"GIF89a\1\0\1\0\x80\0\0" + bytes(3) + b"\xff\xff\xff" + before + _GIF_FRAME


def bmp(bits: int, compression: int, body: bytes, *, size: tuple[int, int], colours: int = 0) -> bytes:
    """A BMP file; a palette goes from black to white."""
    count = (colours or 1 << bits) if bits < 16 else 0
    palette = b"".join(bytes([255 * place // (count - 1)] * 3 + [0]) for place in range(count))
    info = struct.pack("<IiiHHIIiiII", 40, *size, 1, bits, compression, len(body), 0, 0, colours, 0)
    return b"BM" + struct.pack("<IHHI", 0, 0, 0, 54 + len(palette)) + info + palette + body


def riff(*chunks: tuple[bytes, bytes]) -> bytes:
    """A WebP file of these chunks."""
    body = b"".join(
        name + struct.pack("<I", len(data)) + data + bytes(len(data) % 2) for name, data in chunks
    )
    return b"RIFF" + struct.pack("<I", 4 + len(body)) + b"WEBP" + body


def webp_of_one_colour(width: int, height: int) -> bytes:
    """A whole lossless WebP picture in 28 bytes: five codes of one symbol each, which need no bits.

    Source: RFC 9649, section 3.7.2.1.
    """
    codes = sum(0b0001 << 3 + 4 * place for place in range(5))
    content = struct.pack("<BII", 0x2F, width - 1 | height - 1 << 14, codes)[:8]
    return riff((b"VP8L", content))


def moving_webp(width: int, height: int) -> bytes:
    """A large screen with a small frame on it, and then many more."""
    frame = webp_of_one_colour(2, 2)[12:]
    place = bytes(6) + bytes([1, 0, 0, 1, 0, 0]) + bytes(4)
    screen = b"\x02\0\0\0" + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return riff((b"VP8X", screen), (b"ANIM", bytes(6)), *[(b"ANMF", place + frame)] * 1000)


def large(mode: str, kind: str, **options: object) -> Callable[[], bytes]:
    """Makes a file of 40 megapixels of one colour, as a program would write it."""
    return lambda: saved(Image.new(mode, (WIDTH, HEIGHT)), kind, **options)


def noise(mode: str, size: tuple[int, int], seed: int) -> Image.Image:
    """A picture of random pixels, smooth enough to survive lossy formats."""
    bands = len(Image.new(mode, (1, 1)).getbands())
    values = np.random.default_rng(seed).integers(0, 256, (size[1], size[0], bands), dtype=np.uint8)
    return Image.merge(mode, [Image.fromarray(values[..., band]) for band in range(bands)])
