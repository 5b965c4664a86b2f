"""The answers of a class: reloads, late comers, nicknames of all kinds, floods, thieves, and the results."""

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.asking_steps import (
    PHONE,
    SAY,
    Class,
    ask_own,
    ask_ready,
    card,
    expect_bars,
    own_subject,
    reveal,
    see_answers,
    type_answer,
)
from tests.browser.class_steps import cable, end_class, join_by_link, open_class, part, said
from tests.browser.steps import maps, press, settle, visit
from tests.browser.test_accessibility import expect_no_violations

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FLOOD = """async (subject) => {
    const answer = async (place) => (await fetch(`maps/${subject}/class_answer.json`, {
        method: "POST", body: JSON.stringify({ asked: 1, value: [place % 2] }),
    })).status;
    const found = [];
    for (let sent = 0; sent < 500; sent += 20) {
        found.push(...await Promise.all(Array.from({ length: 20 }, (_, place) => answer(place))));
    }
    return found;
}"""
HOSTILE = "<img src=x onerror=document.title='owned'>"


def test_reloads_and_late_comers_find_the_question_and_their_own_answer(
    taught: Class, visitor: Callable[..., Page], server: str
) -> None:
    """The teacher's page, too: with what has come in."""
    teacher, laptop = taught.teacher, taught.laptop
    ask_own(teacher, "choice", text="Clear?", choices="Yes\nNo")
    expect(card(laptop)).to_be_visible()
    press(laptop, "2")
    expect_bars(teacher, ("Yes", "0"), ("No", "1"))
    laptop.reload()
    expect(card(laptop)).to_contain_text("Your answer: No.")
    teacher.reload()
    see_answers(teacher)
    expect_bars(teacher, ("Yes", "0"), ("No", "1"))
    late = join_by_link(visitor(), server, taught.code)
    expect(card(late)).to_contain_text("Clear?")
    late.get_by_role("button", name="Yes").click()
    expect_bars(teacher, ("Yes", "1"), ("No", "1"))
    reveal(teacher)
    latest = join_by_link(visitor(), server, taught.code)
    expect(card(latest)).to_contain_text("You gave no answer.")
    expect_bars(latest, ("Yes", "1"), ("No", "1"))
    end_class(teacher)
    for each in (laptop, late, latest):
        expect(card(each)).to_be_hidden()


def test_an_answer_that_is_heard_after_the_line_is_back_stands_on_the_card(
    taught: Class, visitor: Callable[..., Page], server: str
) -> None:
    """The line came back without it: the class had not heard it then."""
    ask_own(taught.teacher, "choice", text="Clear?", choices="Yes\nNo")
    with cable(server) as line:
        student = join_by_link(visitor(), line.address, taught.code)
        expect(card(student)).to_contain_text("Clear?")
        student.route("**/class_answer.json", lambda route, _: route.abort())
        press(student, "2")
        expect(card(student)).to_contain_text("Your answer: No.")
        line.cut()
        expect(said(student)).to_contain_text("No connection to the class")
        line.mend()
        expect(said(student)).to_have_text("You see what the teacher looks at")
        expect(card(student)).not_to_contain_text("Your answer")
        student.unroute("**/class_answer.json")
        expect(card(student)).to_contain_text("Your answer: No.")
        expect_bars(taught.teacher, ("Yes", "0"), ("No", "1"))
        student.context.close()


def test_nicknames_are_text_that_the_teacher_can_hide(taught: Class) -> None:
    """Numbers by default; markup does nothing, turned text is not turned, and length is bounded."""
    teacher, laptop, phone = taught.teacher, taught.laptop, taught.phone
    ask_ready(teacher, "choice")
    expect(card(laptop)).to_be_visible()
    press(laptop, "1")
    phone.locator(".lg-asked-choices button").nth(1).tap()
    each = teacher.locator(".lg-asked-each")
    each.locator("summary").click()
    expect(each).to_contain_text("Student 1")
    expect(laptop.locator("[data-part=asked_name]")).to_have_count(0)
    part(teacher, "students").click()
    teacher.locator("[data-part=asking_names]").check()
    for student, name in ((laptop, HOSTILE), (phone, "\u202eevil\u2066" + "x" * 10_000)):
        box = student.locator("[data-part=asked_name]")
        box.evaluate("(box) => box.removeAttribute('maxlength')")
        box.fill(name[:180])
        box.press("Enter")
        expect(card(student)).to_contain_text("Only your teacher sees your nickname")
    names = teacher.locator(".lg-class-students li b")
    expect(names).to_have_text(["<img src=x onerror=docum", "evil" + "x" * 20])
    expect(teacher.locator(".lg-class-students li img")).to_have_count(0)
    assert teacher.title() != "owned"
    expect(each).to_contain_text("evilxx")
    teacher.locator("[data-hides='2']").click()
    expect(names).to_have_text(["<img src=x onerror=docum", "Student 2"])
    expect(each).not_to_contain_text("evil")
    teacher.locator("[data-part=asking_hide_all]").click()
    expect(names).to_have_text(["Student 1", "Student 2"])
    teacher.locator("[data-hides='1']").click()
    expect(names).to_have_text(["<img src=x onerror=docum", "Student 2"])
    expect(teacher.locator("[data-hides='1']")).to_be_focused()
    teacher.locator("[data-part=asking_hide_all]").click()
    expect(names).to_have_text(["<img src=x onerror=docum", "evil" + "x" * 20])
    for student in taught.students:
        assert "onerror" not in student.locator(".lg-stage").inner_text() or student is laptop


