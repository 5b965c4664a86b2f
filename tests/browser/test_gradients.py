"""The view of gradients: every pixel against autograd on plain functions, and the picture that follows."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from PIL import Image
from playwright.sync_api import Locator, Page, expect
from safetensors.torch import load_file
from torch.nn import functional
from torchvision import transforms

from tests.browser.engine import allow
from tests.browser.oracle import CIFAR10, WEIGHTS, assert_mosaic_shows
from tests.browser.pictures import photo, png
from tests.browser.steps import (
    address,
    arrive,
    choose,
    expect_address,
    expect_calm,
    facts,
    go,
    maps,
    pixels,
    press,
    settle,
    upload,
    visit,
)
from tests.browser.typefaces import EVERY_TYPEFACE
from tests.browser.waiting import HeldRequests
from viz.pictures.samples import sample

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.looks]

CAT, TRUCK = 3, 9
LIMIT = 0.01


def lenet_gradient(picture: Image.Image, target: int, limit: float | None = None) -> np.ndarray:
    """The gradient of LeNet's class score at its second convolution, (16, 10, 10).

    With a limit, the gradient at the ReLU after it is clamped to that limit.
    """
    steps = (transforms.Resize(32), transforms.CenterCrop(32), transforms.ToTensor())
    flow = transforms.Compose([*steps, transforms.Normalize(*CIFAR10)])(picture)[None]
    weights = load_file(WEIGHTS / "lenet.safetensors")
    flow = functional.conv2d(flow, weights["conv1.weight"], weights["conv1.bias"])
    flow = functional.max_pool2d(functional.relu(flow), 2)
    conv2 = functional.conv2d(flow, weights["conv2.weight"], weights["conv2.bias"]).requires_grad_()
    relu2 = functional.relu(conv2)
    if limit is not None:
        relu2.register_hook(lambda gradient: gradient.clamp(-limit, limit))
    flow = functional.max_pool2d(relu2, 2).flatten(1)
    for name in ("fc1", "fc2", "fc3"):
        flow = functional.linear(flow, weights[f"{name}.weight"], weights[f"{name}.bias"])
        flow = flow if name == "fc3" else functional.relu(flow)
    (gradient,) = torch.autograd.grad(flow[0, target], conv2)
    return gradient[0].numpy()


def gradient_maps(page: Page, layer: str) -> Locator:
    """The mosaic of a layer's gradient on screen."""
    return page.locator(f'.lg-stage img[alt^="Gradient maps of {layer}"][data-layer="{layer}"]')


def cam(page: Page, layer: str) -> Locator:
    """Grad-CAM of a layer over the photo."""
    return page.locator(f'.lg-attribution .lg-over[alt="Grad-CAM: {layer}"]')


def test_every_pixel_of_a_gradient_is_right_for_the_chosen_class(
    visitor: Callable[..., Page], server: str
) -> None:
    """An uploaded photo and a chosen class, against ``autograd.grad`` and matplotlib's colours."""
    page = visitor()
    arrive(page, server, model="lenet", layer="conv2", view="gradients", target=str(CAT))
    gradient_maps(page, "conv2").wait_for()
    upload(page, "own.png", png(photo(21)), "image/png")
    page.wait_for_url(lambda url: "sample" not in url)
    choose(page, "target", f"truck · {TRUCK}")
    expect(page.locator(".lg-note")).to_contain_text("gradient of class 'truck' (logit ")
    settle(page)
    page.wait_for_url(f"**target={TRUCK}**")
    expect_address(page, target=str(TRUCK))
    shown = facts(page)
    assert shown["vmin"] == -shown["vmax"]
    assert_mosaic_shows(pixels(gradient_maps(page, "conv2")), lenet_gradient(photo(21), TRUCK), shown)
    expect_calm(page)


