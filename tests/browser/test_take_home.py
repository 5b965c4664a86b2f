"""Files that a visitor takes home: a page that works without a network, and an animation."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.browser.oracle import lenet_outputs
from tests.browser.pictures import photo, png
from tests.browser.steps import (
    arrive,
    click_tile,
    drawing,
    expect_another_picture,
    maps,
    pixels,
    settle,
    upload,
    visit,
    wait_for_guess,
)
from viz.findings.values import LayerValues, Leaf
from viz.request.inspection import Inspection
from viz.take_home.album import sheets_of
from viz.take_home.standalone import standalone_page
from viz.ui.browser.modules import offline_script
from viz.ui.locale.layer_types import explanation
from viz.ui.locale.words import file_words

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SEED = 61


@pytest.fixture
def own_photo(page: Page, server: str) -> Page:
    """A page on LeNet's second convolution for an own photo."""
    visit(page, server, model="lenet", layer="conv2")
    before = drawing(page)
    upload(page, "own.png", png(photo(SEED)), "image/png")
    expect_another_picture(page, before)
    return page


@pytest.fixture
def offline(visitor: Callable[..., Page]) -> Iterator[Callable[[Path], Page]]:
    """Opens a file without a network; any request or script error fails the test."""
    asked: list[str] = []

    def opened(file: Path) -> Page:
        page = visitor(offline=True, viewport={"width": 1200, "height": 800})
        page.on("pageerror", lambda error: asked.append(str(error)))
        page.on("console", lambda message: asked.append(message.text) if message.type == "error" else None)
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri())
        page.locator(".maps[data-layer]").wait_for()
        return page

    yield opened
    assert [each for each in asked if not each.startswith(("file:", "data:"))] == []


def taken(page: Page, link: Locator, folder: Path) -> Path:
    """The file behind a link, saved as a visitor would save it."""
    with page.expect_download() as waiting:
        link.click()
    file = folder / waiting.value.suggested_filename
    waiting.value.save_as(file)
    return file


def opaque(image: Locator) -> np.ndarray:
    """The colours of all values, sorted, because page and file have different numbers of tiles in a row."""
    colours = pixels(image).reshape(-1, 4)
    colours = colours[colours[:, 3] == 255]
    return colours[np.lexsort(colours.T)]


def shown(page: Page) -> Locator:
    """The maps on the page that was taken home."""
    return page.locator("img.maps")


def test_all_layers_can_be_explored_without_a_network(
    own_photo: Page, offline: Callable[[Path], Page], tmp_path: Path
) -> None:
    """It has the page's pixels, exact values under the pointer, and arrow keys to flip layers."""
    page = own_photo
    page.locator(".lg-downloads summary").click()
    link = page.locator(".lg-downloads a").filter(has_text="all layers as an offline page")
    file = taken(page, link, tmp_path)
    assert file.name == "lenet-layers.html"
    home, outputs = offline(file), lenet_outputs(photo(SEED))
    expect(shown(home)).to_have_attribute("data-layer", "conv2")
    home.keyboard.press("Home")
    expect(shown(home)).to_have_attribute("data-layer", "conv1")
    for layer in ("relu1", "pool1", "conv2"):
        home.keyboard.press("ArrowRight")
        expect(shown(home)).to_have_attribute("data-layer", layer)
    np.testing.assert_array_equal(opaque(shown(home)), opaque(maps(page)))
    assert len(opaque(shown(home))) == outputs["conv2"].size
    home.keyboard.press("ArrowDown")
    expect(home.locator("aside h2")).to_have_text("channel 1")
    home.locator(".large").hover(position={"x": 1, "y": 1})
    expect(home.locator(".value")).to_contain_text("[1, 0, 0] = ")
    value = float(home.locator(".value").inner_text().split("=")[1].replace("\N{MINUS SIGN}", "-"))
    assert value == pytest.approx(float(outputs["conv2"][1, 0, 0]), rel=1e-3)


def test_a_page_opens_on_what_was_looked_at_with_guess_bar_and_explanation(
    own_photo: Page, offline: Callable[[Path], Page], tmp_path: Path
) -> None:
    """Channel 9 of conv2; the bar ends at the map's limits, and the best guess is the page's."""
    click_tile(own_photo, 9)
    expect(own_photo.locator(".lg-channel-title")).to_have_text("channel 9")
    own_photo.locator(".lg-downloads summary").click()
    link = own_photo.locator(".lg-downloads a").filter(has_text="this layer as an offline page")
    home = offline(taken(own_photo, link, tmp_path))
    expect(shown(home)).to_have_attribute("data-layer", "conv2")
    expect(home.locator("aside h2")).to_have_text("channel 9")
    wait_for_guess(own_photo)
    guess = own_photo.locator(".lg-seen li").first.locator("span").first.inner_text()
    expect(home.locator(".guesses li").first).to_contain_text(guess)
    expect(home.locator(".kind")).to_have_text(str(explanation("Conv2d")))
    high, zero, low = home.locator(".limits span").all_inner_texts()
    assert zero == "0"
    expect(home.locator(".value")).to_contain_text(f"colours from {low} to {high}")


