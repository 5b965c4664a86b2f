"""The view of hooks: events against hooks by hand, maps against plain functions, memory against a count."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from playwright.sync_api import Locator, Page, expect
from safetensors.torch import load_file
from torch import nn
from torch.nn import functional

import models
from tests.browser.oracle import WEIGHTS, assert_mosaic_shows, lenet_outputs
from tests.browser.steps import (
    address,
    arrive,
    choose_in_tree,
    expect_calm,
    expect_one_sentence,
    go,
    pixels,
    settle,
)
from tests.browser.typefaces import EVERY_TYPEFACE
from viz.pictures.samples import sample

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.looks]

CAT = 3
VIEW = {"model": "lenet", "layer": "conv2", "view": "hooks", "target": str(CAT)}
Fired = list[tuple[str, str]]


def fired_by_hand() -> Fired:
    """Every hook of LeNet for the sample as (kind, layer), recorded by plain torch hooks."""
    net, log = models.load("lenet").eval(), []

    def listen(name: str, layer: nn.Module) -> None:
        def forward(_: object, __: object, output: torch.Tensor) -> None:
            log.append(("forward hook", name))
            output.register_hook(lambda _: log.append(("tensor hook", name)))

        layer.register_forward_pre_hook(lambda *_: log.append(("pre-hook", name)))
        layer.register_forward_hook(forward)
        layer.register_full_backward_pre_hook(lambda *_: log.append(("full backward pre-hook", name)))
        layer.register_full_backward_hook(lambda *_: log.append(("full backward hook", name)))

    for name, layer in net.named_children():
        listen(name, layer)
    picture = models.describe("lenet").preprocessing(sample("cat")).requires_grad_()
    net(picture)[0, CAT].backward()
    return log


def gradient_into_conv2() -> np.ndarray:
    """The gradient of the class score at the second convolution's input, (6, 14, 14), by plain functions."""
    weights = load_file(WEIGHTS / "lenet.safetensors")
    flow = given = torch.from_numpy(lenet_outputs(sample("cat"))["pool1"])[None].requires_grad_()
    flow = functional.relu(functional.conv2d(flow, weights["conv2.weight"], weights["conv2.bias"]))
    flow = functional.max_pool2d(flow, 2).flatten(1)
    for name in ("fc1", "fc2", "fc3"):
        flow = functional.linear(flow, weights[f"{name}.weight"], weights[f"{name}.bias"])
        flow = flow if name == "fc3" else functional.relu(flow)
    (gradient,) = torch.autograd.grad(flow[0, CAT], given)
    return gradient[0].numpy()


def open_hooks(page: Page, server: str, **view: str) -> Locator:
    """Open the view, and wait for its events and for the maps of the first step."""
    go(page, server, **(VIEW | view))
    page.locator(".lg-events [aria-current]").wait_for()
    step_maps(page, view.get("layer", "conv2")).wait_for()
    return page.locator(".lg-events button")


def step_maps(page: Page, layer: str, title: str = "") -> Locator:
    """The maps beside the current step."""
    named = f'[alt^="{title}"]' if title else ""
    return page.locator(f'.lg-event-maps img[data-layer="{layer}"]{named}')


def assert_shows(image: Locator, expected: np.ndarray) -> None:
    """The picture is that of these maps."""
    facts = image.evaluate(
        "async (image) => (await fetch(image.dataset.address.replace('.png', '.json'))).json()"
    )
    assert_mosaic_shows(pixels(image), expected, facts)


def test_hooks_fire_in_the_order_of_hooks_by_hand(page: Page, server: str) -> None:
    """We compare kind and layer of all sixty events, forward and backward."""
    events = open_hooks(page, server)
    found = [tuple(button.split("\n")) for button in events.all_inner_texts()]
    assert found == fired_by_hand()
    expect(page.locator(".lg-hooks-count")).to_have_text("8 of 60")
    expect(page.locator(".lg-event h3")).to_have_text("forward hook conv2")
    expect_calm(page)


