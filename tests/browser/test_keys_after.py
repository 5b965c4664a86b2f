"""The keys act whatever was used before them, in every view; what needs keys itself keeps only those."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import address, arrive, expect_calm, facts, go, maps, settle, tree_item

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.looks]

FIRST, START, LAST = "stem", "stem.relu", "fc"
Use = Callable[[Page], None]


def click(selector: str) -> Use:
    """Click the first that the selector finds."""

    def use(page: Page) -> None:
        page.locator(selector).first.click()

    return use


def choose_by_hand(selector: str, *, place: int) -> Use:
    """Open a box by a click, and click the option at a place of its list."""

    def use(page: Page) -> None:
        page.locator(selector).first.click()
        page.locator("[role=option]:visible").nth(place).click()

    return use


def select_by_hand(selector: str) -> Use:
    """Click a native box, and choose the next option in its list."""

    def use(page: Page) -> None:
        page.locator(selector).click()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")

    return use


def search(page: Page) -> None:
    """Type into the box of layers, and press Enter."""
    page.keyboard.press("/")
    page.keyboard.type("relu stem")
    page.keyboard.press("Enter")


def leave(selector: str) -> Use:
    """Open a box by a click, type, and leave it by Escape."""

    def use(page: Page) -> None:
        page.locator(selector).first.click()
        page.keyboard.type("p")
        page.keyboard.press("Escape")

    return use


def until_shown(use: Use) -> Use:
    """Ask for another subject, and wait for it: after a click, Streamlit's script has not even begun."""

    def whole(page: Page) -> None:
        stage = page.locator(".lg-stage")
        before = stage.get_attribute("data-subject")
        use(page)
        expect(stage).not_to_have_attribute("data-subject", before or "")

    return whole


USED: dict[str, Use] = {
    "nothing": lambda _: None,
    "language": click(".st-key-lang [role=radio]:nth-child(1)"),
    "sample": until_shown(choose_by_hand(".st-key-sample input", place=1)),
    "sample left": leave(".st-key-sample input"),
    "model": until_shown(choose_by_hand(".st-key-model input", place=0)),
    "model left": leave(".st-key-model input"),
    "weights": until_shown(click(".st-key-weights [role=radio]:nth-child(2)")),
    "operations": click("[data-part=operations]"),
    "layer": choose_by_hand("[data-part=layer]", place=3),
    "layer left": leave("[data-part=layer]"),
    "search": search,
    "tree": click('.lg-tree [data-name="stem.bn"] > .lg-line'),
    "fold": click('.lg-tree [data-name="stage1"] .lg-twist'),
    "tab": click("[data-part=view] [data-value=layer]"),
    "invitation": click(".lg-invitation-close"),
    "explanation": click(".lg-kind-ask"),
    "previous": click(".lg-previous"),
    "next": click(".lg-next"),
    "layout": select_by_hand(".lg-options select >> nth=1"),
    "remove": click(".lg-remove"),
    "edit": click(".lg-edit summary"),
    "mosaic": click(".lg-frame img"),
    "picture": click(".lg-seen figcaption"),
    "histogram": click(".lg-histogram"),
    "link": click(".lg-link"),
    "colours": choose_by_hand("[data-part=colormap]", place=1),
    "scale": select_by_hand("[data-part=scale]"),
    "order": select_by_hand("[data-part=order]"),
    "margin": lambda page: page.mouse.click(1360, 760),
}


def shown(page: Page) -> Locator:
    """The box that names the layer on screen."""
    return page.locator("[data-part=layer]").first


def expect_signs(page: Page) -> None:
    """The keys ``?``, ``p`` and Escape: help and presentation, there and back."""
    dialog = page.locator("dialog.lg-help")
    page.keyboard.press("?")
    expect(dialog).to_be_visible()
    page.keyboard.press("?")
    expect(dialog).to_be_hidden()
    page.keyboard.press("p")
    expect(page.locator("html.lg-presenting .lg-present-seen li").first).to_be_visible()
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.locator("html.lg-presenting")).to_have_count(0)


