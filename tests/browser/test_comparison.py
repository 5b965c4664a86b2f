"""The view that compares, on the real page: exact pixels on one scale, flips of both sides, links."""

import re
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.oracle import lenet_outputs
from tests.browser.pictures import photo, png
from tests.browser.steps import (
    address,
    arrive,
    expect_address,
    expect_calm,
    expect_more,
    expect_one_sentence,
    go,
    press,
    settle,
    upload,
)
from tests.browser.two_sides import (
    assert_side_shows,
    choose_other,
    chosen_other,
    compare,
    comparison_facts,
    notices_of_other,
    side,
)
from viz.pictures.own_donors import own_name
from viz.pictures.photo import photograph

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.looks]


NATURAL = "image => image.naturalWidth"


@pytest.fixture
def two_photos(visitor: Callable[..., Page], server: str) -> Page:
    """LeNet's first convolution for two own photos."""
    page = visitor()
    compare(page, server, model="lenet", layer="conv1")
    for key, seed in (("upload", 51), ("other_upload", 52)):
        name = "left" if key == "upload" else "right"
        before = side(page, name).get_attribute("src") or ""
        upload(page, f"{seed}.png", png(photo(seed)), "image/png", key)
        expect(side(page, name)).not_to_have_attribute("src", before)
        settle(page)
    return page


def test_two_photos_are_compared_cell_by_cell_on_one_scale(two_photos: Page) -> None:
    """We send both photos through the net by hand; the channels that differ most come first."""
    page = two_photos
    left, right = (lenet_outputs(photo(seed))["conv1"] for seed in (51, 52))
    apart, facts = left.astype(np.float64) - right, comparison_facts(page)
    mean = abs(apart).mean((1, 2))
    order = sorted(range(len(mean)), key=lambda channel: -mean[channel])
    reach = max(abs(left).max(), abs(right).max())
    limits = {"left": reach, "right": reach, "difference": abs(apart).max()}
    for name, values in (("left", left), ("right", right), ("difference", apart)):
        assert facts[name]["vmax"] == -facts[name]["vmin"] == pytest.approx(limits[name], rel=1e-4)
        assert_side_shows(page, name, values, facts, order)
    expect(page.locator(".lg-note")).to_contain_text("A and B on one scale")
    page.wait_for_url("**with_sample=own_**")
    assert "sample" not in address(page)
    expect_calm(page)


def test_a_cell_tells_both_values_and_their_difference(two_photos: Page) -> None:
    """The pointer is on the large map; the numbers equal those of the net run by hand."""
    page, channel = two_photos, comparison_facts(two_photos)["left"]["geometry"]["order"][0]
    left, right = (float(lenet_outputs(photo(seed))["conv1"][channel, 14, 14]) for seed in (51, 52))
    page.locator('[data-side="difference"] .lg-large').hover()
    expect(page.locator(".lg-status")).to_contain_text(re.compile(rf"\[{channel}, 1[34], 1[34]\]"))
    page.evaluate("""() => {
        const map = document.querySelector('[data-side="right"] .lg-large');
        const box = map.getBoundingClientRect();
        const at = { clientX: box.left + box.width * 14.5 / 28, clientY: box.top + box.height * 14.5 / 28 };
        map.dispatchEvent(new MouseEvent("mousemove", { ...at, bubbles: true }));
    }""")
    expect(page.locator(".lg-status")).to_contain_text(f"[{channel}, 14, 14]")
    said = page.locator(".lg-status").inner_text().replace("\N{MINUS SIGN}", "-")
    numbers = [float(each) for each in re.findall(r"= (-?[\d.e-]+)", said)]
    assert numbers == pytest.approx([left, right, left - right], rel=2e-3, abs=2e-3)
    page.locator('[data-side="left"] .lg-large').focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".lg-status")).to_contain_text(f"[{channel}, 14, 15]")
    expect(page.locator('[data-side="right"] .lg-cell')).to_be_visible()
    expect(side(page, "left", "conv1")).to_be_visible()


def test_the_arrow_keys_flip_both_sides(page: Page, server: str) -> None:
    """No run of the page's script is needed; tree, box and address follow once the visitor stops."""
    compare(page, server, model="lenet", layer="conv1")
    press(page, "ArrowRight", "ArrowRight")
    for name in ("left", "right", "difference"):
        side(page, name, "pool1").wait_for()
    page.wait_for_url("**layer=pool1**")
    settle(page)
    expect(page.locator("[data-part=layer]")).to_have_value("pool1")
    press(page, "ArrowDown")
    order = comparison_facts(page)["left"]["geometry"]["order"]
    expect(page.locator('[data-side="left"] .lg-closer-name')).to_have_text(f"channel {order[1]}")
    for name in ("left", "right", "difference"):
        mark = page.locator(f'[data-side="{name}"] .lg-selected').bounding_box()
        whole = side(page, name).bounding_box()
        assert mark is not None
        assert whole is not None
        assert mark["width"] == pytest.approx(
            whole["width"] * 14 / side(page, name).evaluate(NATURAL), rel=0.02
        )
    page.wait_for_url(f"**channel={order[1]}**")


