"""The main job on the real page: upload a photo, choose a model and a layer, and trust every pixel."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.oracle import assert_mosaic_shows, resnet50_output
from tests.browser.pictures import jpeg, photo
from tests.browser.steps import (
    choose,
    choose_in_tree,
    chosen,
    expect_calm,
    facts,
    first_visit,
    maps,
    pixels,
    settle,
    tree_item,
    upload,
    visit,
)
from tests.browser.typefaces import EVERY_SIZE, Reader

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@EVERY_SIZE
def test_the_first_screen_shows_a_trained_model_on_a_sample(page: Page, server: str, reader: Reader) -> None:
    """The maps are there without a click and without a network, and say what they are.

    Nothing of the page is below the screen; where text is larger, only what stands below all of the maps is.
    """
    first_visit(page, server)
    expect_calm(page)
    assert chosen(page, "model") == "efficientnet_lite0 · ready"
    strip = page.locator(".lg-facts").inner_text()
    assert " trained" in strip
    assert "eval" in strip
    if reader.size <= 100:
        assert page.get_by_test_id("stMain").evaluate("each => each.scrollHeight") <= 768
    for part in (maps(page), page.locator(".lg-panel .lg-large")):
        expect(part).to_be_in_viewport(ratio=1)


def test_every_pixel_of_an_uploaded_photo_is_right(page: Page, server: str) -> None:
    """Untrained ResNet-50: a layer from the dropdown, one from the tree, against tracing and matplotlib."""
    picture = jpeg(photo(7))
    visit(page, server, model="lenet")
    upload(page, "holiday.jpg", picture)
    choose(page, "model", "resnet50")
    page.get_by_role("button", name="Show resnet50 untrained").click()
    maps(page, "conv1").wait_for()
    choose(page, "layer", "layer1.1.conv2")
    maps(page, "layer1.1.conv2").wait_for()
    assert_mosaic_shows(pixels(maps(page)), resnet50_output(picture, "layer1.1.conv2"), facts(page))
    choose_in_tree(page, "layer1.1.bn3")
    maps(page, "layer1.1.bn3").wait_for()
    assert_mosaic_shows(pixels(maps(page)), resnet50_output(picture, "layer1.1.bn3"), facts(page))


def test_dropdown_tree_and_viewer_always_agree(page: Page, server: str) -> None:
    """Whichever of the three moves, the other two follow."""
    visit(page, server, model="lenet", layer="conv1")
    choose(page, "layer", "conv2")
    expect(tree_item(page, "conv2")).to_have_attribute("aria-selected", "true")
    maps(page, "conv2").wait_for()
    choose_in_tree(page, "pool1")
    maps(page, "pool1").wait_for()
    settle(page)
    expect(page.locator("[data-part=layer]").first).to_have_value("pool1")
    page.locator(".lg-viewer").focus()
    page.keyboard.press("ArrowRight")
    maps(page, "conv2").wait_for()
    expect(tree_item(page, "conv2")).to_have_attribute("aria-selected", "true")
    expect(page.locator("[data-part=layer]").first).to_have_value("conv2")


def test_a_newer_move_is_not_undone_by_an_older_choice(page: Page, server: str) -> None:
    """We pick a layer in the dropdown and at once another in the tree: the late answer does not undo it."""
    visit(page, server, model="lenet", layer="conv1")
    page.evaluate(
        """() => {
            window.seen = [];
            const inTree = ({ target }) => target.closest(".lg-tree .lg-name, .lg-line");
            const clicked = (event) => { if (inTree(event)) window.seen = []; };
            document.addEventListener("click", clicked, true);
            const shown = () => document.querySelector(".lg-stage img[data-layer]")?.dataset.layer;
            const note = () => { if (window.seen.at(-1) !== shown()) window.seen.push(shown()); };
            new MutationObserver(note).observe(document.querySelector(".lg-frame"), { childList: true });
        }"""
    )
    for picked, clicked in [("conv2", "pool1"), ("fc1", "conv1"), ("pool2", "relu1")]:
        choose(page, "layer", picked)
        choose_in_tree(page, clicked)
        maps(page, clicked).wait_for()
        expect(page.locator("[data-part=layer]").first).to_have_value(clicked)
        settle(page)
        assert set(page.evaluate("window.seen")) == {clicked}
