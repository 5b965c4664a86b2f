"""A phone: a strip that stays, maps in the first half of the screen, sheets, targets for a finger."""

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import DRAWN, choose, choose_in_tree, go, maps, pick, settle, tile_centre, visit
from tests.browser.typefaces import EVERY_SIZE, EVERY_TYPEFACE, Reader
from tests.browser.waiting import until
from viz.request.views import VIEWS

pytestmark = pytest.mark.browser

SCREENS = ((390, 844), (360, 640))
FINGER = 44  # pixels
# The controls on screen that a finger could miss: how each begins, its width and its height.
SMALL = """side => [
        "[data-testid=stMain]", "[data-testid=stSidebar][data-collapsed=false]", ".lg-sheet[open]",
    ].flatMap((root) => [...document.querySelectorAll(
        `${root} :is(button, select, summary, a[href], [role=treeitem] > .lg-line, input:not([type=file]))`,
    )])
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest("p, .lg-unseen"))
    .map((each) => [each, each.matches("input") ? each.closest("label") ?? each.parentElement : each])
    .map(([each, target]) => [each, target.getBoundingClientRect()])
    .filter(([, box]) => box.width && (box.height < side - 0.5 || box.width < side - 0.5))
    .map(([each, box]) => `${each.outerHTML.slice(0, 90)} ${box.width} × ${box.height}`)"""
# Boxes with letters of less than 16 pixels, into which Safari would enlarge the page.
SMALL_LETTERS = """() => [...document.querySelectorAll("select, textarea, input")]
    .filter((each) => !["checkbox", "radio", "range", "file"].includes(each.type) && each.checkVisibility())
    .filter((each) => parseFloat(getComputedStyle(each).fontSize) < 16)
    .map((each) => each.outerHTML.slice(0, 120))"""
SIDEWAYS = """() => [document.documentElement, document.querySelector("[data-testid=stMain]")]
    .map((each) => each.scrollWidth - each.clientWidth)"""


@pytest.fixture(params=SCREENS, ids=lambda size: f"{size[0]}x{size[1]}")
def phone(looker: Callable[..., Page], request: pytest.FixtureRequest) -> Page:
    """A page that fingers touch, narrow and high."""
    return on_phone(looker, *request.param)


def on_phone(looker: Callable[..., Page], width: int, height: int) -> Page:
    """The page of a visitor with such a phone."""
    size = {"width": width, "height": height}
    return looker(viewport=size, has_touch=True, is_mobile=True, device_scale_factor=2)


def box(part: Locator) -> dict[str, float]:
    """Return the box of an element on the screen."""
    found = part.bounding_box()
    assert found
    return dict(found)


def tap(page: Page, across: float = 0.3, down: float = 0.1) -> Locator:
    """Tap the mosaic at these shares of its sides; the sheet that comes."""
    mosaic = maps(page)
    size = box(mosaic)
    mosaic.tap(position={"x": across * size["width"], "y": down * size["height"]})
    sheet = page.get_by_role("dialog")
    expect(sheet).to_be_visible()
    return sheet


def swipe(page: Page, across: float, down: float) -> None:
    """Move a finger over the sheet's head, where nothing else listens."""
    page.locator(".lg-sheet").evaluate(
        """(sheet, [across, down]) => {
            const touch = (x, y) => new Touch({ identifier: 1, target: sheet, clientX: x, clientY: y });
            const [from, to] = [touch(200, 500), touch(200 + across, 500 + down)];
            const told = (name, now, changed) => sheet.dispatchEvent(
                new TouchEvent(name, { bubbles: true, touches: now, changedTouches: [changed] }),
            );
            told("touchstart", [from], from);
            told("touchend", [], to);
        }""",
        [across, down],
    )


@EVERY_SIZE
def test_the_maps_begin_in_the_first_half_and_are_as_wide_as_the_page(
    phone: Page, server: str, reader: Reader
) -> None:
    """Above them are a strip, one row of tabs, and what the layer is, which they do not touch.

    What larger text takes is not the maps': two rows of them are on the smallest screen all the same.
    """
    go(phone, server)
    size = phone.viewport_size
    assert size
    mosaic, sentence = box(maps(phone)), box(phone.locator(".lg-sentence"))
    assert mosaic["y"] - sentence["y"] - sentence["height"] >= 4
    if reader.size <= 100:
        assert mosaic["y"] < size["height"] / 2
    assert mosaic["y"] + tile_centre(phone, 0)[1] * 4 <= size["height"]
    assert mosaic["width"] > 0.9 * (size["width"] - 32)
    tabs = [box(tab)["y"] for tab in phone.locator("[data-part=view] button").all()]
    assert len(set(tabs)) == 1


