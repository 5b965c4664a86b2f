"""The first ten seconds: a ribbon that moves once, one invitation, and a sentence before any number."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from tests.browser.pictures import jpeg, photo
from tests.browser.steps import (
    address,
    expect_address,
    expect_calm,
    facts,
    first_visit,
    go,
    maps,
    press,
    settle,
    upload,
    visit,
)
from tests.browser.typefaces import EVERY_SIZE, EVERY_TYPEFACE, Reader
from tests.browser.waiting import until, wait_until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

RESNET = {"model": "resnet18", "weights": "random"}
CLICKED_WITHIN = """button => {
    let opened = false;
    const hear = ({ target }) => { opened ||= target.type === "file"; };
    addEventListener("click", hear, true);
    button.click();
    removeEventListener("click", hear, true);
    return opened;
}"""
FIT = "list => list.scrollWidth - list.clientWidth"


def links(page: Page) -> Locator:
    """The links of the ribbon that can be clicked."""
    return page.locator(".lg-ribbon button[data-layer]")


def current(page: Page) -> Locator:
    """The link that is lit."""
    return page.locator(".lg-ribbon [aria-current]")


def watch_the_bloom(page: Page) -> None:
    """Note on the page whether the ribbon ever bloomed, and where the maps were meanwhile."""
    page.add_init_script(
        """new MutationObserver(() => {
            const [bloom, maps] = [".lg-bloom", ".lg-maps"].map((each) => document.querySelector(each));
            if (bloom) window.bloomed = true;
            if (bloom && maps) window.during = maps.getBoundingClientRect().top;
        }).observe(document, { subtree: true, childList: true, attributeFilter: ["class"] });"""
    )


@EVERY_SIZE
def test_the_ribbon_leads_from_the_picture_to_the_answer(page: Page, server: str, reader: Reader) -> None:
    """Each stage has a picture of its own and its size; the model's best guess stands at the end.

    It is no higher than its picture and two lines of text, which may be larger.
    """
    first_visit(page, server)
    expect(links(page).locator("b")).to_have_text(["stem", *(f"stage{n}" for n in range(1, 8)), "head"])
    expect(links(page).locator("small")).to_have_text(
        ["112×112", "112×112", "56×56", "28×28", "14×14", "14×14", "7×7", "7×7", "1000"]
    )
    expect(page.locator(".lg-ribbon-answer")).to_contain_text("tiger cat")
    pictures = page.locator(".lg-ribbon-picture img").evaluate_all("all => all.map((each) => each.src)")
    assert len(set(pictures)) == 9
    expect(current(page)).to_have_text("stem112×112")
    assert (
        page.locator(".lg-ribbon").evaluate("each => each.clientHeight") <= 60 * max(100, reader.size) / 100
    )
    assert page.locator(".lg-ribbon ol").evaluate(FIT) == 0
    expect_calm(page)


def test_a_click_on_the_ribbon_goes_to_what_leaves_the_stage(
    looker: Callable[..., Page], server: str
) -> None:
    """By mouse and by keyboard; what is lit follows the layer, however it is chosen."""
    page = looker()
    go(page, server, **RESNET, layer="conv1")
    expect(links(page).locator("b")).to_have_text(
        ["conv1 +3", "layer1", "layer2", "layer3", "layer4", "avgpool", "fc"]
    )
    links(page).filter(has_text="layer2").click()
    maps(page, "layer2").wait_for()
    expect(current(page)).to_contain_text("layer2")
    links(page).first.press("Enter")
    maps(page, "maxpool").wait_for()
    press(page, "ArrowRight")
    maps(page, "layer1.0.conv1").wait_for()
    expect(current(page)).to_contain_text("layer1")


def test_the_ribbon_follows_edits_and_leaves_where_it_means_nothing(
    looker: Callable[..., Page], server: str
) -> None:
    """A removed layer is another picture; course and quiz have no ribbon."""
    page = looker()
    go(page, server, layer="stem.conv")
    stage = page.locator(".lg-ribbon-picture img").nth(1)
    before = str(stage.get_attribute("src"))
    go(page, server, layer="stem.conv", edit="stem.conv:zero:0,1,2,3,4,5")
    expect(stage).not_to_have_attribute("src", before)  # it stays until the new one is there
    for view, shown in (("layers", True), ("quiz", False), ("course", False), ("gradients", True)):
        page.locator(f"[data-part=view] [data-value={view}]").click()
        expect(page.locator(".lg-ribbon")).to_be_visible(visible=shown)


@EVERY_TYPEFACE
def test_on_a_phone_the_ribbon_scrolls_and_the_stage_is_in_sight(
    visitor: Callable[..., Page], server: str
) -> None:
    """Only the ribbon is wider than the screen, not the page."""
    page = visitor(viewport={"width": 390, "height": 844}, has_touch=True)
    visit(page, server, **RESNET, layer="layer4")
    expect(current(page)).to_be_in_viewport(ratio=1)
    assert page.locator(".lg-ribbon ol").evaluate(FIT) > 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert all(each.bounding_box()["height"] >= 44 for each in links(page).all())  # type: ignore[index]


def test_a_first_visit_blooms_once_and_moves_nothing_else(page: Page, server: str) -> None:
    """Maps stand where they stay; it ends by itself, and the next visit is still."""
    watch_the_bloom(page)
    first_visit(page, server)
    until(page, "() => Boolean(window.bloomed)")
    expect(page.locator(".lg-bloom")).to_have_count(0)
    top = maps(page).evaluate("each => each.getBoundingClientRect().top")
    assert page.evaluate("window.during ?? null") in (top, None)
    first_visit(page, server)
    expect(page.locator(".lg-ribbon-answer")).to_contain_text("tiger cat")
    assert not page.evaluate("Boolean(window.bloomed)")


def test_any_key_ends_the_bloom_and_does_what_it_does(page: Page, server: str) -> None:
    """Nothing waits for it: the next layer comes."""
    page.add_init_script("setInterval(() => document.getAnimations().forEach((each) => each.pause()))")
    page.goto(server)
    page.locator(".lg-bloom").wait_for()
    maps(page, "stem.conv").wait_for()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".lg-bloom")).to_have_count(0)
    maps(page, "stem.bn").wait_for()


@pytest.mark.parametrize(("motion", "query"), [("reduce", ""), ("no-preference", "?model=photonet")])
def test_nothing_blooms_for_who_wants_no_motion_or_follows_a_link(
    visitor: Callable[..., Page], server: str, motion: str, query: str
) -> None:
    """The ribbon is as it ends at once."""
    page = visitor(reduced_motion=motion)
    watch_the_bloom(page)
    page.goto(f"{server}/{query}")
    expect(page.locator(".lg-ribbon-answer")).to_contain_text("%")
    assert not page.evaluate("Boolean(window.bloomed)")


@pytest.mark.parametrize("width", [390, 1366])
def test_the_invitation_opens_a_box_for_pictures_within_the_click(
    visitor: Callable[..., Page], server: str, width: int
) -> None:
    """Safari opens none after it, and a phone's sidebar is folded; it is gone with the picture, for good."""
    page = visitor(viewport={"width": width, "height": 844})
    visit(page, server)
    button = page.get_by_role("button", name="Your picture")
    with page.expect_file_chooser() as chooser:
        assert button.evaluate(CLICKED_WITHIN)
    chooser.value.set_files({"name": "own.jpg", "mimeType": "image/jpeg", "buffer": jpeg(photo(31))})
    expect(page.locator(".lg-invitation")).to_be_hidden()
    settle(page)
    visit(page, server)
    expect(page.locator(".lg-invitation")).to_be_hidden()


