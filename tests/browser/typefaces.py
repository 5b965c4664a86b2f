"""Fonts and text sizes of visitors: what fits must fit with each, not with this machine's own.

A test of how the page is laid out is marked with ``EVERY_TYPEFACE``; one of a whole page with ``EVERY_SIZE``,
which has larger and smaller text too. Where each case of a test takes long, they take the typefaces
``in_turn``. The fonts are those of a fontconfig file of our own, so that Chromium knows of no others. Text
grows as by the browser's own setting of it, through its developer tools.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, cycle
from pathlib import Path

import pytest
from playwright.sync_api import Page

STANDARD = 16  # pixels of text that is neither larger nor smaller, in every browser
FOLDERS = (
    Path("/usr/share/fonts"),
    Path("/usr/local/share/fonts"),
    Path.home() / ".local/share/fonts",
    Path.home() / ".fonts",
)
SANS = ("sans-serif", "system-ui", "serif", "Arial", "Times New Roman")  # Chromium asks for the last two
MONO = ("monospace", "ui-monospace", "Courier New")
CONFIGURED = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
{folders}
<cachedir>/var/cache/fontconfig</cachedir>
<cachedir>{cache}</cachedir>
<selectfont>
<rejectfont><pattern><patelt name="scalable"><bool>true</bool></patelt></pattern></rejectfont>
<rejectfont><pattern><patelt name="scalable"><bool>false</bool></patelt></pattern></rejectfont>
<acceptfont>{accepted}</acceptfont>
</selectfont>
{aliases}
<match target="pattern"><edit name="family" mode="append_last">{sans}</edit></match>
</fontconfig>
"""


@dataclass(frozen=True)
class Font:
    """A family, the file of its regular style, and the package that it is in, by package manager."""

    family: str
    file: str
    packages: dict[str, str]


@dataclass(frozen=True)
class Typeface:
    """A set of fonts that machines come with; the first of each kind is tried first."""

    sans: tuple[Font, ...]
    mono: tuple[Font, ...]


def _font(family: str, file: str, apt: str, dnf: str, apk: str) -> Font:
    return Font(family, file, {"apt-get": apt, "dnf": dnf, "apk": apk})


DEJAVU = _font("DejaVu Sans", "DejaVuSans.ttf", "fonts-dejavu-core", "dejavu-sans-fonts", "font-dejavu")
DEJAVU_MONO = _font(
    "DejaVu Sans Mono", "DejaVuSansMono.ttf", "fonts-dejavu-core", "dejavu-sans-mono-fonts", "font-dejavu"
)
LIBERATION = _font(
    "Liberation Sans",
    "LiberationSans-Regular.ttf",
    "fonts-liberation",
    "liberation-sans-fonts",
    "font-liberation",
)
LIBERATION_MONO = _font(
    "Liberation Mono",
    "LiberationMono-Regular.ttf",
    "fonts-liberation",
    "liberation-mono-fonts",
    "font-liberation",
)
NOTO = _font("Noto Sans", "NotoSans-Regular.ttf", "fonts-noto-core", "google-noto-sans-fonts", "font-noto")
CJK, CJK_MONO = (
    _font(family, "NotoSansCJK-Regular.ttc", "fonts-noto-cjk", "google-noto-sans-cjk-fonts", "font-noto-cjk")
    for family in ("Noto Sans CJK SC", "Noto Sans Mono CJK SC")
)
TYPEFACES = {
    "dejavu": Typeface((DEJAVU,), (DEJAVU_MONO,)),
    "liberation": Typeface((LIBERATION,), (LIBERATION_MONO,)),
    "noto": Typeface((NOTO, CJK), (CJK_MONO,)),
}


