"""A QR code is read by a decoder that shares nothing with what wrote it."""

import re

import cv2
import numpy as np
import pytest

from viz.reach.qr import qr_svg, qr_text

ADDRESSES = ("http://192.168.1.20:8501/?class=KPRTMN", "https://glass.example.org/a/path/?class=BCDFGH")


def decoded(modules: np.ndarray) -> str:
    """Return the text that OpenCV reads in a picture of dark modules."""
    picture = np.where(np.kron(modules, np.ones((8, 8), bool)), 0, 255).astype(np.uint8)
    text, _, _ = cv2.QRCodeDetector().detectAndDecode(picture)
    return text


def modules_of(svg: str) -> np.ndarray:
    """The dark modules of the path that the picture draws as horizontal strokes."""
    side = int(re.findall(r'viewBox="0 0 (\d+) \d+"', svg)[0])
    found = np.zeros((side, side), bool)
    strokes = re.findall(r'stroke="#000"[^>]*? d="([^"]+)"|d="([^"]+)"[^>]*? stroke="#000"', svg)
    x, y = 0.0, 0.0
    for kind, first, second in re.findall(r"([Mmh])(-?[\d.]+)(?:[ ,](-?[\d.]+))?", "".join(strokes[0])):
        if kind == "M":
            x, y = float(first), float(second)
        elif kind == "m":
            x, y = x + float(first), y + float(second)
        else:
            found[int(y), int(x) : int(x + float(first))] = True
            x += float(first)
    return found


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_camera_reads_the_address(address: str) -> None:
    """From the SVG's own strokes, with the quiet zone around them."""
    svg = qr_svg(address).decode()
    assert decoded(modules_of(svg)) == address
    assert 'fill="#fff"' in svg


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_terminal_shows_the_same(address: str) -> None:
    """Two rows of modules in a line; light ones are drawn, in white on black."""
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in qr_text(address).splitlines()]
    lines = [line for line in lines if line]
    assert len({len(line) for line in lines}) == 1
    light = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1), " ": (0, 0)}
    rows = [[light[sign][half] for sign in line] for line in lines for half in (0, 1)]
    assert decoded(np.pad(~np.array(rows, bool), 4)) == address
