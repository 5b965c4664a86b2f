"""Looking around costs no script run and no byte over the websocket; undo costs none either."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import numpy as np
import pytest
from playwright.sync_api import Page, WebSocket, expect

from tests.browser.steps import (
    DRAWN,
    choose,
    choose_in_tree,
    click_tile,
    drawing,
    expect_another_picture,
    expect_calm,
    go,
    maps,
    pixels,
    press,
    settle,
    visit,
)
from tests.browser.two_sides import choose_other, compare, side
from tests.browser.waiting import until
from viz.request.views import VIEWS

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.looks]

RUNS = "document.documentElement.dataset.scriptRuns"
AFTERWARDS_MS = 600  # more than the page waits before it writes what the visitor rests on
# What is there once a view has been drawn.
Looking = AbstractContextManager[None]


class Sent:
    """Frames that a page has sent over its websockets."""

    def __init__(self, page: Page) -> None:
        """Listen from the first websocket on."""
        self.frames: list[str | bytes] = []
        page.on("websocket", self._opened)

    def _opened(self, websocket: WebSocket) -> None:
        websocket.on("framesent", lambda frame: self.frames.append(frame))  # noqa: PLW0108  Playwright looks into it


@pytest.fixture(scope="module")
def heard() -> dict[Page, Sent]:
    """The frames of each page that stays: its websocket opens only once."""
    return {}


@pytest.fixture
def sent(page: Page, heard: dict[Page, Sent]) -> Sent:
    """Return the frames that the page has sent, whichever test looked at it."""
    return heard[page] if page in heard else heard.setdefault(page, Sent(page))


@pytest.fixture
def only_looking(page: Page, sent: Sent) -> Callable[[], Looking]:
    """Makes a context in which no script may run, and in which nothing may be sent."""

    @contextmanager
    def watched() -> Iterator[None]:
        settle(page)
        runs, frames = page.evaluate(RUNS), len(sent.frames)
        assert int(runs) >= 1
        assert frames
        yield
        page.wait_for_timeout(AFTERWARDS_MS)
        settle(page)
        assert page.evaluate(RUNS) == runs
        assert sent.frames[frames:] == []

    return watched


def test_another_picture_is_a_script_run_and_is_sent(page: Page, server: str, sent: Sent) -> None:
    """Otherwise the tests below would find nothing whatever happens."""
    before = drawing(go(page, server, model="lenet", layer="conv1"))
    runs, frames = int(page.evaluate(RUNS)), len(sent.frames)
    choose(page, "sample", "A cup of coffee")
    expect_another_picture(page, before)
    until(page, f"Number({RUNS}) > {runs}")
    assert len(sent.frames) > frames


def by_box(page: Page) -> None:
    """Pick the layer in the box."""
    choose(page, "layer", "conv2")


def by_tree(page: Page) -> None:
    """Pick the layer in the tree."""
    choose_in_tree(page, "conv2")


def by_key(page: Page) -> None:
    """Walk to the layer."""
    press(page, *["ArrowRight"] * 3)


@pytest.mark.parametrize("picked", [by_box, by_tree, by_key])
def test_a_layer_is_picked_by_looking(
    page: Page, server: str, only_looking: Callable[[], Looking], picked: Callable[[Page], None]
) -> None:
    """Box, tree and viewer say the same layer, and so does the address."""
    go(page, server, model="lenet", layer="conv1")
    with only_looking():
        picked(page)
        maps(page, "conv2").wait_for()
        page.wait_for_url("**layer=conv2**")
        expect(page.locator("[data-part=layer]")).to_have_value("conv2")
    expect_calm(page)


def test_a_call_is_picked_by_looking(page: Page, server: str, only_looking: Callable[[], Looking]) -> None:
    """The second time that a ReLU ran."""
    go(page, server, model="resnet18", weights="random", layer="layer1.0.relu")
    with only_looking():
        page.locator(".lg-options label").filter(has_text="call").locator("select").select_option("1")
        expect(page.locator(".lg-facts")).to_contain_text("call 2 of 2")
        page.wait_for_url("**call=2**")


def test_a_channel_is_picked_by_looking(page: Page, server: str, only_looking: Callable[[], Looking]) -> None:
    """By a click on its map."""
    go(page, server, model="lenet", layer="conv1")
    with only_looking():
        click_tile(page, 4)
        expect(page.locator(".lg-channel-title")).to_have_text("channel 4")
        page.wait_for_url("**channel=4**")


@pytest.mark.parametrize(
    ("box", "option"), [("colormap", "magma"), ("scale", "one per channel"), ("order", "by variance")]
)
def test_how_maps_are_drawn_is_chosen_by_looking(
    page: Page, server: str, only_looking: Callable[[], Looking], box: str, option: str
) -> None:
    """Colours, scale and order."""
    go(page, server, model="lenet", layer="conv1")
    with only_looking():
        before = drawing(page)
        choose(page, box, option)
        expect_another_picture(page, before)
        page.wait_for_url(f"**{box}=**")


def test_every_view_is_chosen_by_looking(
    page: Page, server: str, sent: Sent, only_looking: Callable[[], Looking]
) -> None:
    """Each of them: from that of one layer, and back to it."""
    go(page, server, model="lenet", layer="conv2")
    with only_looking():
        runs, frames = page.evaluate(RUNS), len(sent.frames)
        for view in [each for each in DRAWN if each != "layer" and not VIEWS[each].within]:
            for chosen in (view, "layer"):
                page.locator(f"[data-part=view] [data-value={chosen}]").click()
                page.locator(DRAWN[chosen]).first.wait_for()
            settle(page)
            assert (page.evaluate(RUNS), sent.frames[frames:]) == (runs, []), view
    expect_calm(page)


def test_an_edit_is_made_by_looking(page: Page, server: str, only_looking: Callable[[], Looking]) -> None:
    """A channel is removed; the predictions follow as well."""
    go(page, server, model="lenet", layer="conv1")
    with only_looking():
        click_tile(page, 3)
        before = drawing(page)
        press(page, "x")
        expect_another_picture(page, before)
        expect(page.locator(".lg-edits")).to_contain_text("conv1: channel 3 removed")
        page.wait_for_url("**edit=**")


def test_a_class_is_chosen_by_looking(page: Page, server: str, only_looking: Callable[[], Looking]) -> None:
    """The one that gradients look back from."""
    go(page, server, model="lenet", layer="conv2", view="gradients")
    maps_of_gradients = page.locator(DRAWN["gradients"])
    maps_of_gradients.wait_for()
    before = maps_of_gradients.get_attribute("data-address") or ""
    with only_looking():
        choose(page, "target", "truck · 9")
        expect(maps_of_gradients).not_to_have_attribute("data-address", before)
        page.wait_for_url("**target=9**")


def test_a_comparisons_layer_is_chosen_by_looking(
    page: Page, server: str, only_looking: Callable[[], Looking]
) -> None:
    """That of the other side."""
    compare(page, server, model="lenet", layer="conv1", with_sample="same")
    with only_looking():
        choose_other(page, "with_layer", "relu1")
        side(page, "right", "relu1").wait_for()
        page.wait_for_url("**with_layer=relu1**")


def test_a_lesson_is_opened_and_run_by_looking(
    page: Page, server: str, only_looking: Callable[[], Looking]
) -> None:
    """Its numbers come without a script run too."""
    go(page, server, model="lenet", layer="conv2", view="course", lesson="3")
    page.locator(".lg-course-run button").wait_for()
    with only_looking():
        page.get_by_text("Source 4").click()
        page.get_by_role("heading", name="Changing a running net").wait_for()
        page.locator(".lg-course-run button").click()
        page.get_by_role("heading", name="On the model that you have chosen").wait_for()
        page.wait_for_url("**lesson=4**")


def test_a_quiz_is_answered_by_looking(page: Page, server: str, only_looking: Callable[[], Looking]) -> None:
    """The answer, its reason and the next question."""
    go(page, server, view="quiz", seed="77")
    page.locator(DRAWN["quiz"]).first.wait_for()
    with only_looking():
        page.locator(DRAWN["quiz"]).first.click()
        page.locator(".lg-quiz-why").wait_for()
        page.locator(".lg-quiz-next button").click()
        expect(page.locator(".lg-quiz")).to_contain_text("Question 2 of 8")


def test_undo_and_redo_walk_through_layers_and_views(
    page: Page, server: str, only_looking: Callable[[], Looking]
) -> None:
    """A layer, a colour, a view, a layer in that view: back one by one, and forward again."""
    visit(page, server, model="lenet", layer="conv1")
    with only_looking():
        choose(page, "layer", "relu1")
        choose(page, "colormap", "magma")
        page.locator("[data-part=view] [data-value=gradients]").click()
        page.locator('.lg-gradients img[data-layer="relu1"]').wait_for()
        choose_in_tree(page, "conv2")
        page.locator('.lg-gradients img[data-layer="conv2"]').wait_for()
        looks = [
            ("layer", "conv1", "auto"),
            ("layer", "relu1", "auto"),
            ("layer", "relu1", "magma"),
            ("gradients", "relu1", "magma"),
            ("gradients", "conv2", "magma"),
        ]
        expect_look(page, *looks[-1])
        for look in reversed(looks[:-1]):
            page.keyboard.press("Control+z")
            expect_look(page, *look)
        page.keyboard.press("Control+z")  # there is nothing left to undo
        expect_look(page, *looks[0])
        for look in looks[1:]:
            page.keyboard.press("Control+Shift+z")
            expect_look(page, *look)
    expect_calm(page)


def expect_look(page: Page, view: str, layer: str, colormap: str) -> None:
    """View, layer and colours on screen are these, in every place that says them."""
    expect(page.locator("[data-part=view] [aria-checked=true]")).to_have_attribute("data-value", view)
    expect(page.locator("[data-part=layer]")).to_have_value(layer)
    shown_as = "automatic" if colormap == "auto" else colormap
    expect(page.locator("[data-part=colormap]")).to_have_value(shown_as)
    shown = page.locator(f'.lg-feature-{view} img.lg-maps[data-layer="{layer}"]')
    expect(shown).to_have_count(1)
    settle(page)
    assert ("colormap=magma" in (shown.get_attribute("data-address") or "")) == (colormap == "magma")


def test_back_and_forward_keep_the_picture_of_each_view(
    page: Page, server: str, only_looking: Callable[[], Looking]
) -> None:
    """Each entry shows what was on screen in it, pixel by pixel, whatever was chosen in other views."""
    visit(page, server, model="lenet", layer="conv1")
    entries = [("layer", "conv1")]
    seen = [picture_of(page, *entries[0])]
    for view, layer in [("gradients", "conv2"), ("compare", "pool2"), ("hooks", "relu1")]:
        page.locator(f"[data-part=view] [data-value={view}]").click()
        entries.append((view, entries[-1][1]))
        seen.append(picture_of(page, *entries[-1]))
        choose(page, "layer", layer)
        page.wait_for_url(f"**layer={layer}**")
        entries.append((view, layer))
        seen.append(picture_of(page, *entries[-1]))
    with only_looking():
        for place in reversed(range(len(entries) - 1)):
            page.go_back()
            np.testing.assert_array_equal(picture_of(page, *entries[place]), seen[place])
        for place in range(1, len(entries)):
            page.go_forward()
            np.testing.assert_array_equal(picture_of(page, *entries[place]), seen[place])
    expect_calm(page)


def picture_of(page: Page, view: str, layer: str) -> np.ndarray:
    """The pixels of the layer's maps in a view, once its size has settled."""
    expect(page.locator("[data-part=layer]")).to_have_value(layer)
    image = page.locator(f'.lg-feature-{view} img[data-layer="{layer}"]').first
    image.wait_for()
    settle(page)
    page.wait_for_load_state("networkidle")
    return pixels(image)
