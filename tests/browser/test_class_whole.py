"""A whole lesson in a bad room: lines break, pages reload, and one student would lead."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from tests.browser.asking_steps import PHONE, ask_own, ask_ready, card, expect_bars, reveal, type_answer
from tests.browser.class_steps import (
    Cable,
    cable,
    expect_same_look,
    join_by_link,
    numbers,
    open_class,
    part,
    said,
    slowed,
)
from tests.browser.steps import click_tile, maps, press, settle, subject, visit_with_photo

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FOLLOWING = "You see what the teacher looks at"
MINUTE = 60  # seconds that one line is gone
LEAD = """async (subject) => {
    const tried = [
        ["show", { look: "layer=fc1" }], ["point", { at: { what: "map 1", y: 0.5, x: 0.5 } }],
        ["order", { do: "freeze" }], ["order", { do: "lead" }], ["order", { do: "end" }],
        ["asking", { do: "reveal" }], ["asking", { do: "close" }],
    ];
    return Promise.all(tried.map(async ([name, order]) => (await fetch(
        `maps/${subject}/class_${name}.json`, { method: "POST", body: JSON.stringify(order) },
    )).status));
}"""


@dataclass
class Room:
    """A teacher, a laptop that reloads, a phone whose line breaks, a slow line, and a thief with a phone."""

    teacher: Page
    reloads: Page
    lost: Page
    slow: Page
    thief: Page
    line: Cable

    @property
    def here(self) -> tuple[Page, ...]:
        """The students whose lines hold."""
        return self.reloads, self.slow, self.thief

    def reload(self) -> None:
        """Let one reload, who then follows again."""
        self.reloads.reload()
        expect(said(self.reloads)).to_have_text(FOLLOWING)

    def disturb(self) -> None:
        """One reloads, and one tries to lead, with the teacher's subject; nothing may come of it."""
        self.reload()
        assert set(self.thief.evaluate(LEAD, subject(self.thief))) == {422}


@pytest.fixture
def room(visitor: Callable[..., Page], server: str) -> Iterator[Room]:
    """All look at the first layer of the teacher's photo."""
    teacher = visit_with_photo(visitor(), server, 3, model="lenet")
    code = open_class(teacher)
    with cable(server) as line:
        lost = join_by_link(visitor(**PHONE), line.address, code)
        reloads, thief = (join_by_link(visitor(**how), server, code) for how in ({}, PHONE))
        slow = join_by_link(slowed(visitor()), server, code)
        for each in (lost, reloads, thief, slow):
            maps(each, "conv1").wait_for()
        yield Room(teacher, reloads, lost, slow, thief, line)
        lost.context.close()


def test_a_lesson_goes_on_whatever_happens_to_the_lines(room: Room) -> None:
    """Looks, edits, pointer, frozen views and questions arrive; who was away finds the last of them."""
    teacher, until = room.teacher, time.monotonic() + MINUTE
    expect(said(teacher)).to_have_text("4 students follow you")
    room.line.cut()
    acts = looks_arrive, an_edit_arrives, the_pointer_arrives, what_is_frozen_waits, answers_arrive
    for act in (*acts, a_reload_meets_the_next_look):
        act(room)
        room.disturb()
    while time.monotonic() < until:
        a_reload_meets_the_next_look(room)
        room.disturb()
    assert maps(room.lost).get_attribute("data-layer") == "conv1"
    expect(said(room.lost)).to_contain_text("No connection to the class")
    room.line.mend()
    a_question_meets_all_again(room)
    for each in (*room.here, room.lost):
        maps(each, "pool1").wait_for()
        assert numbers(each) == numbers(teacher)
    expect(said(teacher)).to_have_text("4 students follow you")


def looks_arrive(room: Room) -> None:
    """Layer and channel."""
    press(room.teacher, "ArrowRight", "ArrowRight")
    click_tile(room.teacher, 3)
    expect_same_look(room.teacher, *room.here, layer="pool1", channel="3")


def an_edit_arrives(room: Room) -> None:
    """And is undone."""
    press(room.teacher, "x")
    expect_same_look(room.teacher, *room.here, edit="pool1:zero:3")
    press(room.teacher, "Control+z")
    expect_same_look(room.teacher, *room.here, edit=None)


def the_pointer_arrives(room: Room) -> None:
    """On every screen, and goes."""
    part(room.teacher, "point").click()
    settle(room.teacher)
    maps(room.teacher).hover(position={"x": 30, "y": 30})
    for each in room.here:
        expect(each.locator(".lg-class-pointer")).to_be_visible()
    part(room.teacher, "point").click()
    for each in room.here:
        expect(each.locator(".lg-class-pointer")).to_be_hidden()


def what_is_frozen_waits(room: Room) -> None:
    """Until the teacher lets the class go on."""
    part(room.teacher, "freeze").click()
    expect(part(room.teacher, "freeze")).to_have_attribute("aria-pressed", "true")
    expect(said(room.slow)).to_have_text("The teacher has frozen what you see")
    press(room.teacher, "ArrowRight")
    expect_same_look(room.teacher, layer="conv2")  # the address is written a while after the key
    room.teacher.wait_for_timeout(800)
    for each in room.here:
        assert maps(each).get_attribute("data-layer") == "pool1"
    press(room.teacher, "ArrowLeft")
    part(room.teacher, "freeze").click()
    expect_same_look(room.teacher, *room.here, layer="pool1", channel="3")


def answers_arrive(room: Room) -> None:
    """Three of them, also across a reload; then all read what is right."""
    ask_own(room.teacher, "choice", text="Clear?", choices="Yes\nNo", right="1")
    for each in (room.reloads, room.slow, room.thief):
        expect(card(each)).to_contain_text("Clear?")
    press(room.reloads, "1")
    press(room.slow, "1")
    press(room.thief, "2")
    expect_bars(room.teacher, ("Yes", "2"), ("No", "1"))
    room.disturb()
    expect(card(room.reloads)).to_contain_text("Your answer: Yes.")
    reveal(room.teacher)
    for each in room.here:
        expect_bars(each, ("Yes", "2"), ("No", "1"))
    room.teacher.locator("[data-part=asked_close]").click()


def a_reload_meets_the_next_look(room: Room) -> None:
    """Reload while it is on its way; then the teacher goes back."""
    press(room.teacher, "ArrowRight")
    room.reload()
    expect_same_look(room.teacher, *room.here)
    press(room.teacher, "ArrowLeft")


def a_question_meets_all_again(room: Room) -> None:
    """Ask a question that the student who was away for a minute answers like the others."""
    ask_ready(room.teacher, "shape")
    for each in (*room.here, room.lost):
        expect(card(each)).to_contain_text("What shape")
        type_answer(each, "6×28×28" if each is room.thief else "6×14×14")
    expect(card(room.teacher)).to_contain_text("4 of 4 have answered")
    reveal(room.teacher)
    expect(card(room.lost)).to_contain_text("That is right.")