def expect_walk(page: Page) -> None:
    """The keys End, ``←``, ``→`` and Home go through the layers, and ``↓`` to another channel."""
    page.keyboard.press("Home")
    first = shown(page).input_value()
    page.keyboard.press("End")
    expect(shown(page)).not_to_have_value(first)
    last = shown(page).input_value()
    page.keyboard.press("ArrowLeft")
    expect(shown(page)).not_to_have_value(last)
    page.keyboard.press("ArrowRight")
    expect(shown(page)).to_have_value(last)
    page.keyboard.press("Home")
    expect(shown(page)).to_have_value(first)
    maps(page, first).wait_for()
    before = page.locator(".lg-channel-title").inner_text()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".lg-channel-title")).not_to_have_text(before)


@pytest.mark.parametrize("used", USED)
def test_the_keys_act_after_anything_was_used(page: Page, server: str, used: str) -> None:
    """By hand, and once the page has done what that asks for."""
    go(page, server, layer=START)
    USED[used](page)
    settle(page)
    expect_signs(page)
    expect_walk(page)


@pytest.mark.parametrize("view", ["gradients", "compare"])
def test_the_keys_walk_through_layers_after_a_tab(page: Page, server: str, view: str) -> None:
    """As in the view of one layer."""
    go(page, server, layer=START)
    page.locator(f"[data-part=view] [data-value={view}]").click()
    page.locator(f".lg-feature-{view} .lg-frame img").first.wait_for()
    expect_signs(page)
    for key, layer in (("ArrowRight", "stage1.0.conv"), ("ArrowLeft", START)):
        page.keyboard.press(key)
        expect(shown(page)).not_to_have_value(START if layer != START else "")
        page.locator(f'.lg-stage img[data-layer="{shown(page).input_value()}"]').first.wait_for()
    page.keyboard.press("i")
    expect(page.locator(".lg-kind")).to_be_visible()


def test_the_keys_go_from_card_to_card_among_all_layers(page: Page, server: str) -> None:
    """First to the layer that was on screen; Enter opens the one that has the focus."""
    go(page, server, layer=START)
    page.locator("[data-part=view] [data-value=layers]").click()
    card = page.locator(f'.lg-overview button[data-layer="{START}"]')
    card.wait_for()
    expect_signs(page)
    page.keyboard.press("ArrowRight")
    expect(card).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(page.locator('.lg-overview button[data-layer="stem.bn"]')).to_be_focused()
    page.keyboard.press("End")
    expect(page.locator(".lg-overview-grid button").last).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    maps(page).wait_for()


def test_the_keys_step_through_hooks_after_a_tab(page: Page, server: str) -> None:
    """Both arrows, Home and End."""
    go(page, server, layer=START)
    page.locator("[data-part=view] [data-value=hooks]").click()
    page.locator(".lg-event-maps img").wait_for()
    expect_signs(page)
    page.keyboard.press("Home")
    expect(page.locator(".lg-hooks-previous")).to_be_disabled()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".lg-hooks-previous")).to_be_enabled()
    page.keyboard.press("End")
    expect(page.locator(".lg-hooks-next")).to_be_disabled()


@pytest.mark.parametrize("view", ["course", "quiz"])
def test_help_and_presentation_are_in_the_views_that_teach(page: Page, server: str, view: str) -> None:
    """After the tab, and after a click on a button of the view."""
    go(page, server)
    page.locator(f"[data-part=view] [data-value={view}]").click()
    button = page.locator(".lg-lessons button" if view == "course" else ".lg-quiz-choices button").first
    button.wait_for()
    expect_signs(page)
    button.click()
    settle(page)
    expect_signs(page)


def test_a_slider_keeps_its_arrows_and_no_more(page: Page, server: str) -> None:
    """``→`` changes the opacity and not the layer; ``?`` and ``p`` act."""
    go(page, server, layer=START)
    slider = page.locator(".lg-overlay input")
    slider.click()
    before = slider.input_value()
    page.keyboard.press("ArrowRight")
    expect(slider).not_to_have_value(before)
    expect(shown(page)).to_have_value(START)
    expect_signs(page)