@EVERY_TYPEFACE
def test_the_invitation_switches_the_camera_on_from_a_folded_sidebar(
    visitor: Callable[..., Page], server: str
) -> None:
    """On a phone the sidebar opens by itself."""
    page = visitor(viewport={"width": 390, "height": 844}, has_touch=True)
    visit(page, server)
    page.get_by_role("button", name="the camera").click()
    expect(page.locator(".st-key-camera input")).to_be_checked()
    expect(page.locator(".st-key-camera")).to_be_in_viewport()


def test_the_invitation_can_be_put_away(page: Page, server: str) -> None:
    """The browser remembers it; here in Chinese and by keyboard."""
    visit(page, server, lang="zh")
    expect(page.locator(".lg-invitation")).to_contain_text("或")
    page.get_by_role("button", name="收起这个邀请").press("Enter")
    expect(page.locator(".lg-invitation")).to_be_hidden()
    visit(page, server)
    expect(page.locator(".lg-invitation")).to_be_hidden()
    upload(page, "own.jpg", jpeg(photo(3)))


def test_a_sentence_stands_before_any_statistic(looker: Callable[..., Page], server: str) -> None:
    """The sentence about the maps comes first, then their numbers; nothing says “left out” if nothing is."""
    page = looker()
    go(page, server, model="lenet", layer="conv1")
    sentence = page.locator(".lg-sentence")
    expect(sentence).to_have_text("6 maps of 28 × 28: what this 5×5 convolution makes of the picture.")
    text = page.locator(".lg-viewer").inner_text().replace("\xa0", " ")
    assert text.index("6 maps of 28") < text.index("6 × 28 × 28") < text.index("min −")
    assert "left out" not in text
    expect(page.locator(".lg-legend li")).to_have_text(["blue: negative", "grey: zero", "red: positive"])
    press(page, "ArrowRight")
    expect(sentence).to_have_text("6 maps of 28 × 28: its input with everything negative turned into 0.")
    expect(page.locator(".lg-legend li").first).to_have_text("purple: 0")


