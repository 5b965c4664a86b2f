"""A class is asked in three browsers to choose, to click a map, to type a shape or a number; and the quiz."""

import pytest
from playwright.sync_api import expect

from tests.browser.asking_steps import (
    Class,
    ask_own,
    ask_ready,
    card,
    expect_bars,
    reveal,
    see_answers,
    type_answer,
)
from tests.browser.class_steps import part, said
from tests.browser.steps import (
    click_tile,
    expect_another_picture,
    maps,
    press,
    settle,
    steady,
    subject,
    tile_centre,
)
from tests.browser.typefaces import EVERY_SIZE
from tests.browser.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SIZES = "1 × 6 × 28 × 28", "6 × 28 × 28", "28 × 28", "28×28"
SEEN = """() => [...document.querySelectorAll("body, [title], [alt], [aria-label]")].map((each) => [
    each === document.body ? each.innerText : "", each.title, each.alt, each.ariaLabel,
].join(" ")).join(" ").replaceAll("\\u00a0", " ")"""
MARKS = """() => [...document.querySelectorAll(".lg-asked-mark:not([hidden])")].map(
    (each) => [each.dataset.channel, each.innerText])"""

IN_THE_MIDDLE = """([x, y]) => {
    const mark = document.querySelector(".lg-asked-mark").getBoundingClientRect();
    const image = document.querySelector(".lg-stage img[data-layer]").getBoundingClientRect();
    const across = mark.x + mark.width / 2 - image.x - x, down = mark.y + mark.height / 2 - image.y - y;
    return Math.abs(across) < 3 && Math.abs(down) < 3;
}"""
ON_TOP = """() => {
    const { style } = document.querySelector(".lg-asked-marks");
    style.pointerEvents = "auto";
    const seen = [...document.querySelectorAll(".lg-asked-mark span")].map((count) => {
        const { right, top, height } = count.getBoundingClientRect();
        const found = document.elementFromPoint(right - 2, top + height / 2);
        return found?.closest("span")?.parentElement.dataset.channel;
    });
    style.pointerEvents = "";
    return seen;
}"""


def test_a_choice_is_changed_until_it_is_shown(taught: Class) -> None:
    """The teacher sees each answer come in; students see the bars once it is shown, and why."""
    teacher, laptop, phone = taught.teacher, taught.laptop, taught.phone
    choices = "It stays\nIt changes\nIt fails"
    ask_own(teacher, "choice", text="What now?", choices=choices, right="2", explanation="Try it.")
    for each in taught.students:
        expect(card(each).get_by_role("heading")).to_have_text("What now?")
        expect(each.locator(".lg-tally")).to_have_count(0)
    expect_bars(teacher, ("It stays", "0"), ("It changes", "0"), ("It fails", "0"))
    press(laptop, "1")
    phone.get_by_role("button", name="It fails").tap()
    expect_bars(teacher, ("It stays", "1"), ("It changes", "0"), ("It fails", "1"))
    expect(card(teacher)).to_contain_text("2 of 2 have answered")
    press(laptop, "2")
    expect_bars(teacher, ("It stays", "0"), ("It changes", "1"), ("It fails", "1"))
    expect(laptop.get_by_role("button", name="It changes")).to_have_attribute("aria-pressed", "true")
    expect(said(laptop)).to_have_text("You see what the teacher looks at")
    reveal(teacher)
    for each in (teacher, *taught.students):
        expect_bars(each, ("It stays", "0"), ("It changes", "1"), ("It fails", "1"))
        expect(card(each)).to_contain_text("✓ Right: It changes")
        expect(card(each)).to_contain_text("Try it.")
    expect(card(laptop)).to_contain_text("That is right.")
    expect(card(phone)).to_contain_text("That is not right.")
    expect(laptop.locator(".lg-asked-choices")).to_have_count(0)
    teacher.locator("[data-part=asked_close]").click()
    for each in (teacher, *taught.students):
        expect(card(each)).to_be_hidden()


