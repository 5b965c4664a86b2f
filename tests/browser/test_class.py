"""A class in three browsers: a teacher's laptop, a student's laptop and a phone."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.asking_steps import Class, class_of_three
from tests.browser.class_steps import (
    cable,
    expect_same_look,
    join_by_link,
    numbers,
    part,
    said,
)
from tests.browser.pictures import photo, png
from tests.browser.steps import (
    click_tile,
    expect_address,
    expect_another_picture,
    maps,
    press,
    settle,
    subject,
    upload,
    visit_with_photo,
)
from tests.browser.test_exemplars import section
from tests.browser.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Visitors = Callable[..., Page]


@pytest.fixture
def taught(visitor: Visitors, looker: Visitors, server: str) -> Iterator[Class]:
    """A teacher with a photo of their own, and two students."""
    with class_of_three(looker, server, visit_with_photo(visitor(), server, 3, model="lenet")) as found:
        yield found


def test_whatever_the_teacher_looks_at_everybody_sees(taught: Class) -> None:
    """Layer, channel, edit, view, step, lesson and quiz; the maps are those of the teacher's picture."""
    teacher, students = taught.teacher, (taught.laptop, taught.phone)
    press(teacher, "ArrowRight", "ArrowRight")
    click_tile(teacher, 3)
    expect_same_look(teacher, *students, layer="pool1", channel="3")
    for each in (teacher, *students):
        maps(each, "pool1").wait_for()
        settle(each)
    assert numbers(teacher) == numbers(taught.laptop) == numbers(taught.phone)
    assert len({subject(each) for each in (teacher, *students)}) == 3
    press(teacher, "x")
    expect_same_look(teacher, *students, edit="pool1:zero:3")
    press(teacher, "Control+z")
    expect_same_look(teacher, *students, edit=None)
    views = teacher.locator("[data-part=view]")
    views.get_by_role("radio", name="Hooks").click()
    expect_same_look(teacher, *students, view="hooks")
    teacher.locator(".lg-events button").nth(2).click()
    until(teacher, "() => new URLSearchParams(location.search).has('step')")
    expect_same_look(teacher, *students, view="hooks")
    views.get_by_role("radio", name="Course").click()
    teacher.locator(".lg-lessons button, .lg-lessons a").first.click()
    expect_same_look(teacher, *students, view="course", lesson_step="1")
    views.get_by_role("radio", name="Quiz").click()
    until(teacher, "() => new URLSearchParams(location.search).has('seed')")
    expect_same_look(teacher, *students, view="quiz")
    views.get_by_role("radio", name="One layer").click()
    expect_same_look(teacher, *students, view=None, layer="pool1")
    expect(said(teacher)).to_have_text("2 students follow you")


def test_pictures_are_brought_for_ones_own_subject_alone(taught: Class) -> None:
    """On the teacher's there is no button that could only be refused; the visitor's own has it again."""
    click_tile(taught.teacher, 3)
    expect_same_look(taught.teacher, taught.laptop, channel="3")
    expect(section(taught.laptop)).to_be_visible()
    expect(taught.laptop.locator(".lg-bring")).to_be_hidden()
    expect(section(taught.teacher).locator(".lg-bring")).to_be_visible()
    shared = subject(taught.laptop)
    part(taught.laptop, "own").click()
    expect_another_picture(taught.laptop, shared)
    expect(section(taught.laptop).locator(".lg-bring")).to_be_visible()


def test_all_are_at_the_teachers_question_of_the_quiz_and_each_answers_alone(taught: Class) -> None:
    """A student who has not answered the ones before is there too; going on by oneself is looking alone."""
    teacher, laptop = taught.teacher, taught.laptop
    teacher.locator("[data-part=view]").get_by_role("radio", name="Quiz").click()
    for each in (teacher, laptop, taught.phone):
        expect(each.locator(".lg-quiz-asked")).to_contain_text("Question 1 of 8")
    teacher.locator(".lg-quiz-steps button").nth(2).click()
    expect_same_look(teacher, laptop, taught.phone, view="quiz", quiz_question="3")
    for each in (laptop, taught.phone):
        expect(each.locator(".lg-quiz-asked")).to_contain_text("Question 3 of 8")
    laptop.locator(".lg-quiz-choices button").first.click()
    expect(laptop.locator(".lg-quiz-why")).to_be_visible()
    expect(said(laptop)).to_have_text("You see what the teacher looks at")
    expect(teacher.locator(".lg-quiz-choices button").first).to_be_visible()
    laptop.locator(".lg-quiz-next button").click()
    expect(said(laptop)).to_have_text("You look around on your own")
    expect(taught.phone.locator(".lg-quiz-asked")).to_contain_text("Question 3 of 8")
    laptop.keyboard.press("f")
    expect_same_look(teacher, laptop, taught.phone, view="quiz", quiz_question="3")
    expect(laptop.locator(".lg-quiz-why")).to_be_visible()


