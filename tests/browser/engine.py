"""The engine that draws the page in a run: Chromium, or the Firefox that ``ENGINE=firefox`` asks for.

Firefox is the one of the system, unchanged. Playwright drives it by WebDriver BiDi, the standard's protocol.
It cannot pretend there to be a phone, or to like dark pages better: such options are left out.
"""

import os
import shutil
from typing import Any

from playwright.sync_api import Browser, Playwright

from tests.browser.chromium import ADVICE, find

FIREFOX = os.environ.get("ENGINE", "") == "firefox"
NAMES = ("firefox-esr", "firefox")
FIREFOX_ADVICE = "ENGINE=firefox needs a Firefox: as root, run apt-get install firefox-esr, then try again."
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")
FAKE_CAMERA = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
# A camera that nobody has to allow, and no word to the maker's servers.
PREFERENCES = {
    "media.navigator.streams.fake": True,
    "media.navigator.permission.disabled": True,
    "app.update.enabled": False,
    "browser.contentblocking.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
}
PRETENDED = ("is_mobile", "has_touch", "color_scheme", "permissions")
# Streamlit tries WebAssembly, and does without; only Firefox calls the refusal an error of the page.
REFUSED = "blocked WebAssembly (script-src)"


def launched(playwright: Playwright, fonts: dict[str, str]) -> Browser:
    """Start the engine, with an environment that names its fonts.

    Raises:
        FileNotFoundError: it is not on this machine; the sentence says how it comes there.
    """
    if FIREFOX:
        path = next(filter(None, map(shutil.which, NAMES)), None)
        if path is None:
            raise FileNotFoundError(FIREFOX_ADVICE)
        return playwright.firefox.launch(
            channel="moz-firefox",
            executable_path=path,
            firefox_user_prefs=PREFERENCES,
            env=os.environ | fonts,
        )
    path = find()
    if path is None:
        raise FileNotFoundError(ADVICE)
    return playwright.chromium.launch(
        executable_path=path, args=[*QUIET, *FAKE_CAMERA], env=os.environ | fonts
    )


def possible(options: dict[str, Any]) -> dict[str, Any]:
    """Return a page's options without those that the engine cannot pretend."""
    return {name: value for name, value in options.items() if not (FIREFOX and name in PRETENDED)}
