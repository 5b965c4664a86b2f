"""The sources on the page: they run when asked, give the documents' numbers, keep what was chosen."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import address, arrive, choose, expect_calm, maps, notices, settle
from tests.browser.typefaces import EVERY_TYPEFACE

pytestmark = [pytest.mark.browser, pytest.mark.slow]

QUARTER = "0.25, 0.25, 0.25, 0.25"


def open_lesson(page: Page, server: str, number: int, **view: str) -> Page:
    """Open one of the sources, by the address that it always had."""
    arrive(
        page, server, **{"model": "lenet", "layer": "conv2", "view": "course", "lesson": str(number)} | view
    )
    page.locator(".lg-course-run button").wait_for()
    return page


def run(page: Page) -> None:
    """Run the lesson, and wait until its last part is there."""
    button = page.locator(".lg-course-run button")
    button.click()
    expect(button).to_be_disabled()
    page.get_by_role("heading", name="On the model that you have chosen").wait_for()
    settle(page)


def numbers(page: Page, what: str) -> Locator:
    """The cells beside a line of the tables: expected, found, and whether they agree."""
    return page.locator(".lg-numbers tr").filter(has=page.locator("th", has_text=what)).first.locator("td")


def test_numbers_are_computed_when_they_are_asked_for(page: Page, server: str) -> None:
    """Each stands beside its expected one; another parameter asks to run again, the first one does not."""
    open_lesson(page, server, 4)
    expect(page.locator(".lg-numbers")).to_have_count(0)
    run(page)
    expect(numbers(page, "with the hook on c")).to_have_text(["39, 21, 3", "39, 21, 3", "✓"])
    expect(numbers(page, "the pooling's output")).to_have_text(["(1, 8, 4, 4)", "(1, 8, 4, 4)", "✓"])
    assert page.locator(".lg-numbers").get_by_label("not as expected").count() == 0
    adds = page.get_by_label("the hook adds")
    adds.select_option("9")
    expect(page.locator(".lg-numbers")).to_have_count(0)
    expect(page.locator(".lg-course [role=status]")).to_contain_text("Press the button")
    adds.select_option("2")
    expect(numbers(page, "with the hook on c")).to_have_text(["39, 21, 3", "39, 21, 3", "✓"])
    adds.select_option("9")
    run(page)
    expect(numbers(page, "with the hook on c")).to_have_text(["130, 70, 10", "130, 70, 10", "✓"])
    expect_calm(page)


def test_lesson_three_gives_nine_and_eighteen(page: Page, server: str) -> None:
    """These are the gradients and maps in the course's documents; the code stands beside its numbers."""
    open_lesson(page, server, 3)
    run(page)
    expect(numbers(page, "what the hook on y sees")).to_have_text([QUARTER, QUARTER, "✓"])
    expect(numbers(page, "y.grad afterwards")).to_have_text(["None", "None", "✓"])
    expect(numbers(page, "after the pooling")).to_have_text(["9, 18", "9, 18", "✓"])
    page.get_by_text("The code that runs").first.click()
    code = page.locator(".lg-source[open] code")
    expect(code.first).to_contain_text("def gradient_by_hook(")
    expect(code.nth(1)).to_contain_text("def gradient_by_capture(")


def test_lesson_one_draws_all_layers_and_the_one_on_screen(page: Page, server: str) -> None:
    """A canvas of the lesson's net; the visitor's layer beside it, until another takes its place."""
    open_lesson(page, server, 1)
    run(page)
    canvas = page.locator('.lg-picture img[alt^="All eight layers of PictureNet"]')
    assert canvas.evaluate("image => image.naturalWidth") > 1000
    own = page.locator('.lg-picture img[alt^="Feature maps of conv2"]')
    assert own.evaluate("image => image.clientWidth / image.naturalWidth") > 5
    expect(numbers(page, "forward hook").first).to_have_text("(1, 6, 14, 14) · (1, 16, 10, 10)")
    choose(page, "layer", "conv1")
    page.locator('.lg-picture img[alt^="Feature maps of conv1"]').wait_for()
    expect(numbers(page, "forward hook").first).to_have_text("(1, 3, 32, 32) · (1, 6, 28, 28)")
    expect(canvas).to_be_visible()