def test_one_student_is_one_answer_and_reads_nobody_elses(taught: Class) -> None:
    """Five hundred posts are mostly refused; reading and showing the answers always."""
    teacher, laptop, phone = taught.teacher, taught.laptop, taught.phone
    ask_own(teacher, "choice", text="Which?", choices="One\nTwo")
    expect(card(laptop)).to_be_visible()
    thief = own_subject(laptop)
    found = laptop.evaluate(FLOOD, thief)
    assert found.count(429) > 400
    assert set(found) == {200, 429}
    phone.locator(".lg-asked-choices button").nth(1).tap()
    expect(card(teacher)).to_contain_text("2 of 2 have answered")
    assert laptop.evaluate(SAY, [thief, "results.csv", None]) == 422
    for order in ("reveal", "close", "names"):
        assert laptop.evaluate(SAY, [thief, "asking.json", {"do": order}]) == 422
    expect(laptop.locator(".lg-tally")).to_have_count(0)
    expect(card(teacher)).to_contain_text("Question for the class")


def test_the_results_are_a_table_without_formulas(taught: Class) -> None:
    """Read by the csv module."""
    teacher, laptop, phone = taught.teacher, taught.laptop, taught.phone
    ask_own(teacher, "choice", text="=SUM(1, 2)?", choices="+1\n-1", right="1")
    expect(card(laptop)).to_be_visible()
    press(laptop, "1")
    phone.locator(".lg-asked-choices button").nth(1).tap()
    expect(card(teacher)).to_contain_text("2 of 2 have answered")
    reveal(teacher)
    ask_ready(teacher, "shape")
    type_answer(laptop, "6×28×28")
    expect(card(teacher)).to_contain_text("1 of 2 have answered")
    reveal(teacher)
    with teacher.expect_download() as found:
        teacher.locator("[data-part=asked_results]").click()
    assert found.value.suggested_filename.endswith(".csv")
    written = Path(found.value.path()).read_text(encoding="utf-8-sig")
    _, *rows = csv.reader(io.StringIO(written, newline=""))
    assert [row[:6] for row in rows] == [
        ["1", "'=SUM(1, 2)?", "Student 1", "'+1", "'+1", "yes"],
        ["1", "'=SUM(1, 2)?", "Student 2", "'-1", "'+1", "no"],
        ["2", "What shape does conv1 return?", "Student 1", "6×28×28", "6×28×28", "yes"],
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_class_that_is_asked_keeps_the_rules(
    visitor: Callable[..., Page], server: str, scheme: str
) -> None:
    """The dialog, the card before and after it is shown, the marks, and the list with nicknames."""
    teacher = visit(visitor(color_scheme=scheme), server, model="lenet", layer="conv2")
    student = join_by_link(visitor(color_scheme=scheme, **PHONE), server, open_class(teacher))
    maps(student, "conv2").wait_for()
    settle(student)
    part(teacher, "ask").click()
    expect_no_violations(teacher)
    teacher.locator("[data-part=ask_ready]").first.click()
    expect(card(student)).to_be_visible()
    see_answers(teacher)
    expect_no_violations(student)
    type_answer(student, "3")
    expect_bars(teacher, ("channel 3", "1"))
    part(teacher, "students").click()
    teacher.locator("[data-part=asking_names]").check()
    student.locator("[data-part=asked_name]").fill("Ada")
    student.keyboard.press("Enter")
    expect(teacher.locator(".lg-class-students li b")).to_have_text(["Ada"])
    expect_no_violations(teacher)
    teacher.keyboard.press("Escape")
    reveal(teacher)
    expect(card(student)).to_contain_text("The class has answered")
    for each in (teacher, student):
        expect_no_violations(each)
