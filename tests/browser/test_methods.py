"""The methods of the view of gradients: each over the picture, with its own facts, settings and script."""

import re
from collections.abc import Callable

import numpy as np
import pytest
import torch
from playwright.sync_api import Locator, Page, expect

import models
from tests.browser.steps import address, choose, expect_address, expect_calm, go, pixels, press
from tests.browser.waiting import until
from viz.pictures.samples import sample

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.looks]

CAT = 3
LENET = {"model": "lenet", "sample": "cat", "view": "gradients", "target": str(CAT)}


def over(page: Page) -> Locator:
    """Return a method's layer over the picture, once all of it is known."""
    return page.locator('.lg-attribution .lg-over[data-done="true"]')


def test_each_method_says_what_it_answers_and_shows_it(page: Page, server: str) -> None:
    """One after the other: another picture, another sentence; the address says which, undo goes back."""
    go(page, server, **LENET)
    over(page).wait_for()
    said, shown = set(), set()
    methods = {
        "Saliency": "saliency",
        "Integrated gradients": "integrated-gradients",
        "Occlusion": "occlusion",
        "Layer conductance": "conductance",
    }
    for name, method in methods.items():
        choose(page, "method", name)
        page.locator(f'.lg-over[alt^="{name}"][data-done="true"]').wait_for()
        page.wait_for_url(f"**method={method}**")
        said.add(page.locator(".lg-method-said").inner_text())
        shown.add(over(page).get_attribute("src"))
    assert (len(said), len(shown)) == (4, 4)
    expect_calm(page)
    page.keyboard.press("Control+z")
    page.locator('.lg-over[alt="Occlusion"]').wait_for()
    page.wait_for_url("**method=occlusion**")


@pytest.mark.parametrize(
    ("box", "method"),
    [("method", "saliency"), ("at", "grad-cam"), ("lay", "grad-cam"), ("window", "occlusion")],
)
def test_the_keys_stay_in_a_box_that_a_choice_draws_anew(
    page: Page, server: str, box: str, method: str
) -> None:
    """The next arrow is for the box, not for the maps, if one goes from box to box with Tab."""
    go(page, server, **LENET, method=method, layer="conv2", window="8")
    over(page).wait_for()
    field = page.locator(f".lg-attribution select[data-part={box}]")
    before = field.input_value()
    field.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    expect(field).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(field).not_to_have_value(before)
    expect_address(page, layer="conv2", **{box: field.input_value()})
    over(page).wait_for()
    expect(field).to_be_focused()


def test_the_settings_stay_while_something_else_changes(page: Page, server: str) -> None:
    """Another strength asks for nothing, and the boxes of the method are still there."""
    go(page, server, **LENET, method="occlusion", window="16", stride="16")
    over(page).wait_for()
    window = page.locator("select[data-part=window]")
    expect(window).to_have_value("16")
    page.locator(".lg-method-foot input[type=range]").press("ArrowLeft")
    expect(page.locator(".lg-attribution")).to_have_attribute("style", re.compile("--strength"))
    until(page, "() => new URLSearchParams(location.search).get('strength') !== null")
    expect(window).to_have_value("16")


def test_an_occlusion_is_what_covering_the_picture_does(page: Page, server: str) -> None:
    """The score falls where the map is red, by plain PyTorch; the settings are in the address."""
    go(page, server, **LENET, method="occlusion", window="16", stride="16")
    over(page).wait_for()
    net, images = models.load("lenet"), models.describe("lenet").preprocessing(sample("cat"))
    falls = np.zeros((2, 2))
    with torch.no_grad():
        for row in range(2):
            for column in range(2):
                covered = images.clone()
                covered[..., 16 * row : 16 * row + 16, 16 * column : 16 * column + 16] = 0
                falls[row, column] = float(net(images)[0, CAT] - net(covered)[0, CAT])
    drawn = pixels(over(page)).astype(int)
    redder = (drawn[..., 0] > drawn[..., 2])[8::16, 8::16]
    opaque = drawn[..., 3][8::16, 8::16]
    loud = opaque > 20
    assert loud.any()
    np.testing.assert_array_equal(redder[loud], (falls > 0)[loud])
    assert opaque.reshape(-1)[np.abs(falls).argmax()] == opaque.max()
    expect(page.locator(".lg-method-facts")).to_contain_text("4 windows of 16 × 16 pixels, 16 apart")
    choose(page, "window", "8")
    page.wait_for_url("**window=8**")
    assert "stride" not in address(page)
    expect(page.locator(".lg-method-facts")).to_contain_text("49 windows of 8 × 8 pixels, 4 apart")


def test_integrated_gradients_say_how_far_they_are_from_adding_up(page: Page, server: str) -> None:
    """The sum is the rise of the score, but for the gap; more steps are asked for by the box."""
    go(page, server, **LENET, method="integrated-gradients", steps="10")
    expect(page.locator(".lg-method-facts")).to_contain_text("the score rises by")
    expect(page.locator(".lg-method-facts")).to_contain_text("gap")
    before = page.locator(".lg-method-facts").inner_text()
    choose(page, "steps", "100")
    page.wait_for_url("**steps=100**")
    expect(page.locator(".lg-method-facts")).not_to_have_text(before)
    over(page).wait_for()


