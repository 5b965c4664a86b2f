"""Attention of a patch, and signals above their maps, on the real page."""

import numpy as np
import pytest
import torch
from playwright.sync_api import Page, expect

import models
from tests.browser.steps import decoded, facts, go, maps, visit
from tests.browser.typefaces import EVERY_TYPEFACE
from tests.browser.waiting import until
from viz import LayerActivations
from viz.pictures.samples import sample

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LAYER = "blocks.1.attention.softmax"
PATCHES = ".lg-attention canvas"
SIDE = 8  # patches in a row


def attention_of(token: int) -> np.ndarray:
    """Return each head's attention to the patches for one token, (heads, 8, 8), by our own hook on a copy."""
    seen: list[torch.Tensor] = []
    net = models.load("patchformer")
    net.get_submodule(LAYER).register_forward_hook(lambda _, __, output: seen.append(output))
    with torch.inference_mode():
        net(models.describe("patchformer").preprocessing(sample("cat")))
    return seen[0][0, :, token, 1:].reshape(-1, SIDE, SIDE).numpy()


def test_a_clicked_patch_shows_where_it_looks(page: Page, server: str) -> None:
    """The brightest patch of every head is the one that the patch attends to most; keys choose the next."""
    visit(page, server, model="patchformer", layer=LAYER, channel="0")
    page.get_by_role("button", name="Where does a patch look?").click()
    canvas = page.locator(PATCHES)
    expect(canvas).to_be_visible()
    box = canvas.evaluate("canvas => [canvas.clientWidth, canvas.clientHeight]")
    canvas.click(position={"x": box[0] * 5.5 / SIDE, "y": box[1] * 2.5 / SIDE})
    expect(page.locator(".lg-attention figcaption")).to_contain_text("row 2, column 5")
    assert_shows(page, 1 + 2 * SIDE + 5)
    page.keyboard.press("ArrowDown")
    expect(page.locator(".lg-attention figcaption")).to_contain_text("row 3, column 5")
    assert_shows(page, 1 + 3 * SIDE + 5)


def test_a_table_of_tokens_cannot_be_laid_over_the_picture(page: Page, server: str) -> None:
    """Neither as attention, nor as maps; the tokens that come out of the block, which are patches, can."""
    slider = page.locator(".lg-overlay:visible input")
    for kind in ("attention", "maps"):
        go(page, server, model="patchformer", layer=LAYER, channel="0", kind=kind)
        until(
            page,
            "kind => document.querySelector('.lg-maps').dataset.address.includes(`kind=${kind}`)",
            arg=kind,
        )
        expect(page.locator(".lg-large")).to_be_visible()
        assert facts(page)["kind"] == kind
        expect(slider).to_have_count(0)
        expect(page.locator(".lg-photo")).to_be_hidden()
    go(page, server, model="patchformer", layer="blocks.1", channel="0")
    expect(slider).to_have_count(1)


@EVERY_TYPEFACE
def test_a_signal_stands_above_its_maps(page: Page, server: str) -> None:
    """Both share an axis; the low picture is stretched to be seen, and a click still finds its channel."""
    visit(page, server, model="signalnet", layer="features.0", sample="chirp")
    signal, drawn = page.locator(".lg-signal"), maps(page)
    expect(signal).to_be_visible()
    above, below = signal.bounding_box(), drawn.bounding_box()
    assert above is not None
    assert below is not None
    assert (above["x"], above["width"]) == (below["x"], below["width"])
    assert above["y"] + above["height"] <= below["y"]
    assert below["height"] > 100
    drawn.click(position={"x": below["width"] / 2, "y": below["height"] - 3})
    expect(page.locator(".lg-channel-title")).to_have_text("channel 0")
    go(page, server, model="lenet", layer="conv1")
    expect(signal).to_have_count(0)


def test_the_waveforms_are_told_apart() -> None:
    """Each sample that is a waveform has the name by which signalnet calls it."""
    card, layers = models.describe("signalnet"), LayerActivations(models.load("signalnet"))
    for name in ("sine", "square", "sawtooth", "triangle", "chirp", "noise"):
        scores = layers.run(card.preprocessing(sample(name)))
        assert card.classes[int(scores.argmax())] == name


def assert_shows(page: Page, token: int) -> None:
    """Every head has this maximum, and the canvas shows the map of the first head."""
    expected = attention_of(token)
    about = facts(page)
    assert (about["kind"], about["index"]) == ("attention-query", token)
    np.testing.assert_allclose(about["channels"]["maximum"], expected.max((1, 2)), rtol=1e-4)
    shown = decoded(page.locator(PATCHES).evaluate("canvas => canvas.toDataURL()").split(",")[1])
    mosaic = decoded(maps(page).evaluate(TILE))
    assert np.array_equal(shown, mosaic)


TILE = f"""image => {{
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = {SIDE};
    canvas.getContext("2d").drawImage(image, 0, 0, {SIDE}, {SIDE}, 0, 0, {SIDE}, {SIDE});
    return canvas.toDataURL().split(",")[1];
}}"""
