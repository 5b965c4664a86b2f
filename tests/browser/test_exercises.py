"""Exercises in the page: written, checked, helped with, kept; by keyboard alone, and by the rules of WCAG."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import go
from tests.browser.test_accessibility import PHONE, expect_no_violations
from tests.browser.typefaces import EVERY_TYPEFACE
from tests.browser.waiting import until
from viz.course.folder import find as find_lesson
from viz.course.folder import served
from viz.exercises.folder import find
from viz.exercises.folder import served as exercises

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.looks]

EXERCISE = find("left-half", "en")
INSIDE = re.compile("Traceback|Error:|File ")  # nothing of the server is told
# What a visitor may type in place of an answer, and a word of the one sentence that is said to it.
BAD = {
    "endless": ("while True:\n    pass\n", {"en": "too many steps", "zh": "步"}),
    "greedy": (
        "many = []\nwhile True:\n    many.append(picture.clone())\n",
        {"en": "too many steps|more tensors", "zh": "步|张量"},
    ),
    "hostile": ("net.__class__\n", {"en": "private", "zh": "_"}),
    "importing": ("import os\n", {"en": "imported", "zh": "导入"}),
}


def button_of(page: Page, identity: str, language: str = "en") -> Locator:
    """The button that opens an exercise, whether it is solved or not."""
    return page.locator(".lg-exercise-group button", has_text=find(identity, language).title)


def opened(page: Page, identity: str, language: str = "en") -> Locator:
    """Open an exercise of those on screen; return the field for the answer."""
    button_of(page, identity, language).click()
    field = page.locator(f".lg-exercise[data-exercise={identity}] .lg-editor-field")
    field.wait_for()
    return field


def open_exercise(page: Page, server: str, lang: str = "en") -> Locator:
    """Open an exercise from the list below the course's contents; return the field for the answer."""
    go(page, server, view="course", lang=lang)
    return opened(page, EXERCISE.id, lang)


def check(page: Page, field: Locator, code: str) -> Locator:
    """Write an answer and check it by the keyboard; return what is said of it."""
    field.fill(code)
    field.press("Control+Enter")
    done = "document.querySelectorAll('.lg-verdict :is(.lg-right, .lg-wrong, .lg-refused)').length === 1"
    until(page, done)
    return page.locator(".lg-verdict")


def test_an_answer_is_checked_and_shown_beside_what_was_asked_for(page: Page, server: str) -> None:
    """Wrong, with words and both maps; then with a line that is marked; then right, and the list says so."""
    field = open_exercise(page, server)
    expect(field).to_have_value(EXERCISE.start.rstrip("\n"))
    verdict = check(page, field, EXERCISE.start)
    expect(verdict.locator(".lg-wrong")).to_have_text("✗ Not yet.")
    expect(verdict.locator(".lg-problems li")).to_contain_text("after has other values")
    expect(page.locator(".lg-pair")).to_have_count(2)
    yours, wanted = (page.locator(".lg-pair").nth(1).locator("img").nth(side) for side in (0, 1))
    assert yours.get_attribute("src") == wanted.get_attribute("src")
    of_after = page.locator(".lg-pair").first.locator("img")
    assert of_after.nth(0).get_attribute("src") != of_after.nth(1).get_attribute("src")
    verdict = check(page, field, "x = 1\nnet.__class__\n")
    expect(verdict.locator(".lg-problems")).to_contain_text("private")
    expect(page.locator(".lg-wrong-line")).to_have_text("2")
    verdict.get_by_role("button", name="Line 2").click()
    expect(field).to_be_focused()
    assert field.evaluate("field => [field.selectionStart, field.selectionEnd]") == [6, 19]
    verdict = check(page, field, EXERCISE.solution)
    expect(verdict.locator(".lg-right")).to_have_text("✓ Right.")
    expect(page.locator(".lg-wrong-line")).to_have_count(0)
    expect(button_of(page, EXERCISE.id).get_by_label("solved")).to_have_count(1)


def test_a_lesson_ends_with_its_exercises(page: Page, server: str) -> None:
    """Those that its file names, in that order; going on to another step closes them."""
    go(page, server, view="course", lesson="inputs", lesson_step="5")
    names = [find(each, "en").title for each in find_lesson(served("en"), "inputs").exercises]
    buttons = page.locator(".lg-exercise-group button")
    expect(buttons).to_have_text(names)
    verdict = check(page, opened(page, EXERCISE.id), EXERCISE.solution)
    expect(verdict.locator(".lg-right")).to_have_text("✓ Right.")
    expect(verdict.locator(".lg-learned")).to_have_css("font-size", "16px")
    expect(button_of(page, EXERCISE.id).get_by_label("solved")).to_have_count(1)
    page.get_by_role("button", name="← Back").click()
    expect(page.locator(".lg-step h3")).to_be_visible()
    expect(buttons).to_have_count(0)


