"""A pass over a folder on the real page: stopped, gone on with, and how long it still takes."""

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.pictures import photo, png
from tests.browser.serving import serving
from tests.browser.slow_net import STEADY_SECONDS
from tests.browser.steps import visit
from tests.browser.test_exemplars import section

pytestmark = [pytest.mark.browser, pytest.mark.slow]

COUNT = 64
NET = {"model": "steady_net", "layer": "1", "channel": "2"}
STEP = 5  # seconds to which the time left is rounded up
RUNNING = re.compile(rf"^(\d+) of {COUNT} pictures")
TIMED = re.compile(rf"^(\d+) of {COUNT} pictures, about (\d+) s left")
STOPPED = re.compile(rf"^Go on: (\d+) of {COUNT} are left, about \d+ s$")


@pytest.fixture
def line(page: Page, tmp_path: Path) -> Iterator[Locator]:
    """Yield the line about a folder that a net looks through in no less than sixteen seconds."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    for seed in range(COUNT):
        (folder / f"{seed:02}.png").write_bytes(png(photo(seed)))
    settings = {
        "LAYERGLASS_MODEL": "tests.browser.slow_net:steady_net",
        "LAYERGLASS_PICTURES": str(folder),
        "LAYERGLASS_FOLDERS": str(tmp_path / "folders"),
    }
    with serving(tmp_path, settings=settings) as server:
        visit(page, server, **NET)
        yield section(page).locator(".lg-exemplars-line")


def test_a_pass_that_was_stopped_goes_on_with_the_pictures_that_are_left(
    line: Locator, tmp_path: Path
) -> None:
    """While it stands nothing is looked at; those that are done can be spoilt then, and none is left out."""
    line.get_by_role("button", name="Look through").click()
    expect(line.locator("label")).to_have_text(TIMED)
    line.get_by_role("button", name="Stop").click(delay=2000)  # a slow finger: the line tells news meanwhile
    expect(line).to_have_text(STOPPED)
    expect(line.locator("progress")).to_have_count(0)
    stopped = line.inner_text()
    line.page.wait_for_timeout(8 * 1000 * STEADY_SECONDS)
    line.page.reload()
    section(line.page)
    expect(line).to_have_text(stopped)
    done = COUNT - said(STOPPED, line)[0]
    assert 0 < done < COUNT
    spoil(sorted((tmp_path / "pictures").iterdir())[:done])
    line.get_by_role("button", name="Go on").click()
    expect(line.locator("label")).to_have_text(RUNNING)
    assert done <= said(RUNNING, line.locator("label"))[0] < COUNT
    expect(line).to_have_text(f"Pictures looked through: {COUNT}")
    expect(line.get_by_role("button")).to_have_count(0)


def test_the_time_left_is_that_of_the_pictures_left(line: Locator) -> None:
    """No less than the net needs for them, and no more than at the pace that the test's clock says."""
    line.get_by_role("button", name="Look through").click()
    began = time.monotonic()
    expect(line.locator("label")).to_have_text(TIMED)
    done, seconds = said(TIMED, line.locator("label"))
    passed = time.monotonic() - began
    assert (COUNT - done) * STEADY_SECONDS <= seconds
    assert seconds <= (COUNT - done) * passed / (done - 2) + STEP


def spoil(files: list[Path]) -> None:
    """Make pictures unreadable, and let their sizes and times be as they were."""
    for file in files:
        known = file.stat()
        file.write_bytes(bytes(known.st_size))
        os.utime(file, ns=(known.st_atime_ns, known.st_mtime_ns))


def said(form: re.Pattern[str], line: Locator) -> list[int]:
    """The numbers of a line."""
    found = form.search(line.inner_text())
    assert found
    return [int(number) for number in found.groups()]
