"""viz/pictures/images.py: right pixels from every kind of file, one sentence for everything else."""

import struct
import zlib
from collections.abc import Callable
from io import BytesIO

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageOps

from tests.hostile.pictures import chunk, saved
from viz.errors import ImageError
from viz.pictures.images import digest, read_image

RNG = np.random.default_rng(11)
PHOTO = RNG.integers(0, 256, (12, 20, 3), dtype=np.uint8)


def png(width: int, height: int, bits: int, colour: int, rows: bytes, *extra: bytes) -> bytes:
    """A PNG file written by hand, for what Pillow does not write."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, 0))
    return b"".join(
        [b"\x89PNG\r\n\x1a\n", header, *extra, chunk(b"IDAT", zlib.compress(rows, 9)), chunk(b"IEND", b"")]
    )


def pixels(data: bytes) -> NDArray[np.uint8]:
    """Return the pixels that the reader makes of a file."""
    picture = read_image(data)
    assert picture.mode == "RGB"
    assert not picture.info
    return np.asarray(picture)


@pytest.mark.parametrize(("kind", "options"), [("PNG", {}), ("BMP", {}), ("WEBP", {"lossless": True})])
def test_lossless_formats_give_every_pixel(kind: str, options: dict[str, object]) -> None:
    """An asymmetrical picture, so that swapped sides would show."""
    assert np.array_equal(pixels(saved(Image.fromarray(PHOTO), kind, **options)), PHOTO)


def test_jpeg_and_gif_give_what_their_decoders_give() -> None:
    """Pillow's plain reader is the oracle for files without surprises."""
    for kind in ("JPEG", "GIF"):
        data = saved(Image.fromarray(PHOTO), kind)
        assert np.array_equal(pixels(data), np.asarray(Image.open(BytesIO(data)).convert("RGB")))


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_pictures_are_turned_upright(kind: str, orientation: int) -> None:
    """The camera says how it was held, in either byte order."""
    corners = Image.new("RGB", (16, 32), "black")
    corners.paste("white", (0, 0, 8, 8))
    exif = Image.Exif()
    exif[0x0112] = orientation
    found = pixels(saved(corners, kind, exif=exif.tobytes()))
    bright = {1: "tl", 2: "tr", 3: "br", 4: "bl", 5: "tl", 6: "tr", 7: "br", 8: "bl"}[orientation]
    assert found.shape[:2] == ((16, 32) if orientation > 4 else (32, 16))
    half = {"t": slice(0, 4), "b": slice(-4, None), "l": slice(0, 4), "r": slice(-4, None)}
    assert found[half[bright[0]], half[bright[1]]].min() > 200


