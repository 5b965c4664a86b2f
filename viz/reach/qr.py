"""An address as a QR code, for the page or a terminal."""

import io

import segno

LONGEST = 300  # characters: more makes squares that no camera reads from afar
_WHITE_ON_BLACK, _USUAL = "\x1b[97;40m", "\x1b[0m"  # Source: ECMA-48, section 8.3.117
_QUIET = 4  # modules around it. Source: ISO/IEC 18004, section 6.3.8


def qr_svg(address: str) -> bytes:
    """Return the code as an SVG picture, black on white.

    It is so in any theme, because cameras expect that.
    """
    buffer = io.BytesIO()
    code = segno.make_qr(address, error="m")
    code.save(buffer, kind="svg", border=_QUIET, dark="#000", light="#fff", xmldecl=False, omitsize=True)
    return buffer.getvalue()


def qr_text(address: str) -> str:
    """Return the code as text, two rows of squares in a line.

    It is black on white, whatever colours a terminal has.
    """
    buffer = io.StringIO()
    segno.make_qr(address, error="l").terminal(buffer, border=2, compact=True)
    return "".join(f"{_WHITE_ON_BLACK}{line}{_USUAL}\n" for line in buffer.getvalue().splitlines())
