"""Back in a class, and never twice: networks that blink, visits that end, duplicated tabs, other classes."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.class_steps import (
    cable,
    end_class,
    join_by_code,
    join_by_link,
    numbers,
    open_class,
    part,
    said,
)
from tests.browser.forgetting import expect_forgotten, forgetful
from tests.browser.steps import (
    choose,
    expect_address,
    expect_another_picture,
    expect_more,
    maps,
    press,
    settle,
    subject,
    visit,
    visit_with_photo,
)
from tests.browser.test_own_weights import OWN, bring, expect_facts
from tests.browser.waiting import until, wait_until
from tests.models.uploads import saved, state

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FOLLOWS = "You see what the teacher looks at"
LOST = "No connection to the class"
Visitors = Callable[..., Page]


def fail_at_first(page: Page, question: str) -> list[str]:
    """Let a page's first attempts to ask this fail; what is returned says how each of them did."""
    attempts: list[str] = []

    def answer(route: Route) -> None:
        how = ("network", "busy", "proxy")[len(attempts) :][:1] or ["none"]
        attempts.append(how[0])
        if how[0] == "network":
            route.abort()
        elif how[0] == "none":
            route.continue_()
        else:
            route.fulfill(status=429 if how[0] == "busy" else 502, body="{}")

    page.route(f"**/{question}", answer)
    return attempts


def until_let_through(page: Page, attempts: list[str]) -> None:
    """Move the page's clock on, by which it waits longer and longer between two attempts."""

    def is_through() -> bool:
        page.clock.fast_forward(1_000)
        return attempts[-1:] == ["none"]

    expect(said(page)).to_contain_text(LOST)
    wait_until(page, is_through)


def expect_said(page: Page, words: str) -> None:
    """Wait until a sentence above the maps says this."""
    expect(page.locator(".lg-stage .lg-notice", has_text=words)).to_be_visible()


def duplicate(page: Page) -> Page:
    """Another tab with what this one remembers, as browsers make it."""
    with page.context.expect_page() as opened:
        page.evaluate("() => { window.open(location.href); }")
    return opened.value


def test_a_teacher_who_reloads_while_the_network_blinks_leads_again(visitor: Visitors, server: str) -> None:
    """No network, too many questions and a proxy without its server are no end of a class."""
    teacher = visitor()
    teacher.clock.install()
    student = join_by_link(visitor(), server, open_class(visit(teacher, server, model="lenet")))
    attempts = fail_at_first(teacher, "class_take.json")
    teacher.reload()
    until_let_through(teacher, attempts)
    expect(said(teacher)).to_have_text("1 student follows you")
    assert attempts == ["network", "busy", "proxy", "none"]
    maps(teacher, "conv1").wait_for()
    settle(teacher)
    press(teacher, "ArrowRight")
    maps(student, "relu1").wait_for()


def test_a_student_who_reloads_while_the_network_blinks_follows_again(visitor: Visitors, server: str) -> None:
    """As the same student."""
    teacher, student = visit(visitor(), server, model="lenet"), visitor()
    student.clock.install()
    join_by_link(student, server, open_class(teacher))
    attempts = fail_at_first(student, "class_join.json")
    student.reload()
    until_let_through(student, attempts)
    expect(said(student)).to_have_text(FOLLOWS)
    assert attempts == ["network", "busy", "proxy", "none"]
    assert "student 1:" in str(part(student, "hand").get_attribute("title"))


def test_a_student_whose_laptop_slept_too_long_is_back_in_the_class(
    visitor: Visitors, tmp_path: Path
) -> None:
    """Streamlit has begun another visit, whose picture nobody chose; the student is the same one."""
    with forgetful(tmp_path) as server, cable(server) as line:
        teacher = visit_with_photo(visitor(), server, 3, model="lenet")
        code = open_class(teacher)
        student, tokens = visitor(), list[str]()
        student.on("request", lambda sent: tokens.append(sent.url) if "class_events" in sent.url else None)
        join_by_link(student, line.address, code)
        maps(student, "conv1").wait_for()
        line.cut()
        own = tokens[-1].split("/maps/")[1].split("/")[0]
        expect_forgotten(server, f"/maps/{own}/look.json")
        expect(said(student)).to_contain_text(LOST)
        press(teacher, "ArrowRight", "ArrowRight")
        line.mend()
        maps(student, "pool1").wait_for()
        expect(said(student)).to_have_text(FOLLOWS)
        expect(part(student, "own")).to_have_text("On my own picture")
        assert "student 1:" in str(part(student, "hand").get_attribute("title"))
        maps(teacher, "pool1").wait_for()
        assert numbers(student) == numbers(teacher)
        expect(said(teacher)).to_have_text("1 student follows you")
        student.context.close()


def test_of_a_teachers_duplicated_tab_one_leads_and_the_class_stays_calm(
    visitor: Visitors, server: str
) -> None:
    """The first one goes on by itself, its open list too, reads why, and never takes the class back."""
    teacher = visit(visitor(), server, model="lenet")
    student = join_by_link(visitor(), server, open_class(teacher))
    part(teacher, "students").click()
    second = duplicate(teacher)
    expect(said(second)).to_have_text("1 student follows you")
    expect_said(teacher, "Another page leads this class now")
    expect(teacher.locator(".lg-class-bar")).to_be_hidden()
    expect(teacher.locator("dialog[open]")).to_have_count(0)
    lent = subject(student)
    second.wait_for_timeout(5_000)
    assert subject(student) == lent
    expect(said(second)).to_have_text("1 student follows you")
    press(second, "ArrowRight")
    maps(student, "relu1").wait_for()
    teacher.reload()
    maps(teacher).wait_for()
    teacher.wait_for_timeout(2_000)
    expect(teacher.locator(".lg-class-bar")).to_be_hidden()
    expect(said(second)).to_have_text("1 student follows you")