@EVERY_TYPEFACE
@pytest.mark.parametrize("options", [{}, PHONE], ids=["laptop", "phone"])
def test_the_verdict_comes_into_view_and_leads_on(
    looker: Callable[..., Page], server: str, options: dict[str, object]
) -> None:
    """It is below the fold after the check; from the last exercise the way leads to the next lesson."""
    page = looker(**options)
    page.set_viewport_size({"width": 390 if options else 1366, "height": 600})
    go(page, server, view="course", lesson="inputs", lesson_step="5")
    first, second, last = (find(each, "en") for each in find_lesson(served("en"), "inputs").exercises)
    field = opened(page, first.id)
    field.fill(first.start)
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".lg-verdict .lg-wrong")).to_be_in_viewport()
    expect(page.locator(".lg-onward button")).to_have_count(0)
    check(page, field, first.solution)
    onward = page.locator(".lg-onward button")
    expect(onward).to_have_text(f"Next exercise: {second.title} →")
    expect(onward).to_be_in_viewport()
    onward.click()
    page.locator(f".lg-exercise[data-exercise={second.id}] .lg-editor-field").wait_for()
    check(page, opened(page, last.id), last.solution)
    following = find_lesson(served("en"), "calls").title
    expect(onward).to_have_text(f"Next lesson: {following} →")
    onward.click()
    expect(page.locator(".lg-course-head h2")).to_have_text(following)


def test_characters_of_a_chinese_keyboard_are_named_in_chinese(page: Page, server: str) -> None:
    """Not in Python's English; the line is marked, and the field shows its lines from their beginnings."""
    field = open_exercise(page, server, lang="zh")
    verdict = check(page, field, "kept = {}\nkept[“maps”] = 1  # " + "x" * 300)
    expect(verdict.locator(".lg-problems")).to_contain_text("中文输入法")
    expect(page.locator(".lg-wrong-line")).to_have_text("2")
    field.press("End")
    assert field.evaluate("field => field.scrollLeft") > 0
    field.blur()
    assert field.evaluate("field => field.scrollLeft") == 0


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_transformers_exercises_run_on_the_transformer(page: Page, server: str, language: str) -> None:
    """A known mistake gets its sentence on any net, the solution is right, and both are shown."""
    lesson = find_lesson(served(language), "transformer")
    go(page, server, view="course", lesson="transformer", lesson_step="5", lang=language)
    for identity in lesson.exercises:
        exercise = find(identity, language)
        field = opened(page, identity, language)
        verdict = check(page, field, exercise.mistakes[0].code)
        expect(verdict.locator(".lg-wrong")).to_have_count(1)
        expect(verdict.locator(".lg-advice")).to_have_text(exercise.mistakes[0].text.replace("`", ""))
        sides = page.locator(".lg-pair").first.locator("img")
        assert sides.nth(0).get_attribute("src") != sides.nth(1).get_attribute("src")
        expect(check(page, field, exercise.solution).locator(".lg-right")).to_have_count(1)
        assert sides.nth(0).get_attribute("src") == sides.nth(1).get_attribute("src")
    expect(page.locator(".lg-exercise-group .lg-done")).to_have_count(len(lesson.exercises))


@pytest.mark.parametrize(
    ("exercise", "language"),
    [(each.id, ("en", "zh")[place % 2]) for place, each in enumerate(exercises("en"))],
)
def test_every_exercise_answers_whatever_is_typed(
    looker: Callable[..., Page], server: str, exercise: str, language: str
) -> None:
    """One sentence each, on the line of the cause; and the solution is right after all of that."""
    page = go(looker(locale={"en": "en-GB", "zh": "zh-CN"}[language]), server, view="course", lang=language)
    field, asked = opened(page, exercise, language), find(exercise, language)
    wrong = check(page, field, asked.mistakes[0].code)
    expect(wrong.locator(".lg-wrong")).to_have_count(1)
    expect(wrong.locator(".lg-advice")).to_have_text(asked.mistakes[0].text.replace("`", ""))
    for code, words in BAD.values():
        verdict = check(page, field, code + asked.solution)
        expect(verdict.locator(".lg-problems li")).to_have_count(1)
        expect(verdict.locator(".lg-problems li")).to_contain_text(re.compile(words[language]))
        expect(page.locator(".lg-wrong-line")).to_have_count(1)
        expect(verdict.locator(".lg-problems")).not_to_contain_text(INSIDE)
    expect(check(page, field, asked.solution).locator(".lg-right")).to_have_count(1)


