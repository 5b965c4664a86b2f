"""A lesson that is taught from a plan, with a student who follows; and one that a teacher makes."""

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.class_steps import expect_same_look, join_by_link, open_class
from tests.browser.steps import click_tile, expect_address, maps, press, settle, tile_centre, visit
from tests.browser.test_accessibility import expect_no_violations
from tests.browser.test_class_asking import SEEN
from tests.browser.typefaces import EVERY_TYPEFACE
from tests.browser.waiting import PATIENCE, until
from tests.machine import patience
from viz.plans.folder import TEXTS, read_plans

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Visitors = Callable[..., Page]
BEFORE = 4  # seconds of a lesson before the reload
FIRST, MIDDLE, LAST = read_plans(TEXTS, "en")  # the last is on the net with which tests begin
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def of_plan(page: Page, name: str) -> Locator:
    """A part of the bar from which a lesson is taught."""
    return page.locator(f"[data-part=plan_{name}]")


def of_lesson(page: Page, name: str) -> Locator:
    """A button for the teacher's own lesson."""
    return page.locator(f"[data-part=lesson_{name}]")


def open_plans(page: Page) -> Locator:
    """Open the plans, from the line of the class or from the board before one; the dialog."""
    if not page.locator("[data-part=class_plans]").is_visible():
        page.locator("[data-part=class]").click()
    page.locator("[data-part=class_plans]").click()
    found = page.locator(".lg-plan-dialog[open]")
    found.wait_for()
    return found


def start(page: Page, title: str) -> None:
    """Start a ready plan, and wait for its first step."""
    open_plans(page).get_by_role("button", name=f"Start: {title}").click()
    expect(of_plan(page, "steps")).to_have_text(re.compile("^1 of "))


def keys(page: Page, *pressed: str) -> None:
    """Press keys wherever the focus is."""
    for key in pressed:
        page.keyboard.press(key)


def at_step(page: Page, number: int) -> None:
    """Wait until a step of the plan is on screen, with its sentence."""
    expect(of_plan(page, "steps")).to_have_text(f"{number} of {len(LAST.steps)}")
    expect(page.locator(".lg-plan-said h3")).to_have_text(LAST.steps[number - 1].title)


def captions(page: Page) -> Locator:
    """Return the captions above the maps that a student reads."""
    return page.locator(".lg-caption p")


def seconds(page: Page) -> int:
    """Return the seconds that the lesson has taken, as the bar says."""
    said = page.locator(".lg-plan-time b").last.inner_text()
    minutes, rest = said.split()[0].split(":")
    return int(minutes) * 60 + int(rest)


@pytest.fixture
def taught(visitor: Visitors, server: str) -> tuple[Page, Page]:
    """A teacher who has begun a plan in a class, and a student's phone that follows."""
    teacher = visit(visitor(), server)
    code = open_class(teacher)
    student = join_by_link(visitor(**PHONE), server, code)
    start(teacher, LAST.title)
    return teacher, student


def test_escape_closes_the_plans_also_once_they_have_come(visitor: Visitors, server: str) -> None:
    """The list comes after the dialog, which keeps the focus; its keys are not the page's."""
    page = visit(visitor(), server)
    dialog = open_plans(page)
    dialog.get_by_role("button", name=f"Start: {LAST.title}").wait_for()
    expect(dialog.get_by_role("button", name="Close")).to_be_focused()
    page.evaluate("document.activeElement.blur()")
    layer = maps(page).get_attribute("data-layer")
    keys(page, "ArrowRight", "Escape")
    expect(dialog).to_be_hidden()
    assert maps(page).get_attribute("data-layer") == layer


@EVERY_TYPEFACE
def test_the_keys_move_teacher_and_class(taught: tuple[Page, Page]) -> None:
    """Arrows, and the keys of a remote; the student sees the view and the sentence."""
    teacher, student = taught
    expect(captions(student)).to_have_text(re.compile("^This small net knows ten words"))
    for key, step, layer in (("ArrowRight", 2, "fc"), ("PageDown", 3, "fc"), ("PageDown", 4, "flatten")):
        keys(teacher, key)
        at_step(teacher, step)
        expect_same_look(teacher, student, layer=layer)
    expect(captions(student)).to_have_text(re.compile("^Just before, there are 160 numbers"))
    keys(teacher, "ArrowLeft", "PageUp")
    at_step(teacher, 2)
    expect(captions(student).locator("em")).to_have_text("logit")
    assert student.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_a_note_is_on_the_teachers_screen_alone(taught: tuple[Page, Page]) -> None:
    """And in a presentation only if it is wanted there."""
    teacher, student = taught
    note = of_plan(teacher, "note")
    expect(note).to_be_visible()
    expect(captions(student)).to_be_visible()
    words = LAST.steps[0].note[0][:40]
    assert words in note.inner_text()
    assert words not in student.content()
    keys(teacher, "p")
    expect(note).to_be_hidden()
    keys(teacher, "ArrowRight")
    at_step(teacher, 2)
    expect(note).to_be_hidden()
    of_plan(teacher, "note_switch").click()
    expect(note).to_be_visible()


