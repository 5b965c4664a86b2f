"""The view of hooks plays: on and on, as fast as one likes, with its code and the layer's memory in step."""

import io
from collections.abc import Callable
from contextlib import redirect_stdout

import pytest
import torch
from playwright.sync_api import Locator, Page, expect

import models
from tests.browser.steps import address, arrive, go
from tests.browser.typefaces import EVERY_SIZE, EVERY_TYPEFACE, Reader
from tests.browser.waiting import until
from viz.pictures.samples import sample

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.looks]

CAT = 3
LENET = {"model": "lenet", "layer": "conv2", "target": str(CAT)}
RESNET = {"model": "resnet18", "weights": "random", "layer": "layer1.0.bn2"}
SCREENS = [(1366, 768), (1536, 722), (1920, 1080)]  # the second is as low as can be before parts scroll
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
# The box of an event or of memory scrolls, and nothing around it does; whether all of the part is in it then.
SCROLL_ITS_BOX = """part => {
    const own = part.closest(".lg-event, .lg-memory");
    const [around, whole] = [own.getBoundingClientRect(), part.getBoundingClientRect()];
    own.scrollTop += whole.bottom - around.bottom;
    const { top, bottom } = part.getBoundingClientRect();
    return top >= around.top - 1 && bottom <= around.bottom + 1;
}"""
LAST_ABOVE = """(top) => {
    const figures = document.querySelectorAll(".lg-memory figure");
    return figures[figures.length - 1].getBoundingClientRect().bottom < top;
}"""


def open_player(page: Page, server: str, **view: str) -> Locator:
    """Go to the view, wait for its events and for the memory, and return the line that says the step."""
    go(page, server, view="hooks", **view)
    page.locator(".lg-events [aria-current]").wait_for()
    page.locator(".lg-memory figure").first.wait_for()
    return page.locator(".lg-hooks-count")


# A step of what plays may be over before a test has read it, so the page itself acts then.
WHEN = """([part, text, act]) => {
    const told = document.querySelector(part);
    const acts = { hide, pause };
    new MutationObserver((_, watch) => {
        if (!told.textContent.replace(/\\s/g, " ").includes(text)) return;
        watch.disconnect();
        window.heard = document.querySelector(".lg-hooks-said").textContent;
        acts[act]();
    }).observe(told, { childList: true, subtree: true, characterData: true });
    function pause() {
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true }));
    }
    function hide() {
        Object.defineProperty(document, "hidden", { value: true, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
        delete document.hidden;
    }
}"""


def wait_for_step(page: Page, least: int) -> None:
    """Wait until what plays has come to a step, or past it."""
    count = "document.querySelector('.lg-hooks-count').textContent"
    until(page, f"least => parseInt({count}) >= least", least)


def step_of(count: Locator) -> int:
    """The step on screen, from 1."""
    return int(count.inner_text().split()[0])


def box(locator: Locator) -> dict[str, float]:
    """Return the box of an element on the screen; it must be there."""
    found = locator.bounding_box()
    assert found is not None
    return {**found, "bottom": found["y"] + found["height"], "right": found["x"] + found["width"]}


def test_space_plays_and_k_pauses_and_only_the_pause_is_in_the_address(
    visitor: Callable[..., Page], server: str
) -> None:
    """No entry of the history and nothing to undo, however many events have gone by."""
    page = visitor()
    page.clock.install()
    count = open_player(page, server, **LENET)
    entries = page.evaluate("history.length")
    page.keyboard.press("Space")
    expect(page.locator(".lg-player-play")).to_have_attribute("aria-label", "Pause")
    wait_for_step(page, 10)
    assert "step" not in address(page)
    page.keyboard.press("k")
    expect(page.locator(".lg-player-play")).to_have_attribute("aria-label", "Play")
    rests = step_of(count)
    page.wait_for_url(f"**step={rests}**")
    page.clock.run_for(1500)
    assert step_of(count) == rests
    page.keyboard.press("Control+z")
    page.wait_for_timeout(300)
    assert step_of(count) == rests
    assert page.evaluate("history.length") == entries


def test_a_step_by_hand_ends_the_play(visitor: Callable[..., Page], server: str) -> None:
    """An arrow, an event of the list, a call of the film: it stands still there, and one undo goes back."""
    page = visitor()
    page.clock.install()
    count = open_player(page, server, **LENET)
    for act, step in (
        (lambda: page.keyboard.press("Home"), 1),
        (lambda: page.locator(".lg-events button").nth(5).click(), 6),
        (page.locator(".lg-near-film > span:not(.lg-cell)", has_text="conv2").first.click, 7),
    ):
        page.keyboard.press("Space")
        page.locator(".lg-playing").wait_for()
        act()
        expect(page.locator(".lg-playing")).to_have_count(0)
        expect(count).to_have_text(f"{step} of 60")
        page.clock.run_for(1300)
        assert step_of(count) == step
    page.keyboard.press("Control+z")
    expect(count).not_to_have_text("7 of 60")


