"""The views that teach, checked by axe-core against the same rules as the others."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.steps import go, settle
from tests.browser.test_accessibility import NET, PHONE, expect_no_violations
from tests.machine import patience
from viz.course.folder import served
from viz.quiz import QUESTIONS

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LEARNING = ".lg-learning"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_hooks_keep_the_rules(looker: Callable[..., Page], server: str, scheme: str) -> None:
    """The timeline, the maps of its step, and what is left in memory."""
    page = go(looker(color_scheme=scheme), server, **NET, view="hooks")
    page.locator(".lg-event-maps img").wait_for()
    page.locator(".lg-memory figure").first.wait_for()
    expect_no_violations(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_sources_keep_the_rules(looker: Callable[..., Page], server: str, scheme: str) -> None:
    """One of them that has not run, and then with its tables, its code and the visitor's own model."""
    page = go(looker(color_scheme=scheme), server, **NET, view="course", lesson="3")
    page.locator(".lg-course-run button").wait_for()
    expect_no_violations(page)
    page.locator(".lg-course-run button").click()
    page.get_by_role("heading", name="On the model that you have chosen").wait_for()
    page.get_by_text("The code that runs").first.click()
    page.locator(".lg-source[open] code").first.wait_for()
    expect_no_violations(page)


@pytest.mark.parametrize(
    ("lesson", "language", "scheme"),
    [
        (lesson.id, ("en", "zh")[(place + dark) % 2], ("light", "dark")[dark])
        for place, lesson in enumerate(served("en"))
        for dark in (0, 1)
    ],
)
def test_each_step_of_a_lesson_keeps_the_rules(
    looker: Callable[..., Page], server: str, lesson: str, language: str, scheme: str
) -> None:
    """Before its run, and with what came of it; the contents at last, with a lesson that is done."""
    page = looker(color_scheme=scheme)
    go(page, server, **NET, view="course", lesson=lesson, lesson_step="1", lang=language)
    for step in range(1, 6):
        page.locator(f".lg-dot[aria-current]:nth-child({step})").wait_for()
        settle(page)
        expect_no_violations(page, ":root" if step == 1 else LEARNING)
        if page.locator(".lg-guess").count():
            page.locator(".lg-guess input[type=range]").press("End")
        else:
            page.locator(".lg-choice").first.click()
        page.locator(".lg-step-run").click()
        page.locator(".lg-after p").first.wait_for(timeout=1000 * patience(120))
        settle(page)
        expect_no_violations(page, LEARNING)
        if step < 5:
            page.locator(".lg-step-next").click()
    page.locator(".lg-course-all").click()
    page.locator(".lg-lesson-done").wait_for()
    expect_no_violations(page)


@pytest.mark.parametrize("level", ["easy", "middle", "hard"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_quiz_keeps_the_rules(looker: Callable[..., Page], server: str, scheme: str, level: str) -> None:
    """Every kind of question with its pictures, its answer and the explanation; and the review at the end."""
    page = go(looker(color_scheme=scheme), server, **NET, view="quiz", seed="77", level=level)
    for question in range(QUESTIONS):
        page.locator(".lg-quiz-choices button").first.wait_for()
        settle(page)
        expect_no_violations(page, LEARNING if question else ":root")
        page.locator(".lg-quiz-choices button").first.click()
        page.locator(".lg-answers").wait_for()
        settle(page)
        expect_no_violations(page, LEARNING)
        page.locator(".lg-quiz-next button").click()
        page.locator(".lg-answers").wait_for(state="detached")
    page.locator(".lg-quiz-review").wait_for()
    expect_no_violations(page)


def test_a_number_that_is_none_keeps_the_rules(looker: Callable[..., Page], server: str) -> None:
    """The sentence below the box, on a phone."""
    page = go(looker(**PHONE), server, **NET, view="quiz", seed="77")
    page.locator(".lg-quiz-choices button").first.wait_for()
    page.locator("[data-part=quiz-number]").fill("x")
    page.locator("[data-part=quiz-number]").press("Enter")
    page.locator(".lg-quiz-number [role=alert]").wait_for()
    expect_no_violations(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_hooks_that_play_keep_the_rules(looker: Callable[..., Page], server: str, scheme: str) -> None:
    """While they play, and on the way back beside memory that was written over; torch refuses a hook."""
    there = {"model": "resnet18", "weights": "random", "layer": "layer1.0.bn2"}
    page = go(looker(color_scheme=scheme), server, **there, view="hooks", step="112")
    page.locator(".lg-memory-changed figure").first.wait_for()
    page.locator(".lg-code-refused:visible").wait_for()
    expect_no_violations(page)
    page.locator(".lg-player-play").click()
    page.locator(".lg-playing").wait_for()
    expect_no_violations(page)


def test_hooks_on_a_phone_keep_the_rules(looker: Callable[..., Page], server: str) -> None:
    """In Chinese, where the list stands above the maps."""
    page = go(looker(**PHONE), server, **NET, view="hooks", lang="zh")
    page.locator(".lg-event-maps img").wait_for()
    expect_no_violations(page)
