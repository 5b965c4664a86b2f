"""Lessons from beginning to end with the arrow keys, and time and models that are too late."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.class_steps import expect_same_look, join_by_link, open_class
from tests.browser.steps import expect_address, maps, visit
from tests.browser.test_plan import PHONE, captions, keys, of_lesson, of_plan, open_plans, opened, start
from tests.browser.waiting import until
from viz.plans.folder import TEXTS, read_plans
from viz.plans.plan import Plan
from viz.request.look import look_from_query

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Visitors = Callable[..., Page]
LATER = """minutes => {
    const kept = JSON.parse(sessionStorage.getItem("layerglass.plan"));
    kept.clock.since -= minutes * 60_000;
    sessionStorage.setItem("layerglass.plan", JSON.stringify(kept));
}"""
SUBJECT = """([net, picture]) => {
    const said = new URLSearchParams(location.search);
    return said.get("model") === net && said.get("sample") === picture;
}"""
NEXT_AND_RELOAD = """() => {
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "PageDown", bubbles: true }));
    location.reload();
}"""
# Whether figures were hidden when the first maps came.
WATCH = """new MutationObserver((_, watch) => {
    if (!document.querySelector(".lg-maps")) return;
    window.hidden_at_first = document.documentElement.classList.contains("lg-untold");
    watch.disconnect();
}).observe(document, { subtree: true, childList: true })"""
ABSENT = """# T

## First
look: layer=fc
minutes: 1

One.

## Absent
net: no_such_net
minutes: 1

Two.

## Last
look: layer=flatten
minutes: 1

Three.
"""


@pytest.mark.parametrize("plan", read_plans(TEXTS, "en")[:2], ids=lambda plan: plan.id)
def test_a_class_goes_through_a_ready_lesson_with_the_arrow_key(
    visitor: Visitors, server: str, plan: Plan
) -> None:
    """Each step is on both screens: its look as the file says it, its net and picture, its sentence."""
    teacher = visit(visitor(), server)
    student = join_by_link(visitor(**PHONE), server, open_class(teacher))
    start(teacher, plan.title)
    for number, step in enumerate(plan.steps, 1):
        if number > 1:
            keys(teacher, "ArrowRight")
        expect(of_plan(teacher, "steps")).to_have_text(f"{number} of {len(plan.steps)}")
        expect(captions(student).first).to_have_text(step.text[0].replace("*", "").replace("`", ""))
        until(teacher, SUBJECT, [step.net or plan.net, step.picture or plan.picture])
        wanted, _ = look_from_query(step.look)
        layer = {"layer": wanted.layer} if wanted.layer else {}
        view = {"view": wanted.view} if wanted.view != "layer" else {}
        expect_same_look(teacher, student, **layer, **view)
    keys(teacher, "ArrowRight")
    expect(of_plan(teacher, "next")).to_be_disabled()
    expect(of_plan(teacher, "steps")).to_have_text(f"{len(plan.steps)} of {len(plan.steps)}")


def test_a_step_that_takes_too_long_says_so(page: Page, server: str) -> None:
    """The step's time first, and that of the lesson once it is over too."""
    visit(page, server)
    start(page, read_plans(TEXTS, "en")[2].title)
    late = page.locator(".lg-plan-time .lg-plan-late")
    expect(page.locator(".lg-plan-time b")).to_have_count(2)
    expect(late).to_have_count(0)
    for minutes, parts in ((5, ["This step 5:"]), (45, ["This step 50:", "All 50:"])):
        page.evaluate(LATER, minutes)
        page.reload()
        expect(late).to_have_count(len(parts))
        for each, words in zip(late.all(), parts, strict=True):
            assert each.inner_text().startswith(words)


def test_a_reload_before_a_steps_net_has_come_asks_for_it_again(
    page: Page, server: str, tmp_path: Path
) -> None:
    """The title was the next step's, and the net and the maps the one's before, for as long as it lasted."""
    visit(page, server)
    (tmp_path / "two.md").write_text(ABSENT.replace("no_such_net", "lenet"), encoding="utf-8")
    open_plans(page)
    opened(page, tmp_path / "two.md")
    of_lesson(page, "start").click()
    page.evaluate(NEXT_AND_RELOAD)
    maps(page, "conv1").wait_for()
    expect_address(page, model="lenet")
    expect(of_plan(page, "steps")).to_have_text("2 of 3")
    page.reload()
    maps(page, "conv1").wait_for()  # it came: nothing is asked for again


def test_a_reload_shows_no_figures_that_an_open_question_hides(page: Page, server: str) -> None:
    """In a rehearsal, which no class brings back: from the first maps on."""
    visit(page, server)
    plan = next(each for each in read_plans(TEXTS, "en") if each.steps[0].question)
    start(page, plan.title)
    expect(page.locator("html.lg-untold")).to_be_attached()
    page.add_init_script(WATCH)
    page.reload()
    expect(of_plan(page, "steps")).to_have_text(f"1 of {len(plan.steps)}")
    until(page, "window.hidden_at_first !== undefined")
    assert page.evaluate("window.hidden_at_first")


def test_a_net_that_does_not_come_is_said_and_the_lesson_goes_on(
    visitor: Visitors, server: str, tmp_path: Path
) -> None:
    """The class reads the step's own sentence meanwhile, not the one before."""
    teacher = visitor()
    teacher.clock.install()
    student = join_by_link(visitor(), server, open_class(visit(teacher, server)))
    (tmp_path / "absent.md").write_text(ABSENT, encoding="utf-8")
    open_plans(teacher)
    opened(teacher, tmp_path / "absent.md")
    of_lesson(teacher, "start").click()
    expect(captions(student)).to_have_text("One.")
    of_plan(teacher, "next").click()
    missing = teacher.locator(".lg-plan-missing")
    teacher.clock.fast_forward(10_000)
    expect(missing).to_have_count(0)
    teacher.clock.fast_forward(10_000)
    expect(missing).to_contain_text("has not come yet")
    expect(captions(student)).to_have_text("Two.")
    of_plan(teacher, "next").click()
    expect(missing).to_have_count(0)
    expect(captions(student)).to_have_text("Three.")
    expect_same_look(teacher, student, layer="flatten")
