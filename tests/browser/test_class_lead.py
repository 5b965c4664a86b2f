"""Lead of a class: freeze, pointer, a student's turn, no right, the end."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.asking_steps import Class
from tests.browser.class_steps import end_class, expect_same_look, part, said
from tests.browser.steps import (
    expect_another_picture,
    maps,
    press,
    settle,
    steady,
    subject,
    tile_centre,
    visit,
)
from tests.browser.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ASK = """async ([subject, name, said]) => {
    const body = JSON.stringify(said);
    const answer = await fetch(`maps/${subject}/class_${name}.json`, { method: "POST", body });
    return [answer.status, await answer.json()];
}"""
MARK = """([layer]) => {
    const mark = document.querySelector(".lg-class-pointer").getBoundingClientRect();
    const image = document.querySelector(`.lg-stage img[data-layer="${layer}"]`).getBoundingClientRect();
    return [mark.x + mark.width / 2 - image.x, mark.y + mark.height / 2 - image.y];
}"""
AT = f"""([x, y, layer]) => {{
    const [across, down] = ({MARK})([layer]);
    return Math.abs(across - x) < 3 && Math.abs(down - y) < 3;
}}"""
STATUS = "async (subject) => (await fetch(`maps/${subject}/seen.png`, { cache: 'no-store' })).status"
Pages = tuple[Page, Page, Page]


@pytest.fixture
def pages(taught: Class) -> Pages:
    """A teacher, a student at a laptop and one with a phone, in one class."""
    return taught.teacher, taught.laptop, taught.phone


def test_a_frozen_class_waits_until_it_goes_on(pages: Pages) -> None:
    """Meanwhile the teacher looks at something else; then that is there."""
    teacher, laptop, phone = pages
    part(teacher, "freeze").click()
    expect(said(laptop)).to_have_text("The teacher has frozen what you see")
    expect(part(teacher, "freeze")).to_have_attribute("aria-pressed", "true")
    press(teacher, "ArrowRight", "ArrowRight")
    maps(teacher, "pool1").wait_for()
    teacher.wait_for_timeout(800)
    assert [maps(each).get_attribute("data-layer") for each in (laptop, phone)] == ["conv1", "conv1"]
    part(teacher, "freeze").click()
    for each in (laptop, phone):
        maps(each, "pool1").wait_for()


def test_a_pointer_is_on_the_same_place_of_the_same_map(pages: Pages) -> None:
    """On a phone too, where the maps stand in other rows."""
    teacher, laptop, phone = pages
    part(teacher, "point").click()
    steady(teacher)
    box = maps(teacher).bounding_box()
    assert box
    x, y = tile_centre(teacher, 4)
    for shift in (0, 1):
        teacher.mouse.move(box["x"] + x + shift, box["y"] + y)
    for each in (laptop, phone):
        each.locator(".lg-class-pointer:not([hidden])").wait_for(state="attached")
        settle(each)
        wanted = tile_centre(each, 4)
        until(each, AT, arg=[*wanted, "conv1"])
    part(teacher, "point").click()
    for each in (laptop, phone):
        expect(each.locator(".lg-class-pointer")).to_be_hidden()


def test_a_student_leads_and_the_teacher_takes_it_back(pages: Pages) -> None:
    """Asked for with a button, given in a list; everybody follows, the teacher too."""
    teacher, laptop, phone = pages
    part(laptop, "hand").click()
    expect(part(teacher, "students")).to_have_text("1 asks to lead")
    part(teacher, "students").click()
    teacher.get_by_role("button", name="Let lead: Student 1").click()
    expect(said(laptop)).to_have_text("You lead: the class sees what you look at")
    expect(said(phone)).to_have_text("Student 1 leads")
    press(laptop, "ArrowRight")
    for each in (teacher, phone):
        maps(each, "relu1").wait_for()
    expect_same_look(laptop, teacher, phone)
    part(teacher, "take_back").click()
    expect(said(laptop)).to_have_text("You see what the teacher looks at")
    press(teacher, "ArrowRight")
    for each in (laptop, phone):
        maps(each, "pool1").wait_for()


def test_a_student_without_the_right_changes_nothing(pages: Pages) -> None:
    """There is no button for it, and the addresses refuse it, with the student's subject and the lent one."""
    teacher, laptop, phone = pages
    for name in ("freeze", "point", "students", "end", "take_back"):
        expect(part(laptop, name)).to_have_count(0)
    attempts = [
        ("show", {"look": "layer=fc1"}),
        ("point", {"at": {"what": "map 1", "y": 0.5, "x": 0.5}}),
        *(("order", {"do": do}) for do in ("freeze", "end", "lead")),
        ("take", {"right": "0" * 32}),
    ]
    for name, order in attempts:
        status, answer = laptop.evaluate(ASK, [subject(laptop), name, order])
        assert (status, bool(answer["error"])) == (422, True)
    press(teacher, "ArrowRight")
    for each in (laptop, phone):
        maps(each, "relu1").wait_for()
    expect(said(phone)).to_have_text("You see what the teacher looks at")


def test_the_end_of_a_class_leaves_everybody_with_their_own(pages: Pages) -> None:
    """The teacher's picture is gone, also by its address, and the code leads nowhere."""
    teacher, laptop, phone = pages
    lent, code = subject(laptop), part(teacher, "code").inner_text().removeprefix("Code ")
    end_class(teacher)
    for each in (laptop, phone):
        expect(each.locator(".lg-notice")).to_have_text("The class has ended. You go on by yourself.")
        expect(each.locator(".lg-class-bar")).to_be_hidden()
    assert laptop.evaluate(STATUS, lent) == 410
    expect_another_picture(laptop, lent)
    laptop.locator("[data-part=class]").click()
    laptop.locator(".lg-class-form input[name=code]").fill(code)
    laptop.keyboard.press("Enter")
    expect(laptop.locator(".lg-class-wrong").first).to_contain_text("There is no class with this code")


def test_a_class_with_a_password_asks_for_it(visitor: Callable[..., Page], server: str) -> None:
    """Students who come by the link see the form with the code, and why; a wrong password lets nobody in."""
    teacher = visit(visitor(), server)
    teacher.locator("[data-part=class]").click()
    teacher.locator(".lg-class-form:has([data-part=class_open]) input").fill("geheim")
    part(teacher, "open").click()
    code = teacher.locator(".lg-class-code").inner_text()
    student = visitor()
    student.goto(f"{server}/?class={code.replace(' ', '')}")
    expect(student.locator(".lg-class-wrong").first).to_contain_text("password")
    student.locator(".lg-class-form input[name=password]").first.fill("Geheim")
    student.keyboard.press("Enter")
    expect(student.locator(".lg-class-wrong").first).to_have_text(
        "This is not the password of the class. More"
    )
    expect(said(student)).to_be_hidden()
    student.locator(".lg-class-form input[name=password]").first.fill("geheim")
    student.keyboard.press("Enter")
    expect(said(student)).to_have_text("You see what the teacher looks at")