def test_two_models_have_a_scale_each_and_say_why_there_is_no_difference(page: Page, server: str) -> None:
    """B stays where it is while A flips through layers that B does not have."""
    compare(page, server, model="lenet", layer="conv1", with_model="photonet", with_sample="same")
    facts = comparison_facts(page)
    assert facts["left"]["vmax"] != facts["right"]["vmax"]
    expect(page.locator('[data-side="difference"]')).to_contain_text(
        "A has 6 maps of 28 × 28, B has 32 maps of 32 × 32"
    )
    expect(side(page, "difference")).to_have_count(0)
    press(page, "ArrowRight")
    side(page, "left", "relu1").wait_for()
    side(page, "right", "stem.conv").wait_for()
    expect_calm(page)


def test_another_model_keeps_the_picture_and_has_its_own_colours(page: Page, server: str) -> None:
    """Only the model changes: each side has a bar with its limits, and nothing speaks of a difference."""
    compare(page, server, model="lenet", layer="conv1")
    order = page.locator(".lg-drawing [data-part=order]")
    expect(order.locator("option:checked")).to_have_text("most different first")
    expect(page.locator(".lg-compare .lg-scale:visible")).to_have_count(2)
    choose_other(page, "with_model", "photonet")
    side(page, "right", "stem.conv").wait_for()
    expect(page.locator(".lg-compare .lg-note")).to_contain_text("A and B each on their own scale")
    settle(page)
    assert chosen_other(page, "with_sample") == "same picture"
    expect(order.locator("option:checked")).to_have_text("by channel number")
    expect(page.locator(".lg-drawing [data-part=scale] option:checked")).to_have_text("each its own")
    bars = [
        page.locator(f'[data-side="{name}"] .lg-scale:visible').inner_text() for name in ("left", "right")
    ]
    assert all(bars)
    assert bars[0] != bars[1]
    page.locator('[data-side="right"] .lg-large').hover()
    expect(page.locator(".lg-status")).to_contain_text("B = ")
    assert "A − B" not in page.locator(".lg-stage").inner_text()
    choose_other(page, "with_model", "same model")
    side(page, "difference").wait_for()
    expect(order.locator("option:checked")).to_have_text("most different first")
    expect(page.locator('[data-side="difference"] figcaption')).to_contain_text("A − B")
    expect_calm(page)


def test_two_layers_can_be_held_against_each_other(page: Page, server: str) -> None:
    """B stays at its layer: a convolution minus the ReLU after it is what the ReLU cut off."""
    compare(page, server, model="lenet", layer="conv1", with_sample="same")
    choose_other(page, "with_layer", "relu1")
    side(page, "right", "relu1").wait_for()
    facts = comparison_facts(page)["difference"]["statistics"]
    assert facts["maximum"] == pytest.approx(0, abs=1e-6)
    assert facts["minimum"] < -0.1
    press(page, "ArrowRight")
    side(page, "left", "relu1").wait_for()
    expect(page.locator('[data-side="difference"]')).to_contain_text("no cell differs")


def test_two_calls_of_one_layer_can_be_held_against_each_other(page: Page, server: str) -> None:
    """A ReLU runs twice: we compare its first output with its second, and a link restores that."""
    view = {"model": "resnet18", "weights": "random", "layer": "layer1.0.relu", "with_sample": "same"}
    compare(page, server, **view, with_layer="layer1.0.relu", with_call="2")
    facts = comparison_facts(page)
    assert (facts["left"]["call"], facts["right"]["call"]) == (0, 1)
    assert facts["difference"]["statistics"]["minimum"] < 0 < facts["difference"]["statistics"]["maximum"]
    expect_address(page, with_call="2")
    choose_other(page, "with_call", "call 1")
    expect(page.locator('[data-side="difference"]')).to_contain_text("no cell differs")
    expect_calm(page)