def test_a_value_is_read_from_the_files_colour_whatever_the_canvas_tells(
    offline: Callable[[Path], Page], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A private window changes what a canvas tells; the value is right to one of 256 colours."""
    monkeypatch.setattr("viz.take_home.standalone.MOST_EXACT", 0)
    array = np.linspace(-1, 3, 2 * 8 * 8, dtype=np.float32).reshape(1, 2, 8, 8)
    array[0, 1, 0, 0] = np.nan
    values = LayerValues("conv", "Conv2d", "cpu", ({"output": Leaf(array, "float32")},))
    sheets = list(sheets_of(values, Inspection("picture", "net", "random", "conv")))
    file = tmp_path / "layers.html"
    file.write_bytes(standalone_page(sheets, title="net", words=file_words("en"), script=offline_script()))
    home = offline(file)
    home.evaluate("CanvasRenderingContext2D.prototype.getImageData = () => ({ data: new Uint8Array(4) })")
    home.keyboard.press("ArrowDown")
    expect(home.locator("aside h2")).to_have_text("channel 1")
    box = home.locator(".large").bounding_box()
    assert box
    for row, column in ((0, 1), (3, 4), (7, 7)):
        place = {"x": box["width"] * (column + 0.5) / 8, "y": box["height"] * (row + 0.5) / 8}
        home.locator(".large").hover(position=place)
        expect(home.locator(".value")).to_contain_text(f"[1, {row}, {column}] \N{ALMOST EQUAL TO} ")
        value = float(home.locator(".value").inner_text().split()[-1].replace("\N{MINUS SIGN}", "-"))
        assert value == pytest.approx(float(array[0, 1, row, column]), abs=6 / 256)
    home.locator(".large").hover(position={"x": 1, "y": 1})
    expect(home.locator(".value")).to_have_text("[1, 0, 0] \N{ALMOST EQUAL TO} \N{EN DASH}")


def test_a_small_number_reads_as_on_the_page(offline: Callable[[Path], Page], tmp_path: Path) -> None:
    """-1e-5 has the page's two minus signs, in the facts and under the pointer."""
    array = np.array([[[[-1e-5, 2.0], [0.25, 4e5]]]], np.float32)
    values = LayerValues("conv", "Conv2d", "cpu", ({"output": Leaf(array, "float32")},))
    sheets = list(sheets_of(values, Inspection("picture", "net", "random", "conv")))
    file = tmp_path / "layers.html"
    file.write_bytes(standalone_page(sheets, title="net", words=file_words("en"), script=offline_script()))
    home = offline(file)
    small = "\N{MINUS SIGN}1.00e\N{MINUS SIGN}5"
    expect(home.locator(".facts")).to_contain_text(
        f"min {small} · max 4.00e+5 · mean 1.00e+5 · zeros 0\N{NO-BREAK SPACE}%"
    )
    home.locator(".large").hover(position={"x": 1, "y": 1})
    expect(home.locator(".value")).to_have_text(f"[0, 0, 0] = {small}")
    home.locator(".maps").hover()
    expect(home.locator(".status")).to_contain_text(f"min {small}")


def test_one_block_can_be_chosen_from_all_layers(
    page: Page, server: str, offline: Callable[[Path], Page], tmp_path: Path
) -> None:
    """We choose only PhotoNet's first stage; from a Chinese page, the file is in Chinese."""
    arrive(page, server, view="layers", lang="zh")
    page.locator(".lg-home select").select_option("stage1")
    file = taken(page, page.locator(".lg-home a[data-form=html]"), tmp_path)
    home = offline(file)
    names = home.locator("select option").all_inner_texts()
    assert len(names) > 3
    assert all(name.split(". ", 1)[1].startswith("stage1") for name in names)
    expect(home.locator(".note").last).to_contain_text("无需网络")


def test_the_animation_shows_every_layer(own_photo: Page, tmp_path: Path) -> None:
    """There is a frame for each layer, and its maps have the page's colours."""
    page = own_photo
    page.locator(".lg-downloads summary").click()
    link = page.locator(".lg-downloads a").filter(has_text="animation through all layers")
    file = taken(page, link, tmp_path)
    settle(page)
    with Image.open(file) as picture:
        assert getattr(picture, "n_frames", 0) == page.locator("[data-part=tree] [role=treeitem]").count()
        picture.seek(3)  # conv2
        frame = np.asarray(picture.convert("RGB")).reshape(-1, 3).astype(int)
    on_page = np.unique(opaque(maps(page, "conv2"))[:, :3].astype(int), axis=0)
    distances = [abs(frame - colour).sum(axis=1).min() for colour in on_page]
    assert max(distances) <= 12