def test_a_speed_is_as_fast_as_it_says_and_the_next_visit_has_it_too(
    visitor: Callable[..., Page], server: str
) -> None:
    """By the page's own clock, which the test moves: after a second divided by the speed, and not before."""
    page = visitor()
    page.clock.install()
    count = open_player(page, server, **LENET, step="1")
    page.clock.pause_at(page.evaluate("Date.now() + 60_000"))  # a time that has not passed when this is heard
    for speed in ("4", "1"):
        page.locator(".lg-player-speed").select_option(speed)
        page.keyboard.press("Space")
        page.locator(".lg-playing").wait_for()
        for step in range(step_of(count), step_of(count) + 3):
            page.clock.run_for(1000 // int(speed) - 1)
            assert step_of(count) == step
            page.clock.run_for(1)
            assert step_of(count) == step + 1
        page.keyboard.press("Space")
        expect(page.locator(".lg-playing")).to_have_count(0)
    page.clock.resume()
    page.locator(".lg-player-speed").select_option("2")
    page.reload()
    expect(count).to_contain_text("of 60")
    expect(page.locator(".lg-player-speed")).to_have_value("2")


def test_it_ends_at_the_last_event_and_begins_anew(page: Page, server: str) -> None:
    """The address says the last step; Play there goes to the first one and on."""
    count = open_player(page, server, **LENET, step="57")
    page.locator(".lg-player-speed").select_option("4")
    page.locator(".lg-player-play").click()
    expect(count).to_have_text("60 of 60")
    expect(page.locator(".lg-playing")).to_have_count(0)
    expect(page.locator(".lg-hooks-next")).to_be_disabled()
    page.wait_for_url("**step=60**")
    page.locator(".lg-player-speed").select_option("0.5")
    page.keyboard.press("Space")
    expect(count).to_have_text("1 of 60")
    expect(count).to_have_text("2 of 60")


@pytest.mark.parametrize("handle", [".lg-player-slider", ".lg-strip"])
def test_the_pass_can_be_dragged_along_and_that_is_one_choice(page: Page, server: str, handle: str) -> None:
    """By the slider and by the small strip: events go by at once, and one undo goes back to the beginning."""
    count = open_player(page, server, **LENET)
    place = box(page.locator(handle))
    across = place["y"] + place["height"] / 2
    page.mouse.move(place["x"] + 0.5 * place["width"], across)
    page.mouse.down()
    for part in (0.6, 0.7, 0.8, 0.9):
        page.mouse.move(place["x"] + part * place["width"], across)
        assert abs(step_of(count) - 60 * part) < 3
        assert "step" not in address(page)
    page.mouse.up()
    rests = step_of(count)
    page.wait_for_url(f"**step={rests}**")
    page.keyboard.press("Control+z")
    expect(count).to_have_text("8 of 60")


def test_the_slider_says_the_event_and_walks_by_keys(page: Page, server: str) -> None:
    """Its name, its value and its value in words, as a screen reader gets them."""
    open_player(page, server, **LENET)
    slider = page.get_by_role("slider", name="Place in the pass")
    expect(slider).to_have_attribute("aria-valuetext", "8 of 60: forward hook, conv2")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "9 of 60: pre-hook, relu2")
    expect(slider).to_be_focused()


def test_a_hidden_tab_pauses_and_a_reload_restores_the_step(
    visitor: Callable[..., Page], server: str
) -> None:
    """The browser says that the tab is hidden: it stands still, also after a reload."""
    page = visitor()
    count = open_player(page, server, **LENET)
    page.evaluate(WHEN, [".lg-hooks-count", "9 of 60", "hide"])
    page.keyboard.press("Space")
    expect(count).to_have_text("9 of 60")
    expect(page.locator(".lg-playing")).to_have_count(0)
    page.wait_for_url("**step=9**")
    page.reload()
    expect(count).to_have_text("9 of 60")
    expect(page.locator(".lg-playing")).to_have_count(0)


def test_a_screen_reader_hears_where_it_rests_and_not_what_plays(page: Page, server: str) -> None:
    """The live region keeps quiet while events go by; no other one changes with them."""
    count = open_player(page, server, **LENET)
    said = page.locator(".lg-hooks-said")
    page.keyboard.press("ArrowRight")
    expect(said).to_contain_text("pre-hook. Before relu2 runs.")
    page.evaluate(WHEN, [".lg-hooks-count", "11 of 60", "pause"])
    page.keyboard.press("Space")
    expect(count).to_have_text("11 of 60")
    assert "Before relu2 runs." in page.evaluate("heard")
    live = page.locator(".lg-player :is([aria-live], [role=status], output)")
    expect(live).to_have_count(0)
    expect(said).to_contain_text("pool2")
    expect(said).to_contain_text("As the hook saw it")  # the memory, too


