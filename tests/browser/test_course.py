"""The course on the page: runs when asked, gives the documents' numbers, keeps what was chosen."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import address, arrive, choose, expect_calm, settle

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def open_lesson(page: Page, server: str, number: int, **view: str) -> Page:
    """Open a lesson of the course."""
    arrive(
        page, server, **{"model": "lenet", "layer": "conv2", "view": "course", "lesson": str(number)} | view
    )
    page.locator(".st-key-course_run button").wait_for()
    return page


def run(page: Page) -> None:
    """Run the lesson, and wait until its last part is there."""
    page.locator(".st-key-course_run button").click()
    expect(page.locator(".st-key-course_run button")).to_be_disabled()
    page.get_by_role("heading", name="On the model that you have chosen").wait_for()
    settle(page)


def numbers(page: Page, what: str) -> Locator:
    """The cells beside a line of the tables: expected, found, and whether they agree."""
    row = page.locator(".lg-numbers tr").filter(has=page.locator("th", has_text=what)).first
    return row.locator("td")


def test_nothing_runs_before_it_is_asked_for(page: Page, server: str) -> None:
    """After that, every number stands beside its expected one; another parameter asks to run again."""
    open_lesson(page, server, 4)
    expect(page.locator(".lg-numbers")).to_have_count(0)
    run(page)
    expect(numbers(page, "with the hook on c")).to_have_text(["39, 21, 3", "39, 21, 3", "✓"])
    expect(numbers(page, "the pooling's output")).to_have_text(["(1, 8, 4, 4)", "(1, 8, 4, 4)", "✓"])
    assert page.locator(".lg-numbers").get_by_label("not as expected").count() == 0
    choose(page, "course_4_adds", "9")
    expect(page.locator(".lg-numbers")).to_have_count(0)
    run(page)
    expect(numbers(page, "with the hook on c")).to_have_text(["130, 70, 10", "130, 70, 10", "✓"])
    expect_calm(page)


def test_lesson_three_gives_nine_and_eighteen(page: Page, server: str) -> None:
    """These are the gradients and maps in the course's documents."""
    open_lesson(page, server, 3)
    run(page)
    quarter = "0.25, 0.25, 0.25, 0.25"
    expect(numbers(page, "what the hook on y sees")).to_have_text([quarter, quarter, "✓"])
    expect(numbers(page, "y.grad afterwards")).to_have_text(["None", "None", "✓"])
    expect(numbers(page, "after the pooling")).to_have_text(["9, 18", "9, 18", "✓"])
    page.get_by_text("The code that runs").first.click()
    expect(page.locator("[data-testid=stExpander] code").first).to_contain_text("def gradient_by_hook(")


def test_lesson_one_draws_all_layers_and_the_chosen_one(page: Page, server: str) -> None:
    """A canvas of the lesson's net, and the visitor's own layer in the same colours."""
    open_lesson(page, server, 1)
    run(page)
    canvas = page.locator('.lg-picture img[alt^="All eight layers of PictureNet"]')
    assert canvas.evaluate("image => image.naturalWidth") > 1000
    own = page.locator('.lg-picture img[alt^="Feature maps of conv2"]')
    assert own.evaluate("image => image.naturalWidth") >= 4 * 10 + 3
    expect(numbers(page, "forward hook")).to_have_text(["(1, 6, 14, 14) · (1, 16, 10, 10)"])


def test_a_lesson_is_in_the_address_and_leads_to_the_hooks(page: Page, server: str) -> None:
    """We open another lesson, then the hooks of the chosen layer; model, layer and picture stay the same."""
    open_lesson(page, server, 2, sample="coffee")
    page.locator(".st-key-lesson").get_by_text("Lesson 4").click()
    page.wait_for_url("**lesson=4**")
    expect(page.get_by_role("heading", name="Changing a running net")).to_be_visible()
    page.locator(".st-key-course_see button").click()
    page.locator('.lg-event-maps img[data-layer="conv2"]').wait_for()
    settle(page)
    wanted = {"model": "lenet", "layer": "conv2", "view": "hooks", "sample": "coffee"}
    assert wanted.items() <= address(page).items()
    expect_calm(page)


def test_the_course_speaks_chinese_on_a_phone(visitor: Callable[..., Page], server: str) -> None:
    """Nothing is wider than the screen, tables included."""
    page = open_lesson(visitor(viewport={"width": 375, "height": 800}, is_mobile=True), server, 3, lang="zh")
    page.locator(".st-key-course_run button").click()
    page.get_by_role("heading", name="在您所选的模型上").wait_for()
    settle(page)
    expect(page.locator(".lg-numbers caption").first).to_have_text("3 个数字全部一致。")
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 375