def test_the_maps_are_those_of_the_step(page: Page, server: str) -> None:
    """Forward through the arrow keys, backward by a click: output, input, and the gradient at the input."""
    events = open_hooks(page, server)
    outputs = lenet_outputs(sample("cat"))
    image = step_maps(page, "conv2", "What conv2 returned")
    image.wait_for()
    assert_shows(image, outputs["conv2"])
    page.keyboard.press("ArrowLeft")
    image = step_maps(page, "conv2", "What goes into conv2")
    image.wait_for()
    assert_shows(image, outputs["pool1"])
    events.filter(has_text="full backward hook").filter(has_text="conv2").click()
    image = step_maps(page, "conv2", "Gradient at the input of conv2")
    image.wait_for()
    assert_shows(image, gradient_into_conv2())
    expect(page.locator(".lg-event dd")).to_have_text(["(1, 16, 10, 10)", "(1, 6, 14, 14)"])


def test_buttons_and_keys_step_from_end_to_end(page: Page, server: str) -> None:
    """The first step has nothing before it, the last nothing behind it."""
    open_hooks(page, server)
    page.keyboard.press("Home")
    expect(page.locator(".lg-hooks-count")).to_have_text("1 of 60")
    expect(page.locator(".lg-hooks-previous")).to_be_disabled()
    page.locator(".lg-hooks-next").click()
    expect(page.locator(".lg-hooks-count")).to_have_text("2 of 60")
    page.keyboard.press("End")
    expect(page.locator(".lg-hooks-count")).to_have_text("60 of 60")
    expect(page.locator(".lg-hooks-next")).to_be_disabled()
    expect(page.locator(".lg-events [aria-current]")).to_contain_text("full backward hook")


def test_a_link_leads_to_the_step_where_the_visitor_rests(
    visitor: Callable[..., Page], page: Page, server: str
) -> None:
    """The first step is not in the address; another layer begins at its own step."""
    open_hooks(page, server)
    assert "step" not in address(page)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.wait_for_url("**step=11**")
    other = visitor()
    other.goto(page.url)
    expect(other.locator(".lg-hooks-count")).to_have_text("11 of 60")
    choose_in_tree(page, "pool2")
    page.wait_for_url(lambda url: "layer=pool2" in url and "step" not in url)
    expect(page.locator(".lg-event h3")).to_have_text("forward hook pool2")


def test_of_a_step_too_far_the_last_is_shown_and_said(visitor: Callable[..., Page], server: str) -> None:
    """The sentence stays until the visitor moves on; other sentences about the address stay too."""
    page = visitor()
    arrive(page, server, **VIEW, step="999999", order="best")
    expect(page.locator(".lg-hooks-count")).to_have_text("60 of 60")
    note = page.locator(".lg-hooks-note")
    expect(note).to_contain_text("step=999999, which does not exist. Showing 60.")
    page.wait_for_timeout(1500)  # whatever the browser tells the page by itself, it has told
    expect_one_sentence(page, "order=best")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".lg-hooks-count")).to_have_text("59 of 60")
    expect(note).not_to_contain_text("step=999999")
    page.wait_for_url("**step=59**")


def test_a_layer_from_the_tree_or_from_the_timeline_is_the_pages_layer(page: Page, server: str) -> None:
    """The view stays, the address follows, and the other views show the same layer."""
    events = open_hooks(page, server)
    choose_in_tree(page, "pool2")
    page.wait_for_url("**layer=pool2**")
    step_maps(page, "pool2").wait_for()
    events.filter(has_text="pre-hook").filter(has_text="fc1").first.click()
    page.locator(".lg-hooks-choose").click()
    page.wait_for_url("**layer=fc1**")
    settle(page)
    assert (address(page)["view"], address(page)["target"]) == ("hooks", str(CAT))
    page.locator("[data-part=view]").get_by_text("One layer").click()
    page.locator('.lg-stage img[data-layer="fc1"]').wait_for()
    expect_calm(page)