def test_of_a_students_duplicated_tab_one_follows(visitor: Visitors, server: str) -> None:
    """The other one goes on by itself, on a picture of its own, and reads why."""
    teacher = visit(visitor(), server, model="lenet")
    student = join_by_link(visitor(), server, open_class(teacher))
    second = duplicate(student)
    expect(said(second)).to_have_text(FOLLOWS)
    expect_said(student, "Another page follows this class in your place")
    expect(student.locator(".lg-class-bar")).to_be_hidden()
    press(teacher, "ArrowRight")
    maps(second, "relu1").wait_for()
    second.wait_for_timeout(4_000)
    expect(said(second)).to_have_text(FOLLOWS)
    expect(said(teacher)).to_have_text("1 student follows you")


def test_a_student_who_goes_from_one_class_to_another_sees_that_ones_picture(
    visitor: Visitors, server: str
) -> None:
    """Though both count their first picture and their first look; then the student opens a class alone."""
    first = visit_with_photo(visitor(), server, 3, model="lenet")
    second = visit_with_photo(visitor(), server, 4, model="lenet", layer="relu1")
    codes = [open_class(each) for each in (first, second)]
    student = join_by_code(visit(visitor(), server, model="lenet"), codes[0])
    maps(student, "conv1").wait_for()
    expect(said(first)).to_have_text("1 student follows you")
    shown = subject(student)
    join_by_code(student, codes[1])
    expect_another_picture(student, shown)
    maps(student, "relu1").wait_for()
    until_same(student, second)
    expect(said(first)).to_have_text("0 students follow you")
    lent = subject(student)
    student.locator("[data-part=class]").click()
    open_own_class(student)
    expect_another_picture(student, lent)
    expect(said(student)).to_have_text("0 students follow you")
    assert numbers(student) != numbers(second)


def until_same(student: Page, teacher: Page) -> None:
    """Wait until both have the same numbers on screen."""
    settle(student)
    assert numbers(student) == numbers(teacher)


def open_own_class(page: Page) -> None:
    """Open a class in the dialog that is open."""
    part(page, "open").click()
    part(page, "begin").click()


def test_a_teacher_at_the_own_link_goes_on_as_the_teacher(visitor: Visitors, server: str) -> None:
    """In the same tab; nobody is made a student of their own class, and the right is kept."""
    teacher = visit(visitor(), server, model="lenet")
    code = open_class(teacher)
    student = join_by_link(visitor(), server, code)
    teacher.goto(f"{server}/?class={code.replace(' ', '').lower()}")
    expect(said(teacher)).to_have_text("1 student follows you")
    maps(teacher).wait_for()
    expect(part(teacher, "end")).to_be_visible()
    expect(said(student)).to_have_text(FOLLOWS)


def test_what_the_server_does_not_hear_is_said(visitor: Visitors, server: str) -> None:
    """Freeze has no effect, in a sentence; the end of the class comes as soon as the server is there."""
    teacher = visit(visitor(), server, model="lenet")
    student = join_by_link(visitor(), server, open_class(teacher))
    teacher.route("**/class_order.json", lambda route: route.abort())
    part(teacher, "freeze").click()
    expect_said(teacher, "The server does not answer; try again in a moment.")
    end_class(teacher)
    expect_said(teacher, "The class ends as soon as it does")
    expect(said(teacher)).to_have_text("1 student follows you")
    expect(said(student)).to_have_text(FOLLOWS)
    teacher.unroute("**/class_order.json")
    expect(teacher.locator(".lg-class-bar")).to_be_hidden()
    expect(student.locator(".lg-notice")).to_have_text("The class has ended. You go on by yourself.")


def test_a_student_who_chose_another_model_comes_back_to_the_teachers(visitor: Visitors, server: str) -> None:
    """On a picture of their own: the model comes along each time, and not against what was chosen."""
    teacher = visit(visitor(), server, model="lenet")
    student = join_by_link(visitor(), server, open_class(teacher))
    shared = subject(student)
    part(student, "own").click()
    expect_another_picture(student, shared)
    until(student, "() => new URLSearchParams(location.search).get('model') === 'lenet'")
    maps(student, "conv1").wait_for()
    for _ in range(2):
        choose(student, "model", "photonet")
        expect(said(student)).to_have_text("You look around on your own")
        settle(student)
        expect_address(student, model="photonet")
        press(student, "f")
        expect(said(student)).to_have_text(FOLLOWS)
        until(student, "() => new URLSearchParams(location.search).get('model') === 'lenet'")
        maps(student, "conv1").wait_for()


def test_who_follows_on_their_own_picture_reads_why_it_is_not_in_the_teachers_weights(
    visitor: Visitors, server: str
) -> None:
    """The teacher's file stays with the teacher; on the teacher's picture its maps are there."""
    teacher = visit(visitor(), server, model="lenet")
    student = join_by_link(visitor(), server, open_class(teacher))
    shared = subject(student)
    part(student, "own").click()
    expect_another_picture(student, shared)
    until(student, "() => new URLSearchParams(location.search).get('model') === 'lenet'")
    bring(teacher, "mine.safetensors", saved(state(1)))
    expect_facts(teacher, OWN)
    expect_said(student, "The teacher's model has weights of its own")
    expect_more(student.locator(".lg-stage .lg-notice"), "teaching#what-can-students-do")
    press(teacher, "ArrowRight")
    maps(student, "relu1").wait_for()
    expect_said(student, "The teacher's model has weights of its own")
    mine = subject(student)
    part(student, "own").click()
    expect_another_picture(student, mine)
    until_same(student, teacher)