@EVERY_TYPEFACE
def test_picture_guess_and_layer_stay_at_the_top(phone: Page, server: str) -> None:
    """A tap on them opens the boxes where they are chosen; a choice there comes back to the maps."""
    go(phone, server)
    strip = phone.locator(".lg-phone-strip")
    expect(strip).to_contain_text("%")
    expect(strip.locator("img")).to_have_attribute("src", picture_of(phone))
    phone.locator("[data-testid=stMain]").evaluate("main => main.scrollTo(0, 2000)")
    top = box(strip)
    assert top["y"] == 0
    assert top["height"] <= 56
    sidebar = phone.locator("[data-testid=stSidebar]")
    expect(sidebar).to_have_attribute("data-collapsed", "true")
    strip.tap()
    expect(sidebar).to_have_attribute("data-collapsed", "false")
    choose_in_tree(phone, "stage2")
    expect(sidebar).to_have_attribute("data-collapsed", "true")
    expect(strip).to_contain_text("stage2")
    strip.tap()
    pick(phone, "sample", "A cup of coffee")
    expect(sidebar).to_have_attribute("data-collapsed", "true")


def test_a_tap_brings_a_sheet_that_every_way_puts_away(phone: Page, server: str) -> None:
    """The sheet is the channel's panel: there is one of it, in one of two places. The focus goes with it."""
    go(phone, server)
    before = phone.locator(".lg-viewer canvas.lg-large").count()
    ways = {
        "close": lambda: phone.get_by_role("button", name="Close", exact=True).tap(),
        "Escape": lambda: phone.keyboard.press("Escape"),
        "Back": phone.go_back,
        "swipe": lambda: swipe(phone, 5, 160),
        "beside": lambda: phone.touchscreen.tap(100, 20),
    }
    for name, put_away in ways.items():
        phone.wait_for_timeout(300)  # an entry of the history for each look on which the visitor rested
        sheet = tap(phone, 0.3 if name != "Back" else 0.6)
        expect(sheet.locator("h3")).to_have_text(re.compile(r"channel \d+"))
        for part in ("canvas.lg-large", ".lg-value", ".lg-histogram svg", ".lg-remove"):
            expect(sheet.locator(part)).to_be_visible()
        assert sheet.evaluate("sheet => sheet.contains(document.activeElement)")
        phone.wait_for_timeout(300)
        put_away()
        expect(sheet).to_have_count(0)
        expect(phone.locator(".lg-body > .lg-panel")).to_have_count(1)
        assert phone.locator(".lg-viewer canvas.lg-large").count() == before
        assert phone.evaluate("document.activeElement.closest('.lg-viewer') !== null")


def test_a_sheet_that_is_put_away_leaves_no_step_back_that_leads_nowhere(phone: Page, server: str) -> None:
    """The second tap on a map changes no look; after its sheet, Back goes to before the first."""
    go(phone, server)
    phone.evaluate(
        "() => { window.went = 0; addEventListener('layerglass:returned', () => { window.went += 1; }); }"
    )
    for _ in range(2):
        sheet = tap(phone)
        phone.wait_for_url("**channel=**")
        phone.keyboard.press("Escape")
        expect(sheet).to_have_count(0)
    until(phone, "window.went === 1")
    assert "channel=" in phone.url
    phone.go_back()
    phone.wait_for_url(lambda url: "channel=" not in url)


def test_a_swipe_goes_to_the_next_map_and_back(phone: Page, server: str) -> None:
    """So do the buttons, for whoever cannot swipe."""
    go(phone, server, channel="4")
    title = tap(phone, 0.05, 0.02).locator("h3")
    expect(title).to_have_text("channel 0")
    swipe(phone, -120, 8)
    expect(title).to_have_text("channel 1")
    phone.get_by_role("button", name="next map").tap()
    expect(title).to_have_text("channel 2")
    swipe(phone, 120, 8)
    swipe(phone, 20, 12)  # too short to mean anything
    expect(title).to_have_text("channel 1")
    phone.get_by_role("button", name="previous map").tap()
    expect(title).to_have_text("channel 0")


def test_an_edit_and_a_number_taken_apart_are_made_in_the_sheet(phone: Page, server: str) -> None:
    """All that follows from a tap in the sheet is shown in the sheet."""
    go(phone, server)
    sheet = tap(phone)
    sheet.locator(".lg-remove").tap()
    expect(sheet.locator(".lg-remove")).to_have_text("Put back")
    sheet.locator("canvas.lg-large").tap()
    expect(sheet.locator(".lg-number h3, .lg-number h2").first).to_be_visible()


