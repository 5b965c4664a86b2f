"""Decisions of a teacher in three browsers: who is in, whose name is read, the end; and who goes alone."""

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.asking_steps import Class, ask_own, card, expect_bars, reveal
from tests.browser.class_steps import join_by_code, join_by_link, open_class, part, said
from tests.browser.steps import expect_another_picture, maps, press, subject, visit
from tests.browser.test_accessibility import expect_no_violations

pytestmark = [pytest.mark.browser, pytest.mark.slow]

REMOVED = "The teacher has removed you from the class. You go on by yourself."


def results(teacher: Page, name: str) -> list[list[str]]:
    """The rows of the file that a link of the class's line leads to, without the first."""
    with teacher.expect_download() as found:
        part(teacher, name).click()
    written = Path(found.value.path()).read_text(encoding="utf-8-sig")
    return list(csv.reader(io.StringIO(written, newline="")))[1:]


def ask_for_names(teacher: Page) -> None:
    """Ask for nicknames, and close the list."""
    part(teacher, "students").click()
    teacher.locator("[data-part=asking_names]").check()
    teacher.keyboard.press("Escape")


def expect_a_new_class_without_names(teacher: Page) -> None:
    """Open another class; it asks for nothing that the one before asked for."""
    open_class(teacher)
    part(teacher, "students").click()
    expect(teacher.locator("[data-part=asking_names]")).not_to_be_checked()
    teacher.keyboard.press("Escape")


def call_me(student: Page, name: str) -> None:
    """Say a nickname."""
    student.locator("[data-part=asked_name]").fill(name)
    student.keyboard.press("Enter")
    expect(card(student)).to_contain_text(f"Only your teacher sees your nickname: {name}")


def test_a_removed_student_goes_on_alone_and_their_answer_is_gone(taught: Class) -> None:
    """They read why; a reload does not bring them back, and the others stay."""
    teacher, laptop, phone = taught.teacher, taught.laptop, taught.phone
    ask_own(teacher, "choice", text="Clear?", choices="Yes\nNo")
    expect(card(laptop)).to_be_visible()
    press(laptop, "1")
    phone.locator(".lg-asked-choices button").nth(1).tap()
    expect_bars(teacher, ("Yes", "1"), ("No", "1"))
    lent = subject(laptop)
    part(teacher, "students").click()
    expect_no_violations(teacher)
    teacher.get_by_role("button", name="Remove: Student 1").click()
    expect(teacher.locator(".lg-class-students li b")).to_have_text(["Student 2"])
    expect(laptop.locator(".lg-notice")).to_have_text(REMOVED)
    expect(laptop.locator(".lg-class-bar")).to_be_hidden()
    expect_another_picture(laptop, lent)
    expect_bars(teacher, ("Yes", "0"), ("No", "1"))
    laptop.reload()
    maps(laptop).wait_for()
    expect(laptop.locator(".lg-class-bar")).to_be_hidden()
    expect(said(phone)).to_have_text("You see what the teacher looks at")


def test_a_button_that_is_pressed_while_news_come_is_heard(taught: Class) -> None:
    """The other student raises a hand, and goes to the top, between the press and the release."""
    teacher = taught.teacher
    part(teacher, "students").click()
    names = teacher.locator(".lg-class-students li b")
    remove = teacher.get_by_role("button", name="Remove: Student 1")
    remove.hover()
    teacher.mouse.down()
    part(taught.phone, "hand").tap()
    expect(names).to_have_text(["Student 2", "Student 1"])
    remove.hover()
    teacher.mouse.up()
    expect(names).to_have_text(["Student 2"])


def test_nobody_else_joins_a_shut_class_and_who_is_in_comes_back(
    taught: Class, visitor: Callable[..., Page], server: str
) -> None:
    """By a reload; whoever is new reads why not, until the teacher lets them."""
    teacher, laptop = taught.teacher, taught.laptop
    part(teacher, "students").click()
    teacher.locator("[data-part=class_shut]").check()
    late = visitor()
    late.goto(f"{server}/?class={taught.code.replace(' ', '')}")
    expect(late.locator(".lg-class-wrong").first).to_have_text(
        "The teacher lets nobody else into this class. More"
    )
    laptop.reload()
    expect(said(laptop)).to_have_text("You see what the teacher looks at")
    expect(teacher.locator(".lg-class-students li b")).to_have_text(["Student 1", "Student 2"])
    teacher.locator("[data-part=class_shut]").uncheck()
    join_by_link(late, server, taught.code)
    expect(teacher.locator(".lg-class-students li b")).to_have_count(3)