def test_a_map_is_clicked_tapped_or_typed(taught: Class) -> None:
    """Marks stand on the maps; the click chooses no channel, and nobody leaves the class by it."""
    teacher, laptop, phone = taught.teacher, taught.laptop, taught.phone
    ask_ready(teacher, "map")
    for each in taught.students:
        expect(card(each)).to_contain_text("Which map shows edges best?")
    settle(laptop)  # the maps of the size that the card has left are there
    click_tile(laptop, 3)
    expect(card(laptop)).to_contain_text("Your answer: channel 3.")
    settle(phone)
    maps(phone).evaluate("(image) => image.scrollIntoView({ block: 'center' })")
    maps(phone).tap(position={"x": 20, "y": 20})
    expect(card(phone)).to_contain_text("Your answer: channel 0.")
    expect_bars(teacher, ("channel 0", "1"), ("channel 3", "1"))
    type_answer(phone, "99")
    expect(card(phone)).to_contain_text("from 0 to 5")
    type_answer(phone, "3")
    expect_bars(teacher, ("channel 3", "2"))
    until(teacher, f"() => JSON.stringify(({MARKS})()) === JSON.stringify([['3', '2']])")
    steady(teacher)
    until(teacher, IN_THE_MIDDLE, arg=tile_centre(teacher, 3))
    for each in taught.students:
        expect(said(each)).to_have_text("You see what the teacher looks at")
        until(each, f"() => JSON.stringify(({MARKS})()) === JSON.stringify([['3', '●']])")
    reveal(teacher)
    for each in (teacher, *taught.students):
        until(each, f"() => JSON.stringify(({MARKS})()) === JSON.stringify([['3', '2']])")


@EVERY_SIZE
def test_a_count_stands_above_the_frame_of_the_map_beside_it(taught: Class) -> None:
    """Neighbours touch, and a count hangs over its corner: at its right edge nothing else is on top."""
    teacher, laptop, phone = taught.teacher, taught.laptop, taught.phone
    ask_ready(teacher, "map")
    for student, channel in ((laptop, "0"), (phone, "1")):
        type_answer(student, channel)
    until(teacher, f"() => JSON.stringify(({MARKS})()) === JSON.stringify([['0', '1'], ['1', '1']])")
    maps(teacher).evaluate("image => image.scrollIntoView({ block: 'center' })")  # larger text is above it
    until(teacher, f"() => JSON.stringify(({ON_TOP})()) === JSON.stringify(['0', '1'])")


def test_a_map_is_answered_by_the_keyboard_by_who_looks_around_alone(taught: Class) -> None:
    """The arrow keys choose a channel, Enter answers with it; another layer says what it is about."""
    teacher, laptop = taught.teacher, taught.laptop
    ask_ready(teacher, "map")
    expect(card(laptop)).to_be_visible()
    laptop.locator(".lg-viewer").focus()
    press(laptop, "ArrowRight")
    expect(card(laptop)).to_contain_text("It is about the maps of conv1.")
    laptop.locator("[data-part=asked_go]").click()
    maps(laptop, "conv1").wait_for()
    before = laptop.locator(".lg-channel-title").inner_text()
    press(laptop, "ArrowDown", "Enter")
    expect(laptop.locator(".lg-channel-title")).not_to_have_text(before)
    title = laptop.locator(".lg-channel-title").inner_text()
    expect(card(laptop)).to_contain_text(f"Your answer: {title}.")
    expect_bars(teacher, (title, "1"))