def code_of(page: Page) -> str:
    """The code on screen, as it can be copied."""
    lines = page.locator(".lg-code code > span")
    return "".join(lines.evaluate_all("all => all.map((line) => line.textContent)"))


@pytest.mark.parametrize("step", ["7", "8", "40", "41", "42"])
def test_the_code_on_screen_runs_and_prints_what_is_lit(
    looker: Callable[..., Page], server: str, step: str
) -> None:
    """Copied from the page and run on the same net: both hooks on the way there, three on the way back."""
    page = looker()
    open_player(page, server, **LENET, step=step)
    lit = page.locator(".lg-code [aria-current=step]")
    expect(lit).to_have_count(1)
    line = lit.inner_text().strip()
    net, picture = models.load("lenet").eval(), models.describe("lenet").preprocessing(sample("cat"))
    with redirect_stdout(io.StringIO()) as printed:
        exec(code_of(page), {"model": net, "picture": picture})
    assert printed.getvalue().strip() == line.split("# ")[1]
    expect(page.locator(".lg-code .lg-caller")).to_contain_text("model(picture")


def test_the_lit_line_moves_with_the_event(page: Page, server: str) -> None:
    """From the hook back to the pre-hook; on the way back it is one on a tensor."""
    open_player(page, server, **LENET)
    lit, code = page.locator(".lg-code .lg-lit"), page.locator(".lg-code code")
    expect(lit).to_have_text("    print(output.shape)  # torch.Size([1, 16, 10, 10])\n")
    expect(code).to_contain_text("model.conv2.register_forward_hook(hook)")
    page.keyboard.press("ArrowLeft")
    expect(lit).to_contain_text("print(inputs[0].shape)  # torch.Size([1, 6, 14, 14])")
    expect(code).to_contain_text("model.conv2.register_forward_pre_hook(hook)")


def changed_by_hand() -> tuple[str, str]:
    """The shares of the second batch norm that the sum changes, and the sum and the ReLU, in per cent."""
    net = models.load("resnet18", "random").eval()
    block, kept = net.layer1[0], []
    block.bn2.register_forward_hook(lambda _, __, output: kept.append(output.clone()))
    block.register_forward_pre_hook(lambda _, inputs: kept.append(inputs[0].clone()))
    with torch.no_grad():
        net(models.describe("resnet18").preprocessing(sample("cat")))
    given, normed = kept
    shares = [float((normed != then).double().mean()) for then in (normed + given, (normed + given).relu())]
    return f"{100 * shares[0]:.3g} %", f"{100 * shares[1]:.3g} %"


# A step may be over before a test has read its picture.
NOTE_PICTURES = """() => {
    const [now] = [...document.querySelectorAll(".lg-memory figure img")].slice(-1);
    const played = window.played = {};
    const note = () => { played[now.alt] = now.src; };
    new MutationObserver(note).observe(now, { attributeFilter: ["alt", "src"] });
}"""


def test_memory_plays_along(page: Page, server: str) -> None:
    """Nothing before the layer has run; then its value, the shortcut's sum, and the ReLU's values over it."""
    summed, rectified = changed_by_hand()
    count = open_player(page, server, **RESNET)
    verdict, now = page.locator(".lg-memory-verdict"), page.locator(".lg-memory figure img").last
    at_hook = step_of(count)
    page.keyboard.press("ArrowLeft")
    expect(verdict).to_contain_text("layer1.0.bn2 has not run yet")
    expect(now).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(verdict).to_contain_text("As the hook saw it")
    first = now.get_attribute("src")
    page.evaluate(NOTE_PICTURES)
    page.evaluate(WHEN, [".lg-memory-verdict", "Written over 2× by now", "pause"])
    page.keyboard.press("Space")
    expect(verdict).to_contain_text(f"Written over 2× by now: {rectified}")
    expect(page.locator(".lg-playing")).to_have_count(0)
    assert step_of(count) - at_hook in (2, 3)
    played: dict[str, str] = page.evaluate("played")
    shown = [
        src
        for text in (f"Written over 1× by now: {summed}", f"Written over 2× by now: {rectified}")
        for said, src in played.items()
        if text in said.replace("\xa0", " ")
    ]
    assert len({first, *shown}) == 3, [*played]
    shares = page.locator(".lg-bytes rect").evaluate_all(
        "all => all.map((each) => Number(each.style.fillOpacity))"
    )
    assert len(shares) == 256
    assert sum(shares) / 256 == pytest.approx(float(rectified.split()[0]) / 100, abs=0.002)
    expect(page.locator(".lg-near .lg-overwritten").last).to_contain_text(rectified)


