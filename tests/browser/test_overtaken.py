"""Newer data arrive while a part's code is still loading: the part is there once, and works."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import maps, press, settle

pytestmark = [pytest.mark.browser, pytest.mark.slow]

# Streamlit imports each part's code again for all data that come, and ends the runs that were overtaken. The
# page makes modules of Streamlit's own scripts too: those are not kept waiting.
SLOW_TO_COME = """() => {
    const waiting = `if (!globalThis.hasCome) await new Promise((come) => {
        addEventListener("come", come, { once: true });
    });
    `;
    const isPart = (text) => typeof text === "string" && text.includes("page/part.js");
    window.Blob = class extends Blob {
        constructor(parts, how) {
            super(parts?.some(isPart) ? [waiting, ...parts] : parts, how);
        }
    };
}"""
PARTS = (".lg-viewer", ".lg-tree", ".lg-seen", ".lg-invitation", ".lg-ribbon nav")


def test_a_part_whose_first_data_were_overtaken_is_there_once_and_answers(page: Page, server: str) -> None:
    """The language changes before any part's code has loaded: each part runs twice, the first run ends."""
    page.add_init_script(f"({SLOW_TO_COME})()")
    page.goto(f"{server}/?model=lenet&layer=conv1&lang=en")
    page.locator(".st-key-lang").get_by_text("中文").click()
    page.locator(".st-key-model").get_by_text("模型", exact=True).wait_for()
    settle(page)
    expect(page.locator(", ".join(PARTS))).to_have_count(0)
    page.evaluate("globalThis.hasCome = true, dispatchEvent(new Event('come'))")
    maps(page, "conv1").wait_for()
    for part in PARTS:
        expect(page.locator(part)).to_have_count(1)
    press(page, "ArrowRight")
    maps(page, "relu1").wait_for()
    page.wait_for_url("**layer=relu1**")
    settle(page)
    for part in PARTS:
        expect(page.locator(part)).to_have_count(1)
    expect(page.locator(".lg-facts")).to_contain_text("推理模式")
