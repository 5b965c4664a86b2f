"""The quiz, answered correctly from plain modules and from the pixels on screen."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from tests.browser.quiz_answers import choices_on, right_answer
from tests.browser.steps import address, expect_calm, expect_one_sentence, go, maps, settle
from tests.browser.typefaces import EVERY_TYPEFACE
from tests.browser.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

QUESTIONS = 8
TOP = "element => element.getBoundingClientRect().top"


def open_quiz(page: Page, server: str, **view: str) -> Page:
    """Show the question of a quiz that is due."""
    go(page, server, view="quiz", **view)
    page.locator(".lg-quiz-choices button").first.wait_for()
    settle(page)
    return page


def give(page: Page, place: int) -> None:
    """Give the answer at this place, and wait for the explanation."""
    page.locator(".lg-quiz-choices button").nth(place).click()
    page.locator(".lg-quiz-why").wait_for()


def go_on(page: Page) -> None:
    """Go on to the next question, or to the result."""
    page.locator(".lg-quiz-next button").click()
    page.locator(".lg-answers").wait_for(state="detached")


@pytest.mark.parametrize(
    ("seed", "level"),
    [("77", "climb"), ("4711", "climb"), ("77", "easy"), ("4711", "middle"), ("77", "hard")],
)
def test_who_knows_gets_every_answer_right(
    looker: Callable[..., Page], server: str, seed: str, level: str
) -> None:
    """We play a whole quiz, question by question, to its result."""
    page = looker()
    open_quiz(page, server, model="lenet", layer="conv2", seed=seed, level=level)
    for number in range(1, QUESTIONS + 1):
        expect(page.locator(".lg-quiz")).to_contain_text(f"Question {number} of 8 · {number - 1} right")
        answer = right_answer(page)
        choice(page, answer).click()
        expect(page.locator(".lg-answers .lg-answer .lg-choice")).to_have_text(answer)
        expect(
            page.locator(".lg-answers .lg-answer").get_by_role("img", name="the right answer")
        ).to_be_visible()
        expect(page.locator(".lg-quiz-why")).to_contain_text("Right.")
        expect(page.locator(".lg-quiz")).to_contain_text(f"· {number} right so far")
        expect(page.locator(".lg-quiz-choices")).to_have_count(0)
        if number > 1:
            expect(page.locator(".lg-quiz-streak")).to_have_text(f"★ {number} right in a row")
        go_on(page)
    expect(page.get_by_role("heading", name="8 of 8 right.")).to_be_visible()
    expect(page.locator(".lg-quiz")).to_contain_text("Longest streak: 8 right in a row.")
    expect(page.locator(".lg-quiz")).to_contain_text("Nothing was wrong.")
    expect(page.locator(".lg-quiz")).to_contain_text(f"Quiz number {seed}.")
    assert (address(page)["seed"], address(page)["layer"]) == (seed, "conv2")
    assert address(page).get("level", "climb") == level
    expect_calm(page)


def choice(page: Page, text: str) -> Locator:
    """The button of a choice, by what it is called."""
    place = choices_on(page).index(text)
    return page.locator(".lg-quiz-choices button").nth(place)


def test_a_wrong_answer_is_explained_and_does_not_count(looker: Callable[..., Page], server: str) -> None:
    """The right one is marked beside it, by a sign, a colour and words; there is no second try."""
    page = looker()
    open_quiz(page, server, seed="78", level="hard")
    answer = right_answer(page)
    wrong = next(text for text in choices_on(page) if text != answer)
    choice(page, wrong).click()
    expect(page.locator(".lg-answers .lg-chosen .lg-choice")).to_have_text(wrong)
    expect(page.locator(".lg-answers .lg-answer .lg-choice")).to_have_text(answer)
    marks = {
        name: page.locator(f".lg-answers .{name} [role=img]").last for name in ("lg-chosen", "lg-answer")
    }
    assert [mark.inner_text() for mark in marks.values()] == ["✗", "✓"]
    assert len({mark.evaluate("it => getComputedStyle(it).backgroundColor") for mark in marks.values()}) == 2
    expect(page.get_by_role("img", name="your answer, which is wrong")).to_be_visible()
    expect(page.locator(".lg-quiz-why")).to_contain_text(f"Not quite: you chose {wrong}.")
    go_on(page)
    expect(page.locator(".lg-quiz")).to_contain_text("Question 2 of 8 · 0 right")
    expect(page.locator(".lg-quiz-steps li").first).to_have_text("✗")


def test_a_streak_ends_with_a_wrong_answer(page: Page, server: str) -> None:
    """From two on it is shown; it begins anew."""
    open_quiz(page, server, seed="77", level="easy")
    for _ in range(2):
        choice(page, right_answer(page)).click()
        page.locator(".lg-quiz-why").wait_for()
        go_on(page)
    expect(page.locator(".lg-quiz-streak")).to_have_text("★ 2 right in a row")
    answer = right_answer(page)
    choice(page, next(text for text in choices_on(page) if text != answer)).click()
    page.locator(".lg-quiz-why").wait_for()
    expect(page.locator(".lg-quiz-streak")).to_be_hidden()


def test_the_answer_is_fetched_only_once_it_is_given(page: Page, server: str) -> None:
    """Until then, nothing that the browser has says which choice is right."""
    asked: list[str] = []

    def heard(request: Request) -> None:
        asked.append(request.url.rpartition("/")[2])

    page.on("request", heard)
    open_quiz(page, server, seed="77")
    assert not [each for each in asked if each.startswith("quiz_answer")]
    give(page, 2)
    assert [each for each in asked if each.startswith("quiz_answer")] == [
        "quiz_answer.json?seed=77&question=0&choice=2&lang=en"
    ]


def test_the_next_question_is_there_before_it_is_asked_for(looker: Callable[..., Page], server: str) -> None:
    """It is fetched while the visitor reads why, so that going on asks the server for nothing."""
    page = looker()
    open_quiz(page, server, seed="4712")
    with page.expect_response(lambda answer: "question=1" in answer.url) as ahead:
        give(page, 0)
    assert ahead.value.request.headers["x-layerglass-prefetch"] == "1"
    ahead.value.finished()
    with page.expect_response(lambda answer: "question=1" in answer.url) as next_one:
        go_on(page)
    until(page, "url => performance.getEntriesByName(url).length === 2", next_one.value.url)
    sent = page.evaluate(
        "url => performance.getEntriesByName(url).map((each) => each.transferSize)", next_one.value.url
    )
    assert sent[0] > 0
    assert sent[1] == 0, "it was not taken from the browser's cache"


@EVERY_TYPEFACE
def test_on_a_phone_each_question_begins_where_it_can_be_read(
    visitor: Callable[..., Page], server: str
) -> None:
    """However far down the button was that opened it; the same goes for the result."""
    page = visitor(viewport={"width": 375, "height": 700}, is_mobile=True, has_touch=True)
    open_quiz(page, server, seed="2024")
    for number in range(1, QUESTIONS + 1):
        page.locator(".lg-quiz-choices button").last.tap()
        expect(page.locator(".lg-quiz-why")).to_be_in_viewport(ratio=0.95)  # all of the reason
        going_on = page.locator(".lg-quiz-next button")
        going_on.evaluate("button => button.scrollIntoView({ block: 'start' })")
        going_on.tap()
        following = f"Question {number + 1} of" if number < QUESTIONS else "of 8 right."
        expect(page.locator(".lg-quiz-asked")).to_contain_text(following)
        expect(page.locator(".lg-quiz-asked")).to_be_focused()
        settle(page)
        assert 50 <= page.locator(".lg-quiz-asked").evaluate(TOP) < 350


def test_the_keyboard_goes_from_the_answer_to_its_reason_and_to_the_next_question(
    looker: Callable[..., Page], server: str
) -> None:
    """The focus does not jump to the top; if nothing was answered, it stays where it is."""
    page = looker()
    open_quiz(page, server, seed="78")
    expect(page.locator(".lg-quiz-asked")).not_to_be_focused()
    choice(page, right_answer(page)).press("Enter")
    expect(page.locator(".lg-quiz-why")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator(".lg-quiz-next button")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".lg-quiz-asked")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator(".lg-quiz-choices button").first).to_be_focused()


def test_a_seed_is_drawn_if_the_address_has_none(page: Page, server: str) -> None:
    """From then on the address says it; another quiz has another one."""
    open_quiz(page, server)
    page.wait_for_url("**seed=**")
    seed = int(address(page)["seed"])
    assert 0 <= seed < 10_000
    expect(page.locator("[data-part=quiz-number]")).to_have_value(str(seed))
    for _ in range(QUESTIONS):
        give(page, 0)
        go_on(page)
    page.get_by_role("button", name="Another quiz").click()
    expect(page.locator(".lg-quiz")).to_contain_text("Question 1 of 8 · 0 right")
    expect(page.locator(".lg-quiz-asked")).to_be_focused()
    page.wait_for_url(lambda url: f"seed={seed}" not in url.split("&"))
    expect(page.locator("[data-part=quiz-number]")).to_have_value(address(page)["seed"])
    assert address(page)["seed"] != str(seed)


def test_a_quiz_goes_on_where_it_was_left(page: Page, server: str) -> None:
    """After another view and in another language; its own number begins it anew when it is asked to."""
    open_quiz(page, server, model="lenet", layer="conv2", seed="4711")
    for place in range(3):
        give(page, place)
        go_on(page)
    give(page, 3)
    progress = page.locator(".lg-quiz-asked p").first.inner_text()
    page.locator("[data-part=view] [data-value=layer]").click()
    maps(page, "conv2").wait_for()
    page.locator("[data-part=view] [data-value=quiz]").click()
    expect(page.locator(".lg-quiz-asked p").first).to_have_text(progress)
    expect(page.locator(".lg-quiz-why")).to_be_visible()
    page.locator(".st-key-lang").get_by_text("中文").click()
    expect(page.locator(".lg-quiz")).to_contain_text("第 4 题，共 8 题")
    expect(page.locator(".lg-quiz-why")).to_be_visible()
    settle(page)
    for place in range(QUESTIONS - 4):
        go_on(page)
        give(page, place)
    go_on(page)
    page.locator(".lg-quiz-again button").click()
    expect(page.locator(".lg-quiz")).to_contain_text("第 1 题，共 8 题 · 已答对 0 题")


def test_a_quiz_that_does_not_exist_gets_a_sentence(page: Page, server: str) -> None:
    """Another one is shown."""
    open_quiz(page, server, seed="1000000")
    expect_one_sentence(page, "seed=1000000")
    expect(page.locator(".lg-quiz")).to_contain_text("Question 1 of 8")


@EVERY_TYPEFACE
def test_a_class_gets_the_same_quiz(visitor: Callable[..., Page], server: str) -> None:
    """Two visitors with one address, one of them Chinese on a phone: the same pictures and right answers.

    Before and after the answer, nothing is too wide for the phone.
    """
    first = open_quiz(visitor(), server, seed="4711")
    phone = visitor(viewport={"width": 375, "height": 800}, is_mobile=True)
    second = open_quiz(phone, server, seed="4711", lang="zh")
    expect(second.get_by_label("测验编号")).to_have_value("4711")
    assert [walk(first) for _ in range(QUESTIONS)] == [walk(second) for _ in range(QUESTIONS)]


def walk(page: Page) -> tuple[list[str | None], int]:
    """A question's pictures and the place of its right answer; gives the first answer and goes on."""
    page.locator(".lg-quiz-choices button").first.wait_for()
    settle(page)
    pictures = [image.get_attribute("src") for image in page.locator(".lg-quiz-play img").all()]
    expect_narrow(page)
    give(page, 0)
    settle(page)
    expect_narrow(page)
    marks = ["✓" in text for text in page.locator(".lg-answers li").all_inner_texts()]
    go_on(page)
    return pictures, marks.index(True)


def expect_narrow(page: Page) -> None:
    """Nothing makes the page wider than the screen."""
    assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