@EVERY_SIZE
@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_memory_is_in_sight_beside_the_timeline(
    looker: Callable[..., Page], server: str, reader: Reader, width: int, height: int
) -> None:
    """Without scrolling: the player, the film, the lit line, both pictures, the ways of keeping, the maps.

    With larger text the code, the maps and the ways of keeping are reached by scrolling the event's own box
    and memory's, while the page stays where it is; what is on top of both boxes is in sight at once.
    """
    page = looker()
    page.set_viewport_size({"width": width, "height": height})
    open_player(page, server, **RESNET)
    page.locator(".lg-event-maps img").wait_for()
    at_once = [".lg-player", ".lg-near", ".lg-memory-verdict", ".lg-bytes", ".lg-event h3"]
    inside = [".lg-lit", ".lg-event-maps img", ".lg-memory figure:first-child img"]
    for part in (*at_once, *inside, ".lg-memory figure:last-child p"):
        if reader.size > 100 and part not in at_once:
            assert page.locator(part).evaluate(SCROLL_ITS_BOX), part
        found = box(page.locator(part))
        assert found["y"] >= 0
        assert found["bottom"] <= height, part
        assert found["right"] <= width, part
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollTop") == 0


@EVERY_TYPEFACE
def test_on_a_phone_memory_is_one_short_scroll_away_and_the_player_stays(
    visitor: Callable[..., Page], server: str
) -> None:
    """Its name is on the first screen, its pictures half a screen below; the player stands at the bottom."""
    page = visitor(**PHONE)
    open_player(page, server, **RESNET)
    player = box(page.locator(".lg-player"))
    assert player["bottom"] <= 844
    assert box(page.locator(".lg-memory h2"))["y"] < player["y"]
    assert box(page.locator(".lg-lit"))["bottom"] < player["y"]
    page.mouse.move(195, 300)
    page.mouse.wheel(0, 400)
    until(page, LAST_ABOVE, arg=player["y"])
    assert box(page.locator(".lg-bytes"))["y"] > 52
    assert box(page.locator(".lg-player"))["y"] == pytest.approx(player["y"], abs=1)
    page.locator(".lg-player-play").tap()
    expect(page.locator(".lg-playing")).to_have_count(1)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 390


@EVERY_SIZE
def test_names_can_be_read_where_calls_are_narrow(looker: Callable[..., Page], server: str) -> None:
    """Around the event no name of a call or a hook is cut, although the whole pass has 120 events."""
    page = looker()
    open_player(page, server, **RESNET)
    cut = (
        """all => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent)"""
    )
    names = page.locator(".lg-near-film > span:not(.lg-cell) b")
    assert names.count() > 40
    assert names.evaluate_all(cut) == []
    assert page.locator(".lg-cell").evaluate_all(cut) == []
    middle = box(page.locator(".lg-near-head"))
    at = "x => Math.abs(document.querySelector('.lg-cell.lg-on').getBoundingClientRect().x - x) <= 2"
    until(page, at, arg=middle["x"])  # the film has come to rest


def test_whoever_wants_no_motion_gets_none(visitor: Callable[..., Page], server: str) -> None:
    """The film is where it belongs at once, and nothing has a transition; it plays all the same."""
    page = visitor(reduced_motion="reduce")
    count = open_player(page, server, **RESNET)
    moved = page.evaluate(
        """() => {
            const view = document.querySelector(".lg-near-view");
            const before = view.scrollLeft;
            document.querySelector(".lg-hooks-next").click();
            return view.scrollLeft - before;
        }"""
    )
    assert moved > 40
    for part in (".lg-near-head", ".lg-strip > i", ".lg-bytes rect"):
        assert page.locator(part).first.evaluate("each => getComputedStyle(each).transitionDuration") == "0s"
    before = step_of(count)
    page.keyboard.press("Space")
    wait_for_step(page, before + 2)


def test_a_pass_that_is_refused_has_no_player_and_memory_all_the_same(
    visitor: Callable[..., Page], server: str
) -> None:
    """Its sentence stands there instead; what became of the layer's memory is another question."""
    page = visitor()
    refusal = {"error": "The timeline takes too much memory."}
    page.route("**/timeline.json?*", lambda route: route.fulfill(status=422, json=refusal))
    arrive(page, server, view="hooks", **LENET)
    expect(page.locator(".lg-hooks-note")).to_have_text(refusal["error"])
    expect(page.locator(".lg-memory figure").first).to_be_visible()
    expect(page.locator(".lg-player")).to_be_hidden()
    page.keyboard.press("Space")
    expect(page.locator(".lg-playing")).to_have_count(0)
