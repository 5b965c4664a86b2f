"""Presentation mode: the maps fill the screen, keys still work, and a link can start it."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import expect_address, expect_calm, go, maps, press, settle, visit, wait_for_guess
from tests.browser.typefaces import EVERY_SIZE, EVERY_TYPEFACE
from tests.browser.waiting import until
from viz.request.views import VIEWS

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.looks]

VIEW = {"model": "photonet", "layer": "stem.conv"}
PROJECTOR = {"viewport": {"width": 1920, "height": 1080}}


def area(page: Page) -> float:
    """Return the area of the window that the maps take, in square pixels."""
    box = maps(page).bounding_box() or {"width": 0, "height": 0}
    return box["width"] * box["height"]


@EVERY_SIZE
def test_the_maps_take_the_screen_and_give_it_back(page: Page, server: str) -> None:
    """Key p: no sidebar, larger maps, no scrolling; flipping works; Escape brings everything back."""
    go(page, server, model="lenet", layer="conv2")
    before = area(page)
    press(page, "p")
    expect(page.locator("[data-testid=stSidebar]")).to_be_hidden()
    expect(page.locator(".lg-panel")).to_be_hidden()
    page.wait_for_url("**present=1**")
    settle(page)
    until(
        page,
        "before => { const box = document.querySelector('.lg-maps').getBoundingClientRect();"
        " return box.width * box.height > 1.2 * before; }",
        arg=before,
    )
    assert page.get_by_test_id("stMain").evaluate("each => each.scrollHeight") <= 768
    press(page, "ArrowRight")
    maps(page, "relu2").wait_for()
    page.keyboard.press("Escape")
    expect(page.locator(".st-key-model input").first).to_be_visible()
    expect(page.locator(".lg-panel")).to_be_visible()
    page.wait_for_url(lambda url: "present" not in url)
    expect_calm(page)


FRAMED = """() => [...document.querySelectorAll("body *")]
    .filter((each) => each.checkVisibility() && each.offsetWidth)
    .filter((each) => getComputedStyle(each).outlineStyle !== "none")
    .map(({ className }) => className)"""


@EVERY_TYPEFACE
@pytest.mark.parametrize("view", VIEWS)
def test_every_view_is_presented_with_picture_and_guess(page: Page, server: str, view: str) -> None:
    """Key p in any of them; the picture and the best guess stay above what is shown, which nothing covers."""
    go(page, server, view=view)
    wait_for_guess(page)
    guess = page.locator(".lg-seen li").first.inner_text()
    page.keyboard.press("p")
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    expect(page.locator("[data-part=view]")).to_be_hidden()
    line = page.locator(".lg-present-seen")
    expect(line.locator("li").first).to_have_text(guess.replace("\n", ""))
    expect(line.locator("img.lg-saw")).to_be_visible()
    above, shown = line.bounding_box(), page.locator(".lg-feature").bounding_box()
    assert above is not None
    assert shown is not None
    assert above["y"] + above["height"] <= shown["y"]
    assert above["height"] <= 64
    page.wait_for_url("**present=1**")
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    expect(page.locator(".lg-present-seen img")).to_have_count(0)


def test_nothing_in_a_presentation_has_a_stray_frame(page: Page, server: str) -> None:
    """Not the maps that have the focus, nor a channel that is not beside them, nor one under the mouse."""
    go(page, server, model="lenet", layer="conv2")
    page.keyboard.press("Tab")
    press(page, "p")
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    maps(page).hover()
    assert page.evaluate(FRAMED) == []
    press(page, "ArrowDown")
    expect(page.locator(".lg-panel")).to_be_visible()
    assert page.evaluate(FRAMED) == ["lg-mark lg-selected"]


def test_a_channel_takes_its_side_until_escape(page: Page, server: str) -> None:
    """The first Escape closes the channel, the second ends the presentation."""
    go(page, server, model="lenet", layer="conv2", channel="0", present="1")
    expect(page.locator("[data-testid=stSidebar]")).to_be_hidden()
    press(page, "ArrowDown")
    expect(page.locator(".lg-channel-title")).to_have_text("channel 1")
    expect(page.locator(".lg-panel")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".lg-panel")).to_be_hidden()
    expect_address(page, present="1")
    page.keyboard.press("Escape")
    expect(page.locator(".lg-panel")).to_be_visible()
    page.wait_for_url(lambda url: "present" not in url)


@EVERY_SIZE
def test_squares_that_stand_for_classes_have_their_names_beside_them(
    looker: Callable[..., Page], server: str
) -> None:
    """The highest score first, without anything that is to be typed; the layer before has its room back."""
    page = go(looker(**PROJECTOR), server, model="photonet", layer="fc", present="1")
    names = page.locator(".lg-classes li")
    expect(names).to_have_count(10)
    wait_for_guess(page)
    best = page.locator(".lg-seen li span").first.inner_text()
    expect(names.first.locator("span").nth(1)).to_have_text(best)
    expect(page.locator(".lg-channel-title")).to_be_hidden()
    expect(page.locator(".lg-classes input")).to_be_hidden()
    until(page, APART)
    press(page, "ArrowLeft")
    maps(page, "flatten").wait_for()
    expect(page.locator(".lg-panel")).to_be_hidden()
    until(page, "() => document.querySelector('.lg-main').clientWidth > 1700")


APART = """() => {
    const box = (each) => document.querySelector(each).getBoundingClientRect();
    const [left, right] = [box(".lg-maps"), box(".lg-classes")];
    return left.right <= right.left && right.right <= innerWidth && left.bottom <= innerHeight;
}"""


def test_a_link_begins_a_presentation_on_a_projector(visitor: Callable[..., Page], server: str) -> None:
    """Only the maps, their text, and a button that ends the presentation by mouse."""
    page = visit(visitor(**PROJECTOR), server, **VIEW, present="1")
    expect(page.locator(".lg-drawing")).to_be_hidden()
    heading = page.locator(".lg-layer").evaluate("each => parseFloat(getComputedStyle(each).fontSize)")
    assert heading >= 30
    page.get_by_role("button", name="Leave presentation").click()
    expect(page.locator(".lg-drawing")).to_be_visible()
    settle(page)
    expect_calm(page)


@EVERY_TYPEFACE
def test_the_tree_stands_at_the_layer_that_a_presentation_ended_on(page: Page, server: str) -> None:
    """While the sidebar is away, its tree cannot scroll; once it is back, the chosen row is in sight."""
    go(page, server, model="efficientnet_lite0", layer="stage7")
    press(page, "p")
    page.wait_for_url("**present=1**")
    for layer in ("head.conv", "head.bn", "head.relu"):
        press(page, "ArrowRight")
        maps(page, layer).wait_for()
    press(page, "Escape")
    row = page.get_by_role("treeitem", selected=True).locator("> .lg-line")
    expect(row).to_contain_text("relu")
    until(
        page,
        "() => { const [tree, row] = ['.lg-tree', '.lg-tree [aria-selected=true] > .lg-line']"
        ".map((each) => document.querySelector(each).getBoundingClientRect());"
        " return row.top >= tree.top - 1 && row.bottom <= tree.bottom + 1; }",
    )


@EVERY_TYPEFACE
def test_an_upright_tablet_has_one_row_of_tabs_and_the_list_below_the_hook(
    looker: Callable[..., Page], server: str
) -> None:
    """Nothing is squeezed beside the sidebar, and the answer stays at the ribbon's end."""
    page = looker(viewport={"width": 820, "height": 1180}, has_touch=True)
    go(page, server, model="efficientnet_lite0", layer="stem.conv")
    tops = page.locator(".lg-switch button").evaluate_all("all => all.map((each) => each.offsetTop)")
    assert len(set(tops)) == 1
    expect(page.locator(".lg-ribbon-answer")).to_be_in_viewport(ratio=1)
    go(page, server, model="lenet", view="hooks", layer="conv1")
    page.locator(".lg-event img").first.wait_for()
    listed, shown = (page.locator(each).bounding_box() for each in (".lg-events", ".lg-event-maps"))
    assert listed is not None
    assert shown is not None
    assert listed["y"] >= shown["y"] + shown["height"]
    assert shown["width"] > 400
