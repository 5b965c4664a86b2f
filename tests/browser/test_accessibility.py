"""The rules of WCAG 2.2 AA that a program can check, contrast among them, on the real page, by axe-core."""

from collections.abc import Callable

import pytest
from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Page, expect

from tests.browser.steps import DRAWN, arrive, go, notices, press, settle
from tests.browser.waiting import HeldRequests, until
from viz.request.views import VIEWS

pytestmark = [pytest.mark.browser, pytest.mark.slow]

RULES = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
# None of these rules reads the style sheets, of which axe-core would make a copy each time.
RUN = {"runOnly": RULES, "resultTypes": ["violations"], "preload": {"assets": ["media"]}}
# Streamlit's own violations, which neither its configuration nor a style sheet can fix; each with its reason.
NOT_OURS: list[list[str]] = []
# Bars behind text are gradients, about which axe-core is never sure; while it runs, they have full length.
FULL_BARS = (
    ".lg-seen ol li { background: color-mix(in srgb, var(--st-primary-color) 30%, transparent) !important; }"
)
AXE = "([context, options]) => axe.run(context, options)"
PHONE = {"viewport": {"width": 375, "height": 812}, "is_mobile": True, "has_touch": True}
NET = {"model": "lenet", "layer": "conv2"}
# Browsers do not read out what a part says that was not displayed before.
NOT_READ_OUT = """() => [...document.querySelectorAll("[role=status], [role=alert], [aria-live]")]
    .filter((part) => !part.textContent && !part.hidden && part.closest("[class^=lg-]"))
    .filter((part) => part.parentElement.checkVisibility() && !part.closest("details:not([open])"))
    .filter((part) => {
        if (part.checkVisibility()) return false;
        part.textContent = "something";
        const shown = part.checkVisibility();
        part.textContent = "";
        return shown;
    })
    .map((part) => part.outerHTML)"""
BOTH = f"async (asked) => [await ({AXE})(asked), ({NOT_READ_OUT})()]"


def expect_no_violations(page: Page, within: str = ":root") -> None:
    """Axe-core is sure of no violation; its report says which element breaks which rule, and why.

    ``within`` names the part that has changed since the whole page was looked at, which takes long.
    """
    settle(page)
    until(page, "document.getAnimations().every((each) => each.playState !== 'running')")
    bring_axe(page)
    found, not_read_out = page.evaluate(BOTH, [{"include": [within], "exclude": NOT_OURS}, RUN])
    results = AxeResults(found)
    assert results.violations_count == 0, results.generate_report()
    assert not_read_out == []


def bring_axe(page: Page) -> None:
    """Add axe-core to a document that lacks it: the browser has to compile what is added anew."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
        page.add_style_tag(content=FULL_BARS)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_one_layer_keeps_the_rules(looker: Callable[..., Page], server: str, scheme: str) -> None:
    """The first screen with the invitation, an edit in force, and the explanation of the layer open."""
    page = go(looker(color_scheme=scheme), server, **NET, edit="conv1:zero:2")
    expect(page.locator(".lg-invitation")).to_be_visible()
    press(page, "i")
    expect(page.locator(".lg-kind")).to_be_visible()
    expect_no_violations(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_one_number_keeps_the_rules(looker: Callable[..., Page], server: str, scheme: str) -> None:
    """The map with a cell chosen, its arithmetic in coloured grids, and the weights of the channel."""
    page = go(looker(color_scheme=scheme), server, **NET)
    page.locator(".lg-filter summary").click()
    page.locator(".lg-filter img").wait_for()
    page.locator(".lg-large").click()
    page.locator(".lg-number:not([aria-busy]) .lg-verdict").wait_for()
    expect_no_violations(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_layers_keep_the_rules(looker: Callable[..., Page], server: str, scheme: str) -> None:
    """Every card with its picture and its text."""
    page = go(looker(color_scheme=scheme), server, **NET, view="layers")
    page.locator(".lg-overview img").first.wait_for()
    expect_no_violations(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_gradients_keep_the_rules(looker: Callable[..., Page], server: str, scheme: str) -> None:
    """The maps, and the photos beside them."""
    page = go(looker(color_scheme=scheme), server, **NET, view="gradients")
    page.locator(".lg-attribution .lg-over[src]").first.wait_for()
    page.locator(".lg-stage img[data-layer]").wait_for()
    expect_no_violations(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_list_of_classes_keeps_the_rules(looker: Callable[..., Page], server: str, scheme: str) -> None:
    """The search, and each class with its score and its bar."""
    page = go(looker(color_scheme=scheme), server, model="lenet", layer="fc3")
    page.locator(".lg-classes").wait_for()
    expect_no_violations(page)


WITH_TESTS_OF_THEIR_OWN = ("layer", "layers", "gradients", "hooks")  # hooks: test_learning_accessibility


def test_every_view_is_looked_at() -> None:
    """The list of views is the product's."""
    assert DRAWN.keys() == VIEWS.keys()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", [each for each in DRAWN if each not in WITH_TESTS_OF_THEIR_OWN])
