"""The course on the page: predict, run, reveal; by mouse, by keys, over a reload, by a link, on a phone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import address, arrive, expect_address, expect_calm, go, notices, settle
from tests.browser.typefaces import EVERY_SIZE, EVERY_TYPEFACE, Reader, in_turn
from tests.browser.waiting import HeldRequests
from tests.machine import patience
from viz.course.folder import served

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.looks]

NET = {"model": "lenet", "layer": "conv2", "sample": "coffee"}
SHAPE = "(1, 1000)"
# Whether each of these parts comes after the one before it, in the document and on the screen.
IN_ORDER = """places => {
  const parts = places.map((place) => document.querySelector(place));
  const follows = (one, other) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) > 0;
  const top = (part) => part.getBoundingClientRect().top;
  return parts.slice(1).map((part, at) => follows(parts[at], part) && top(parts[at]) < top(part));
}"""


def open_step(page: Page, server: str, lesson: str = "what-is-a-hook", step: int = 1, **more: str) -> Page:
    """Open a step of a lesson by its address."""
    go(page, server, **NET | {"view": "course", "lesson": lesson, "lesson_step": str(step)} | more)
    page.locator(".lg-step").wait_for()
    settle(page)
    return page


def run(page: Page) -> None:
    """Run the step, and wait until its reason is there."""
    page.locator(".lg-step-run").click()
    page.locator(".lg-after p").first.wait_for(timeout=1000 * patience(120))  # the net may have to be loaded


def test_a_right_prediction_is_told_and_shown(page: Page, server: str) -> None:
    """The run is on the visitor's picture, in the lesson's net; nothing says the answer before it."""
    open_step(page, server)
    expect(page.locator(".lg-step-run")).to_be_disabled()
    expect(page.locator(".lg-step-hint")).to_have_text("Choose first, then run.")
    page.locator(".lg-choice").filter(has_text=SHAPE).click()
    expect(page.locator(".lg-step-run")).to_be_enabled()
    run(page)
    expect(page.locator(".lg-step-verdict")).to_contain_text("✓ Right.")
    expect(page.locator(".lg-printed samp")).to_have_text(SHAPE)
    expect(page.locator(".lg-after")).to_contain_text("espresso")
    expect(page.locator(".lg-choice.lg-is-right .lg-step-sign")).to_have_attribute("aria-label", "right")
    expect(page.locator(".lg-dot").first).to_have_attribute(
        "aria-label", "Step 1: A picture goes in, numbers come out (done)"
    )
    expect_calm(page)


def test_nobody_chooses_among_maps_that_have_not_come(visitor: Callable[..., Page], server: str) -> None:
    """They move the button below them as they come: a click at that very moment would miss it."""
    page = visitor()
    held = HeldRequests(page, "**/step_maps.json*")
    open_step(page, server, "in-place", 2)
    expect(page.locator(".lg-choice:disabled")).to_have_count(2)
    held.wait_for()
    held.release()
    expect(page.locator(".lg-choice:enabled img")).to_have_count(2)
    page.keyboard.press("b")
    expect(page.locator(".lg-choice").last).to_have_attribute("aria-pressed", "true")


def test_a_wrong_prediction_is_told_why(page: Page, server: str) -> None:
    """With the reason of that very choice; then the student may predict once more."""
    open_step(page, server)
    page.locator(".lg-choice").filter(has_text="(1, 3, 224, 224)").click()
    run(page)
    expect(page.locator(".lg-step-verdict")).to_contain_text(
        "✗ Not this time. That is your picture on its way in"
    )
    expect(page.locator(".lg-choice.lg-is-wrong")).to_contain_text("(1, 3, 224, 224)")
    expect(page.locator(".lg-choice.lg-is-right")).to_contain_text(SHAPE)
    page.get_by_role("button", name="Predict once more").click()
    expect(page.locator(".lg-step-verdict")).to_have_count(0)
    expect(page.locator(".lg-dot").first).to_have_text("1")


def test_the_lines_of_a_hook_are_numbered_as_they_ran(page: Page, server: str) -> None:
    """The hook's own line runs while the net runs: between the call and what follows it."""
    open_step(page, server, step=2)
    expect(page.locator(".lg-lit")).to_have_text("net.stem.conv.register_forward_hook(hook)")
    page.locator(".lg-choice").nth(1).click()
    run(page)
    orders = {line.split("\n")[-1].strip(): line for line in page.locator(".lg-code-line").all_inner_texts()}
    assert [
        orders[text].split()[0] for text in ('print("the hook")', "net(picture)", 'print("after the net")')
    ] == [
        "5",
        "4",
        "6",
    ]


