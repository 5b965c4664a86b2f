"""Finds a Chromium for the browser tests, or installs one; run by ``make test`` before the tests start.

In this order: the one that ``CHROMIUM`` names, one on the machine, one from the system's package manager if
we may use it, Playwright's own build. If there is none, the tests fail and say so: they are never skipped.
Playwright's Node, which drives it, needs the system's libatomic. A bare Debian lacks it; it is installed too.
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
DRIVER_ADVICE = (
    "The browser tests drive Chromium by Playwright, which does not start on this machine; "
    "`.venv/bin/python -m playwright --version` says why. Install what it misses "
    "(Debian, Ubuntu: apt-get install libatomic1), then run `make test` again."
)
INSTALLERS = (
    ("apt-get", ["apt-get", "update", "-q"], ["apt-get", "install", "-y", "-q", "chromium", "libatomic1"]),
    ("dnf", ["dnf", "install", "-y", "-q", "chromium", "libatomic"]),
    ("apk", ["apk", "add", "-q", "chromium", "libatomic"]),
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
    """Try the system's package manager, then Playwright; ``main`` reports failures."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        for program, *commands in INSTALLERS:
            if shutil.which(program):
                for command in commands:
                    subprocess.run(command, check=False, stdin=subprocess.DEVNULL)
                if find() and drives():
                    return
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)


def drives() -> bool:
    """Whether Playwright starts at all."""
    asked = [sys.executable, "-m", "playwright", "--version"]
    return subprocess.run(asked, check=False, capture_output=True).returncode == 0


def _playwrights() -> str | None:
    if not drives():
        return None
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def main() -> int:
    """Make sure that there is a Chromium and that it can be driven; 1 and advice otherwise."""
    if find() is None or not drives():
        print("Getting what the browser tests need on this machine ...")  # noqa: T201  for the terminal
        install()
    path = find()
    problem = ADVICE if path is None else "" if drives() else DRIVER_ADVICE
    print(problem or f"Chromium: {path}", file=sys.stderr if problem else sys.stdout)
    return 1 if problem else 0


if __name__ == "__main__":
    sys.exit(main())
