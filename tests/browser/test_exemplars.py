"""Exemplars on the real page: the server's folder and own pictures, looked through, opened and taken back."""

import io
import re
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect
from skimage import data as samples

from tests.browser.pictures import photo, png
from tests.browser.serving import serving
from tests.browser.steps import choose, expect_address, maps, settle, visit
from tests.browser.typefaces import EVERY_TYPEFACE
from tests.browser.waiting import HeldRequests, wait_until
from tests.machine import patience
from viz.__main__ import main
from viz.pictures.samples import sample_names
from viz.ui.visit.own_folder import MOST_PICTURES

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NOISE, TAKEN = 6, ("astronaut", "coffee", "rocket", "brick", "grass")
LAYER = "conv1"
FIRST = re.compile(
    rf"(Look through the pictures|Pictures looked through): {len(sample_names())}(?!\d)"
)  # the samples
DRAWN = """each => each.getContext("2d").getImageData(0, 0, each.width, each.height).data.some(Boolean)"""
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pictures of noise, scikit-image's, and one that cannot be read."""
    found = tmp_path_factory.mktemp("pictures")
    for seed in range(NOISE):
        (found / f"noise-{seed}.png").write_bytes(png(photo(seed)))
    for name in TAKEN:
        Image.fromarray(getattr(samples, name)()).convert("RGB").save(found / f"{name}.jpg")
    (found / "broken.png").write_bytes(b"\x89PNG nothing")
    return found


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, folder: Path) -> Iterator[str]:
    """A server with that folder."""
    home = tmp_path_factory.mktemp("server")
    settings = {"LAYERGLASS_PICTURES": str(folder), "LAYERGLASS_FOLDERS": str(home / "folders")}
    with serving(home, settings=settings) as address:
        yield address


def section(page: Page) -> Locator:
    """The section beside the channel, opened."""
    found = page.locator("[data-part=exemplars]")
    if not found.evaluate("each => each.open"):
        found.locator("summary").first.click()
    return found


def look_through(page: Page) -> Locator:
    """Look through the server's folder, by keyboard, if nobody has yet."""
    found = section(page)
    line = found.locator(".lg-exemplars-line")
    expect(line).to_contain_text(re.compile("pictures|looked through"))
    start = line.get_by_role("button", name=re.compile("Look through|Go on"))
    if start.count():
        start.focus()
        page.keyboard.press("Enter")
    expect(line).to_contain_text(f"Pictures looked through: {NOISE + len(TAKEN) + 1}")
    expect(found.locator(".lg-exemplar").first).to_be_visible()
    return found


def subject(page: Page) -> str:
    """The token of what is on screen."""
    return str(page.locator(".lg-stage").get_attribute("data-subject"))


def drawn_once(page: Page) -> Locator:
    """Load a page whose pass is over, and return the section: a pointer finds nothing there drawn anew."""
    page.reload()
    maps(page, LAYER).wait_for()
    settle(page)
    expect(section(page).locator(".lg-unusual h3")).to_be_visible()
    return section(page)


def enter(page: Page) -> str:
    """Look at the picture that excites the channel most, by keyboard, and return its name.

    What the end of a pass brings is drawn anew around the one that has the focus.
    """
    page.locator(".lg-exemplar").first.focus()
    chosen = str(page.evaluate("document.activeElement.dataset.picture"))
    page.keyboard.press("Enter")
    return chosen


def test_a_folder_is_looked_through_and_an_exemplar_becomes_the_subject(page: Page, served: str) -> None:
    """Nine pictures with falling values; Enter looks at one, undo and Back bring back the sample."""
    visit(page, served, model="lenet", layer=LAYER, channel="2")
    found = look_through(page)
    expect(found.locator("summary", has_text="Left out: 1")).to_be_visible()
    most = found.locator(".lg-exemplar-sheet").first.locator(".lg-exemplar")
    expect(most).to_have_count(9)
    values = [float(text.replace("−", "-")) for text in most.locator("span").all_inner_texts()]
    assert values == sorted(values, reverse=True)
    before = subject(page)
    for back in (lambda: page.keyboard.press("Control+z"), page.go_back):
        chosen = enter(page)
        wait_until(page, lambda: subject(page) != before)
        settle(page)
        assert f"sample=folder%3A{chosen}" in page.url
        assert f"layer={LAYER}" in page.url
        maps(page, LAYER).wait_for()
        back()
        wait_until(page, lambda: subject(page) == before)
        settle(page)


def test_undo_takes_an_exemplar_back_where_no_channel_had_been_chosen(page: Page, served: str) -> None:
    """The colours that were chosen before it stay, and so does the channel that its exemplars were of."""
    visit(page, served, model="lenet", layer=LAYER)
    look_through(page)
    choose(page, "colormap", "magma")
    page.wait_for_url("**colormap=magma**")
    assert "channel=" not in page.url
    before, title = subject(page), page.locator(".lg-channel-title").inner_text()
    enter(page)
    wait_until(page, lambda: subject(page) != before)
    settle(page)
    page.keyboard.press("Control+z")
    wait_until(page, lambda: subject(page) == before)
    settle(page)
    expect(page.locator(".lg-channel-title")).to_have_text(title)
    assert "colormap=magma" in page.url