def test_a_map_is_chosen_among_pictures(page: Page, server: str) -> None:
    """The maps are there before the run; which of them is right comes with it."""
    open_step(page, server, step=4)
    expect(page.locator(".lg-choice img")).to_have_count(4)
    expect(page.locator(".lg-is-right")).to_have_count(0)
    page.locator(".lg-choice").nth(2).click()
    run(page)
    expect(page.locator(".lg-step-verdict")).to_contain_text("Right.")
    expect(page.locator(".lg-step-picture img")).to_have_count(2)


def test_a_map_that_looks_like_the_right_one_is_right(page: Page, server: str) -> None:
    """A dot in the middle is the same in a mirror: whoever sees no difference is not told of a mistake."""
    open_step(page, server, "inputs", 4, sample="dot")
    page.locator(".lg-choice").first.click()
    run(page)
    expect(page.locator(".lg-step-verdict")).to_have_text(
        "✓ Right. On your picture it looks just like the map that is meant."
    )
    expect(page.locator(".lg-choice.lg-is-right")).to_have_count(3)


def test_a_number_is_guessed(page: Page, server: str) -> None:
    """By the keys of the slider, which do not leave the step; near enough is right."""
    open_step(page, server, "calls", 4)
    slider = page.locator(".lg-guess input[type=range]")
    slider.focus()
    page.keyboard.press("Home")
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".lg-guess input[type=number]")).to_have_value("9")
    run(page)
    expect(page.locator(".lg-step-verdict")).to_contain_text("✓ Right. You said 9. It is 10.")
    expect_address(page, lesson_step="4")


def test_escape_leaves_a_guess_and_the_arrows_turn_the_page(page: Page, server: str) -> None:
    """Also the box beside the slider; until then both keep the arrows."""
    open_step(page, server, "calls", 4)
    for kind, key, step in (("range", "ArrowLeft", 3), ("number", "ArrowRight", 5)):
        page.locator(f".lg-guess input[type={kind}]").focus()
        page.keyboard.press(key)
        page.keyboard.press("Escape")
        page.keyboard.press(key)
        page.wait_for_url(f"**lesson_step={step}**")
        open_step(page, server, "calls", 4)


def test_the_keyboard_is_enough_for_a_lesson(page: Page, server: str) -> None:
    """A digit chooses, Enter runs, the arrows go on and back, and the focus is where one reads on."""
    open_step(page, server)
    page.keyboard.press("1")
    expect(page.locator(".lg-choice").first).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Enter")
    expect(page.locator(".lg-step-verdict")).to_contain_text("Right.")
    expect(page.locator(".lg-outcome")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="A layer can call you")).to_be_focused()
    page.wait_for_url("**lesson_step=2**")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("heading", name="A picture goes in, numbers come out")).to_be_focused()
    expect(page.locator(".lg-step-verdict")).to_contain_text("Right.")


@in_turn(("lesson",), *((lesson.id,) for lesson in served("en")))
def test_a_whole_lesson_is_done_by_keys_alone(page: Page, server: str, lesson: str) -> None:
    """A letter chooses, arrow keys move a slider, Enter runs and goes on; Tab reaches the exercises."""
    open_step(page, server, lesson)
    for step in range(1, 6):
        page.locator(f".lg-dot[aria-current]:nth-child({step})").wait_for()
        settle(page)
        if page.locator(".lg-guess").count():
            tab_to(page, ".lg-guess input[type=range]")
            page.keyboard.press("ArrowRight")
            tab_to(page, ".lg-step-run")
        else:
            expect(page.locator(".lg-choice").nth(1)).to_be_enabled()  # maps have to come first
            page.keyboard.press("b")
            expect(page.locator(".lg-choice").nth(1)).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("Enter")
        page.locator(".lg-after p").first.wait_for(timeout=1000 * patience(120))
        expect(page.locator(".lg-outcome")).to_be_focused()
        expect(page.locator(".lg-step-verdict")).to_be_in_viewport()
        if step < 5:
            page.keyboard.press("Enter")
    expect(page.locator(".lg-lesson-end")).to_be_visible()
    tab_to(page, ".lg-exercise-group button")
    page.keyboard.press("Enter")
    expect(page.locator(".lg-exercise .lg-editor-field")).to_be_visible()