def test_hidden_names_stay_hidden_from_the_wall_until_they_are_shown(taught: Class) -> None:
    """Also the name of a student who leaves and joins again under another one."""
    teacher, laptop, phone = taught.teacher, taught.laptop, taught.phone
    ask_for_names(teacher)
    for student, name in ((laptop, "Ada"), (phone, "Bob")):
        call_me(student, name)
    part(teacher, "students").click()
    names = teacher.locator(".lg-class-students li b")
    expect(names).to_have_text(["Ada", "Bob"])
    teacher.locator("[data-part=asking_hide_all]").click()
    expect(names).to_have_text(["Student 1", "Student 2"])
    part(laptop, "leave").click()
    laptop.locator("[data-part=class]").click()
    laptop.locator(".lg-class-form input[name=code]").fill(taught.code)
    laptop.keyboard.press("Enter")
    laptop.get_by_role("button", name="Change").click()
    call_me(laptop, "Rude")
    expect(names).to_have_text(["Student 1", "Student 2"])
    teacher.locator("[data-part=asking_hide_all]").click()
    expect(names).to_have_text(["Rude", "Bob"])


def test_results_with_names_stay_at_hand_and_a_class_ends_only_if_it_is_said_twice(taught: Class) -> None:
    """Also the name of who has left; Escape and Cancel go back, with the focus. The next asks for none."""
    teacher, laptop, phone = taught.teacher, taught.laptop, taught.phone
    ask_for_names(teacher)
    for student, name in ((laptop, "Ada"), (phone, "Bob")):
        call_me(student, name)
    part(teacher, "end").click()
    expect(said(teacher)).to_have_text("End the class for 2 students?")
    expect(part(teacher, "end_results")).to_have_count(0)
    expect(part(teacher, "end_cancel")).to_be_focused()
    expect_no_violations(teacher)
    teacher.keyboard.press("Escape")
    expect(part(teacher, "end")).to_be_focused()
    ask_own(teacher, "choice", text="Clear?", choices="Yes\nNo")
    expect(card(laptop)).to_be_visible()
    press(laptop, "1")
    phone.locator(".lg-asked-choices button").nth(1).tap()
    expect_bars(teacher, ("Yes", "1"), ("No", "1"))
    expect(part(teacher, "results")).to_have_count(0)
    reveal(teacher)
    teacher.locator("[data-part=asked_close]").click()
    expect(card(teacher)).to_be_hidden()
    part(phone, "leave").click()
    expect(phone.locator(".lg-class-bar")).to_be_hidden()
    rows = [["1", "Clear?", "Ada", "Yes"], ["1", "Clear?", "Bob", "No"]]
    assert [row[:4] for row in results(teacher, "results")] == rows
    part(teacher, "end").press("Enter")
    expect(said(teacher)).to_have_text(
        "End the class for 1 student? Its answers are forgotten; Results (CSV) keeps them."
    )
    assert [row[:4] for row in results(teacher, "end_results")] == rows
    part(teacher, "end_cancel").press("Enter")
    expect(part(teacher, "end")).to_be_focused()
    expect(said(laptop)).to_have_text("You see what the teacher looks at")
    part(teacher, "end").click()
    part(teacher, "end_now").click()
    expect(laptop.locator(".lg-notice")).to_have_text("The class has ended. You go on by yourself.")
    expect(teacher.locator(".lg-class-bar")).to_be_hidden()
    expect(teacher.locator("[data-part=class]")).to_be_focused()
    expect_a_new_class_without_names(teacher)


def test_a_student_goes_away_comes_back_and_leaves(visitor: Callable[..., Page], server: str) -> None:
    """By the buttons of the class's line; who has left has their own picture and undo again."""
    teacher = visit(visitor(), server, model="lenet")
    student = visit(visitor(), server, model="lenet", sample="coffee")
    own = subject(student)
    press(student, "ArrowRight", "ArrowRight")
    maps(student, "pool1").wait_for()
    join_by_code(student, open_class(teacher))
    maps(student, "conv1").wait_for()
    lent = subject(student)
    press(student, "Control+z")
    expect(said(student)).to_have_text("You see what the teacher looks at")
    press(student, "ArrowRight")
    maps(student, "relu1").wait_for()
    expect(said(student)).to_have_text("You look around on your own")
    expect(said(teacher)).to_contain_text("1 looks around alone")
    part(student, "back").click()
    maps(student, "conv1").wait_for()
    expect(said(student)).to_have_text("You see what the teacher looks at")
    expect(said(teacher)).to_have_text("1 student follows you")
    part(student, "leave").click()
    expect(student.locator(".lg-class-bar")).to_be_hidden()
    expect(said(teacher)).to_have_text("0 students follow you")
    expect_another_picture(student, lent)
    assert subject(student) == own
    press(student, "Control+z")
    maps(student, "pool1").wait_for()
    press(student, "Control+z")
    maps(student, "relu1").wait_for()
    press(student, "Control+z")
    maps(student, "conv1").wait_for()
    press(teacher, "ArrowRight")
    maps(teacher, "relu1").wait_for()
    student.wait_for_timeout(500)
    assert maps(student).get_attribute("data-layer") != "relu1"
