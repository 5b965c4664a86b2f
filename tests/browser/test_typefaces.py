"""The fonts that a test asks for are those on the page, and text is as large as the browser is set to."""

import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser import typefaces
from tests.browser.steps import visit
from tests.browser.typefaces import EVERY_TYPEFACE, TYPEFACES, Reader, environment, missing

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ROOT_SIZE = "parseFloat(getComputedStyle(document.documentElement).fontSize)"


def drawn_with(page: Page, selector: str) -> set[str]:
    """The families that Chromium really draws an element's letters with."""
    tools = page.context.new_cdp_session(page)
    tools.send("DOM.enable")
    tools.send("CSS.enable")
    root = tools.send("DOM.getDocument")["root"]["nodeId"]
    node = tools.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
    found = tools.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    return {font["familyName"] for font in found}


@pytest.mark.skipif(sys.platform != "linux", reason="no other system reads a fontconfig file")
@EVERY_TYPEFACE
def test_a_typeface_is_what_the_page_is_drawn_with(page: Page, server: str, reader: Reader) -> None:
    """Text, and code, by the families of the set alone; Chromium itself is asked."""
    visit(page, server, model="lenet", layer="conv2")
    fonts = TYPEFACES[reader.typeface]
    assert drawn_with(page, ".lg-sentence") == {fonts.sans[0].family}
    assert drawn_with(page, ".lg-tree .lg-shape") <= {font.family for font in (*fonts.sans, *fonts.mono)}
    page.goto("about:blank")
    page.set_content("<p style='font-family: monospace'>model.conv2(picture)</p>")
    assert drawn_with(page, "p") == {fonts.mono[0].family}


@pytest.mark.parametrize(
    "reader", [Reader(size=90), Reader(size=100), Reader(size=125)], indirect=True, ids=str
)
def test_text_is_as_large_as_the_browser_is_set_to(page: Page, server: str, reader: Reader) -> None:
    """All lengths of the page are in that unit; Streamlit alone would leave it at 16 pixels."""
    visit(page, server, model="lenet", layer="conv2")
    expected = {90: 14, 100: 16, 125: 20}[reader.size]
    assert page.evaluate(ROOT_SIZE) == expected
    sentence = page.locator(".lg-sentence").evaluate("each => parseFloat(getComputedStyle(each).fontSize)")
    page.evaluate("document.documentElement.style.fontSize = '16px'")
    usual = page.locator(".lg-sentence").evaluate("each => parseFloat(getComputedStyle(each).fontSize)")
    assert sentence / usual == pytest.approx(expected / 16, abs=0.01)


@pytest.mark.skipif(sys.platform != "linux", reason="no other system reads a fontconfig file")
def test_a_font_that_is_missing_is_named_with_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one sentence, which a test fails with."""
    monkeypatch.setattr(typefaces, "_found", lambda _: None)
    with pytest.raises(LookupError, match=r"Noto Sans.*apt-get install fonts-noto-cjk fonts-noto-core"):
        environment("noto", tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="no other system reads a fontconfig file")
def test_a_font_is_missing_no_more_once_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``make test`` installs fonts and looks again: no advice stands below an installation that went well."""
    monkeypatch.setattr(typefaces, "FOLDERS", (tmp_path,))
    before = list(missing())
    for font in before:
        (tmp_path / font.file).touch()
    assert before
    assert not list(missing())