def test_a_slider_of_slices_keeps_the_keys_from_slice_to_slice(page: Page, server: str) -> None:
    """Each slice draws other maps and the controls anew; the layer stays."""
    go(page, server, layer=START, kind="volume")
    slider = page.locator(".lg-options input[type=range]")
    tab_to(page, ".lg-options input[type=range]", "Shift+Tab")
    for place in (2, 3):
        page.keyboard.press("ArrowRight")
        page.wait_for_url(f"**index={place - 1}**")
        settle(page)
        expect(page.locator(".lg-options output")).to_contain_text(f"{place} / ")
        expect(slider).to_be_focused()
    expect(shown(page)).to_have_value(START)


def test_the_lists_beside_a_map_keep_the_keys_after_a_choice(page: Page, server: str) -> None:
    """The list of places on the picture, and that of the input channels of a sum."""
    go(page, server, layer="stage1.0.conv", channel="0", overlay="50", lay="centred")
    tab_to(page, ".lg-lying select")
    page.keyboard.press("ArrowDown")
    page.wait_for_url("**lay=stretched**")
    expect(page.locator(".lg-lying select")).to_be_focused()
    page.locator(".lg-large").click()
    page.locator(".lg-number:not([aria-busy]) .lg-verdict").wait_for()
    tab_to(page, ".lg-number .lg-grids select")
    first = page.locator(".lg-number .lg-sum th").first
    for _ in range(2):
        before = first.inner_text()
        page.keyboard.press("ArrowDown")
        expect(first).not_to_have_text(before)
        expect(page.locator(".lg-number .lg-grids select")).to_be_focused()


CONTROLS: dict[str, tuple[str, dict[str, str]]] = {
    "text": (".lg-edit input", {}),
    "count": (".lg-reduced-head input", {"view": "reduced", "reduce": "top"}),
    "list": ("[data-part=scale]", {}),
    "searchable list": ("[data-part=colormap]", {}),
    "slider": (".lg-overlay input", {}),
}


@pytest.mark.parametrize("control", CONTROLS)
def test_escape_leaves_a_control_and_nothing_else(page: Page, server: str, control: str) -> None:
    """The keys are the maps' again; the zoom stays until the next Escape."""
    selector, view = CONTROLS[control]
    zoomed = page.locator(".lg-zoom-out")
    go(page, server, layer=START, **view)
    if not view:
        page.keyboard.press("+")
        expect(zoomed).to_be_enabled()
    if control == "text":
        page.locator(".lg-edit summary").click()
        page.locator(".lg-edit select").first.select_option("scale")
    page.locator(selector).focus()
    page.keyboard.press("Escape")
    expect(page.locator(".lg-viewer" if not view else ".lg-feature")).to_be_focused()
    if not view:
        expect(zoomed).to_be_enabled()
        page.keyboard.press("Escape")
        expect(zoomed).to_be_disabled()
    page.keyboard.press("ArrowRight")
    expect(shown(page)).not_to_have_value(START)


def test_escape_clears_a_search_before_it_leaves(page: Page, server: str) -> None:
    """The search among classes, of the last layer."""
    go(page, server, model="lenet", layer="fc3")
    search = page.locator(".lg-classes input")
    search.fill("3")
    search.press("Escape")
    expect(search).to_have_value("")
    expect(search).to_be_focused()
    search.press("Escape")
    expect(page.locator(".lg-viewer")).to_be_focused()


def test_the_letters_act_with_caps_lock(page: Page, server: str) -> None:
    """The browser then says capitals without Shift; with Shift they are no keys of the page."""
    go(page, server, layer=START)
    page.keyboard.press("Shift+I")
    page.keyboard.press("X")
    expect(page.locator(".lg-edits")).to_be_visible()
    expect(page.locator(".lg-kind")).to_be_hidden()
    page.keyboard.press("I")
    expect(page.locator(".lg-kind")).to_be_visible()
    page.keyboard.press("P")
    expect(page.locator("html.lg-presenting")).to_have_count(1)
    page.keyboard.press("P")
    expect(page.locator("html.lg-presenting")).to_have_count(0)


