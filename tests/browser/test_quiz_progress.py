"""Progress of the quiz, ways to a quiz and to its review; nothing gives an answer away."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Response, expect

from tests.browser.quiz_answers import choices_on, right_answer
from tests.browser.steps import address, arrive, expect_address, maps, settle, visit
from tests.browser.test_quiz import choice, give, go_on, open_quiz
from tests.browser.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

QUESTIONS = 8
FLASHING = "() => document.getAnimations().filter((each) => each.playState === 'running').length"
HIDDEN = """() => [...document.querySelectorAll("[hidden]")].map((each) => each.remove())"""


def test_keys_answer_and_go_on(page: Page, server: str) -> None:
    """From 1 to 4, then Enter, to the end of the quiz and no further; no mouse is needed."""
    open_quiz(page, server, seed="4711", level="easy")
    for number in range(QUESTIONS):
        key = number % 4
        texts = choices_on(page)
        page.keyboard.press(str(key + 1))
        expect(page.locator(".lg-quiz-why")).to_be_focused()
        marked = page.locator(".lg-answers li").nth(key)
        expect(marked).to_have_class(re.compile("lg-answer|lg-chosen"))
        assert marked.locator(".lg-choice").text_content() == texts[key]
        page.keyboard.press("Enter")
        expect(page.locator(".lg-quiz-asked")).to_be_focused()
    expect(page.get_by_role("heading", name="of 8 right.")).to_be_visible()
    page.keyboard.press("Enter")  # one that is held too long does not lose the review
    page.wait_for_timeout(300)
    expect(page.get_by_role("heading", name="of 8 right.")).to_be_visible()


def test_keys_mean_nothing_where_there_is_nothing_to_answer(page: Page, server: str) -> None:
    """5, a digit in the box or in another view; Enter before an answer, and on another button."""
    open_quiz(page, server, seed="4711", level="easy")
    page.keyboard.press("5")
    page.keyboard.press("Enter")
    page.locator("[data-part=quiz-number]").press("1")
    expect(page.locator(".lg-quiz-choices button").first).to_be_visible()
    page.locator(".lg-quiz-choices button").first.click()
    page.locator(".lg-quiz-why").wait_for()
    page.locator("[data-part=view] [data-value=quiz]").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".lg-quiz-why")).to_be_visible()
    page.locator("[data-part=view] [data-value=hooks]").click()
    page.locator(".lg-event-maps img").wait_for()
    before = address(page)
    page.keyboard.press("2")
    assert address(page) == before


def test_a_picture_is_chosen_by_a_click_on_it_and_has_a_name(page: Page, server: str) -> None:
    """Screen readers hear what each shows; a click anywhere on it is an answer."""
    to_pictures(page, server)
    buttons = page.locator(".lg-quiz-choices button")
    names = [button.evaluate("it => it.querySelector('img').alt") for button in buttons.all()]
    assert len(set(names)) == 4
    for name in names:
        expect(page.get_by_role("button", name=name)).to_have_count(1)
    page.locator(".lg-quiz-choices img").nth(2).click()
    expect(page.locator(".lg-answers li").nth(2)).to_have_class(re.compile("lg-answer|lg-chosen"))
    expect(page.locator(".lg-answers img")).to_have_count(4)


def to_pictures(page: Page, server: str) -> None:
    """Go to the first question of an easy quiz whose choices are pictures."""
    open_quiz(page, server, seed="4711", level="easy")
    while not page.locator(".lg-quiz-choices img").count():
        give(page, 0)
        go_on(page)
        page.locator(".lg-quiz-choices button").first.wait_for()
        settle(page)


def test_progress_stays_over_a_reload(page: Page, server: str) -> None:
    """Answers, the streak and the explanation that was being read come back; for each quiz by itself."""
    open_quiz(page, server, seed="77", level="easy")
    for _ in range(2):
        choice(page, right_answer(page)).click()
        page.locator(".lg-quiz-why").wait_for()
        go_on(page)
        page.locator(".lg-quiz-choices button").first.wait_for()
        settle(page)
    choice(page, right_answer(page)).click()
    page.locator(".lg-quiz-why").wait_for()
    page.reload()
    page.locator(".lg-quiz-why").wait_for()
    expect(page.locator(".lg-quiz")).to_contain_text("Question 3 of 8 · 3 right so far")
    expect(page.locator(".lg-quiz-streak")).to_have_text("★ 3 right in a row")
    page.get_by_text("Hard", exact=True).click()
    expect(page.locator(".lg-quiz")).to_contain_text("Question 1 of 8 · 0 right so far")
    page.wait_for_url("**seed=77**level=hard**")
    page.get_by_text("Easy", exact=True).click()
    expect(page.locator(".lg-quiz")).to_contain_text("Question 3 of 8 · 3 right so far")


def test_back_goes_to_the_question_before_and_a_sign_to_any(page: Page, server: str) -> None:
    """Each with what was answered there; the result says what was passed over, an address names one."""
    open_quiz(page, server, seed="4711", level="easy")
    texts = [page.locator(".lg-quiz-text").inner_text()]
    give(page, 1)
    explained = page.locator(".lg-quiz-why").inner_text()
    go_on(page)
    shows(page, 2)
    page.wait_for_url("**quiz_question=2**")
    texts.append(page.locator(".lg-quiz-text").inner_text())
    page.go_back()
    shows(page, 1)
    expect(page.locator(".lg-quiz-why")).to_have_text(explained, use_inner_text=True)
    page.go_forward()
    shows(page, 2)
    expect(page.locator(".lg-quiz-text")).to_have_text(texts[1], use_inner_text=True)
    signs = page.locator(".lg-quiz-steps button")
    signs.nth(QUESTIONS - 1).click()
    shows(page, QUESTIONS)
    expect(signs.nth(QUESTIONS - 1)).to_have_attribute("aria-current", "step")
    give(page, 0)
    go_on(page)
    expect(page.locator(".lg-quiz-review")).to_contain_text("6 questions have no answer yet.")
    page.get_by_role("button", name="The same quiz again").click()
    shows(page, 1)
    expect(page.locator(".lg-quiz-choices button").first).to_be_visible()
    arrive(page, server, view="quiz", seed="4711", level="easy", quiz_question="2")
    expect(page.locator(".lg-quiz-text")).to_have_text(texts[1], use_inner_text=True)


def shows(page: Page, number: int) -> None:
    """Wait until this question is on screen, counted from 1."""
    expect(page.locator(".lg-quiz-asked")).to_contain_text(f"Question {number} of {QUESTIONS}")
    settle(page)


def test_what_the_browser_keeps_has_no_right_answer_in_it(page: Page, server: str) -> None:
    """Only what was chosen, and whether that was right; and nothing before an answer."""
    open_quiz(page, server, seed="77", level="easy")
    assert kept(page) == {}
    give(page, 1)
    assert list(kept(page)) == ["77 easy"]
    (given,) = kept(page)["77 easy"]["given"]
    assert given.keys() == {"choice", "right"}
    assert given["choice"] == 1


def kept(page: Page) -> dict[str, Any]:
    """The quizzes that the browser has stored."""
    return dict(json.loads(page.evaluate("localStorage.getItem('layerglass.quizzes')") or "{}"))


def test_what_was_stored_and_is_no_quiz_is_forgotten(page: Page, server: str) -> None:
    """Also text that is no JSON at all; the quiz begins."""
    open_quiz(page, server, seed="77", level="easy")
    for stored in ("{", '"x"', '{"77 easy": {"number": -1, "questions": 8, "given": 5}}'):
        page.evaluate("text => localStorage.setItem('layerglass.quizzes', text)", stored)
        page.reload()
        page.locator(".lg-quiz-choices button").first.wait_for()
        expect(page.locator(".lg-quiz")).to_contain_text("Question 1 of 8 · 0 right so far")


def test_a_number_that_a_teacher_says_is_typed(page: Page, server: str) -> None:
    """It opens the same questions as its address; anything else gets a sentence, and changes nothing."""
    open_quiz(page, server, seed="77", level="easy")
    box = page.get_by_label("Quiz number")
    for vain in ("", "12a", "-1"):
        box.fill(vain)
        box.press("Enter")
        expect(page.locator(".lg-quiz-number [role=alert]")).to_have_text(
            "A quiz number has one to six digits, such as 4711."
        )
        expect_address(page, seed="77")
    box.fill("4711")
    page.get_by_role("button", name="Open quiz").click()
    page.wait_for_url("**seed=4711**")
    settle(page)
    expect(page.locator(".lg-quiz-number [role=alert]")).to_be_hidden()
    typed = page.locator(".lg-quiz-text").inner_text()
    arrive(page, server, view="quiz", seed="4711", level="easy")
    expect(page.locator(".lg-quiz-text")).to_have_text(typed)


def test_at_the_end_what_was_wrong_is_gone_through_again(page: Page, server: str) -> None:
    """Each with the wrong and the right choice, why, and the lesson that teaches it; Back comes back."""
    open_quiz(page, server, seed="77")
    wrong = []
    for number in range(QUESTIONS):
        answer, texts = right_answer(page), choices_on(page)
        chosen = answer if number % 3 else next(text for text in texts if text != answer)
        if chosen != answer:
            wrong.append((page.locator(".lg-quiz-text").inner_text(), chosen, answer))
        choice(page, chosen).click()
        page.locator(".lg-quiz-why").wait_for()
        go_on(page)
        settle(page)
    page.reload()
    items = page.locator(".lg-quiz-review > ol > li")
    expect(items).to_have_count(len(wrong))
    for item, (text, chosen, answer) in zip(items.all(), wrong, strict=True):
        expect(item.locator("p").first).to_have_text(text)
        expect(item).to_contain_text(f"You chose: {chosen}")
        expect(item).to_contain_text(f"Right is: {answer}")
    link = items.first.get_by_role("button", name="To the lesson")
    lesson = link.get_attribute("data-lesson") or ""
    title = link.inner_text().split("“")[1].rstrip("”")
    link.click()
    page.locator(".lg-course").wait_for()
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    expect_address(page, lesson=lesson)
    page.go_back()
    expect(page.get_by_role("heading", name=f"{QUESTIONS - len(wrong)} of 8 right.")).to_be_visible()


@pytest.mark.parametrize("way", ["straight", "from the layer"])
def test_nothing_on_the_page_gives_a_shape_away(page: Page, server: str, way: str) -> None:
    """The tree and the layer's box show shapes everywhere else, of the very net that is asked about."""
    answers: list[str] = []
    page.on("response", lambda response: note(response, answers))
    if way == "straight":
        open_quiz(page, server, model="lenet", seed=SHAPE_OF_LENET, level="middle")
    else:
        visit(page, server, model="lenet", layer="conv2", seed=SHAPE_OF_LENET, level="middle")
        expect(page.locator("[data-part=tree]")).to_contain_text("16 × 10 × 10")
        page.locator("[data-part=view] [data-value=quiz]").click()
        page.locator(".lg-quiz-choices button").first.wait_for()
        settle(page)
    expect(page.locator(".lg-quiz-text")).to_contain_text("lenet")
    answer = right_answer(page)
    page.locator("[data-part=layer]").click()
    page.locator("[role=option]").first.wait_for()
    heard = page.locator("body").aria_snapshot()
    assert heard.count(answer) == page.locator(".lg-quiz-choices").aria_snapshot().count(answer)
    if way != "straight":
        page.evaluate(HIDDEN)  # the ribbon of the other view, which nobody can see or hear
    page.locator(".lg-quiz-choices").evaluate("it => it.remove()")
    written = page.evaluate("document.documentElement.outerHTML")
    assert answer not in written
    assert answer.partition(" × ")[2] not in written  # the tree writes the last sizes by themselves
    sent = [body for body in answers if '"choices"' in body]
    assert sent
    for body in sent:
        question = json.loads(body)
        assert not {"right", "answer", "why", "kind"} & question.keys()
        question.pop("choices")
        assert answer not in json.dumps(question, ensure_ascii=False)
    assert not [body for body in answers if '"answer"' in body]


