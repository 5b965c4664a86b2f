"""The engine that draws the page in a run: Chromium, or the Firefox that ``ENGINE=firefox`` asks for.

Firefox is the one of the system, unchanged. Playwright drives it by WebDriver BiDi, the standard's protocol.
It cannot pretend there to be a phone, or to like dark pages better: such options are left out.
"""

import os
from typing import Any

from playwright.sync_api import Browser, Locator, Page, Playwright

from tests.browser.chromium import ADVICE, FIREFOX_ADVICE, find, find_firefox
from tests.browser.chromium import WITH_FIREFOX as FIREFOX
from tests.browser.typefaces import STANDARD

QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")
FAKE_CAMERA = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
# A camera and a clipboard that nobody has to allow, and no word to the maker's servers.
PREFERENCES = {
    "media.navigator.streams.fake": True,
    "media.navigator.permission.disabled": True,
    "dom.events.testing.asyncClipboard": True,
    "app.update.enabled": False,
    "browser.contentblocking.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
}
PRETENDED = ("is_mobile", "has_touch", "color_scheme", "permissions")


def launched(playwright: Playwright, fonts: dict[str, str], size: int) -> Browser:
    """Start the engine, with an environment that names its fonts.

    Args:
        playwright: what drives it.
        fonts: see ``typefaces.environment``.
        size: of Firefox's text, in per cent. Chromium's is set for each page.

    Raises:
        FileNotFoundError: it is not on this machine; the sentence says how it comes there.
    """
    if FIREFOX:
        path = find_firefox()
        if path is None:
            raise FileNotFoundError(FIREFOX_ADVICE)
        return playwright.firefox.launch(
            channel="moz-firefox",
            executable_path=path,
            firefox_user_prefs=PREFERENCES | _text(size),
            env=os.environ | fonts,
        )
    path = find()
    if path is None:
        raise FileNotFoundError(ADVICE)
    return playwright.chromium.launch(
        executable_path=path, args=[*QUIET, *FAKE_CAMERA], env=os.environ | fonts
    )


def _text(size: int) -> dict[str, float]:
    """Return the preferences for letters of so many per cent."""
    pixels = {"variable": STANDARD * size // 100, "monospace": 13 * size // 100}
    return {
        f"font.size.{kind}.x-{script}": pixels[kind] for kind in pixels for script in ("western", "unicode")
    }


def typed(field: Locator, text: str) -> None:
    """Type into a box; Streamlit's take no notice if BiDi fills them."""
    if FIREFOX:
        field.press_sequentially(text)
    else:
        field.fill(text)


def allow(page: Page, *wanted: str) -> None:
    """Grant a page what a visitor would be asked for; Firefox's preferences do."""
    if not FIREFOX:
        page.context.grant_permissions(wanted)


def possible(options: dict[str, Any]) -> dict[str, Any]:
    """Return a page's options without those that the engine cannot pretend."""
    return {name: value for name, value in options.items() if not (FIREFOX and name in PRETENDED)}