@EVERY_SIZE
@pytest.mark.parametrize("view", VIEWS)
def test_no_view_scrolls_sideways_and_every_target_is_a_fingers(
    looker: Callable[..., Page], server: str, view: str
) -> None:
    """On the narrowest phone, in the language with the longer words; with the sidebar open too."""
    page = go(on_phone(looker, 360, 640), server, view=view)
    page.locator(DRAWN[view]).first.wait_for()
    settle(page)
    page.wait_for_timeout(500)
    assert page.evaluate(SIDEWAYS) == [0, 0]
    assert page.evaluate(SMALL, FINGER) == []
    page.locator(".lg-phone-strip").tap()
    expect(page.locator("[data-testid=stSidebar]")).to_have_attribute("data-collapsed", "false")
    until(page, "document.getAnimations().every((each) => each.playState !== 'running')")  # it slides in
    assert page.evaluate(SMALL, FINGER) == []
    assert page.evaluate(SMALL_LETTERS) == []


@EVERY_SIZE
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_answers_of_the_quiz_are_in_sight(looker: Callable[..., Page], server: str, lang: str) -> None:
    """However long the question is, and whatever pictures it shows."""
    page = on_phone(looker, 390, 844)
    for seed in ("1", "76", "2506"):
        go(page, server, view="quiz", seed=seed, lang=lang)
        expect(page.locator("[data-part=quiz-number]")).to_have_value(seed)
        answers = page.locator(".lg-quiz-choices button")
        expect(answers.first).to_be_visible()
        settle(page)
        for answer in answers.all():
            place = box(answer)
            assert place["y"] > 0
            assert place["y"] + place["height"] <= 844


def test_a_laptop_keeps_its_sidebar_and_its_panel(page: Page, server: str) -> None:
    """Nothing of this is there: no strip, no sheet, and a choice leaves the boxes where they are."""
    visit(page, server)
    choose(page, "layer", "stage2")
    expect(maps(page, "stage2")).to_be_visible()
    expect(page.locator("[data-testid=stSidebar]")).to_have_attribute("data-collapsed", "false")
    expect(page.locator(".lg-phone-strip")).to_be_hidden()
    maps(page).click(position={"x": 5, "y": 5})
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".lg-body > .lg-panel")).to_be_visible()


def picture_of(page: Page) -> str:
    """The address of what the model saw, as the sidebar shows it."""
    expect(page.locator(".lg-seen .lg-saw")).to_have_attribute("src", re.compile("seen"))
    return str(page.locator(".lg-seen .lg-saw").get_attribute("src"))


STEPS = """() => [...document.querySelectorAll(".lg-quiz-steps button")].map((button) => {
    const circle = button.querySelector("span") ?? button.closest("li"), digit = document.createRange();
    digit.selectNodeContents(circle);
    return [button, circle, digit].map((each) => each.getBoundingClientRect())
        .map(({ left, right, top, bottom }) => [left, right, (left + right) / 2, (top + bottom) / 2]);
})"""


@EVERY_TYPEFACE
def test_the_steps_of_a_quiz_have_their_digits_in_their_circles(phone: Page, server: str) -> None:
    """Each digit in its circle's middle; a finger meets one step, and no other step lies over it."""
    go(phone, server, view="quiz", seed="78", level="easy")
    phone.locator(".lg-quiz-steps").wait_for()
    steps = phone.evaluate(STEPS)
    assert len(steps) == 8
    for _, circle, digit in steps:
        assert digit[2:] == pytest.approx(circle[2:], abs=1.5)
    for (before, *_), (after, *_) in pairwise(steps):
        assert before[1] <= after[0] + 0.1


@EVERY_TYPEFACE
def test_the_way_into_a_class_has_its_word_beside_the_views(phone: Page, server: str) -> None:
    """A sign of three heads says nothing to somebody who was told to press Class."""
    go(phone, server)
    classes, views = phone.locator("[data-part=class]"), phone.locator(".lg-views")
    expect(classes.get_by_text("Class", exact=True)).to_be_visible()
    way, beside = box(classes), box(views)
    assert beside["x"] + beside["width"] <= way["x"] + 0.5
    assert way["x"] + way["width"] <= phone.viewport_size["width"]
    assert abs(way["y"] - beside["y"]) < 10
    assert phone.evaluate(SIDEWAYS) == [0, 0]