@pytest.mark.parametrize("bits", [1, 2, 4, 8, 16])
def test_grey_of_any_depth_fills_the_range(bits: int) -> None:
    """From black to white in equal steps; 16-bit values are scaled, not clipped."""
    top = (1 << bits) - 1
    steps = sorted({round(top * part / 7) for part in range(8)})
    width = len(steps)
    number = int("".join(f"{step:0{bits}b}" for step in steps), 2)
    row = (number << (-bits * width % 8)).to_bytes((bits * width + 7) // 8, "big")
    found = pixels(png(width, 1, bits, 0, b"\0" + row))[0]
    assert np.array_equal(found, np.repeat([round(step * 255 / top) for step in steps], 3).reshape(-1, 3))


def test_sixteen_bit_colours_keep_their_high_bytes() -> None:
    """A transparent colour among them becomes white."""
    row = b"\0" + struct.pack(">6H", 0x1234, 0x5678, 0x9ABC, 0xFF00, 0x0100, 0x8000)
    assert pixels(png(2, 1, 16, 2, row)).tolist() == [[[0x12, 0x56, 0x9A], [0xFF, 0x01, 0x80]]]
    key = chunk(b"tRNS", struct.pack(">3H", 0x1234, 0x5678, 0x9ABC))
    assert pixels(png(2, 1, 16, 2, row, key)).tolist() == [[[255, 255, 255], [0xFF, 0x01, 0x80]]]


@pytest.mark.parametrize(
    ("bits", "row"), [(1, b"\x40"), (2, b"\x40"), (4, b"\x50"), (8, b"\x05\x40"), (16, b"\0\x05\0\0")]
)
def test_a_transparent_grey_becomes_white(bits: int, row: bytes) -> None:
    """At every depth, the grey is named in the file's own range; the first pixel has it here."""
    first = int.from_bytes(row, "big") >> (len(row) * 8 - bits)
    data = png(2, 1, bits, 0, b"\0" + row, chunk(b"tRNS", struct.pack(">H", first)))
    assert pixels(data)[0, 0].tolist() == [255, 255, 255]
    assert pixels(data)[0, 1].tolist() != [5, 5, 5]


@pytest.mark.parametrize("mode", ["RGBA", "LA", "PA", "P"])
def test_transparency_becomes_white_and_hides_its_colours(mode: str) -> None:
    """Left half opaque, right half see-through with a colour that must not show."""
    layers = Image.new("RGBA", (6, 2), (50, 50, 50, 255))
    layers.paste((200, 200, 200, 0), (3, 0, 6, 2))
    data = (
        saved(layers, "PNG")
        if mode == "RGBA"
        else saved(layers.convert("LA" if mode == "LA" else "P"), "PNG")
    )
    if mode in ("P", "PA"):
        indexed = Image.new("P", (6, 2), 0)
        indexed.putpalette([50, 50, 50, 200, 0, 0])
        indexed.paste(1, (3, 0, 6, 2))
        data = saved(indexed, "PNG", transparency=1 if mode == "P" else b"\xff\0")
    found = pixels(data)
    assert (found[:, :3] == 50).all()
    assert (found[:, 3:] == 255).all()


def test_half_transparent_colours_are_mixed_with_white() -> None:
    """The mix is in proportion to the opacity."""
    assert pixels(saved(Image.new("RGBA", (2, 2), (0, 100, 200, 51)), "PNG"))[0, 0].tolist() == [
        204,
        224,
        244,
    ]


def test_cmyk_jpegs_have_their_colours_the_right_way_round() -> None:
    """Adobe programs store them inverted, as Pillow does."""
    data = saved(Image.new("CMYK", (16, 16), (255, 0, 0, 0)), "JPEG", quality=100)
    red, green, blue = pixels(data)[8, 8]
    assert red < 30
    assert min(green, blue) > 220


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
def test_of_a_moving_picture_the_first_frame_is_read(kind: str) -> None:
    """Red, then blue."""
    frames = [Image.new("RGB", (8, 6), colour) for colour in ("red", "blue")]
    options: dict[str, object] = {"lossless": True} if kind == "WEBP" else {}
    data = saved(frames[0], kind, save_all=True, append_images=frames[1:], **options)
    assert (pixels(data) == (255, 0, 0)).all()


def test_metadata_bombs_are_never_unpacked() -> None:
    """A text and a colour profile of 100 MB each, packed small, do not matter to the picture."""
    bomb = zlib.compress(bytes(100_000_000), 9)
    extra = chunk(b"zTXt", b"Comment\0\0" + bomb), chunk(b"iCCP", b"profile\0\0" + bomb)
    assert pixels(png(1, 1, 8, 0, b"\0\x07", *extra)).tolist() == [[[7, 7, 7]]]


def test_what_follows_a_jpeg_is_dropped() -> None:
    """Phones append a second picture or a film, whose bytes may look like anything."""
    data = saved(Image.fromarray(PHOTO), "JPEG")
    assert np.array_equal(pixels(data + b"\xff\xda\0\2" * 200), pixels(data))


def test_damaged_camera_data_does_not_spoil_the_picture() -> None:
    """The picture then counts as upright."""
    for exif in (b"", b"II*\0\xff\xff\xff\xff", b"MM\0*\0\0\0\x08\0\x05", b"junk"):
        data = saved(Image.fromarray(PHOTO), "JPEG", exif=b"Exif\0\0" + exif)
        assert pixels(data).shape == PHOTO.shape


def bomb(side: int) -> bytes:
    """A square grey PNG of a few kilobytes."""
    packer = zlib.compressobj(9)
    data = b"".join(packer.compress(bytes(side + 1)) for _ in range(side)) + packer.flush()
    return png(side, side, 8, 0, b"").replace(chunk(b"IDAT", zlib.compress(b"", 9)), chunk(b"IDAT", data))


PNG_FILE = saved(Image.fromarray(PHOTO), "PNG")
REFUSED: dict[str, tuple[Callable[[], bytes], str]] = {
    "nothing": (bytes, "empty"),
    "text": ("A photo? No: a text, déjà vu.\n".encode, "this is a text"),
    "web page": (lambda: b"<!doctype html><html>", "web page"),
    "SVG": (lambda: b'\xef\xbb\xbf\n<svg xmlns="http://www.w3.org/2000/svg"/>', "SVG"),
    "TIFF": (lambda: saved(Image.fromarray(PHOTO), "TIFF"), "TIFF"),
    "float TIFF": (lambda: saved(Image.new("F", (4, 4)), "TIFF"), "TIFF"),
    "HEIC": (lambda: b"\0\0\0\x18ftypheic" + bytes(99), "HEIC"),
    "AVIF": (lambda: b"\0\0\0\x18ftypavif" + bytes(99), "AVIF file is damaged"),
    "a film": (lambda: b"\0\0\0\x18ftypisom" + bytes(99), "a video"),
    "truncated AVIF": (lambda: saved(Image.fromarray(PHOTO), "AVIF")[:200], "AVIF file is damaged"),
    "a JPEG of 240 megapixels": (lambda: claimed_jpeg(20_000, 12_000), "at most 200 million"),
    "a long JPEG": (lambda: claimed_jpeg(13_000, 200), "more than 50 times"),
    "passes that are too large": (lambda: claimed_jpeg(14_000, 14_000, progressive=True), "several passes"),
    "PDF": (lambda: b"%PDF-1.7\n", "PDF"),
    "EPS": (lambda: b"%!PS-Adobe-3.0 EPSF-3.0\n", "text"),
    "noise": (lambda: RNG.integers(128, 256, 999, dtype=np.uint8).tobytes(), "unknown kind"),
    "RIFF that is sound": (lambda: b"RIFF\x24\0\0\0WAVEfmt ", "unknown kind|text"),
    "81 megapixels in little": (lambda: bomb(9000), "9,000 by 9,000"),
    "a long line": (lambda: png(1, 10_000, 1, 0, bytes(20_000)), "more than 50 times"),
    "a long side": (lambda: png(13_000, 300, 1, 0, b""), "12,000 on a side"),
    "too many bytes": (lambda: bytes(20_000_001), "MB"),
    "no width": (lambda: png(0, 4, 8, 0, b""), "nothing to see"),
    "header alone": (lambda: PNG_FILE[:33], "PNG file is damaged"),
    "signature alone": (lambda: PNG_FILE[:8], "PNG file is damaged"),
    "truncated PNG": (lambda: PNG_FILE[: len(PNG_FILE) * 2 // 3], "PNG file is damaged"),
    "pixels missing": (lambda: png(20, 20, 8, 0, bytes(50)), "PNG file is damaged"),
    "truncated JPEG": (lambda: saved(Image.fromarray(PHOTO), "JPEG")[:700], "JPEG file is damaged"),
    "JPEG without end": (lambda: b"\xff\xd8\xff\xe0\0\x10JFIF" + b"\xff" * 50, "JPEG file is damaged"),
    "truncated WebP": (lambda: saved(Image.fromarray(PHOTO), "WEBP")[:90], "WebP file is damaged"),
    "truncated GIF": (lambda: saved(Image.fromarray(PHOTO), "GIF")[:60], "GIF file is damaged"),
    "truncated BMP": (lambda: saved(Image.fromarray(PHOTO), "BMP")[:200], "BMP file is damaged"),
    "endless passes": (lambda: saved(Image.fromarray(PHOTO), "JPEG")[:-2] + b"\xff\xda\0\2" * 200, "passes"),
}


def claimed_jpeg(width: int, height: int, **options: object) -> bytes:
    """A JPEG file of a few pixels whose header claims more."""
    data = saved(Image.fromarray(PHOTO), "JPEG", subsampling=0, **options)
    frame = data.index(b"\xff\xc2" if options else b"\xff\xc0")
    return data[: frame + 5] + struct.pack(">HH", height, width) + data[frame + 9 :]


def test_a_file_is_named_by_its_content_where_it_cannot_be_read() -> None:
    """A phone's photo by any of its kinds, an AVIF by its second kind, and what a decoder is missing for."""
    for brand in (b"heic", b"heix", b"mif1"):
        with pytest.raises(ImageError, match="this is a HEIC photo, not a picture that can be read: use PNG"):
            read_image(b"\0\0\0\x18ftyp" + brand + bytes(99))
    second = saved(Image.fromarray(PHOTO), "AVIF").replace(b"ftypavif", b"ftypmif1", 1)
    assert read_image(second).size == (20, 12)


def test_an_avif_without_its_decoder_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some builds of Pillow have none."""
    data = saved(Image.fromarray(PHOTO), "AVIF")
    monkeypatch.setattr("PIL.features.check", lambda _: False)
    with pytest.raises(ImageError, match="this is an AVIF file, not a picture that can be read"):
        read_image(data)


@pytest.mark.parametrize("orientation", [1, 6])
def test_an_avif_is_read_as_its_decoder_reads_it(orientation: int) -> None:
    """The pixels of Pillow's plain reader, upright, and see-through places on white."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    layers = Image.fromarray(PHOTO).convert("RGBA")
    layers.paste((9, 9, 9, 0), (0, 0, 6, 12))
    data = saved(layers, "AVIF", exif=exif.tobytes(), quality=100)
    plain = ImageOps.exif_transpose(Image.open(BytesIO(data)))
    flat = Image.alpha_composite(Image.new("RGBA", plain.size, "white"), plain).convert("RGB")
    assert np.abs(pixels(data).astype(int) - np.asarray(flat).astype(int)).max() <= 1


@pytest.mark.parametrize(
    ("size", "step"),
    [((8064, 6048), 2), ((12_999, 300), 2), ((16_001, 3001), 2), ((14_000, 14_000), 4)],
)
def test_a_large_jpeg_is_reduced_to_the_means_of_its_blocks(size: tuple[int, int], step: int) -> None:
    """Photos and panoramas beyond the limits: a drawing of squares keeps each square's colour and place."""
    squares = RNG.integers(0, 256, (30, 40, 3), dtype=np.uint8)
    photo = Image.fromarray(squares).resize(size, Image.Resampling.NEAREST)
    found = read_image(saved(photo, "JPEG", quality=90))
    assert found.size == (-(-size[0] // step), -(-size[1] // step))
    shrunk = np.asarray(photo.resize(found.size, Image.Resampling.BOX)).astype(int)
    assert np.abs(np.asarray(found).astype(int) - shrunk).mean() < 3


def test_a_jpeg_within_the_limits_is_not_reduced() -> None:
    """Twelve thousand pixels on a side, and Pillow's own values."""
    data = saved(Image.fromarray(PHOTO).resize((12_000, 300)), "JPEG")
    assert np.array_equal(pixels(data), np.asarray(Image.open(BytesIO(data)).convert("RGB")))


@pytest.mark.parametrize("entries", [257, 300, 60_000])
def test_a_palette_with_more_see_through_entries_than_colours_is_read(entries: int) -> None:
    """The first colour is see-through, the second a fifth opaque; what is beyond 256 belongs to no colour."""
    palette = chunk(b"PLTE", bytes([10, 20, 30, 40, 50, 60]))
    data = png(2, 1, 8, 3, b"\0\0\1", palette, chunk(b"tRNS", b"\0" + b"\x33" * (entries - 1)))
    assert pixels(data).tolist() == [[[255, 255, 255], [212, 214, 216]]]


@pytest.mark.parametrize("case", REFUSED)
def test_everything_else_is_refused_in_one_sentence(case: str) -> None:
    """The sentence is ours, not a library's, and says what to do."""
    make, words = REFUSED[case]
    with pytest.raises(ImageError, match=words) as caught:
        read_image(make())
    message = str(caught.value)
    assert "\n" not in message
    assert "Error" not in message
    assert "<" not in message


def test_what_is_not_bytes_is_refused() -> None:
    """A path would otherwise open files of the server."""
    with pytest.raises(ImageError, match="not from str"):
        read_image("/etc/hostname")  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "AVIF", "BMP", "GIF"])
def test_random_damage_gives_a_picture_or_an_image_error(kind: str) -> None:
    """Nothing else, and no warning, whichever bytes are changed, cut or doubled."""
    options: dict[str, object] = (
        {"exif": b"Exif\0\0II*\0\x08\0\0\0\0\0"} if kind in ("PNG", "JPEG", "WEBP") else {}
    )
    whole = saved(Image.fromarray(PHOTO), kind, **options)
    outcomes = set()
    for _ in range(400):
        data = bytearray(whole)
        for place in RNG.integers(0, len(data), RNG.integers(1, 6)):
            data[place] = RNG.integers(0, 256)
        start, end = sorted(RNG.integers(0, len(data), 2))
        data = [data, data[:end], data[:end] + data[start:], data[:start] + data[end:]][RNG.integers(0, 4)]
        try:
            outcomes.add(read_image(bytes(data)).mode)
        except ImageError:
            outcomes.add("refused")
    assert "refused" in outcomes


def test_a_digest_is_the_sha_256_of_the_bytes() -> None:
    """The published example. Source: FIPS 180-4 examples, 'abc'."""
    assert digest(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_an_empty_screen_is_said_to_be_empty() -> None:
    """If a file ends before its first frame, only its screen is known: an empty one is reported as empty."""
    with pytest.raises(ImageError, match="0 by 0 pixels: there is nothing to see"):
        read_image(b"GIF89a" + bytes(40))
    with pytest.raises(ImageError, match="damaged or incomplete"):
        read_image(b"GIF89a\1\0\1\0" + bytes(40))


def test_a_png_that_lacks_only_its_end_is_read() -> None:
    """Its pixels are whole; with a part of them missing it is refused."""
    whole = saved(Image.fromarray(PHOTO), "PNG")
    assert np.array_equal(pixels(whole[:-12]), PHOTO)
    start = whole.index(b"IDAT") - 4
    stored = whole[start + 8 : -16]
    first = whole[:start] + chunk(b"IDAT", stored[: len(stored) // 2])
    assert np.array_equal(pixels(first + chunk(b"IDAT", stored[len(stored) // 2 :])), PHOTO)
    for data in (first, whole[:start], whole[:-13]):
        with pytest.raises(ImageError, match="damaged or incomplete"):
            read_image(data)
