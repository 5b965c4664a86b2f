"""Evidence of a failed browser test: screenshots, console, requests, keys and server logs in one folder."""

import re
import shutil
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Error, Page, Request

from tests.browser.serving import LOGS, ROOT

FAILURES = ROOT / "out" / "failures"
SCREENSHOT_MS = 10_000
# The page's last keys: where each went, where the focus was, and what became of it.
KEYS = """addEventListener("keydown", (event) => {
    const named = (element) => element ? `${element.tagName}.${element.className}` : "nothing";
    const modal = document.querySelector("dialog:modal") ? "modal" : "";
    const seen = [event.key, named(event.target), named(document.activeElement), modal];
    setTimeout(() => {
        seen.push(event.defaultPrevented ? "taken" : "left");
        window.keysSeen = [...(window.keysSeen ?? []), seen.join(" · ")].slice(-40);
    });
}, true);"""


@dataclass
class Witness:
    """Messages, requests and errors of one page while a test used it.

    Attributes:
        page: the page itself.
        console: its messages and errors, oldest first.
        requests: method, address and outcome of each request, in the order in which they ended.
        errors: what scripts on it threw.
        late: what they threw between this test and the one before.
    """

    page: Page
    console: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Listen from now on."""
        self.page.add_init_script(KEYS)
        self.page.on("console", lambda said: self.console.append(f"{said.type}: {said.text}"))
        self.page.on("pageerror", self._failed)
        self.page.on("response", lambda got: self.requests.append(f"{got.status} {_asked(got.request)}"))
        self.page.on("requestfailed", lambda lost: self.requests.append(f"{lost.failure} {_asked(lost)}"))

    def catch_up(self) -> None:
        """Hear what the page has not told yet: it tells of events while something is asked of it."""
        if not self.page.is_closed():
            with suppress(Error):
                self.page.evaluate("1")

    def forget(self) -> None:
        """Begin anew, for the next test of a page that stays."""
        self.catch_up()
        self.late.extend(self.errors)
        for heard in (self.console, self.requests, self.errors):
            heard.clear()

    def _failed(self, error: Error) -> None:
        self.errors.append(str(error))
        self.console.append(f"thrown: {error.stack or error}")

    def write(self, folder: Path, name: str) -> None:
        """Write what was heard, and a screenshot if the page still draws one."""
        (folder / f"{name}-console.txt").write_text("\n".join(self.console), encoding="utf-8")
        (folder / f"{name}-requests.txt").write_text("\n".join(self.requests), encoding="utf-8")
        with suppress(Error):
            (folder / f"{name}-address.txt").write_text(self.page.url, encoding="utf-8")
            keys = self.page.evaluate("window.keysSeen ?? []")
            (folder / f"{name}-keys.txt").write_text("\n".join(keys), encoding="utf-8")
            self.page.screenshot(path=folder / f"{name}.png", timeout=SCREENSHOT_MS)


def _asked(request: Request) -> str:
    return f"{request.method} {request.url[:300]}"


def collect(test: str, attempt: int, witnesses: list[Witness]) -> Path:
    """Write all evidence of a test, and return the folder.

    Args:
        test: its node id.
        attempt: from 1; a retry has a folder of its own.
        witnesses: one for each page that it opened.
    """
    folder = FAILURES / f"{re.sub(r'[^A-Za-z0-9]+', '-', test).strip('-')[-120:]}-{attempt}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for number, witness in enumerate(witnesses, start=1):
        witness.write(folder, f"page-{number}")
    for number, log in enumerate(LOGS, start=1):
        shutil.copyfile(log, folder / f"server-{number}.log")
    return folder