SHAPE_OF_LENET = "12"  # the first question of the middle is which shape LeNet's conv1 returns


def note(response: Response, answers: list[str]) -> None:
    """Keep what the server says about the quiz."""
    if "/quiz" in response.url:
        answers.append(response.text())


def test_shapes_come_back_in_the_other_views(page: Page, server: str) -> None:
    """The tree says that it hides them, as long as it does."""
    open_quiz(page, server, model="lenet", seed="77")
    expect(page.locator(".lg-side-stage")).to_contain_text("Shapes are hidden in the quiz.")
    expect(page.locator("[data-part=tree]")).not_to_contain_text("×")
    page.locator("[data-part=view] [data-value=layer]").click()
    maps(page, "conv1").wait_for()
    expect(page.locator("[data-part=tree]")).to_contain_text("6 × 28 × 28")
    expect(page.locator(".lg-side-note")).to_be_hidden()


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_right_answer_is_celebrated_quietly(visitor: Callable[..., Page], server: str, motion: str) -> None:
    """A sign comes up; nothing moves for anybody who does not want that."""
    page = visitor(reduced_motion=motion)
    open_quiz(page, server, seed="77", level="easy")
    answer = right_answer(page)
    place = choices_on(page).index(answer)
    page.evaluate(
        """() => {
            window.moved = 0;
            document.addEventListener("animationstart", () => { window.moved += 1; }, true);
        }"""
    )
    page.locator(".lg-quiz-choices button").nth(place).click()
    page.locator(".lg-quiz-why").wait_for()
    if motion == "no-preference":
        return until(page, "() => window.moved > 0")
    page.wait_for_timeout(500)
    assert not page.evaluate("window.moved")
    return None


