"""Steps of a teacher who asks a class, and of students who answer; and a class of three pages."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.class_steps import join_by_code, open_class, part
from tests.browser.steps import go, maps, settle
from tests.machine import patience

CLASSES = count()
CLASSES_OF_A_PAGE = 5  # one more than these in a row, and then one a minute, is all that a page may open
LEAVING = 3  # seconds until each page hears that a class has ended
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SAY = """async ([subject, name, said]) => {
    const posted = said && { method: "POST", body: JSON.stringify(said) };
    const answer = await fetch(`maps/${subject}/class_${name}`, posted);
    return answer.status;
}"""


@dataclass
class Class:
    """A teacher, a student at a laptop, one with a phone, and the code."""

    teacher: Page
    laptop: Page
    phone: Page
    code: str

    @property
    def students(self) -> tuple[Page, Page]:
        """Pages of the two students."""
        return self.laptop, self.phone


@contextmanager
def class_of_three(
    looker: Callable[..., Page], server: str, teacher: Page | None = None, **view: str
) -> Iterator[Class]:
    """A class in which all have the same maps on screen; its pages stay for the next one."""
    seat = f"teacher {next(CLASSES) // CLASSES_OF_A_PAGE}"
    teacher = teacher or go(looker(seat=seat), server, **({"model": "lenet"} | view))
    code = open_class(teacher)
    seats = (("laptop", {}), ("phone", PHONE))
    laptop, phone = (join_by_code(go(looker(seat=seat, **how), server), code) for seat, how in seats)
    for each in (laptop, phone):
        maps(each, view.get("layer", "conv1")).wait_for()
        settle(each)
    yield Class(teacher, laptop, phone, code)
    for name in ("end", "end_now"):  # wherever the test has scrolled to
        if part(teacher, name).is_visible():
            part(teacher, name).dispatch_event("click")
    for each in (teacher, laptop, phone):
        leave(each)


def leave(page: Page) -> None:
    """Wait until the page is of no class; one that stays in a class is closed, and not used again."""
    try:
        expect(page.locator(".lg-class-bar")).to_be_hidden(timeout=1000 * patience(LEAVING))
    except AssertionError:
        page.context.close()


def card(page: Page) -> Locator:
    """The question of the class."""
    return page.locator(".lg-asked")


def bars(page: Page) -> list[tuple[str, str]]:
    """The histogram: what each answer is called, without signs, and how many gave it."""
    rows = page.locator(".lg-asked .lg-tally li").all()
    return [
        (
            row.locator(".lg-tally-name > span:not(.lg-tally-sign)").inner_text().replace("\u00a0", ""),
            row.locator(".lg-tally-count").inner_text(),
        )
        for row in rows
    ]


def expect_bars(page: Page, *wanted: tuple[str, str]) -> None:
    """Wait until the histogram is this one."""
    counts = page.locator(".lg-asked .lg-tally-count")
    expect(counts).to_have_text([count for _, count in wanted])
    assert bars(page) == list(wanted)


def see_answers(teacher: Page) -> None:
    """Let the teacher's screen show what comes in before the answer is shown."""
    teacher.get_by_role("button", name="See the answers").click()


def ask_ready(teacher: Page, kind: str) -> None:
    """Ask one of the questions that are ready, with one click; what comes in is shown."""
    part(teacher, "ask").click()
    teacher.locator(f"[data-part=ask_ready][data-kind={kind}]").first.click()
    expect(card(teacher)).to_be_visible()
    see_answers(teacher)


def ask_own(teacher: Page, kind: str, *, live: bool = True, **fields: str) -> None:
    """Ask a question of the teacher's own, all by keyboard once the dialog is open; see what comes in."""
    part(teacher, "ask").click()
    teacher.locator(f".lg-ask input[value={kind}]").check(force=True)
    for name, value in fields.items():
        teacher.locator(f".lg-ask [name={name}]").fill(value)
    teacher.locator("[data-part=ask_send]").press("Enter")
    expect(teacher.locator("dialog.lg-ask")).to_be_hidden()
    if live:
        see_answers(teacher)


def type_answer(student: Page, text: str) -> None:
    """Type an answer and send it."""
    student.locator("[data-part=asked_typed]").fill(text)
    student.keyboard.press("Enter")


def reveal(teacher: Page) -> None:
    """Show the answer to all."""
    teacher.locator("[data-part=asked_reveal]").click()
    teacher.locator(".lg-asked[data-state=revealed]").wait_for()  # its buttons are others now


def own_subject(page: Page) -> str:
    """The token of the visitor's own subject, by which the page speaks to its class."""
    found: Any = page.evaluate(
        "() => performance.getEntriesByType('resource').map(({ name }) => name)"
        ".findLast((name) => name.includes('/class_')).match(/maps\\/([^/]+)/)[1]"
    )
    return str(found)
