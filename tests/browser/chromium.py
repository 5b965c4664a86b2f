"""Finds a Chromium for the browser tests, or installs one; run by ``make test`` before the tests start.

With ``ENGINE=firefox`` it does so for a Firefox too.

In this order: the one that ``CHROMIUM`` names, one on the machine, one from the system's package manager if
we may use it, Playwright's own build. Of each, ``chromium-headless-shell`` comes first: it is the same engine
without a browser's windows, and takes half of the processor's time for a page. If there is none, the tests
fail and say so: they are never skipped.

Playwright's Node, which drives it, needs the system's libatomic. A bare Debian lacks it; it is installed too,
and so are the sets of fonts of ``typefaces.py``, which the tests lay the page out with. Only root installs;
only what is missing, without what is merely recommended, and with nothing that is there upgraded.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.browser.typefaces import missing  # noqa: E402  the path has to be known first

NAMES = (
    "chromium-headless-shell",
    "headless_shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
FEDORA = Path("/usr/lib64/chromium-browser/headless_shell")
MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
ADVICE = (
    "The browser tests need a Chromium, and none could be found or installed. Install one "
    "(Debian: apt-get install chromium-headless-shell; Ubuntu: apt-get install chromium; "
    "macOS: brew install --cask chromium), or set CHROMIUM=/path/to/chromium, then run `make test` again."
)
DRIVER_ADVICE = (
    "The browser tests drive Chromium by Playwright, which does not start on this machine; "
    "`.venv/bin/python -m playwright --version` says why. Install what it misses "
    "(Debian, Ubuntu: apt-get install libatomic1), then run `make test` again."
)
FONTS_ADVICE = (
    "Tests of the page's layout will fail, because fonts that they need are not installed: as root, run "
    "{command}, then run `make test` again."
)
# How each package manager installs without recommended packages, after which command, and what things are
# called there.
INSTALL = {
    "apt-get": ("apt-get", "install", "-y", "-q", "--no-install-recommends", "--no-upgrade"),
    "dnf": ("dnf", "install", "-y", "-q", "--setopt=install_weak_deps=False"),
    "apk": ("apk", "add", "-q"),
}
FIRST = {"apt-get": ("apt-get", "update", "-q")}
BROWSERS = {
    "apt-get": ("chromium-headless-shell", "chromium"),
    "dnf": ("chromium-headless", "chromium"),
    "apk": ("chromium-headless-shell", "chromium"),
}
FIREFOX_NAMES = ("firefox-esr", "firefox")
FIREFOX = {"apt-get": "firefox-esr", "dnf": "firefox", "apk": "firefox-esr"}
FIREFOX_ADVICE = (
    "There is no Firefox to draw the page with. As root, install one (Debian: apt-get install firefox-esr; "
    "Ubuntu: Mozilla's own package), then try again."
)
WITH_FIREFOX = os.environ.get("ENGINE") == "firefox"
DRIVER = {"apt-get": "libatomic1", "dnf": "libatomic", "apk": "libatomic"}


def find() -> str | None:
    """The path of a Chromium that is already here, or None."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named if Path(named).exists() else None
    for name in NAMES:
        path = shutil.which(name)
        if path:
            return path
    return next((str(path) for path in (FEDORA, MAC) if path.exists()), None) or _playwrights()


def find_firefox() -> str | None:
    """The path of the system's Firefox, or None."""
    return next(filter(None, map(shutil.which, FIREFOX_NAMES)), None)


def installer() -> str | None:
    """The name of the system's package manager, if it is one that we know."""
    return next((name for name in INSTALL if shutil.which(name)), None)


def install() -> None:
    """Try the system's package manager, then Playwright; ``main`` reports failures."""
    name = installer()
    if name and hasattr(os, "geteuid") and os.geteuid() == 0:
        if name in FIRST:
            _run(FIRST[name])
        for packages in wanted(name):
            print(f"With {name}, without recommended packages: {' '.join(packages)}", flush=True)  # noqa: T201
            _run((*INSTALL[name], *packages))
    if find() is None:
        command = (sys.executable, "-m", "playwright", "install", "--only-shell", "chromium")
        print(f"With Playwright: {' '.join(command[1:])}", flush=True)  # noqa: T201
        _run(command)


def wanted(name: str) -> Iterator[tuple[str, ...]]:
    """Yield the missing packages as this manager calls them, each once the one before has come."""
    if not drives():
        yield (DRIVER[name],)
    for browser in BROWSERS[name]:
        if find() is None:
            yield (browser,)
    if WITH_FIREFOX and find_firefox() is None:
        yield (FIREFOX[name],)
    if packages := fonts(name):
        yield packages


def fonts(name: str) -> tuple[str, ...]:
    """The packages of the fonts that are missing."""
    return tuple(sorted({font.packages[name] for font in missing()}))


def drives() -> bool:
    """Return whether Playwright starts at all."""
    asked = [sys.executable, "-m", "playwright", "--version"]
    return subprocess.run(asked, check=False, capture_output=True).returncode == 0


def _run(command: tuple[str, ...]) -> None:
    subprocess.run(command, check=False, stdin=subprocess.DEVNULL)


def _playwrights() -> str | None:
    if not drives():
        return None
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = Path(playwright.chromium.executable_path)
    build = next(folder for folder in path.parents if folder.name.startswith("chromium-"))
    shell = build.with_name(build.name.replace("chromium-", "chromium_headless_shell-"))
    found = (each for each in (*shell.glob("*/*headless*shell"), path) if each.is_file())
    return next(map(str, found), None)


def problem() -> str:
    """Say what is still missing without which no page can be opened; empty if nothing is."""
    if WITH_FIREFOX and find_firefox() is None:
        return FIREFOX_ADVICE
    return ADVICE if find() is None else "" if drives() else DRIVER_ADVICE


def main() -> int:
    """Make sure that there is what the browser tests need; 1 and advice if there is no browser to drive."""
    if problem() or next(missing(), None):
        print("Getting what the browser tests need on this machine ...", flush=True)  # noqa: T201  for the terminal
        install()
    advice = problem()
    name = installer() or "apt-get"
    if lacking := fonts(name):
        print(FONTS_ADVICE.format(command=" ".join([*INSTALL[name], *lacking])), file=sys.stderr)  # noqa: T201
    print(advice or f"Chromium: {find()}", file=sys.stderr if advice else sys.stdout)
    return 1 if advice else 0


if __name__ == "__main__":
    sys.exit(main())