def test_a_number_that_is_taken_apart_opens_everywhere_and_closes(taught: Class) -> None:
    """The same cell, with the same sum."""
    taught.teacher.locator("canvas.lg-large").click(position={"x": 40, "y": 40})
    heading = taught.teacher.locator(".lg-number header h3 code")
    expect(heading).to_contain_text(" = ")
    expect(taught.laptop.locator(".lg-number header h3 code")).to_have_text(heading.inner_text())
    taught.teacher.locator(".lg-number-close").click()
    expect(taught.laptop.locator(".lg-number header h3 code")).to_have_count(0)
    expect(said(taught.laptop)).to_have_text("You see what the teacher looks at")


def test_what_stands_open_is_everybodys_own(taught: Class) -> None:
    """A student who has unfolded the filter follows on with it; the teacher's stays folded."""
    teacher, laptop = taught.teacher, taught.laptop
    opened = laptop.locator(".lg-filter")
    opened.locator("summary").click()
    laptop.wait_for_url("**filter=open**")
    click_tile(teacher, 3)
    laptop.wait_for_url("**channel=3**")
    expect(laptop.locator(".lg-channel-title")).to_have_text("channel 3")
    expect(opened).to_have_js_property("open", value=True)
    expect(teacher.locator(".lg-filter")).to_have_js_property("open", value=False)
    expect(said(teacher)).to_have_text("2 students follow you")


def test_a_student_wanders_off_and_comes_back_with_one_key(taught: Class) -> None:
    """Nothing that the teacher showed is in the student's undo; the teacher sees who is alone."""
    teacher, student = taught.teacher, taught.laptop
    press(teacher, "ArrowRight")
    maps(student, "relu1").wait_for()
    press(student, "Control+z")
    maps(student, "relu1").wait_for()
    press(student, "ArrowLeft")
    maps(student, "conv1").wait_for()
    expect(said(student)).to_have_text("You look around on your own")
    expect(said(teacher)).to_have_text("1 student follows you · 1 looks around alone")
    press(teacher, "ArrowRight")
    maps(taught.phone, "pool1").wait_for()
    assert maps(student).get_attribute("data-layer") == "conv1"
    press(student, "f")
    maps(student, "pool1").wait_for()
    expect(said(teacher)).to_have_text("2 students follow you")


def test_a_student_follows_on_a_picture_of_their_own(taught: Class) -> None:
    """It is brought before or after; nobody else's maps change, and back again there is the teacher's."""
    teacher, student = taught.teacher, taught.laptop
    shared, theirs = subject(student), subject(teacher)
    part(student, "own").click()
    expect_another_picture(student, shared)
    maps(student, "conv1").wait_for()
    before = subject(student)
    upload(student, "mine.png", png(photo(8)), "image/png")
    expect_another_picture(student, before)
    mine = subject(student)
    press(teacher, "ArrowRight", "ArrowRight", "ArrowRight")
    maps(student, "conv2").wait_for()
    expect_address(student, model="lenet")
    assert subject(student) == mine
    assert subject(teacher) == theirs
    assert numbers(student) != numbers(teacher)
    part(student, "own").click()
    expect_another_picture(student, mine)
    assert subject(student) not in {mine, theirs}


def test_another_picture_and_model_of_the_teacher_come_too(taught: Class) -> None:
    """Without a script run of the students' pages."""
    runs = "() => document.documentElement.dataset.scriptRuns"
    before, shown = taught.laptop.evaluate(runs), subject(taught.laptop)
    first = subject(taught.teacher)
    upload(taught.teacher, "other.png", png(photo(5)), "image/png")
    expect_another_picture(taught.teacher, first)
    expect_another_picture(taught.laptop, shown)
    assert numbers(taught.teacher) == numbers(taught.laptop)
    assert taught.laptop.evaluate(runs) == before


def test_a_line_that_is_cut_catches_up_by_itself(taught: Class, visitor: Visitors, server: str) -> None:
    """The student reads that it is gone; afterwards what is shown now is there."""
    with cable(server) as line:
        student = join_by_link(visitor(), line.address, taught.code)
        maps(student, "conv1").wait_for()
        line.cut()
        expect(said(student)).to_contain_text("No connection to the class")
        press(taught.teacher, "ArrowRight", "ArrowRight")
        maps(taught.laptop, "pool1").wait_for()
        assert maps(student).get_attribute("data-layer") == "conv1"
        line.mend()
        maps(student, "pool1").wait_for()
        expect(said(student)).to_have_text("You see what the teacher looks at")
        expect(said(taught.teacher)).to_have_text("3 students follow you")
        student.context.close()


def test_reloads_lead_back_into_the_class(taught: Class) -> None:
    """The student is the same one, the teacher still the teacher, with the picture that was uploaded."""
    taught.laptop.reload()
    expect(said(taught.laptop)).to_have_text("You see what the teacher looks at")
    maps(taught.laptop, "conv1").wait_for()
    taught.teacher.reload()
    expect(said(taught.teacher)).to_have_text("2 students follow you")
    maps(taught.teacher, "conv1").wait_for()
    settle(taught.teacher)
    press(taught.teacher, "ArrowRight")
    for each in (taught.teacher, taught.laptop, taught.phone):
        maps(each, "relu1").wait_for()
    assert numbers(taught.teacher) == numbers(taught.laptop)