def test_the_class_answers_a_steps_question(taught: tuple[Page, Page]) -> None:
    """Asked from the step, revealed on the card; the next step takes it away."""
    teacher, student = taught
    keys(teacher, "ArrowRight")
    of_plan(teacher, "ask").click()
    card = student.locator(".lg-asked")
    expect(card.locator("h3")).to_have_text("Cat wins. Which word has the smallest number of all?")
    expect(of_plan(teacher, "answer")).to_be_hidden()
    card.get_by_text("dog", exact=True).click()
    expect(teacher.locator(".lg-asked-said")).to_have_text(re.compile("^1 "))
    teacher.locator("[data-part=asked_reveal]").click()
    expect(card).to_contain_text("deer comes next with 0.3")
    of_plan(teacher, "next").click()
    expect(card).to_be_hidden()


def test_sizes_are_hidden_until_the_lesson_has_asked_for_them(visitor: Visitors, server: str) -> None:
    """From its first step on: neither window nor shape is read on any screen, nor in titles and such."""
    teacher = visit(visitor(), server)
    student = join_by_link(visitor(), server, open_class(teacher))
    start(teacher, FIRST.title)
    expect_same_look(teacher, student, layer="stem.conv")
    for number in (1, 2, 3):
        if number > 1:
            keys(teacher, "ArrowRight")
        expect(captions(student).first).to_have_text(FIRST.steps[number - 1].text[0].replace("*", ""))
        for screen in (teacher, student):
            settle(screen)
            expect(screen.locator(".lg-sentence")).to_contain_text("sizes are hidden")
            seen = screen.evaluate(SEEN).replace(" ", "").replace("3×3pixels", "", 1)  # a choice of step 2
            found = re.findall(r".{0,30}(?:3×3|112).{0,30}", seen)
            assert not found, "; ".join(found)
    of_plan(teacher, "ask").click()
    teacher.locator("[data-part=asked_reveal]").click()
    for screen in (teacher, student):
        expect(screen.locator(".lg-sentence")).to_contain_text("112 × 112")
    teacher.locator("[data-part=asked_close]").click()
    keys(teacher, "ArrowRight")
    expect(student.locator(".lg-sentence")).to_contain_text("3×3")


def test_what_would_tell_an_answer_is_hidden_until_it_is_shown(visitor: Visitors, server: str) -> None:
    """The list by score, and the share of zeros, on every screen; the number under the pointer stays."""
    teacher = visit(visitor(), server)
    student = join_by_link(visitor(), server, open_class(teacher))
    start(teacher, LAST.title)
    for number, layer, part, said in (
        (2, "fc", ".lg-classes li", "cat"),
        (4, "flatten", ".lg-viewer .lg-figures", "22.5"),
    ):
        while of_plan(teacher, "steps").inner_text() != f"{number} of {len(LAST.steps)}":
            of_plan(teacher, "next").click()
        expect_same_look(teacher, student, layer=layer)
        for screen in (teacher, student):
            settle(screen)
            told = screen.locator(part).first
            expect(told).to_contain_text(said)
            expect(told).to_be_hidden()
            expect(screen.locator(".lg-side-note")).to_contain_text("A question is open")
            assert "zeros ?" in str(maps(screen, layer).get_attribute("alt"))
        if layer == "fc":
            x, y = tile_centre(teacher, 5)
            maps(teacher).hover(position={"x": x, "y": y})
            expect(teacher.locator(".lg-status")).to_contain_text("dog · channel 5 · min −1.437")
        of_plan(teacher, "answer").click()
        for screen in (teacher, student):
            expect(screen.locator(part).first).to_be_visible()
            expect(maps(screen, layer)).to_have_attribute("alt", re.compile("zeros [0-9]"))