@dataclass(frozen=True)
class Reader:
    """Fonts of a visitor: a typeface, or the machine's own fonts, and the size of text in per cent."""

    typeface: str = ""
    size: int = 100

    def __str__(self) -> str:
        return "-".join([self.typeface, *([] if self.size == 100 else [str(self.size)])])

    def sets_up(self, page: Page) -> None:
        """Give the page the browser's text size, which Chromium's settings call “Font size”.

        Streamlit's theme fixes the page's text at 16 pixels whatever the browser says; ``page.css`` takes it
        from the browser again. Browsers take whole pixels for it: 90 per cent are 14. Zooming is another
        thing: it makes the screen smaller, not the text larger.
        """
        if self.size != 100:
            sizes = {"standard": STANDARD * self.size // 100, "fixed": 13 * self.size // 100}
            page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": sizes})


AS_IT_IS = Reader()
_ALL = [Reader(name) for name in TYPEFACES]
# The narrowest letters when small and the widest when large: the others lie between them.
_SIZES = [Reader("liberation", 90), Reader("dejavu", 125)]
EVERY_TYPEFACE = pytest.mark.parametrize("reader", _ALL, indirect=True, ids=str)
EVERY_SIZE = pytest.mark.parametrize("reader", [*_ALL, *_SIZES], indirect=True, ids=str)


def in_turn(*values: tuple[str, ...]) -> pytest.MarkDecorator:
    """Give each case of a dear test the next typeface; the names of the arguments come first."""
    names, *cases = values
    readers = zip(cycle(_ALL), cases, strict=False)
    return pytest.mark.parametrize(
        ("reader", *names),
        [pytest.param(reader, *case, id="-".join([*case, str(reader)])) for reader, case in readers],
        indirect=["reader"],
    )


def missing() -> Iterator[Font]:
    """The fonts that this machine lacks, on a system where fontconfig chooses them."""
    for typeface in TYPEFACES.values() if sys.platform == "linux" else ():
        yield from (font for font in chain(typeface.sans, typeface.mono) if not _found(font.file))


def environment(typeface: str, folder: Path) -> dict[str, str]:
    """The environment in which Chromium knows these fonts only; ``folder`` keeps their list.

    Elsewhere than on Linux no such list is read: there what fits must fit with the system's own fonts.

    Raises:
        LookupError: a font of the set is not installed; the sentence says which package has it.
    """
    if not typeface or sys.platform != "linux":
        return {}
    fonts = TYPEFACES[typeface]
    lacking = [font for font in chain(fonts.sans, fonts.mono) if not _found(font.file)]
    if lacking:
        names = " ".join(sorted({font.packages["apt-get"] for font in lacking}))
        raise LookupError(
            f"This test needs the font {lacking[0].family}, which is not installed: "
            f"run apt-get install {names}, or install what it is called on this system."
        )
    file = folder / f"{typeface}.conf"
    file.write_text(_configured(fonts, folder), encoding="utf-8")
    return {"FONTCONFIG_FILE": str(file)}


def _found(file: str) -> Path | None:
    """The folder that has the font's file."""
    places = chain.from_iterable(folder.rglob(file) for folder in FOLDERS if folder.is_dir())
    return next((place.parent for place in places), None)


def _configured(fonts: Typeface, folder: Path) -> str:
    every = [*fonts.sans, *fonts.mono]
    return CONFIGURED.format(
        folders="".join(
            f"<dir>{place}</dir>" for place in sorted({str(_found(font.file)) for font in every})
        ),
        cache=folder / "cache",
        accepted="".join(
            f'<pattern><patelt name="family"><string>{font.family}</string></patelt></pattern>'
            for font in every
        ),
        aliases="".join(
            f'<match target="pattern"><test name="family"><string>{name}</string></test>'
            f'<edit name="family" mode="assign" binding="strong">{_strings(kind)}</edit></match>'
            for names, kind in ((SANS, fonts.sans), (MONO, fonts.mono))
            for name in names
        ),
        sans=_strings(fonts.sans),
    )


def _strings(fonts: tuple[Font, ...]) -> str:
    return "".join(f"<string>{font.family}</string>" for font in fonts)
