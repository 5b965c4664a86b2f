"""Every download opens, and holds the numbers of the layer on screen."""

import io
import json
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page

from tests.browser.oracle import assert_mosaic_shows, lenet_outputs
from tests.browser.pictures import photo, png
from tests.browser.steps import drawing, expect_another_picture, facts, upload, visit

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_every_download_opens(page: Page, server: str) -> None:
    """The maps as PNG, the figure as PNG, SVG and PDF, the arrays as NPZ, each under a telling name."""
    visit(page, server, model="lenet", layer="conv2")
    before = drawing(page)
    upload(page, "own.png", png(photo(31)), "image/png")
    expect_another_picture(page, before)
    own = lenet_outputs(photo(31))["conv2"]
    files = {label: _download(page, label) for label in ("one pixel", "(PNG)", "(SVG)", "(PDF)", "(NPZ)")}
    assert all("lenet" in name and "conv2" in name for name, _ in files.values())
    mosaic = np.asarray(Image.open(io.BytesIO(files["one pixel"][1])).convert("RGBA"))
    assert_mosaic_shows(mosaic, own, facts(page))
    with Image.open(io.BytesIO(files["(PNG)"][1])) as figure:
        assert min(figure.size) > 300
    assert ET.fromstring(files["(SVG)"][1]).tag.endswith("svg")
    assert files["(PDF)"][1].startswith(b"%PDF")
    assert files["(PDF)"][1].rstrip().endswith(b"%%EOF")
    with np.load(io.BytesIO(files["(NPZ)"][1])) as arrays:
        array = arrays["output"]
        assert json.loads(str(arrays["card"]))["layer"] == "conv2"
    np.testing.assert_allclose(array, own[None], rtol=1e-5, atol=1e-6)


def _download(page: Page, label: str) -> tuple[str, bytes]:
    """The file's name and bytes; the menu closes after each."""
    page.locator(".lg-downloads summary").click()
    with page.expect_download() as waiting:
        page.locator(".lg-downloads a").filter(has_text=label).last.click()
    return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()
