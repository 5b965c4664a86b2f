"""Finds a Chromium for the browser tests, or gets one; run by ``make test`` before the tests start.

In this order: the one that ``CHROMIUM`` names, one on the machine, the system's package manager where it may,
Playwright's own build. Where none can be had the tests fail and say so: they are never skipped.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
ADVICE = (
    "The browser tests need a Chromium, and none could be found or installed. Install one "
    "(Debian, Ubuntu: apt-get install chromium; macOS: brew install --cask chromium), or set "
    "CHROMIUM=/path/to/chromium, then run `make test` again."
)
INSTALLERS = (
    ("apt-get", ["apt-get", "update", "-q"], ["apt-get", "install", "-y", "-q", "chromium"]),
    ("dnf", ["dnf", "install", "-y", "-q", "chromium"]),
    ("apk", ["apk", "add", "-q", "chromium"]),
)


def find() -> str | None:
    """The path of a Chromium that is already here, or None."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named if Path(named).exists() else None
    for name in NAMES:
        path = shutil.which(name)
        if path:
            return path
    return str(MAC) if MAC.exists() else _playwrights()


def install() -> None:
    """Try the system's package manager, then Playwright; what fails is reported by ``main``."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        for program, *commands in INSTALLERS:
            if shutil.which(program):
                for command in commands:
                    subprocess.run(command, check=False, stdin=subprocess.DEVNULL)
                if find():
                    return
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)


def _playwrights() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def main() -> int:
    """Make sure that there is a Chromium; 1 and advice if there is none."""
    if find() is None:
        print("No Chromium on this machine; getting one for the browser tests ...")  # noqa: T201  for the terminal
        install()
    path = find()
    print(f"Chromium: {path}" if path else ADVICE, file=sys.stdout if path else sys.stderr)
    return 0 if path else 1


if __name__ == "__main__":
    sys.exit(main())