def test_the_timeline_does_not_say_when_a_hook_is_called_while_that_is_asked(page: Page, server: str) -> None:
    """Neither where it opens nor where one steps to: the hooks stand in order, without a word on them."""
    visit(page, server)
    start(page, MIDDLE.title)
    of_plan(page, "next").click()
    about = page.locator(".lg-event-about")
    expect(about).to_have_text(re.compile("^stem.bn has run"))
    for step in ("h2", ".lg-hooks-previous", ".lg-hooks-next"):
        page.locator(f".lg-hooks {step}").first.click()
        for part in (
            ".lg-event h3",
            ".lg-event-about",
            ".lg-event .lg-code",
            ".lg-event-maps img",
            ".lg-memory",
        ):
            expect(page.locator(part).first).to_be_hidden()
        expect(page.locator(".lg-events [aria-current]")).to_be_visible()
        assert not re.search("has run|runs now|has not run|is given", page.locator(".lg-hooks").inner_text())
    of_plan(page, "answer").click()
    expect(about).to_be_visible()
    expect(page.locator(".lg-event-maps img")).to_be_visible()


def test_time_and_step_are_kept_over_a_reload(taught: tuple[Page, Page]) -> None:
    """The clock has gone on, and the class sees what it saw."""
    teacher, student = taught
    keys(teacher, "ArrowRight", "ArrowRight")
    at_step(teacher, 3)
    while seconds(teacher) < BEFORE:
        teacher.wait_for_timeout(50)
    before = seconds(teacher) - time.monotonic()
    teacher.reload()
    at_step(teacher, 3)
    deadline = time.monotonic() + patience(PATIENCE)
    while seconds(teacher) < before + time.monotonic() - 2:  # what has begun anew stays behind by more
        assert time.monotonic() < deadline
        teacher.wait_for_timeout(50)
    expect(captions(student)).to_have_text(re.compile("^A softmax turns"))
    expect_same_look(teacher, student, layer="fc")
    of_plan(teacher, "end").click()
    expect(captions(student)).to_have_count(0)
    teacher.reload()
    maps(teacher).or_(teacher.locator(".lg-viewer")).first.wait_for()
    expect(teacher.locator(".lg-plan")).to_be_hidden()


def test_arrows_walk_through_layers_where_the_maps_have_the_focus(page: Page, server: str) -> None:
    """Except in a presentation; a rehearsal needs no class, and shows the answer on its own."""
    visit(page, server)
    start(page, LAST.title)
    maps(page, "stem.conv").wait_for()
    click_tile(page, 2)
    press(page, "ArrowRight")
    maps(page, "stem.bn").wait_for()
    at_step(page, 1)
    press(page, "p", "ArrowRight")
    at_step(page, 2)
    expect(of_plan(page, "ask")).to_have_count(0)
    of_plan(page, "answer").click()
    expect(page.locator(".lg-plan-right")).to_have_text("Right: dog")


def test_another_picture_comes_with_its_step(page: Page, server: str) -> None:
    """All steps are listed, and the last one is about coffee."""
    visit(page, server)
    start(page, LAST.title)
    of_plan(page, "steps").click()
    listed = page.locator(".lg-plan-all li button")
    expect(listed).to_have_count(len(LAST.steps))
    listed.last.click()
    at_step(page, len(LAST.steps))
    until(page, "() => new URLSearchParams(location.search).get('sample') === 'coffee'")
    until(page, "() => new URLSearchParams(location.search).get('layer') === 'fc'")
    settle(page)
    expect_address(page, model="photonet")


def test_an_own_lesson_is_made_saved_and_opened_again(page: Page, server: str, tmp_path: Path) -> None:
    """Equal, to the letter; moved by keyboard, deleted and brought back; still there after a reload."""
    visit(page, server, layer="stage1")
    open_plans(page)
    of_lesson(page, "add").click()
    page.keyboard.press("Escape")
    visit(page, server, layer="stem.conv", channel="8", sample="coffee")
    open_plans(page)
    of_lesson(page, "add").click()
    of_lesson(page, "edit").click()
    steps = page.locator(".lg-plan-own > li")
    expect(steps).to_have_count(2)
    fill(steps.nth(0), title="Later", text="What has *changed*?", note="# not a heading\n- wait", minutes="7")
    fill(steps.nth(1), title="First of all", text="Look.", note="", minutes="3")
    steps.nth(1).locator("textarea").first.press("Alt+ArrowUp")
    expect(steps.nth(0).locator("input").first).to_have_value("First of all")
    page.set_viewport_size({"width": 1280, "height": 1200})  # both steps are in sight
    for first in ("Later", "First of all"):
        steps.nth(0).locator(".lg-plan-handle").drag_to(steps.nth(1))
        expect(steps.nth(0).locator("input").first).to_have_value(first)
    steps.nth(0).locator("[data-do=delete]").click()
    expect(steps).to_have_count(1)
    of_lesson(page, "undo").click()
    expect(steps).to_have_count(2)
    text = saved(page, tmp_path)
    assert "net: photonet\npicture: coffee" in text
    assert "> # not a heading\n\n> - wait" in text
    page.get_by_role("button", name="Begin an empty lesson").click()
    expect(steps).to_have_count(0)
    page.reload()
    open_plans(page)
    opened(page, tmp_path / "lesson.md")
    of_lesson(page, "edit").click()
    assert saved(page, tmp_path) == text
    page.reload()
    open_plans(page)
    of_lesson(page, "start").click()
    expect(of_plan(page, "steps")).to_have_text("1 of 2")
    maps(page, "stem.conv").wait_for()
    until(page, "() => new URLSearchParams(location.search).get('channel') === '8'")