def test_a_link_restores_the_comparison(visitor: Callable[..., Page], server: str) -> None:
    """Both sides and the address are the same again; anything that does not exist gets one sentence."""
    page = visitor()
    view = {
        "model": "lenet",
        "weights": "pretrained",
        "layer": "conv2",
        "view": "compare",
        "with_sample": "coffee",
        "with_weights": "random",
        "with_layer": "relu2",
        "with_order": "mean",
        "sample": "rocket",
    }
    arrive(page, server, **view)
    side(page, "left", "conv2").wait_for()
    side(page, "right", "relu2").wait_for()
    settle(page)
    assert address(page) == view
    assert chosen_other(page, "with_sample") == "A cup of coffee"
    expect(page.locator('[data-side="right"] figcaption')).to_contain_text("untrained")
    expect(page.locator(".lg-note")).to_contain_text("need not mean the same")
    expect_calm(page)
    go(page, server, **view | {"with_layer": "conv9"})
    side(page, "left", "conv2").wait_for()
    expect(notices_of_other(page)).to_have_count(1)
    expect(notices_of_other(page)).to_contain_text("with_layer=conv9, which does not exist")
    expect_more(notices_of_other(page), "address#the-look")
    notices_of_other(page).evaluate("each => { each.isFirst = true; }")
    press(page, "ArrowDown")
    page.wait_for_url("**channel=**")
    settle(page)
    assert notices_of_other(page).evaluate("each => each.isFirst")


def test_the_other_side_is_kept_while_another_view_is_on_screen(page: Page, server: str) -> None:
    """It is part of the look, and so is the order of channels; nobody's script runs."""
    compare(page, server, model="lenet", layer="conv1", with_sample="brick", with_order="index")
    runs = page.evaluate("document.documentElement.dataset.scriptRuns")
    page.locator("[data-part=view] [data-value=layer]").click()
    page.locator('.lg-viewer img[data-layer="conv1"]').wait_for()
    page.locator("[data-part=view] [data-value=compare]").click()
    side(page, "right").wait_for()
    settle(page)
    assert chosen_other(page, "with_sample") == "A brick wall, greyscale"
    expect_address(page, with_order="index")
    assert page.evaluate("document.documentElement.dataset.scriptRuns") == runs


def test_whatever_is_chosen_of_the_other_side_costs_no_script_run(page: Page, server: str) -> None:
    """Picture, model, weights, layer: the address says each, and Back is not needed to undo them."""
    compare(page, server, model="lenet", layer="conv1")
    runs = page.evaluate("document.documentElement.dataset.scriptRuns")
    choose_other(page, "with_sample", "A cup of coffee")
    expect(page.locator('[data-side="right"] figcaption')).to_contain_text("A cup of coffee")
    choose_other(page, "with_weights", "untrained")
    expect(page.locator('[data-side="right"] figcaption')).to_contain_text("untrained")
    choose_other(page, "with_layer", "conv2")
    side(page, "right", "conv2").wait_for()
    choose_other(page, "with_model", "photonet")
    side(page, "right", "stem.conv").wait_for()
    settle(page)
    page.wait_for_url("**with_model=photonet**")
    said = address(page)
    assert (said["with_sample"], said["with_weights"], said["with_model"]) == ("coffee", "random", "photonet")
    assert "with_layer" not in said
    page.locator(".lg-compare").focus()
    page.keyboard.press("Control+z")
    side(page, "right", "conv2").wait_for()
    settle(page)
    page.wait_for_url("**with_layer=conv2**")
    assert page.evaluate("document.documentElement.dataset.scriptRuns") == runs
    expect_calm(page)


def test_a_bad_file_for_the_other_side_changes_nothing(visitor: Callable[..., Page], server: str) -> None:
    """One sentence; the other picture stays."""
    page = visitor()
    compare(page, server, model="lenet", layer="conv1", with_sample="coffee")
    upload(page, "bad.png", b"not a picture", "image/png", "other_upload")
    expect_one_sentence(page, "stays")
    settle(page)
    expect(page.locator('[data-side="right"] figcaption')).to_contain_text("A cup of coffee")


def test_a_picture_that_is_brought_again_stands_on_the_other_side_again(two_photos: Page) -> None:
    """The first side's, which the visit holds already, and then the one before it."""
    for seed in (51, 52):
        upload(two_photos, f"{seed}.png", png(photo(seed)), "image/png", "other_upload")
        expect_address(two_photos, with_sample=own_name(photograph(photo(seed))))
        settle(two_photos)
        same = "no cell differs" if seed == 51 else " to "
        expect(two_photos.locator('[data-side="difference"] figcaption')).to_contain_text(same)
    expect_calm(two_photos)


def test_the_chosen_channel_is_framed_on_every_side(two_photos: Page) -> None:
    """The frame is as large as a tile of the mosaic that it lies on."""
    press(two_photos, "ArrowDown")
    for name in ("left", "right", "difference"):
        mosaic = side(two_photos, name).bounding_box()
        frame = two_photos.locator(f'[data-side="{name}"] .lg-selected').bounding_box()
        assert mosaic is not None
        assert frame is not None
        assert mosaic["width"] / 4 < frame["width"] < mosaic["width"]
        assert mosaic["x"] - 1 <= frame["x"] < mosaic["x"] + mosaic["width"]