def test_the_arrows_go_in_the_order_in_which_the_model_runs(page: Page, server: str) -> None:
    """A ReLU that runs twice is met twice, a block after what it contains; and that was fetched ahead."""
    ahead: list[str] = []

    def note(request: Request) -> None:
        headers: dict[str, Any] = request.headers
        if "x-layerglass-prefetch" in headers:
            ahead.append(request.url)

    page.on("request", note)
    visit(page, server, **RESNET, layer="layer1.0.conv1")
    wait_until(page, lambda: any("layer=layer1.0.bn1&" in url for url in ahead))
    for layer in ("bn1", "relu", "conv2", "bn2", "relu", ""):
        press(page, "ArrowRight")
        name = f"layer1.0.{layer}".rstrip(".")
        maps(page, name).wait_for()
        settle(page)
        assert any(f"layer={name}&" in url for url in ahead), name
    expect(page.locator(".lg-next")).to_have_text("1.conv1 ›")
    press(page, "ArrowLeft")
    expect(page.locator(".lg-facts")).to_contain_text("call 2 of 2")
    press(page, "End")
    maps(page, "fc").wait_for()
    press(page, "Home")
    maps(page, "conv1").wait_for()


def test_a_class_that_was_asked_about_is_undone_by_one_step(page: Page, server: str) -> None:
    """A click on a guess chooses its class and the view of gradients; undo and Back take both away."""
    visit(page, server, model="lenet", layer="conv2", channel="3")
    before = address(page)
    for back in (lambda: page.keyboard.press("Control+z"), page.go_back):
        page.locator(".lg-seen li").nth(1).click()
        page.locator(".lg-attribution .lg-over").wait_for()
        expect_address(page, view="gradients")
        back()
        maps(page, "conv2").wait_for()
        wait_until(page, lambda: address(page) == before)


def test_the_guess_answers_why_with_the_part_that_speaks_for_it(page: Page, server: str) -> None:
    """By the button, by a click on any class, and by the ribbon's end; what is large at first is lively."""
    first_visit(page, server)
    maps(page).wait_for()
    variance = facts(page)["channels"]["variance"]
    expect(page.locator(".lg-channel-title")).to_have_text(f"channel {variance.index(max(variance))}")
    page.get_by_role("button", name="why?").click()
    expect(page.locator(".lg-attribution .lg-over")).to_be_visible()
    expect(page.get_by_role("combobox", name="Class")).to_have_value("top prediction: tiger cat")
    page.locator(".lg-seen li", has_text="lynx").click()
    expect(page.get_by_role("combobox", name="Class")).to_have_value("lynx · 287")
    page.wait_for_url("**target=287**")
    page.get_by_role("radio", name="One layer").click()
    page.locator(".lg-ribbon-answer button").click()
    expect(page.locator(".lg-attribution .lg-over")).to_be_visible()