def test_the_other_views_keep_the_rules(
    looker: Callable[..., Page], server: str, view: str, scheme: str
) -> None:
    """Each view in the state in which it opens."""
    page = go(looker(color_scheme=scheme), server, **NET, view=view)
    page.locator(DRAWN[view]).first.wait_for()
    expect_no_violations(page)


def test_a_phone_keeps_the_rules(looker: Callable[..., Page], server: str) -> None:
    """The page with its sidebar folded away, then with it open."""
    page = go(looker(**PHONE), server, **NET, lang="zh")
    expect_no_violations(page)
    page.locator(".lg-phone-strip").click()
    page.locator(".st-key-model input").first.wait_for()
    expect_no_violations(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_help_and_presentation_keep_the_rules(looker: Callable[..., Page], server: str, scheme: str) -> None:
    """The dialog over the page; then the maps alone, and a channel beside them."""
    page = go(looker(color_scheme=scheme), server, **NET)
    press(page, "?")
    expect(page.locator("dialog.lg-help")).to_be_visible()
    expect_no_violations(page)
    page.keyboard.press("Escape")
    press(page, "p", "ArrowDown")
    expect(page.locator(".lg-panel")).to_be_visible()
    page.wait_for_url("**present=1**")
    expect_no_violations(page)


def test_a_notice_and_a_silent_layer_keep_the_rules(page: Page, server: str) -> None:
    """A sentence about something that does not exist, and the reason that replaces the maps."""
    arrive(page, server, model="vit_b_16", weights="random", layer="nonsense", colormap="jett")
    expect(notices(page).first).to_be_visible()
    expect_no_violations(page)


def test_what_has_not_come_yet_keeps_the_rules(visitor: Callable[..., Page], server: str) -> None:
    """The picture and the prediction, before the server has answered."""
    page = visitor()
    held = HeldRequests(page, "**/prediction.json*")
    arrive(page, server, **NET)
    held.wait_for()
    expect_no_violations(page, ".lg-seen")
    held.release()
    expect(page.locator(".lg-why")).to_have_text("why?")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", DRAWN)
def test_every_presented_view_keeps_the_rules(
    looker: Callable[..., Page], server: str, view: str, scheme: str
) -> None:
    """With the picture and the predictions above it."""
    page = go(looker(color_scheme=scheme), server, **NET, view=view)
    page.keyboard.press("p")
    page.locator(".lg-present-seen li").first.wait_for()
    page.locator(DRAWN[view]).first.wait_for()
    expect_no_violations(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_search_keeps_the_rules(looker: Callable[..., Page], server: str, scheme: str) -> None:
    """A list with what was found marked in it, and one in which nothing is found."""
    page = go(looker(color_scheme=scheme), server, **NET)
    page.locator("[data-part=layer]").fill("conv2d 10x10")
    expect(page.locator(".lg-layer-box mark").first).to_be_visible()
    expect_no_violations(page)
    page.locator("[data-part=layer]").fill("nonsense")
    expect(page.locator(".lg-layer-box .lg-combo-count")).to_have_text("Nothing found.")
    expect_no_violations(page)
