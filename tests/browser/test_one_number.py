"""One number on the page: framed where autograd says that it looks, and broken down into its terms."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from playwright.sync_api import Locator, Page, expect
from safetensors.torch import load_file
from torch.nn import functional

from tests.browser.oracle import WEIGHTS, lenet_outputs
from tests.browser.pictures import photo
from tests.browser.steps import (
    click_tile,
    drawing,
    expect_another_picture,
    expect_calm,
    go,
    maps,
    settle,
    visit,
    visit_with_photo,
)
from tests.browser.test_live import go_live
from tests.browser.typefaces import EVERY_TYPEFACE
from tests.browser.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.looks]

Box = tuple[int, int, int, int]
MARK = ".lg-panel .lg-map > .lg-cell"
FRAME = """([frame, image]) => {
    const outer = image.getBoundingClientRect(), inner = frame.getBoundingClientRect();
    return [["top", "height"], ["left", "width"], ["bottom", "height"], ["right", "width"]].map(
        ([edge, side]) => (inner[edge] - outer[side === "height" ? "top" : "left"]) / outer[side]);
}"""


def number(text: str) -> float:
    """Return the value of a number on the page."""
    return float(text.strip().replace("−", "-"))


def section(page: Page) -> Locator:
    """The section about one number, once it is up to date."""
    place = page.locator(".lg-number:not([hidden]):not([aria-busy])")
    place.wait_for()
    return place


def click_cell(page: Page, row: int, column: int) -> None:
    """Click a cell of the large map."""
    canvas = page.locator(".lg-large")
    side = canvas.evaluate("canvas => canvas.clientWidth / canvas.width")
    canvas.click(position={"x": (column + 0.5) * side, "y": (row + 0.5) * side})


def framed(page: Page, frame: str, image: str, side: int = 32) -> Box:
    """The box (top, left, bottom, right) that a frame encloses, in pixels of the model's input."""
    handles = [page.locator(selector).element_handle() for selector in (frame, image)]
    top, left, bottom, right = (round(side * share) for share in page.evaluate(FRAME, handles))
    return top, left, bottom, right


def support(layer: str, row: int, column: int) -> Box:
    """Return the box of non-zero gradients of a cell of LeNet's layer, with weights that never cancel out."""
    images = torch.rand(1, 3, 32, 32, requires_grad=True)
    flow = functional.conv2d(images, torch.ones(6, 3, 5, 5))
    if layer != "conv1":
        flow = functional.conv2d(functional.avg_pool2d(flow, 2), torch.ones(16, 6, 5, 5))
    (gradient,) = torch.autograd.grad(flow[0, 0, row, column], images)
    rows, columns = (gradient[0] != 0).any(0).nonzero().unbind(1)
    return int(rows.min()), int(columns.min()), int(rows.max()) + 1, int(columns.max()) + 1


@pytest.fixture
def own_photo(visitor: Callable[..., Page], server: str) -> Page:
    """A page on LeNet's second convolution for the photo with seed 41."""
    page = visitor()
    return visit_with_photo(page, server, 41, model="lenet", layer="conv2", channel="0")


def test_the_frame_is_the_support_of_the_gradient(own_photo: Page) -> None:
    """On the picture beside the arithmetic and the one in the sidebar, for a corner and a middle cell."""
    for row, column in ((4, 7), (0, 0), (9, 9)):
        click_cell(own_photo, row, column)
        expect(section(own_photo).locator("h3 code")).to_contain_text(f"[0, {row}, {column}] = ")
        box = support("conv2", row, column)
        assert framed(own_photo, ".lg-sees .lg-field", ".lg-sees img") == box
        assert framed(own_photo, ".lg-seen .lg-field", ".lg-seen .lg-saw") == box
        words = f"rows {box[0]} to {box[2] - 1}, columns {box[1]} to {box[3] - 1}"
        expect(own_photo.locator(".lg-sees figcaption")).to_contain_text(words)