def test_a_level_that_does_not_exist_gets_a_sentence(page: Page, server: str) -> None:
    """The quiz goes from easy to hard then."""
    arrive(page, server, view="quiz", seed="77", level="impossible")
    page.locator(".lg-quiz-choices button").first.wait_for()
    expect(page.locator(".lg-notice")).to_contain_text("level=impossible")
    expect(page.get_by_role("radio", name="Easy to hard")).to_be_checked()


def test_the_keys_can_be_turned_off_and_undo_goes_back(page: Page, server: str) -> None:
    """Ctrl+Z takes back the choice of a level, as it does of everything else."""
    open_quiz(page, server, seed="77")
    page.get_by_text("Easy", exact=True).click()
    expect(page.get_by_role("radio", name="Easy", exact=True)).to_be_checked()
    settle(page)
    press_undo(page)
    expect(page.get_by_role("radio", name="Easy to hard")).to_be_checked()
    page.evaluate("localStorage.setItem('layerglass.no-signs', '1')")
    page.keyboard.press("1")
    page.wait_for_timeout(300)
    expect(page.locator(".lg-quiz-choices button").first).to_be_visible()


def press_undo(page: Page) -> None:
    """As from anywhere on the page."""
    page.locator(".lg-quiz-asked").evaluate("it => { it.tabIndex = -1; it.focus(); }")
    page.keyboard.press("Control+z")