def test_a_link_opens_a_folders_picture_and_none_that_is_not_there(page: Page, served: str) -> None:
    """The box shows its name; what lies outside the folder is a picture that does not exist."""
    visit(page, served, model="lenet", layer=LAYER, sample="folder:coffee.jpg")
    expect(page.locator(".st-key-sample input")).to_have_value("coffee.jpg")
    page.goto(f"{served}/?model=photonet&sample=folder%3A..%2F..%2Fetc%2Fpasswd")
    expect(page.get_by_text("which does not exist").first).to_be_visible()


def test_unusual_channels_open_with_a_click(page: Page, served: str) -> None:
    """The layer and the channel that the button names are on screen then; one undo takes both back."""
    visit(page, served, model="lenet", layer=LAYER, channel="2", sample="zone_plate")
    look_through(page)
    found = drawn_once(page)
    button = found.locator(".lg-unusual-list").last.locator("button").first
    layer, _, channel = button.locator("b").inner_text().rpartition(" · ")
    button.click()
    wait_until(page, lambda: f"channel={channel}" in page.url and f"layer={layer}" in page.url)
    page.keyboard.press("Control+z")
    expect_address(page, layer=LAYER, channel="2")


def test_a_class_has_exemplars_beside_its_optimised_picture(page: Page, served: str) -> None:
    """A vector has no places, and whole pictures excite it."""
    visit(page, served, model="lenet", layer="fc3", channel="1")
    found = look_through(page)
    expect(found.locator(".lg-exemplar-sheet").first.locator(".lg-exemplar")).to_have_count(9)
    expect(page.locator("[data-part=optimised]")).to_be_visible()
    found.get_by_text("by mean").click()
    expect(found).to_contain_text("The mean is that of all cells")
    expect(found.get_by_role("radio", name="by mean")).to_be_checked()