def test_what_is_shown_adds_up_to_the_captured_number(own_photo: Page) -> None:
    """Input, weights, products, the other channels and the bias, against the photo's own numbers."""
    outputs = lenet_outputs(photo(41))
    weights = load_file(WEIGHTS / "lenet.safetensors")
    click_tile(own_photo, 9)
    click_cell(own_photo, 3, 6)
    place = section(own_photo)
    expect(place.locator("h3 code")).to_contain_text("[9, 3, 6] = ")
    expect(place.locator("h3")).to_contain_text("in PyTorch: output[0, 9, 3, 6]")
    place.get_by_role("button", name="All digits").click()
    value = float(outputs["conv2"][9, 3, 6])
    expect(place.locator("h3 code")).to_contain_text(" = ")
    assert number(place.locator("h3 code").inner_text().split("=")[1]) == pytest.approx(value, rel=1e-5)
    channel = int(place.locator("select").input_value())
    grids = [_grid(place, n) for n in range(3)]
    np.testing.assert_allclose(grids[0], outputs["pool1"][channel, 3:8, 6:11], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(grids[1], weights["conv2.weight"][9, channel], rtol=1e-6)
    np.testing.assert_allclose(grids[2], grids[0] * grids[1], rtol=1e-6, atol=1e-9)
    *added, total, returned = [
        number(text) for text in place.locator(".lg-sum td:last-child").all_inner_texts()
    ]
    assert added[0] == pytest.approx(grids[2].sum(), rel=1e-3)
    assert added[-1] == pytest.approx(float(weights["conv2.bias"][9]), rel=1e-3)
    assert sum(added) == pytest.approx(total, abs=2e-3)
    assert total == pytest.approx(returned, abs=1e-5)
    expect(place.locator(".lg-verdict")).to_contain_text("agree to the precision of float32")


def _grid(place: Locator, index: int) -> np.ndarray:
    """The numbers of a grid in full, as its cells say them."""
    cells = (
        place.locator(".lg-grid").nth(index).locator("td").evaluate_all("cells => cells.map(c => c.title)")
    )
    return np.array([number(text.removeprefix("padding")) for text in cells]).reshape(5, 5)


def test_another_input_channel_and_another_output_channel_can_be_chosen(own_photo: Page) -> None:
    """Another input channel changes the window, not the sum; another output channel is another number."""
    outputs = lenet_outputs(photo(41))
    click_cell(own_photo, 5, 2)
    section(own_photo).get_by_role("button", name="All digits").click()
    before = section(own_photo).locator(".lg-returned td").last.inner_text()
    section(own_photo).locator("select").select_option(index=3)
    chosen = int(section(own_photo).locator("select").input_value())
    expect(own_photo.locator(".lg-sum th").first).to_contain_text(f"channel {chosen},")
    np.testing.assert_allclose(
        _grid(section(own_photo), 0), outputs["pool1"][chosen, 5:10, 2:7], rtol=1e-5, atol=1e-6
    )
    assert section(own_photo).locator(".lg-returned td").last.inner_text() == before
    click_tile(own_photo, 3)
    expect(own_photo.locator(".lg-number h3 code")).to_contain_text("[3, 5, 2] = ")
    told = section(own_photo).locator(".lg-returned td").last.inner_text()
    assert number(told) == pytest.approx(float(outputs["conv2"][3, 5, 2]), rel=1e-5)


def test_cells_are_reached_and_left_by_keys_alone(page: Page, server: str) -> None:
    """Arrows say values, Enter takes one apart, the number follows the arrows, Escape returns the keys."""
    go(page, server, model="lenet", layer="conv1", channel="0")
    page.locator(".lg-edit summary").focus()
    page.keyboard.press("Tab")
    expect(page.locator(".lg-large")).to_be_focused()
    expect(page.locator(".lg-value")).to_contain_text("[0, 14, 14] = ")
    for key in ("ArrowRight", "ArrowUp", "Shift+ArrowLeft"):
        page.keyboard.press(key)
    expect(page.locator(".lg-value")).to_contain_text("[0, 13, 5] = ")
    expect(page.locator(".lg-number")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(section(page).locator("h3 code")).to_contain_text("[0, 13, 5] = ")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".lg-number h3 code")).to_contain_text("[0, 14, 5] = ")
    assert framed(page, ".lg-sees .lg-field", ".lg-sees img") == support("conv1", 14, 5)
    page.keyboard.press("Escape")
    expect(page.locator(".lg-number")).to_be_hidden()
    expect(page.locator(".lg-seen .lg-field")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    maps(page, "relu1").wait_for()


def test_steps_from_cell_to_cell_are_undone_together(page: Page, server: str) -> None:
    """Undo goes back to before the number was opened, and then to what was done before it."""
    go(page, server, model="lenet", layer="conv1", channel="0")
    click_tile(page, 2)
    click_cell(page, 5, 5)
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(section(page).locator("h3 code")).to_contain_text("[2, 5, 10] = ")
    page.keyboard.press("Control+z")
    expect(page.locator(".lg-number")).to_be_hidden()
    page.keyboard.press("Control+z")
    expect(page.locator(".lg-channel-title")).to_have_text("channel 0")


def test_a_number_that_was_lost_comes_once_the_line_is_back(
    visitor: Callable[..., Page], server: str
) -> None:
    """The page says that the server does not answer, and asks again by itself."""
    page = visitor()
    visit(page, server, model="lenet", layer="conv2", channel="0")
    page.route("**/cell.json*", lambda route: route.abort())
    click_cell(page, 2, 3)
    expect(page.locator(".lg-number .lg-number-reason")).to_contain_text("did not answer")
    page.unroute("**/cell.json*")
    expect(section(page).locator("h3 code")).to_contain_text("[0, 2, 3] = ")


def test_another_view_closes_the_number(page: Page, server: str) -> None:
    """It is about the maps that were there: those of gradients are not taken apart."""
    go(page, server, model="lenet", layer="conv2", channel="0")
    click_cell(page, 2, 3)
    section(page)
    page.locator("[data-part=view] [data-value=gradients]").click()
    page.wait_for_url(lambda url: "view=gradients" in url and "cell=" not in url)
    page.locator(".lg-attribution").wait_for()
    expect(page.locator(".lg-number")).to_be_hidden()


def test_another_layer_closes_the_number(own_photo: Page) -> None:
    """The other layer has other cells; no frame of the old one stays on the pictures."""
    click_cell(own_photo, 2, 2)
    section(own_photo)
    own_photo.locator(".lg-next").click()
    maps(own_photo, "relu2").wait_for()
    expect(own_photo.locator(".lg-number")).to_be_hidden()
    expect(own_photo.locator(MARK)).to_have_count(1)
    expect(own_photo.locator(MARK)).to_be_hidden()
    settle(own_photo)
    expect_calm(own_photo)


def test_a_layer_without_arithmetic_says_so_and_keeps_its_frame(page: Page, server: str) -> None:
    """A container names its parts; a number that no layer made is refused, in Chinese too."""
    go(page, server, model="photonet", layer="stage1.1", channel="0", lang="zh")
    click_cell(page, 4, 4)
    expect(section(page).locator(".lg-number-reason")).to_contain_text("由其他层组成")
    expect(page.locator(".lg-sees .lg-field")).to_be_visible()
    expect(page.locator(".lg-sees figcaption")).to_contain_text("个像素")
    page.locator(".lg-number-close").click()
    page.locator(".lg-options select").first.select_option("inputs")
    until(page, "document.querySelector('img[data-layer]').dataset.address.includes('inputs')")
    click_cell(page, 4, 4)
    expect(section(page).locator(".lg-number-reason")).to_contain_text("只有层的输出可以拆解")
    expect(section(page).locator("h3 code")).to_contain_text("[0, 4, 4] = ")


def test_an_open_number_follows_the_language_and_closes_from_within(page: Page, server: str) -> None:
    """The same number in the other language; Escape also works on the section's own controls."""
    go(page, server, model="lenet", layer="conv2", channel="0")
    click_cell(page, 1, 1)
    expect(section(page).locator(".lg-formula")).to_contain_text("input × weight + bias")
    page.locator(".st-key-lang").get_by_text("中文").click()
    expect(page.locator(".lg-number .lg-formula")).to_contain_text("输入 × 权重")
    expect(section(page).locator("h3 code")).to_contain_text("[0, 1, 1] = ")
    settle(page)
    section(page).locator("select").focus()
    page.keyboard.press("Escape")
    expect(page.locator(".lg-number")).to_be_hidden()
    expect(page.locator(".lg-viewer")).to_be_focused()


def test_what_sees_the_whole_picture_says_why(page: Page, server: str) -> None:
    """A class score of a linear layer, with the terms that count most."""
    go(page, server, model="lenet", layer="fc3")
    click_cell(page, 0, 0)
    expect(section(page).locator("figcaption")).to_contain_text("The whole picture: a linear layer")
    assert framed(page, ".lg-sees .lg-field", ".lg-sees img") == (0, 0, 32, 32)
    *added, total, returned = [
        number(text) for text in section(page).locator(".lg-sum td:last-child").all_inner_texts()
    ]
    assert sum(added) == pytest.approx(total, abs=5e-3)
    assert total == pytest.approx(returned, abs=1e-4)


@pytest.mark.chromium("finger")
@EVERY_TYPEFACE
def test_on_a_phone_a_tap_takes_a_cell_apart_within_the_width(
    visitor: Callable[..., Page], server: str
) -> None:
    """In the sheet that a tap on its map brings; nothing scrolls sideways, and the number is in sight."""
    page = visitor(viewport={"width": 375, "height": 812}, is_mobile=True, has_touch=True)
    visit(page, server, model="lenet", layer="conv2", channel="0")
    page.locator(".lg-frame img").tap(position={"x": 5, "y": 5})
    expect(page.get_by_role("dialog")).to_be_visible()
    side = page.locator(".lg-large").evaluate("canvas => canvas.clientWidth / canvas.width")
    page.locator(".lg-large").tap(position={"x": 6.5 * side, "y": 2.5 * side})
    expect(section(page).locator("h3 code")).to_contain_text("[0, 2, 6] = ")
    expect(section(page).locator("h3")).to_be_in_viewport()
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 375
    assert (
        section(page)
        .locator(".lg-grid, .lg-sum")
        .evaluate_all("parts => parts.every((part) => part.getBoundingClientRect().right <= 375)")
    )


def test_a_live_frame_is_not_taken_for_the_picture_before(visitor: Callable[..., Page], server: str) -> None:
    """Frames are not kept: a number and a script need a frozen frame, and then the number is shown."""
    page = visitor()
    visit(page, server, model="lenet", layer="conv2", channel="0")
    before = drawing(page)
    click_cell(page, 2, 2)
    section(page)
    go_live(page)
    expect(page.locator(".lg-number")).to_be_hidden()
    click_cell(page, 2, 2)
    expect(page.locator(".lg-number-reason")).to_contain_text("Freeze the camera")
    expect(page.locator(MARK)).to_be_hidden()
    page.get_by_role("button", name="Freeze").click()
    page.locator(".lg-maps[data-address]").wait_for()
    expect_another_picture(page, before)
    expect(page.locator(".lg-number")).to_be_hidden()
    click_cell(page, 2, 2)
    expect(section(page).locator("h3 code")).to_contain_text("[0, 2, 2] = ")


def test_the_weights_of_a_channel_are_shown_when_they_are_asked_for(page: Page, server: str) -> None:
    """They are beside a convolution's maps but not beside a ReLU's, and follow the channel."""
    go(page, server, model="lenet", layer="conv1", channel="0")
    weights = load_file(WEIGHTS / "lenet.safetensors")
    page.locator(".lg-filter summary").click()
    expect(page.locator(".lg-filter p")).to_contain_text("3 kernels of 5 × 5")  # it scrolls as they come
    for channel in (0, 4):
        click_tile(page, channel)
        bias = float(weights["conv1.bias"][channel])
        limit = float(weights["conv1.weight"][channel].abs().max())
        expect(page.locator(".lg-filter p")).to_contain_text("3 kernels of 5 × 5")
        expect(page.locator(".lg-filter p")).to_contain_text(f"±{limit:.4g}")
        expect(page.locator(".lg-filter p")).to_contain_text(f"Bias {bias:.4g}".replace("-", "−"))
    page.locator(".lg-next").click()
    maps(page, "relu1").wait_for()
    expect(page.locator(".lg-filter")).to_be_hidden()
