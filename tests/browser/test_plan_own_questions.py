"""A lesson that a teacher makes by hand, with a question at each step, and a student who answers."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.class_steps import join_by_link, open_class
from tests.browser.steps import maps, settle, visit
from tests.browser.test_accessibility import expect_no_violations
from tests.browser.test_plan import of_lesson, of_plan, open_plans, saved

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def of_question(step: Locator, name: str) -> Locator:
    """A button for the question of a step."""
    return step.locator(f"[data-part=question_{name}]")


def ask(step: Locator, kind: str, **said: str) -> None:
    """Give a step a question."""
    of_question(step, "open").click()
    step.locator(".lg-ask-own").get_by_text(kind, exact=True).click()
    for name, value in said.items():
        step.locator(f".lg-ask-own [name={name}]").fill(value)
    of_question(step, "keep").click()


def lesson_of_two(page: Page, server: str) -> Locator:
    """Add two views to one's lesson, and edit it; its steps."""
    for layer in ("stem.conv", "fc"):
        visit(page, server, layer=layer)
        open_plans(page)
        of_lesson(page, "add").click()
        page.keyboard.press("Escape")
    open_plans(page)
    of_lesson(page, "edit").click()
    steps = page.locator(".lg-plan-own > li")
    expect(steps).to_have_count(2)
    return steps


def test_questions_made_on_the_page_are_answered_by_a_student(
    visitor: Callable[..., Page], server: str, tmp_path: Path
) -> None:
    """Written into the lesson's file as a plan says them; asked, answered and explained in a class."""
    teacher = visitor()
    steps = lesson_of_two(teacher, server)
    outlines = {"text": "Which one has outlines?", "right": "8, 11", "explanation": "Dark meets bright."}
    ask(steps.nth(0), "Click a map", **outlines)
    ask(
        steps.nth(1),
        "Choose",
        text="Is it sure?",
        choices="yes\nno",
        right="2",
        explanation="It cannot know.",
    )
    text = saved(teacher, tmp_path)
    assert "\nask: map\nanswer: 8, 11\n" in text
    assert "\nanswer: 2\n\n? Is it sure?\n- 1 = yes\n- 2 = no\n\n! It cannot know.\n" in text
    teacher.keyboard.press("Escape")
    student = join_by_link(visitor(), server, open_class(teacher))
    open_plans(teacher)
    of_lesson(teacher, "start").click()
    maps(student, "stem.conv").wait_for()
    of_plan(teacher, "ask").click()
    card = student.locator(".lg-asked")
    expect(card.locator("h3")).to_have_text("Which one has outlines?")
    card.locator("[data-part=asked_typed]").fill("11")
    student.keyboard.press("Enter")
    reveal(teacher)
    expect(card).to_contain_text("That is right.")
    expect(card).to_contain_text("Dark meets bright.")
    of_plan(teacher, "next").click()
    of_plan(teacher, "ask").click()
    card.get_by_text("yes", exact=True).click()
    reveal(teacher)
    expect(card).to_contain_text("That is not right.")
    expect(card).to_contain_text("It cannot know.")


def test_a_question_is_changed_removed_and_brought_back(page: Page, server: str) -> None:
    """An empty shape is the layer's own; what is missing is said, and none of WCAG's rules is broken."""
    steps = lesson_of_two(page, server)
    first = steps.nth(0)
    ask(first, "Shape", text="How large is it?", explanation="As the photo.")
    expect(first.locator(".lg-plan-asks")).to_have_text("Asks: How large is it?")
    of_question(first, "open").click()
    form = first.locator(".lg-ask-own")
    expect(form.locator("[name=right]")).to_have_value("32×32×32")
    form.locator("[name=explanation]").fill("")
    of_question(first, "keep").click()
    expect(form.locator(".lg-class-wrong")).to_have_text(re.compile("^Type an explanation"))
    settle(page)
    expect_no_violations(page)
    of_question(first, "leave").click()
    of_question(first, "remove").click()
    expect(first.locator(".lg-plan-asks")).to_have_count(0)
    of_lesson(page, "undo").click()
    expect(first.locator(".lg-plan-asks")).to_have_text("Asks: How large is it?")


def test_a_half_typed_question_stays(page: Page, server: str) -> None:
    """Its step is moved, a selection is drawn out of the dialog, and the dialog is closed and opened."""
    steps = lesson_of_two(page, server)
    of_question(steps.nth(0), "open").click()
    steps.nth(0).locator(".lg-ask-own [name=text]").fill("Which one ha")
    page.keyboard.press("Alt+ArrowDown")
    field = steps.nth(1).locator(".lg-ask-own [name=text]")
    expect(field).to_have_value("Which one ha")
    expect(field).to_be_focused()
    field.hover()
    page.mouse.down()
    page.mouse.move(5, 5)
    page.mouse.up()
    expect(field).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    open_plans(page)
    of_lesson(page, "edit").click()
    expect(field).to_have_value("Which one ha")


def reveal(teacher: Page) -> None:
    """Show the answer, once the student has given theirs."""
    expect(teacher.locator(".lg-asked-said")).to_have_text(re.compile("^1 "))
    teacher.locator("[data-part=asked_reveal]").click()
