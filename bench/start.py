"""Time from the start command to the first maps in Chromium.

Run it as ``python bench/start.py [--beside FOLDER] [--rounds N]``; it prints rows for ``bench/RESULTS.md``.
A start is the command that ``make run`` ends in. The browser is open already, and goes to the bare address as
soon as the port accepts a connection. (A browser that tries again and again takes half a processor.) The
checkouts take turns, so that a busy machine slows both.
"""

import argparse
import os
import shlex
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, sleep, time

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import Browser, sync_playwright

from tests.browser.chromium import ADVICE, find
from tests.browser.serving import free_port

HERE = Path(__file__).parents[1]
MAPS = ".lg-stage img[data-layer]"  # takes room once its picture is there
PAINTED = "performance.timeOrigin + performance.getEntriesByName('first-contentful-paint')[0].startTime"


@dataclass(frozen=True)
class Start:
    """Seconds from the command to port, page frame and first maps."""

    port: float
    frame: float
    maps: float


@contextmanager
def started(folder: Path, port: int, home: str) -> Iterator[None]:
    """Run the checkout's server without a network or torchvision's weights."""
    offline = {"TORCH_HOME": home, "LAYERGLASS_WEIGHTS_URL": "http://127.0.0.1:9"}
    command = _command(folder, port)
    server = subprocess.Popen(
        command, cwd=folder, env=os.environ | offline, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield
    finally:
        server.terminate()
        server.wait(timeout=20)


def listens(port: int) -> bool:
    """Check whether a server accepts connections on the port."""
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) == 0


def _command(folder: Path, port: int) -> list[str]:
    """Return the last command of ``make run`` there, with our packages."""
    asked = ["make", "--dry-run", "run", f"PORT={port}", "HOST=127.0.0.1"]
    said = subprocess.run(asked, cwd=folder, check=True, capture_output=True, text=True).stdout
    program, *options = shlex.split(said.splitlines()[-1])
    return [str(Path(sys.executable).with_name(Path(program).name)), *options]


def start(chromium: Browser, folder: Path) -> Start:
    """Start the checkout once, and wait for its first maps."""
    context, port = chromium.new_context(viewport={"width": 1366, "height": 768}), free_port()
    page, begin, clock = context.new_page(), perf_counter(), time()
    with tempfile.TemporaryDirectory() as home, started(folder, port, home):
        while not listens(port):
            sleep(0.01)
        answered = perf_counter()
        page.goto(f"http://127.0.0.1:{port}", wait_until="commit")
        page.locator(MAPS).first.wait_for(timeout=120_000)
        drawn = perf_counter()
        painted: float = page.evaluate(PAINTED)
        context.close()
    return Start(answered - begin, painted / 1000 - clock, drawn - begin)


def main() -> None:
    """Print a row for each checkout."""
    parser = argparse.ArgumentParser(description="How long a start takes.")
    parser.add_argument("--beside", type=Path, help="another checkout, to compare with")
    parser.add_argument("--rounds", type=int, default=5, help="starts of each")
    asked, path = parser.parse_args(), find()
    if path is None:
        sys.exit(ADVICE)
    folders = {"this checkout": HERE} | ({"the other": asked.beside.resolve()} if asked.beside else {})
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        taken: dict[str, list[Start]] = {name: [] for name in folders}
        for _ in range(asked.rounds):
            for name, folder in folders.items():
                taken[name].append(start(chromium, folder))
        chromium.close()
    print("| start | to the port, s | to the page's frame, s | to the first maps, s |\n|---|---|---|---|")
    for name, starts in taken.items():
        spread = (_spread(getattr(each, part) for each in starts) for part in ("port", "frame", "maps"))
        print(f"| {name} | {' | '.join(spread)} |")


def _spread(seconds: Iterable[float]) -> str:
    low, *_, high = times = sorted(seconds)
    return f"{median(times):.2f} ({low:.2f} to {high:.2f})"


if __name__ == "__main__":
    main()
