"""A server that restarts during a visit: the page says what was lost, and the boxes agree."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import safetensors.torch
from playwright.sync_api import Locator, Page, expect

from tests.browser.pictures import photo, png
from tests.browser.serving import ROOT, START, alone, free_port, wait_until_served
from tests.browser.steps import (
    address,
    choose,
    choose_in_tree,
    chosen,
    drawing,
    expect_address,
    expect_another_picture,
    expect_calm,
    maps,
    notices,
    press,
    settle,
    upload,
    visit,
)
from tests.machine import patience
from tests.models.uploads import state
from viz.pictures.own_donors import own_name
from viz.pictures.photo import photograph

pytestmark = [pytest.mark.browser, pytest.mark.slow]


# Asks for a layer at the address at which the page will, as a prefetch has done.
KEEP = """async (layer) => {
    const names = performance.getEntriesByType("resource").map(({ name }) => name);
    const known = names.findLast((name) => name.includes("/layer.png?layer=conv2"));
    return (await fetch(known.replace("layer=conv2", `layer=${layer}`))).status;
}"""


class Restarted:
    """A server on a port of its own, which can be ended and started again there."""

    def __init__(self, home: Path, **settings: str) -> None:
        self.port, self.log = free_port(), home / "log.txt"
        self.checkout = ROOT
        self.environment = alone(home) | settings
        self.address = f"http://127.0.0.1:{self.port}"
        self.process = self.started()

    def started(self) -> "subprocess.Popen[bytes]":
        """A new process that answers."""
        where = ("--server.port", str(self.port), "--server.address", "127.0.0.1")
        with self.log.open("ab") as output:
            process = subprocess.Popen(
                [sys.executable, *START, *where],
                cwd=self.checkout,
                env=os.environ | self.environment,
                stdout=output,
                stderr=output,
            )
        wait_until_served(self.address, process, self.log)
        return process

    def restart(self) -> None:
        """End the server as if its machine went down, and start it again."""
        self.end()
        self.process = self.started()

    def end(self) -> None:
        """Kill the server."""
        self.process.kill()
        self.process.wait(timeout=patience(60))


def lent(server: Restarted) -> Iterator[Restarted]:
    """The server for one test; it must not write a traceback, whatever happens to it."""
    written = server.log.stat().st_size
    if server.process.poll() is not None:
        server.process = server.started()
    yield server
    assert b"Traceback" not in server.log.read_bytes()[written:]


@pytest.fixture(scope="module")
def restarting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Restarted]:
    """A server for all tests: each of them restarts it, so that it knows nothing of those before."""
    server = Restarted(tmp_path_factory.mktemp("restarting"))
    yield server
    server.end()


@pytest.fixture
def restarted(restarting: Restarted) -> Iterator[Restarted]:
    """A server that can be restarted."""
    yield from lent(restarting)


def another_version(folder: Path) -> Path:
    """Make a checkout whose maps have an outline, and return its folder."""
    for part in ("viz", "models", "app.py", ".streamlit"):
        (shutil.copytree if (ROOT / part).is_dir() else shutil.copy)(ROOT / part, folder / part)
    with (folder / "viz/ui/browser/page/page.css").open("a", encoding="utf-8") as sheet:
        sheet.write("\n.lg-viewer { outline: 3px solid rgb(1, 2, 3); }\n")
    return folder


@pytest.fixture
def replaced(restarted: Restarted, tmp_path: Path) -> Iterator[Restarted]:
    """A server of which another version is there once it restarts."""
    restarted.checkout = another_version(tmp_path / "another")
    yield restarted
    restarted.end()
    restarted.checkout = ROOT


def restart_under(page: Page, server: Restarted) -> None:
    """Restart the server, do something once the browser has found it, and wait for the page."""
    stage = page.locator(".lg-stage")
    lost = str(stage.get_attribute("data-subject"))
    server.restart()
    page.locator("[data-test-connection-state=CONNECTED]").wait_for()
    choose(page, "colormap", "viridis" if chosen(page, "colormap") == "magma" else "magma")
    expect(stage).not_to_have_attribute("data-subject", lost)
    settle(page)


def listed(page: Page, box: str) -> Locator:
    """The files that a box lists."""
    return page.locator(f".st-key-{box} [data-testid=stFileChip]")


@pytest.mark.parametrize(("language", "said"), [("en", "upload it again"), ("zh", "请重新上传")])
def test_a_lost_picture_is_asked_for_again(
    page: Page, restarted: Restarted, language: str, said: str
) -> None:
    """The box is empty and the view stays; a sentence asks for the picture until there is one."""
    visit(page, restarted.address, model="lenet", layer="conv2", lang=language)
    sample = drawing(page)
    upload(page, "mine.png", png(photo(1)), "image/png")
    expect_another_picture(page, sample)
    own = drawing(page)
    expect(listed(page, "upload")).to_have_count(1)
    restart_under(page, restarted)
    expect(notices(page)).to_have_count(1)
    expect(notices(page)).to_contain_text(said)
    expect_another_picture(page, own)
    expect(listed(page, "upload")).to_have_count(0)
    assert chosen(page, "layer") == address(page)["layer"] == "conv2"
    choose(page, "layer", "conv1")
    maps(page, "conv1").wait_for()
    expect(notices(page)).to_contain_text(said)
    lost = drawing(page)
    upload(page, "mine.png", png(photo(1)), "image/png")
    expect_another_picture(page, lost)
    expect_calm(page)
    expect(listed(page, "upload")).to_have_count(1)


def test_a_sample_instead_of_a_lost_picture_ends_the_sentence(page: Page, restarted: Restarted) -> None:
    """The question ends with that choice; a visitor who comes without a picture is never asked."""
    visit(page, restarted.address, model="lenet", layer="conv1")
    restart_under(page, restarted)
    settle(page)
    expect_calm(page)
    expect(maps(page)).to_have_count(1)
    sample = drawing(page)
    upload(page, "mine.png", png(photo(2)), "image/png")
    expect_another_picture(page, sample)
    restart_under(page, restarted)
    expect(notices(page)).to_have_count(1)
    settle(page)
    choose(page, "sample", "A cup of coffee")
    expect_calm(page)
    expect_address(page, sample="coffee")


def test_a_lost_second_picture_and_lost_weights_are_asked_for_again(page: Page, restarted: Restarted) -> None:
    """Each has its own sentence; all three boxes are empty, and each takes a file again."""
    page.goto(f"{restarted.address}/?model=lenet&layer=conv1&view=compare")
    page.locator(".st-key-other_upload").wait_for()
    for box in ("upload", "other_upload"):
        upload(page, "mine.png", png(photo(3)), "image/png", box)
        expect(listed(page, box)).to_have_count(1)
        settle(page)
    weights = {
        "name": "mine.safetensors",
        "mimeType": "application/octet-stream",
        "buffer": safetensors.torch.save(state(1)),
    }
    page.get_by_role("button", name="Your own").click()
    page.locator(".st-key-own_weights input[type=file]").set_input_files(weights)
    expect(page.get_by_role("radio", name="own", exact=True)).to_have_count(1)
    page.keyboard.press("Escape")
    settle(page)
    restart_under(page, restarted)
    for part in ("Your picture", "Picture B", "Your weights"):
        expect(notices(page).filter(has_text=part)).to_have_count(1)
    expect(notices(page)).to_have_count(3)
    settle(page)
    for box in ("upload", "other_upload"):
        expect(listed(page, box)).to_have_count(0)
        upload(page, "mine.png", png(photo(4)), "image/png", box)
        expect(listed(page, box)).to_have_count(1)
        settle(page)
    expect_address(page, with_sample=own_name(photograph(photo(4))))
    page.get_by_role("button", name="Your own").click()
    expect(listed(page, "own_weights")).to_have_count(0)
    page.locator(".st-key-own_weights input[type=file]").set_input_files(weights)
    expect(page.get_by_role("radio", name="own", exact=True)).to_have_count(1)
    expect_calm(page)


def test_maps_that_the_browser_has_kept_do_not_hide_that_the_server_is_another(
    page: Page, restarted: Restarted
) -> None:
    """A layer is in the browser's cache; of its neighbours the page hears that the visit has ended."""
    visit(page, restarted.address, model="lenet", layer="conv2")
    lost = str(page.locator(".lg-stage").get_attribute("data-subject"))
    kept = page.evaluate(KEEP, "fc1")
    assert kept == 200
    restarted.restart()
    page.locator("[data-test-connection-state=CONNECTED]").wait_for()
    choose_in_tree(page, "fc1")
    expect(page.locator(".lg-stage")).not_to_have_attribute("data-subject", lost)
    maps(page, "fc1").wait_for()
    settle(page)
    expect_calm(page)


def test_a_page_starts_anew_if_its_server_has_become_another_version(page: Page, replaced: Restarted) -> None:
    """Once, as soon as it needs the server, by itself: with new styles, and what was chosen last."""
    visit(page, replaced.address, model="lenet", layer="conv2", colormap="viridis")
    viewer, loads = page.locator(".lg-viewer"), list[str]()
    expect(viewer).not_to_have_css("outline-color", "rgb(1, 2, 3)")
    page.on("domcontentloaded", lambda _: loads.append(page.url))
    replaced.restart()
    page.locator("[data-test-connection-state=CONNECTED]").wait_for()
    press(page, "ArrowRight")  # one stroke: a page that starts anew would close an open list
    expect(viewer).to_have_css("outline-color", "rgb(1, 2, 3)")
    maps(page, "relu2").wait_for()
    settle(page)
    choose(page, "layer", "conv2")
    maps(page, "conv2").wait_for()
    expect(page.locator(".lg-stage")).to_have_count(1)
    expect_calm(page)
    assert chosen(page, "colormap") == "viridis"
    assert len(loads) == 1