def test_the_layer_is_the_last_with_maps_until_the_one_on_screen_is_chosen(page: Page, server: str) -> None:
    """Then the picture follows the keys."""
    go(page, server, **LENET, layer="conv1")
    page.locator('.lg-over[alt="Grad-CAM: relu2"]').wait_for()
    press(page, "ArrowRight")
    page.wait_for_url("**layer=relu1**")
    expect(page.locator(".lg-over")).to_have_attribute("alt", "Grad-CAM: relu2")
    choose(page, "at", "the one on screen")
    page.locator('.lg-over[alt="Grad-CAM: relu1"]').wait_for()
    page.wait_for_url("**at=layer**")


def test_attention_of_all_layers_is_one_map_and_a_net_without_it_says_so(page: Page, server: str) -> None:
    """The transformer that comes along, by plain hooks; a convolution's net offers another method."""
    go(
        page,
        server,
        model="patchformer",
        sample="cat",
        view="gradients",
        target=str(CAT),
        method="attention-rollout",
    )
    over(page).wait_for()
    net, images = models.load("patchformer"), models.describe("patchformer").preprocessing(sample("cat"))
    tables: list[torch.Tensor] = []
    for block in net.blocks:
        block.attention.softmax.register_forward_hook(lambda *args: tables.append(args[2]))
    with torch.no_grad():
        net(images)
    rows = torch.eye(65)
    for table in tables:
        rows = (table[0].mean(0) + torch.eye(65)) / 2 @ rows
    peak = f"{float(rows[0, 1:].max()):.4g}"
    expect(page.locator(".lg-method-facts")).to_have_text(f"8 × 8 places; {peak} at most.")
    choose(page, "method", "Attention relevance")
    page.wait_for_url("**method=attention-relevance**")
    page.locator('.lg-over[alt^="Attention relevance"][data-done="true"]').wait_for()
    go(page, server, **LENET, method="attention-rollout")
    expect(page.locator(".lg-method-problem")).to_contain_text("no attention among all places")


def test_a_long_method_shows_how_far_it_is_and_ends_with_the_visitors_interest(
    page: Page, server: str
) -> None:
    """A bar while it goes on; in another view, nothing more is asked."""
    asked: list[str] = []
    page.on(
        "request", lambda request: asked.append(request.url) if "attribution.json" in request.url else None
    )
    runs = {"method": "occlusion", "window": "16", "stride": "8"}  # of 224 pixels: longer than any test looks
    go(page, server, model="efficientnet_lite0", sample="coffee", view="gradients", **runs)
    page.locator(".lg-progress progress").wait_for()
    expect(page.locator(".lg-progress")).to_contain_text("of 729 runs")
    expect(page.locator(".lg-method-code")).to_be_disabled()
    page.locator("[data-part=view] [data-value=layer]").click()
    page.locator(".lg-stage img[data-layer]").first.wait_for()
    page.wait_for_timeout(1500)
    before = len(asked)
    page.wait_for_timeout(1500)
    assert len(asked) == before > 1


def test_the_copied_script_is_that_of_the_method_with_its_settings(
    visitor: Callable[..., Page], server: str
) -> None:
    """As the server writes it for this address; with edits in force, a sentence says why there is none."""
    page = visitor(permissions=["clipboard-read", "clipboard-write"])
    go(page, server, **LENET, method="integrated-gradients", steps="25")
    over(page).wait_for()
    page.locator(".lg-method-code").click()
    expect(page.locator(".lg-method-copied")).to_contain_text("on the clipboard")
    text = page.evaluate("navigator.clipboard.readText()")
    assert "leggauss(25)" in text
    assert text.startswith('"""Integrated gradients of class 3')
    go(page, server, **LENET, edit="conv1:zero:1")
    over(page).wait_for()
    page.locator(".lg-method-code").click()
    expect(page.locator(".lg-method-copied")).to_contain_text("in the model without edits")


def test_grad_cam_of_espresso_lies_on_the_cup_on_the_first_look(page: Page, server: str) -> None:
    """The default net, no layer chosen: the brightest pixel is inside the cup, and the picture is large."""
    go(page, server, model="efficientnet_lite0", sample="coffee", view="gradients")
    page.locator('.lg-over[alt="Grad-CAM: head.relu"]').wait_for()
    drawn = pixels(over(page))[..., :3].astype(int).sum(2)
    row, column = np.unravel_index(drawn.argmax(), drawn.shape)
    assert (drawn.shape, row < 182, 31 <= column < 182) == ((224, 224), True, True)
    box = over(page).bounding_box()
    assert box
    assert box["width"] > 300
    expect(page.locator(".lg-method-legend")).to_contain_text("counts most")