@EVERY_TYPEFACE
@pytest.mark.parametrize("options", [{}, PHONE], ids=["laptop", "phone"])
def test_each_lesson_has_three_and_what_is_opened_comes_into_view(
    looker: Callable[..., Page], server: str, options: dict[str, object]
) -> None:
    """Side by side on a laptop, one below the other on a phone; the exercise stands below its lesson's."""
    page = looker(**options)
    go(page, server, view="course")
    rows = page.locator(".lg-exercise-lesson")
    expect(rows).to_have_count(9)
    tops = (
        "row => new Set([...row.querySelectorAll('button')].map((b) => b.getBoundingClientRect().top)).size"
    )
    assert [each.evaluate(tops) for each in rows.all()] == [3 if options else 1] * 9
    for lesson, identity in ((8, "leave-out-a-block"), (1, "too-late"), (2, "upside-down")):
        field = opened(page, identity)
        expect(rows.nth(lesson - 1).locator(".lg-exercise h3")).to_be_in_viewport()
        expect(field).to_be_in_viewport()
        expect(page.locator(".lg-exercise")).to_have_count(1)


def test_hints_come_one_by_one_and_the_solution_last_and_all_is_kept(
    visitor: Callable[..., Page], server: str
) -> None:
    """Over a reload; "Begin again" brings the first code back."""
    page = visitor()
    field = open_exercise(page, server)
    field.fill("# mine")
    for name in ("Hint 1 of 3", "Hint 2 of 3", "Hint 3 of 3", "Show the solution"):
        expect(page.locator(".lg-hint pre")).to_have_count(0)
        page.get_by_role("button", name=name).click()
    expect(page.locator(".lg-hint pre")).to_have_text(EXERCISE.solution)
    expect(page.locator(".lg-hint")).to_have_count(4)
    page.reload()
    opened(page, EXERCISE.id)
    expect(field).to_have_value("# mine")
    expect(page.locator(".lg-hint")).to_have_count(4)
    expect(page.get_by_role("button", name="Show the solution")).to_be_hidden()
    page.get_by_role("button", name="Begin again").click()
    expect(field).to_have_value(EXERCISE.start.rstrip("\n"))


def test_undo_brings_an_answer_back_whatever_took_its_place(
    visitor: Callable[..., Page], server: str
) -> None:
    """Deleted, or begun again; redo takes it away, on a Mac's keyboard too, and what came back is kept."""
    page = visitor()
    field = open_exercise(page, server)
    start, answer = EXERCISE.start.rstrip("\n"), "if x:\n    y = 1"
    field.press("Control+a")
    field.press_sequentially("if x:\ny = 1")
    field.press("Control+a")
    field.press("Delete")
    field.press("Control+z")
    expect(field).to_have_value(answer)
    assert field.evaluate("field => [field.selectionStart, field.selectionEnd]") == [0, len(answer)]
    page.get_by_role("button", name="Begin again").click()
    expect(field).to_have_value(start)
    for undo, redo in (
        ("Control+z", "Control+Shift+z"),
        ("Meta+z", "Meta+Shift+z"),
        ("Control+z", "Control+y"),
    ):
        page.keyboard.press(undo)
        expect(field).to_have_value(answer)
        page.keyboard.press(redo)
        expect(field).to_have_value(start)
    page.keyboard.press("Control+z")
    page.reload()
    expect(opened(page, EXERCISE.id)).to_have_value(answer)


def test_the_field_is_left_by_escape_and_tab(page: Page, server: str) -> None:
    """Tab alone indents, Enter goes on in the block, Shift+Tab goes back, and undo knows all of it."""
    field = open_exercise(page, server)
    field.fill("")
    field.press_sequentially("if x:\ny = 1")
    expect(field).to_have_value("if x:\n    y = 1")
    field.press("Shift+Tab")
    expect(field).to_have_value("if x:\ny = 1")
    field.press("Home")
    field.press("Tab")
    expect(field).to_have_value("if x:\n    y = 1")
    field.press("Control+z")
    expect(field).to_have_value("if x:\ny = 1")
    expect(field).to_be_focused()
    field.press("Escape")
    field.press("Tab")
    expect(page.get_by_role("button", name="Check", exact=True)).to_be_focused()
    field.focus()
    field.press("Escape")
    field.press("a")
    field.press("Tab")
    expect(field).to_be_focused()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_exercises_keep_the_rules(looker: Callable[..., Page], server: str, scheme: str) -> None:
    """The list, an exercise, a wrong answer with a marked line, hints and the solution, a right answer."""
    page = looker(color_scheme=scheme)
    field = open_exercise(page, server)
    expect_no_violations(page)
    check(page, field, "print('a', 12)  # a comment\nnet.x")
    expect_no_violations(page)
    for place in range(4):
        page.locator(".lg-exercise .lg-buttons button").nth(1).click()
        page.locator(".lg-hint").nth(place).wait_for()
    check(page, field, EXERCISE.solution)
    expect_no_violations(page)


@EVERY_TYPEFACE
def test_exercises_on_a_phone_keep_the_rules_and_fit(looker: Callable[..., Page], server: str) -> None:
    """In Chinese; nothing is wider than the screen but the code, which scrolls in its field."""
    page = looker(**PHONE)
    field = open_exercise(page, server, lang="zh")
    check(page, field, find("left-half", "zh").start)
    expect_no_violations(page)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