def test_a_shape_is_hidden_on_every_screen_until_it_is_shown(taught: Class) -> None:
    """Neither the maps' line, nor the tree, nor a title or alternative text gives it away."""
    teacher, laptop, phone = taught.teacher, taught.laptop, taught.phone
    assert any(size in teacher.evaluate(SEEN) for size in SIZES)
    ask_ready(teacher, "shape")
    for each in (teacher, *taught.students):
        expect(each.locator(".lg-sentence")).to_contain_text("sizes are hidden")
        page_text = each.evaluate(SEEN)
        assert not [size for size in SIZES if size in page_text]
    type_answer(laptop, "big")
    expect(card(laptop)).to_contain_text("Type sizes")
    type_answer(laptop, "6 x 28 x 28")
    expect(teacher.locator(".lg-asked-said")).to_contain_text("1 of")  # equal ones stand as they came
    type_answer(phone, "(1, 6, 32, 32)")
    expect_bars(teacher, ("6×28×28", "1"), ("6×32×32", "1"))
    reveal(teacher)
    for each in (teacher, *taught.students):
        expect(card(each)).to_contain_text("Right: 6\u00a0×\u00a028\u00a0×\u00a028")
        expect(each.locator(".lg-sentence")).to_contain_text("6 maps of 28 × 28")
    expect(card(laptop)).to_contain_text("That is right.")
    expect(card(phone)).to_contain_text("That is not right.")


def test_a_number_is_right_within_what_the_teacher_says(taught: Class) -> None:
    """Nobody's answer is on the projector before that, unless the teacher wants to see them."""
    teacher, laptop, phone = taught.teacher, taught.laptop, taught.phone
    ask_own(teacher, "number", live=False, text="What share is zero?", right="0.5", within="0.1")
    type_answer(laptop, "0,58")
    type_answer(phone, "0.7")
    expect(teacher.locator(".lg-asked-said")).to_have_text("2 of 2 have answered")
    expect(teacher.locator(".lg-tally, .lg-asked-each:visible")).to_have_count(0)
    see_answers(teacher)
    expect_bars(teacher, ("0.58", "1"), ("0.7", "1"))
    teacher.locator("[data-part=asked_hide]").click()
    expect(teacher.locator(".lg-tally")).to_have_count(0)
    reveal(teacher)
    expect(teacher.locator(".lg-asked-each")).to_be_visible()
    expect(card(laptop)).to_contain_text("That is right.")
    expect(card(phone)).to_contain_text("That is not right.")
    expect(card(phone)).to_contain_text("Right: 0.5 ± 0.1")


def test_the_class_answers_the_quiz_by_its_number(taught: Class) -> None:
    """Chosen by its number; it is answered in the quiz's way, and the class goes on to the next."""
    teacher, laptop, phone = taught.teacher, taught.laptop, taught.phone
    teacher.locator("[data-part=view]").get_by_role("radio", name="Quiz").click()
    box = teacher.locator("[data-part=quiz-number]")
    box.fill("4321")
    box.press("Enter")
    teacher.locator(".lg-feature-quiz .lg-quiz-choices").wait_for()
    ask_ready(teacher, "quiz")
    for each in (teacher, *taught.students):
        expect(card(each)).to_contain_text("Question 1 of quiz 4321")
        card(each).locator(".lg-quiz-choices").wait_for()
        expect(each.locator(".lg-feature-quiz")).to_be_hidden()
    laptop.keyboard.press("2")
    card(phone).locator(".lg-quiz-choices > button").nth(0).tap()
    expect(teacher.locator(".lg-tally-count").nth(1)).to_have_text("1")
    expect(teacher.locator(".lg-tally-count").nth(0)).to_have_text("1")
    expect(card(laptop).locator(".lg-answer")).to_have_count(0)
    reveal(teacher)
    for each in (teacher, *taught.students):
        expect(card(each).locator(".lg-answer")).to_have_count(1)
        expect(card(each).locator(".lg-quiz-why")).to_contain_text("Why?")
    teacher.locator("[data-part=asked_next]").click()
    expect(card(phone)).to_contain_text("Question 2 of quiz 4321")


def test_a_student_answers_on_their_own_picture(taught: Class) -> None:
    """They see their own maps; the channel counts."""
    teacher, laptop = taught.teacher, taught.laptop
    shared = subject(laptop)
    part(laptop, "own").click()
    expect_another_picture(laptop, shared)
    ask_ready(teacher, "map")
    expect(card(laptop)).to_be_visible()
    maps(laptop, "conv1").wait_for()
    click_tile(laptop, 5)
    expect_bars(teacher, ("channel 5", "1"))