def test_a_file_that_is_no_plan_gets_one_sentence(page: Page, server: str, tmp_path: Path) -> None:
    """With its line; what was there stays. As long as there is nothing to say, that takes no room."""
    visit(page, server)
    open_plans(page)
    said = page.locator(".lg-plan-status")
    expect(said).to_have_role("status")
    room = "each => each.getBoundingClientRect().height + parseFloat(getComputedStyle(each).marginTop)"
    assert said.evaluate(room) == 0
    of_lesson(page, "add").click()
    for content, sentence in (
        (b"# T\n\n## S\nminutes: many\n", "Line 4: minutes are a whole number from 1 to 60, not many."),
        (b"Dear class,\n", "Line 1: a lesson begins with its title, a line that begins with #."),
        (b"\x89PNG\xff\xfe", "This file is no text."),
    ):
        (tmp_path / "wrong.md").write_bytes(content)
        opened(page, tmp_path / "wrong.md")
        expect(said).to_contain_text(sentence)
        more = "help/plan-a-lesson#how-do-i-write-a-plan-as-a-file"
        expect(said.get_by_role("link", name="More")).to_have_attribute("href", more)
    of_lesson(page, "edit").click()
    expect(page.locator(".lg-plan-own > li")).to_have_count(1)


@pytest.mark.parametrize("answer", ["change", "cancel"])
def test_the_box_for_a_file_stands_in_the_page_until_it_is_answered(
    page: Page, server: str, answer: str
) -> None:
    """A browser may forget one that stands nowhere: then a chosen file never comes."""
    visit(page, server)
    open_plans(page)
    with page.expect_file_chooser() as coming:
        of_lesson(page, "open").click()
    box = coming.value.element
    assert box.evaluate("box => box.isConnected")
    box.dispatch_event(answer)
    assert not box.evaluate("box => box.isConnected")


@pytest.mark.parametrize(("scheme", "language", "screen"), [("light", "en", {}), ("dark", "zh", PHONE)])
def test_a_plan_keeps_the_rules(
    visitor: Visitors, server: str, scheme: str, language: str, screen: dict[str, object]
) -> None:
    """WCAG's, by axe-core: the plans, the bar with its question and answer, its steps, the editor."""
    page = visit(visitor(color_scheme=scheme, **screen), server, lang=language)
    dialog = open_plans(page)
    dialog.locator(".lg-plan-list button").first.wait_for()
    of_lesson(page, "add").click()
    expect_no_violations(page)
    of_lesson(page, "edit").click()
    expect_no_violations(page)
    page.keyboard.press("Escape")
    open_plans(page).locator(".lg-plan-list button.lg-primary").nth(2).click()
    expect(of_plan(page, "steps")).to_have_text(re.compile("^1 "))
    keys(page, "PageDown")
    of_plan(page, "answer").click()
    settle(page)
    expect_no_violations(page)
    of_plan(page, "steps").click()
    expect_no_violations(page)


def fill(step: Locator, *, title: str, text: str, note: str, minutes: str) -> None:
    """Type what a step says."""
    step.locator("input[name=title]").fill(title)
    step.locator("input[name=minutes]").fill(minutes)
    step.locator("textarea[name=text]").fill(text)
    step.locator("textarea[name=note]").fill(note)


def saved(page: Page, folder: Path) -> str:
    """Save the lesson as a file, and return what is in it."""
    with page.expect_download() as coming:
        page.locator(".lg-plan-dialog[open]").get_by_role("button", name="Save as a file").click()
    coming.value.save_as(folder / "lesson.md")
    return (folder / "lesson.md").read_text(encoding="utf-8")


def opened(page: Page, file: Path) -> None:
    """Open a file as one's lesson."""
    with page.expect_file_chooser() as coming:
        of_lesson(page, "open").click()
    coming.value.set_files(file)