def test_the_picture_follows_the_arrow_keys_if_it_is_of_the_layer_on_screen(page: Page, server: str) -> None:
    """Grad-CAM belongs to the layer on screen; if there is none, the reason is below the photo."""
    go(page, server, model="lenet", layer="conv2", view="gradients", target=str(CAT), at="layer")
    cam(page, "conv2").wait_for()
    assert pixels(cam(page, "conv2")).shape == (32, 32, 4)
    press(page, "ArrowRight")
    gradient_maps(page, "relu2").wait_for()
    cam(page, "relu2").wait_for()
    press(page, "ArrowRight", "ArrowRight", "ArrowRight")
    gradient_maps(page, "fc1").wait_for()
    expect(page.locator(".lg-attribution")).to_contain_text("fc1 has no Grad-CAM")
    page.wait_for_url("**layer=fc1**")
    assert (address(page)["view"], address(page)["target"]) == ("gradients", str(CAT))


def test_a_layer_without_support_for_the_class_says_so(page: Page, server: str) -> None:
    """All channels are removed: the ReLU behind lets neither values nor gradients through."""
    go(page, server, model="lenet", layer="conv2", view="gradients", edit="conv2:zero", at="layer")
    expect(page.locator(".lg-attribution")).to_contain_text("zero at all of these places")


def test_a_passing_refusal_is_not_remembered(visitor: Callable[..., Page], server: str) -> None:
    """The server refuses classes and Grad-CAM once; the next look at the layer has both."""
    page = visitor()
    said = {"error": "too many questions at once."}
    for question in ("classes.json", "attribution.json"):
        page.route(f"**/{question}*", lambda route: route.fulfill(status=429, json=said), times=1)
    with page.expect_response("**/later.js"):  # the view, which then asks at the same moment as the box
        visit(page, server, model="lenet", layer="conv2", at="layer")
    page.wait_for_load_state("networkidle")
    page.locator("[data-part=view] [data-value=gradients]").click()
    expect(page.locator(".lg-stage")).to_contain_text(said["error"])
    box = page.locator("[data-part=target]")
    expect(box).to_be_hidden()
    page.locator("[data-part=view] [data-value=hooks]").click()
    page.locator("[data-part=view] [data-value=gradients]").click()
    expect(box).to_be_visible()
    expect(page.locator(".lg-attribution")).to_contain_text(said["error"])
    press(page, "ArrowRight")
    cam(page, "relu2").wait_for()
    press(page, "ArrowLeft")
    cam(page, "conv2").wait_for()
    expect(page.locator(".lg-attribution")).not_to_contain_text(said["error"])


def test_classes_that_come_late_are_for_the_views_that_look_back(
    visitor: Callable[..., Page], server: str
) -> None:
    """Until the server has said them, the visitor has gone on to a view without a class."""
    page = visitor()
    held = HeldRequests(page, "**/classes.json*")
    visit(page, server, model="lenet", layer="conv2")
    page.locator("[data-part=view] [data-value=gradients]").click()
    page.wait_for_url("**view=gradients**")
    page.locator("[data-part=view] [data-value=layer]").click()
    maps(page, "conv2").wait_for()
    held.wait_for()
    with page.expect_response("**/classes.json*"):
        held.release()
    settle(page)
    expect(page.locator("[data-part=target]")).to_be_hidden()


@EVERY_TYPEFACE
def test_on_a_phone_the_picture_fills_the_width(visitor: Callable[..., Page], server: str) -> None:
    """However long the layer's name is, the page does not scroll sideways."""
    page = visitor(viewport={"width": 375, "height": 700})
    arrive(page, server, model="photonet", layer="stage1.1.conv1", view="gradients", at="layer")
    cam(page, "stage1.1.conv1").wait_for()
    box = cam(page, "stage1.1.conv1").bounding_box()
    assert box
    assert box["width"] > 300
    assert page.evaluate("document.documentElement.scrollWidth") == 375


