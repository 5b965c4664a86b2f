"""The quiz, answered correctly from plain modules and from the pixels on screen."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.quiz_answers import right_answer
from tests.browser.steps import address, arrive, expect_calm, settle

pytestmark = [pytest.mark.browser, pytest.mark.slow]

QUESTIONS = 8
TOP = "element => element.getBoundingClientRect().top"


def play(page: Page) -> None:
    """Answer the question on screen, and see that it was right."""
    page.locator(".st-key-quiz_choices button").first.wait_for()
    settle(page)
    answer = right_answer(page)
    page.locator(".st-key-quiz_choices").get_by_role("button", name=answer, exact=True).click()
    expect(page.locator(".lg-answers .lg-answer")).to_have_text(f"✓ {answer}")
    expect(page.locator(".st-key-quiz")).to_contain_text("Right.")
    expect(page.locator(".st-key-quiz_choices")).to_have_count(0)


@pytest.mark.parametrize("seed", ["77", "4711"])
def test_who_knows_gets_every_answer_right(page: Page, server: str, seed: str) -> None:
    """We play a whole quiz, question by question, to its result."""
    arrive(page, server, model="lenet", layer="conv2", view="quiz", seed=seed)
    for number in range(1, QUESTIONS + 1):
        expect(page.locator(".st-key-quiz")).to_contain_text(f"Question {number} of 8 · {number - 1} right")
        play(page)
        page.locator(".st-key-quiz_next button").click()
    expect(page.get_by_role("heading", name="8 of 8 right.")).to_be_visible()
    assert (address(page)["seed"], address(page)["layer"]) == (seed, "conv2")
    expect_calm(page)


def test_a_wrong_answer_is_explained_and_does_not_count(page: Page, server: str) -> None:
    """The right one is marked beside it; there is no second try."""
    arrive(page, server, view="quiz", seed="78")
    page.locator(".st-key-quiz_choices button").first.wait_for()
    answer = right_answer(page)
    wrong = next(c for c in page.locator(".st-key-quiz_choices button").all_inner_texts() if c != answer)
    page.locator(".st-key-quiz_choices").get_by_role("button", name=wrong, exact=True).click()
    expect(page.locator(".lg-answers .lg-chosen")).to_have_text(f"✗ {wrong}")
    expect(page.locator(".lg-answers .lg-answer")).to_have_text(f"✓ {answer}")
    expect(page.locator(".st-key-quiz")).to_contain_text(f"Not quite: you chose {wrong}.")
    page.locator(".st-key-quiz_next button").click()
    expect(page.locator(".st-key-quiz")).to_contain_text("Question 2 of 8 · 0 right")


def test_on_a_phone_each_question_begins_where_it_can_be_read(
    visitor: Callable[..., Page], server: str
) -> None:
    """However far down the button was that opened it; the same goes for the result."""
    page = visitor(viewport={"width": 375, "height": 700}, is_mobile=True, has_touch=True)
    arrive(page, server, view="quiz", seed="2024")
    for number in range(1, QUESTIONS + 1):
        page.locator(".st-key-quiz_choices button").last.tap()
        going_on = page.locator(".st-key-quiz_next button")
        going_on.evaluate("button => button.scrollIntoView({ block: 'start' })")
        going_on.tap()
        following = f"Question {number + 1} of" if number < QUESTIONS else "of 8 right."
        expect(page.locator(".st-key-quiz_asked")).to_contain_text(following)
        expect(page.locator(".st-key-quiz_asked")).to_be_focused()
        settle(page)
        assert 50 <= page.locator(".st-key-quiz_asked").evaluate(TOP) < 350


def test_the_keyboard_goes_from_the_answer_to_its_reason_and_to_the_next_question(
    page: Page, server: str
) -> None:
    """The focus does not jump to the top; if nothing was answered, it stays where it is."""
    arrive(page, server, view="quiz", seed="78")
    page.locator(".st-key-quiz_choices button").first.wait_for()
    settle(page)
    expect(page.locator(".st-key-quiz_asked")).not_to_be_focused()
    page.locator(".st-key-quiz_choices button").first.press("Enter")
    expect(page.locator(".st-key-quiz_why")).to_be_focused()
    settle(page)
    page.keyboard.press("Tab")
    expect(page.locator(".st-key-quiz_next button")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-quiz_asked")).to_be_focused()
    settle(page)
    page.keyboard.press("Tab")
    expect(page.locator(".st-key-quiz_choices button").first).to_be_focused()


def test_a_class_gets_the_same_quiz(visitor: Callable[..., Page], server: str) -> None:
    """Two visitors with one address, one of them Chinese on a phone: the same pictures and right answers.

    Before and after the answer, nothing is too wide for the phone.
    """
    first = arrive(visitor(), server, view="quiz", seed="4711")
    phone = visitor(viewport={"width": 375, "height": 800}, is_mobile=True)
    second = arrive(phone, server, view="quiz", seed="4711", lang="zh")
    expect(second.locator(".st-key-quiz")).to_contain_text("测验编号 4711")
    assert [walk(first) for _ in range(QUESTIONS)] == [walk(second) for _ in range(QUESTIONS)]


def walk(page: Page) -> tuple[list[str | None], int]:
    """A question's pictures and the place of its right answer; gives the first answer and goes on."""
    page.locator(".st-key-quiz_choices button").first.wait_for()
    settle(page)
    pictures = [image.get_attribute("src") for image in page.locator(".st-key-quiz_pictures img").all()]
    expect_narrow(page)
    page.locator(".st-key-quiz_choices button").first.click()
    page.locator(".lg-answers .lg-answer").wait_for()
    settle(page)
    expect_narrow(page)
    marks = [text.startswith("✓") for text in page.locator(".lg-answers li").all_inner_texts()]
    page.locator(".st-key-quiz_next button").click()
    page.locator(".lg-answers").wait_for(state="detached")
    return pictures, marks.index(True)


def expect_narrow(page: Page) -> None:
    """Nothing makes the page wider than the screen."""
    assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