def tab_to(page: Page, selector: str) -> None:
    """Press the tab key until the focus is there."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("where => document.activeElement?.matches(where)", selector):
            return
    raise AssertionError(f"{selector} is not reached by the tab key")


@EVERY_SIZE
def test_pictures_to_compare_stand_side_by_side(page: Page, server: str, reader: Reader) -> None:
    """On a laptop; their lines do not make them wider, and why stands below the prediction at once.

    Larger text leaves room for one column, as on a narrower window: there the pictures come before why.
    """
    page.set_viewport_size({"width": 1366, "height": 768})
    open_step(page, server, "in-place", 3)
    page.locator(".lg-choice").first.click()
    run(page)
    tops = [each.bounding_box() for each in page.locator(".lg-step-picture").all()]
    assert len({box["y"] for box in tops if box}) == 1
    assert len(tops) == 2
    places = "place => document.querySelector(place).getBoundingClientRect()"
    outcome, why = (page.evaluate(places, place) for place in (".lg-outcome", ".lg-step-why"))
    assert why["top"] >= outcome["bottom"]
    if reader.size <= 100:
        assert why["top"] - outcome["bottom"] < 30
    else:
        assert all(box["y"] + box["height"] <= why["top"] for box in tops if box)


@EVERY_TYPEFACE
def test_a_phone_reads_and_hears_the_reason_last(visitor: Callable[..., Page], server: str) -> None:
    """In the order of the document: what is read, what is done, what came of it, why."""
    page = visitor(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    open_step(page, server, "in-place", 4)
    page.locator(".lg-choice").first.tap()
    page.locator(".lg-step-run").tap()
    page.locator(".lg-after p").first.wait_for(timeout=1000 * patience(120))
    parts = [".lg-step-code", ".lg-predict", ".lg-outcome", ".lg-step-picture", ".lg-after"]
    assert page.evaluate(IN_ORDER, parts) == [True] * 4
    page.set_viewport_size({"width": 1366, "height": 768})
    expect(page.locator(".lg-step-right .lg-after")).to_be_visible()


def test_progress_is_kept_over_a_reload(visitor: Callable[..., Page], server: str) -> None:
    """A step that was done shows what came of it; the contents say how far one is, and lead on."""
    page = visitor()
    open_step(page, server)
    page.locator(".lg-choice").nth(1).click()
    run(page)
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("heading", name="A layer can call you")).to_be_visible()
    page.wait_for_url("**lesson_step=2**")
    page.reload()
    expect(page.get_by_role("heading", name="A layer can call you")).to_be_visible()
    page.locator(".lg-dot").first.click()
    expect(page.locator(".lg-step-verdict")).to_contain_text("Not this time.")
    page.get_by_role("button", name="All lessons").click()
    expect(page.locator(".lg-lesson-entry").first).to_contain_text("1 of 5 steps")
    page.get_by_role("button", name="Continue: What is a hook?").click()
    expect(page.get_by_role("heading", name="A picture goes in, numbers come out")).to_be_visible()


def test_a_lesson_leads_to_the_next_one_and_to_its_view(page: Page, server: str) -> None:
    """The last step goes on to the next lesson; a step's look opens in its net, and the course leads back."""
    open_step(page, server, step=5, model="efficientnet_lite0", layer="stem.relu")
    page.get_by_role("button", name="Next lesson: What goes in").click()
    expect(page.get_by_role("heading", name="What is in the inputs?")).to_be_visible()
    page.locator(".lg-choice").nth(1).click()
    run(page)
    page.get_by_role("link", name="See it in the net").click()
    page.locator(".lg-maps[data-layer='stem.bn']").wait_for()
    assert {"model": "efficientnet_lite0", "layer": "stem.bn"}.items() <= address(page).items()
    page.get_by_role("radio", name="Course").click()
    expect(page.get_by_role("heading", name="What is in the inputs?")).to_be_visible()


def test_a_step_that_does_not_exist_is_the_last_one(visitor: Callable[..., Page], server: str) -> None:
    """A link with a larger number than the lesson has, as from an older edition of it."""
    page = arrive(visitor(), server, **NET, view="course", lesson="what-is-a-hook", lesson_step="77")
    expect(page.get_by_role("heading", name="Take it down again")).to_be_visible()


def test_a_lesson_that_does_not_exist_gets_a_sentence_and_the_contents(
    visitor: Callable[..., Page], server: str
) -> None:
    """One notice, and all lessons."""
    page = arrive(visitor(), server, **NET, view="course", lesson="no-such-lesson")
    expect(page.locator(".lg-lesson-entry")).to_have_count(9)
    expect(notices(page)).to_contain_text("no-such-lesson")


@EVERY_SIZE
def test_a_lesson_is_read_in_chinese_on_a_phone(visitor: Callable[..., Page], server: str) -> None:
    """Nothing is wider than the screen; the dots are large enough for a finger."""
    page = visitor(viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True)
    open_step(page, server, step=2, lang="zh")
    expect(page.get_by_role("heading", name="让层来通知你")).to_be_visible()
    page.locator(".lg-choice").nth(1).tap()
    page.locator(".lg-step-run").tap()
    expect(page.locator(".lg-step-verdict")).to_contain_text("对了")
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 360
    assert page.locator(".lg-dot").first.evaluate("dot => dot.getBoundingClientRect().width") >= 24


def test_the_tree_says_no_shape_while_a_lesson_asks_for_it(page: Page, server: str) -> None:
    """In the view of layers it says them again."""
    open_step(page, server)
    expect(page.locator(".lg-tree .lg-shape").first).to_be_hidden()
    page.locator("[data-part=view] [data-value=layer]").click()
    expect(page.locator(".lg-tree .lg-shape").first).to_be_visible()