def test_memory_says_what_an_in_place_layer_left(page: Page, server: str) -> None:
    """ResNet-18's first batch norm: every negative value is zero for who kept no copy, from the ReLU on."""
    open_hooks(page, server, model="resnet18", weights="random", layer="bn1")
    share, memory = share_of_negative_values(), page.locator(".lg-memory")
    ways = memory.locator("figure")
    expect(ways).to_have_count(2)
    expect(ways.first.locator(".lg-way")).to_have_text(["output.clone()"])
    expect(ways.last.locator(".lg-way")).to_have_text(["output", "output.detach()", "output.cpu()"])
    expect(memory.locator(".lg-memory-verdict")).to_contain_text("As the hook saw it")
    at_hook, now = (pixels(image) for image in ways.locator("img").all())
    assert np.array_equal(at_hook, now)
    memory.get_by_role("button", name="See it happen").click()
    expect(page.locator(".lg-event h3")).to_have_text("forward hook relu")
    expect(memory.locator(".lg-memory-verdict")).to_contain_text(
        f"Written over 1× by now: {share} of its values have changed."
    )
    expect(memory.locator(".lg-memory-end")).to_contain_text(f"1× into this memory: {share} of its values")
    expect(ways.last).to_contain_text(f"{share} of its values are wrong")
    expect(ways.first).to_contain_text("A copy of 3.21 MB")
    then, after = (pixels(image) for image in ways.locator("img").all())
    assert np.array_equal(then, at_hook)
    assert not np.array_equal(after, at_hook)
    expect(page.locator(".lg-written")).to_contain_text("whose memory is written to after their hook: ")
    page.locator(".lg-written button", has_text="layer1.0.bn1").click()
    page.wait_for_url("**layer=layer1.0.bn1**")


def share_of_negative_values() -> str:
    """The share in ResNet-18's first batch norm for the sample, in per cent with three digits."""
    net = models.load("resnet18", "random").eval()
    with torch.no_grad():
        normed = net.bn1(net.conv1(models.describe("resnet18").preprocessing(sample("cat"))))
    return f"{100 * float((normed < 0).double().mean()):.3g} %"


def test_memory_that_nobody_wrote_to_is_called_so(page: Page, server: str) -> None:
    """LeNet's ReLU writes to memory of its own."""
    open_hooks(page, server)
    expect(page.locator(".lg-memory-end")).to_contain_text("Nothing wrote into this memory")
    expect(page.locator(".lg-memory").get_by_role("button", name="See it happen")).to_have_count(0)
    expect(page.locator(".lg-memory")).to_contain_text("No layer of this model is written to after its hook")


@pytest.mark.chromium("finger")
@EVERY_TYPEFACE
def test_hooks_fit_a_phone_and_speak_chinese(visitor: Callable[..., Page], server: str) -> None:
    """Nothing is wider than the screen, every view can be chosen."""
    page = visitor(viewport={"width": 375, "height": 800}, is_mobile=True, has_touch=True)
    open_hooks(page, server, lang="zh")
    expect(page.locator(".lg-hooks h2").first).to_have_text("一次传播的时间线")
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 375
    for view in page.locator("[data-part=view] [role=radio]").all():
        view.scroll_into_view_if_needed()
        box = view.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 375
        view.tap()
        expect(view).to_have_attribute("aria-checked", "true")


def test_the_view_goes_back_to_the_maps_as_they_were(page: Page, server: str) -> None:
    """From one layer to hooks and back: layer and colours are the same."""
    go(page, server, model="lenet", layer="relu2", colormap="magma")
    page.locator("[data-part=view]").get_by_text("Hooks").click()
    step_maps(page, "relu2").wait_for()
    page.locator("[data-part=view]").get_by_text("One layer").click()
    page.locator('.lg-stage img[data-layer="relu2"]').wait_for()
    settle(page)
    assert (address(page)["layer"], address(page)["colormap"]) == ("relu2", "magma")
    expect_calm(page)