def archive() -> bytes:
    """Pictures and much that is none."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for seed in range(4):
            file.writestr(f"deep/{seed}.png", png(photo(seed)))
        file.writestr("../../outside.png", png(photo(9)))
        file.writestr("inner.zip", b"PK")
        file.writestr("bomb.png", bytes(30_000_000))
        file.writestr("bad.png", b"nothing")
    return buffer.getvalue()


def test_the_samples_are_looked_through_where_nobody_has_brought_any(
    visitor: Callable[..., Page], server: str
) -> None:
    """One click, beside a channel; the data-set view then compares layers on them; a picture opens."""
    page = visitor()
    visit(page, server, model="lenet", layer=LAYER, channel="2")
    section(page).get_by_role("button", name="Look through the pictures").click()
    expect(section(page)).to_contain_text(f"Pictures looked through: {len(sample_names())}")
    found, before = drawn_once(page), subject(page)
    found.locator(".lg-exemplar").first.click()
    wait_until(page, lambda: subject(page) != before)
    assert re.search(r"[?&]sample=(\w+)", page.url).group(1) in sample_names()  # type: ignore[union-attr]
    page.goto(f"{server}/?model=lenet&view=lens&layer={LAYER}")
    expect(page.locator(".lg-lens-head")).to_contain_text(
        f"{len(sample_names())} pictures.", timeout=1000 * patience(60)
    )


def test_own_pictures_stay_in_the_visit(visitor: Callable[..., Page], server: str) -> None:
    """From a ZIP file and beside it: what is wrong is listed; another visitor has none of them."""
    page, other = visitor(), visitor()
    for each in (page, other):
        visit(each, server, model="lenet", layer=LAYER, channel="2")
        expect(section(each)).to_contain_text(FIRST)
    section(page).locator("input[type=file]").set_input_files(
        [
            {"name": "own.zip", "mimeType": "application/zip", "buffer": archive()},
            {"name": "beside.png", "mimeType": "image/png", "buffer": png(photo(11))},
        ]
    )
    expect(page.locator(".lg-bring-status")).to_have_text("Pictures taken in: 6. Left out: 3 More")
    for name in ("inner.zip", "bomb.png", "bad.png"):
        expect(page.locator(".lg-bring-left")).to_contain_text(f"{name}: ")
    expect(section(page)).to_contain_text("Pictures looked through: 6")
    expect(page.locator(".lg-exemplar").first).to_be_visible()
    before = subject(page)
    enter(page)
    wait_until(page, lambda: "sample=own" in page.url and subject(page) != before)
    link = page.url
    page.get_by_role("button", name="Back to the picture before").click()
    wait_until(page, lambda: subject(page) == before)
    settle(page)
    page.get_by_role("button", name="Remove my pictures").click()
    expect(section(page)).to_contain_text(FIRST)
    if section(page).get_by_role("button", name="Look through the pictures").count():
        expect(page.locator(".lg-unusual")).to_be_empty()  # what own pictures had shown is gone
    other.goto(link)
    expect(other.get_by_text("which does not exist").first).to_be_visible()


def test_a_capture_whose_pictures_are_gone_shows_its_small_copies(
    visitor: Callable[..., Page], tmp_path: Path, folder: Path
) -> None:
    """The sheet says so, and every crop of it is drawn."""
    moved, out = tmp_path / "pictures", tmp_path / "capture"
    shutil.copytree(folder, moved)
    words = ["exemplars", str(moved), "--model", "lenet", "--workers", "0", "--thumbnails", "32"]
    assert main([*words, "--out", str(out)]) == 0
    shutil.rmtree(moved)
    with serving(tmp_path, settings={"LAYERGLASS_CAPTURE": str(out)}) as address:
        page = visitor()
        visit(page, address, model="lenet", layer=LAYER, channel="2")
        found = section(page)
        expect(found.locator(".lg-exemplars-small")).to_contain_text("small copies")
        expect(found.locator(".lg-exemplar").first).to_be_visible()
        crop = found.locator(".lg-exemplar canvas").first
        wait_until(page, lambda: bool(crop.evaluate(DRAWN)))
        expect(found.locator(".lg-lost")).to_have_count(0)


def test_a_press_on_an_exemplar_counts_though_it_is_drawn_anew_before_the_release(
    page: Page, server: str
) -> None:
    """Another picture, which excites the channel less, is looked through meanwhile."""
    visit(page, server, model="lenet", layer=LAYER, channel="2")
    files, exemplar = section(page).locator("input[type=file]"), section(page).locator(".lg-exemplar").first
    files.set_input_files({"name": "noise.png", "mimeType": "image/png", "buffer": png(photo(11))})
    expect(exemplar).to_have_attribute("title", re.compile("^Look at noise.png: number 1"))
    adding = HeldRequests(page, "**/pictures.add*")
    flat = png(Image.new("RGB", (32, 32), "grey"))
    files.set_input_files({"name": "flat.png", "mimeType": "image/png", "buffer": flat})
    adding.wait_for()
    exemplar.hover()
    drawn = exemplar.element_handle()
    page.mouse.down()
    adding.release()
    wait_until(page, lambda: not drawn.evaluate("each => each.isConnected"))
    expect(exemplar).to_be_visible()
    page.mouse.up()
    expect(page).to_have_url(re.compile("sample=own"))


def many(count: int) -> dict[str, Any]:
    """A ZIP file of so many pictures, each another one."""
    buffer, random = io.BytesIO(), np.random.default_rng(0)
    with zipfile.ZipFile(buffer, "w") as file:
        for number in range(count):
            picture = io.BytesIO()
            Image.fromarray(random.integers(0, 256, (4, 4, 3), np.uint8)).save(picture, "PNG")
            file.writestr(f"{number:03}.png", picture.getvalue())
    return {"name": "many.zip", "mimeType": "application/zip", "buffer": buffer.getvalue()}


def test_bringing_stops_at_the_limit_and_when_it_is_cancelled(
    visitor: Callable[..., Page], server: str
) -> None:
    """Behind the one that is refused nothing more is sent; then a button ends it."""
    sent: list[str] = []
    page = visitor()
    page.on("request", lambda asked: sent.append(asked.url) if "pictures.add" in asked.url else None)
    visit(page, server, model="lenet", layer=LAYER, channel="2")
    found, status = section(page), page.locator(".lg-bring-status")
    found.locator("input[type=file]").set_input_files(many(MOST_PICTURES + 20))
    expect(status).to_contain_text("Not sent: 20, because a visit has room", timeout=1000 * patience(60))
    expect(status).to_contain_text(f"Pictures taken in: {MOST_PICTURES}.")
    assert len({address.rpartition("file=")[2] for address in sent}) == MOST_PICTURES + 1
    found.get_by_role("button", name="Remove my pictures").click()
    expect(found).to_contain_text(FIRST)
    held = HeldRequests(page, "**/pictures.add*")
    found.locator("input[type=file]").set_input_files(many(MOST_PICTURES))
    held.wait_for()
    found.get_by_role("button", name="Cancel").click()
    held.release()
    expect(status).to_have_text(
        re.compile(r"^Pictures taken in: \d+\. Not sent: \d+\. More$"), timeout=1000 * patience(60)
    )
    taken, unsent = map(int, re.findall(r"\d+", status.inner_text()))
    assert taken + unsent == MOST_PICTURES
    assert taken < MOST_PICTURES


@EVERY_TYPEFACE
@pytest.mark.parametrize("options", [PHONE, {"color_scheme": "dark"}])
def test_it_fits_a_phone_and_a_dark_page(
    visitor: Callable[..., Page], served: str, options: dict[str, object]
) -> None:
    """Nothing is wider than the page; the language of the page is that of the section."""
    page = visitor(**options)
    visit(page, served, model="lenet", layer=LAYER, channel="2", lang="zh")
    found = page.locator("[data-part=exemplars]")
    if "viewport" in options:
        box = maps(page, LAYER).bounding_box()
        assert box is not None
        page.touchscreen.tap(box["x"] + 0.2 * box["width"], box["y"] + 0.2 * box["height"])
    found.locator("summary").first.click()
    expect(found.locator(".lg-exemplars-line")).to_contain_text(re.compile("浏览"))
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