def test_a_gradient_that_is_cut_off_changes_those_in_front_of_it(page: Page, server: str) -> None:
    """We edit a ReLU with the form, check each pixel one layer earlier against a tensor hook, and undo it."""
    go(page, server, model="lenet", layer="relu2", view="gradients", target=str(CAT), sample="cat")
    gradient_maps(page, "relu2").wait_for()
    expect(page.locator(".lg-remove")).to_have_text("Zero gradient")
    page.locator(".lg-edit summary").click()
    page.get_by_label("Edit", exact=True).select_option("clamp")
    page.get_by_label("amount", exact=True).fill(str(LIMIT))
    page.get_by_label("where", exact=True).select_option("layer")
    page.locator(".lg-apply").click()
    expect(page.locator(".lg-edits")).to_contain_text(f"gradient at relu2: whole layer cut off at ±{LIMIT}")
    settle(page)
    press(page, "ArrowLeft")
    gradient_maps(page, "conv2").wait_for()
    limited, plain = (lenet_gradient(sample("cat"), CAT, limit) for limit in (LIMIT, None))
    assert_mosaic_shows(pixels(gradient_maps(page, "conv2")), limited, facts(page))
    page.locator("[data-show=difference]").click()
    page.locator('.lg-maps[data-address*="show=difference"]').wait_for()
    np.testing.assert_allclose(facts(page)["channels"]["mean"], (limited - plain).mean((1, 2)), atol=1e-6)
    page.wait_for_url(lambda url: f"edit=relu2%3Agradient.clamp%3Aall%3A{LIMIT}" in url)
    page.locator(".lg-undo").click()
    expect(page.locator(".lg-edits")).to_be_hidden()
    gradient_maps(page, "conv2").wait_for()
    settle(page)
    assert_mosaic_shows(pixels(gradient_maps(page, "conv2")), plain, facts(page))


def test_what_a_layer_passes_back_to_its_input_can_be_changed(page: Page, server: str) -> None:
    """We edit the second convolution's input gradient; later layers stay, and the link has the edit."""
    go(page, server, model="lenet", layer="conv2", view="gradients", target=str(CAT), leaf="inputs[0]")
    page.locator('.lg-maps[data-layer="conv2"]').wait_for()
    plain = np.array(facts(page)["channels"]["mean"])
    expect(page.locator(".lg-remove")).to_have_text("Zero gradient")
    page.locator(".lg-edit summary").click()
    page.get_by_label("Edit", exact=True).select_option("scale")
    page.get_by_label("amount", exact=True).fill("-2")
    page.get_by_label("where", exact=True).select_option("layer")
    page.locator(".lg-apply").click()
    expect(page.locator(".lg-edits")).to_contain_text("gradient at the input of conv2: whole layer × −2")
    page.wait_for_url(lambda url: "edit=conv2%3Ainputs_gradient.scale%3Aall%3A-2" in url)
    settle(page)
    assert plain.any()
    np.testing.assert_allclose(facts(page)["channels"]["mean"], -2 * plain, rtol=1e-4)
    page.locator("[data-show=difference]").click()
    page.locator('.lg-maps[data-address*="show=difference"]').wait_for()
    np.testing.assert_allclose(facts(page)["channels"]["mean"], -3 * plain, rtol=1e-4)
    press(page, "Control+z")
    expect(page.locator(".lg-show [aria-pressed=true]")).to_have_attribute("data-show", "after")
    press(page, "Control+z")
    expect(page.locator(".lg-edits")).to_be_hidden()
    settle(page)
    np.testing.assert_allclose(facts(page)["channels"]["mean"], plain, rtol=1e-6)


def test_the_edit_of_a_gradient_is_in_the_copied_code_and_idle_where_values_are_shown(
    visitor: Callable[..., Page], server: str
) -> None:
    """The code has a tensor hook after the layer; in the view of one layer the edit is idle, and says so."""
    page = visitor()
    edit = "relu2:gradient.scale:all:0.5"
    arrive(page, server, model="lenet", layer="conv2", view="gradients", target=str(CAT), edit=edit)
    gradient_maps(page, "conv2").wait_for()
    allow(page, "clipboard-read", "clipboard-write")
    page.locator(".lg-code").click()
    expect(page.locator(".lg-code")).to_have_text("Copied")
    assert "register_hook(change)" in page.evaluate("() => navigator.clipboard.readText()")
    visit(page, server, model="lenet", layer="conv2", edit=edit)
    expect(page.locator(".lg-edits")).to_contain_text("acts on gradients only")
    expect(page.locator(".lg-show")).to_have_count(0)
    expect(page.locator(".lg-facts")).not_to_contain_text("edited")