def test_slash_unfolds_the_sidebar_and_searches_there(page: Page, server: str) -> None:
    """The box that gets the letters is in sight."""
    go(page, server, layer=START)
    sidebar = page.get_by_test_id("stSidebar")
    sidebar.hover()
    page.get_by_test_id("stSidebarCollapseButton").locator("button").click()
    expect(shown(page)).not_to_be_in_viewport()
    page.keyboard.press("/")
    page.keyboard.type("stage1 relu")
    expect(sidebar).to_have_attribute("data-collapsed", "false")
    expect(shown(page)).to_be_in_viewport()
    expect(shown(page)).to_be_focused()
    expect(shown(page)).to_have_value("stage1 relu")
    page.keyboard.press("Enter")
    expect(shown(page)).to_have_value("stage1.0.relu")


def test_the_large_map_gives_the_keys_back_on_escape(page: Page, server: str) -> None:
    """Its arrows go from cell to cell, ``p`` and ``?`` act, and after Escape ``→`` is the next layer."""
    go(page, server, layer=START)
    page.locator(".lg-large").click()
    page.locator(".lg-number:not([aria-busy]) .lg-verdict").wait_for()
    page.keyboard.press("ArrowRight")
    expect(shown(page)).to_have_value(START)
    page.keyboard.press("?")
    expect(page.locator("dialog.lg-help")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".lg-large")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    expect(shown(page)).not_to_have_value(START)


def test_who_walks_by_keys_stays_in_tabs_and_tree(page: Page, server: str) -> None:
    """Only a hand on the mouse is done with them after one choice."""
    go(page, server, layer=START)
    page.locator("[data-part=view] [data-value=layer]").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-part=view] [data-value=layers]")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    maps(page, START).wait_for()
    tree_item(page, START).focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    maps(page, "stem.bn").wait_for()
    expect(tree_item(page, "stem.bn")).to_be_focused()
    page.keyboard.press("?")
    expect(page.locator("dialog.lg-help")).to_be_visible()


def test_a_text_keeps_its_letters_and_arrows(page: Page, server: str) -> None:
    """While a list is open, one types and goes back in what was typed."""
    go(page, server, layer=START)
    page.locator("[data-part=layer]").click()
    page.keyboard.type("px?")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("i")
    expect(shown(page)).to_have_value("pxi?")
    expect(page.locator("dialog.lg-help")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(shown(page)).to_have_value(START)
    assert "present" not in address(page)
    expect_calm(page)


def test_all_is_done_by_keys_alone(visitor: Callable[..., Page], server: str) -> None:
    """From the first visit: another layer, channel and cell, an edit and back, another view and back."""
    page = visitor()
    arrive(page, server)
    maps(page).wait_for()
    page.keyboard.press("/")
    page.keyboard.type("stage1 relu")
    expect(page.locator(".lg-combo-count").first).to_contain_text("of")
    page.keyboard.press("Enter")
    expect(shown(page)).to_have_value("stage1.0.relu")
    maps(page, "stage1.0.relu").wait_for()
    title = page.locator(".lg-channel-title")
    before = int(title.inner_text().removeprefix("channel "))
    page.keyboard.press("ArrowDown")
    expect(title).to_have_text(f"channel {(before + 1) % facts(page)['geometry']['channels']}")
    tab_to(page, ".lg-large")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.locator(".lg-number:not([aria-busy]) .lg-verdict").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("x")
    expect(page.locator(".lg-edits")).to_be_visible()
    page.keyboard.press("Control+z")
    expect(page.locator(".lg-edits")).to_be_hidden()
    tab_to(page, "[data-part=view] button", "Shift+Tab")
    page.keyboard.press("ArrowRight")
    page.locator(".lg-overview-grid button").first.wait_for()
    page.keyboard.press("Control+z")
    maps(page, "stage1.0.relu").wait_for()
    settle(page)
    expect_calm(page)


def tab_to(page: Page, selector: str, key: str = "Tab") -> None:
    """Press Tab until what the selector finds has the focus."""
    for _ in range(60):
        page.keyboard.press(key)
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(selector)