def test_the_keyboard_is_enough_for_the_course(page: Page, server: str) -> None:
    """Arrows walk through the lessons, and the switch keeps the focus; the button keeps it while it runs."""
    open_lesson(page, server, 3)
    page.locator("[data-part=view] [aria-checked=true]").focus()
    for _ in ("class", "presentation", "help", "all lessons", "sources"):
        page.keyboard.press("Tab")
    expect(page.get_by_role("radio", name="Source 3")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="Changing a running net")).to_be_visible()
    expect(page.get_by_role("radio", name="Source 4")).to_be_focused()
    page.wait_for_url("**lesson=4**")
    for _ in range(4):
        page.keyboard.press("Tab")
    expect(page.locator(".lg-course-run button")).to_be_focused()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="On the model that you have chosen").wait_for()
    expect(page.locator(".lg-course-run button")).to_be_focused()


def test_a_lesson_is_in_the_address_and_leads_to_the_hooks(page: Page, server: str) -> None:
    """We open another lesson, then the hooks of the chosen layer; model, layer and picture stay the same."""
    open_lesson(page, server, 2, sample="coffee")
    page.locator(".lg-lesson").get_by_text("Source 4").click()
    page.wait_for_url("**lesson=4**")
    expect(page.get_by_role("heading", name="Changing a running net")).to_be_visible()
    page.locator(".lg-course-see button").click()
    page.locator('.lg-event-maps img[data-layer="conv2"]').wait_for()
    settle(page)
    wanted = {"model": "lenet", "layer": "conv2", "view": "hooks", "sample": "coffee"}
    assert wanted.items() <= address(page).items()
    expect_calm(page)


def test_a_lesson_is_kept_while_the_visitor_looks_elsewhere(page: Page, server: str) -> None:
    """In another lesson and another view: what was chosen and run is there again."""
    open_lesson(page, server, 4)
    page.get_by_label("the hook adds").select_option("9")
    run(page)
    page.get_by_text("Source 3").click()
    expect(page.get_by_role("heading", name="Seeing a gradient")).to_be_visible()
    page.locator("[data-part=view] [data-value=layer]").click()
    maps(page, "conv2").wait_for()
    page.locator("[data-part=view] [data-value=course]").click()
    page.get_by_text("Source 4").click()
    expect(numbers(page, "with the hook on c")).to_have_text(["130, 70, 10", "130, 70, 10", "✓"])
    expect(page.get_by_label("the hook adds")).to_have_value("9")
    expect(page.locator(".lg-course")).to_have_count(1)


def test_a_source_that_does_not_exist_gets_a_sentence_and_the_contents(page: Page, server: str) -> None:
    """The sentence is gone once the visitor goes on; the contents lead to the sources."""
    arrive(page, server, view="course", lesson="77")
    page.locator(".lg-lessons").wait_for()
    expect(notices(page)).to_have_count(1)
    expect(notices(page)).to_contain_text("77")
    page.get_by_role("button", name="The sources, number by number").click()
    expect(page.get_by_role("heading", name="The last layers of a transformer")).to_be_visible()
    expect(notices(page)).to_have_count(0)
    page.get_by_text("Source 3").click()
    expect(page.get_by_role("heading", name="Seeing a gradient")).to_be_visible()
    page.get_by_role("button", name="All lessons").click()
    expect(page.locator(".lg-lessons")).to_be_visible()


def test_a_lesson_that_has_run_stays_so_in_another_language(page: Page, server: str) -> None:
    """Its text changes, its numbers are still there."""
    open_lesson(page, server, 3)
    run(page)
    page.locator(".st-key-lang").get_by_text("中文").click()
    page.get_by_role("heading", name="用你选的模型").wait_for()
    expect(page.locator(".lg-numbers caption").first).to_have_text("3 个数字全部一致。")
    expect(numbers(page, "y.grad")).to_have_text(["None", "None", "✓"])


@EVERY_TYPEFACE
def test_the_course_speaks_chinese_on_a_phone(visitor: Callable[..., Page], server: str) -> None:
    """Nothing is wider than the screen, tables and code included."""
    page = open_lesson(visitor(viewport={"width": 375, "height": 800}, is_mobile=True), server, 3, lang="zh")
    page.locator(".lg-course-run button").click()
    page.get_by_role("heading", name="用你选的模型").wait_for()
    settle(page)
    expect(page.locator(".lg-numbers caption").first).to_have_text("3 个数字全部一致。")
    page.locator(".lg-source summary").first.click()
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 375
