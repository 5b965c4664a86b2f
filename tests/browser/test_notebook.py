"""The page of one subject in a notebook's cell: a page in Chromium does what a notebook does."""

import base64
import time
from collections.abc import Callable
from queue import Queue
from typing import Any

import numpy as np
import pytest
import torch
from playwright.sync_api import FrameLocator, Page, expect

import layerglass as lg
import models
from tests.browser.waiting import PATIENCE
from tests.machine import patience
from tests.models_here import models_here
from tests.viz.notebook.test_look import by_hook
from viz.notebook.answering import answer
from viz.pictures.samples import sample

__all__ = ["models_here"]

pytestmark = [pytest.mark.browser]

# What JupyterLab does for a widget: its module, its traits, and the messages of its comm.
NOTEBOOK = """<!doctype html><title>notebook</title>
<body style="color: COLOUR"><div id="cell"></div><script type="module">
const source = new Blob([await widgetModule()], { type: "text/javascript" });
const { default: widget } = await import(URL.createObjectURL(source));
const traits = await widgetTraits(), hearing = {};
const model = {
    get: (name) => traits[name],
    set: (name, value) => { traits[name] = value; },
    async save_changes() {
        for (const look of await widgetSaved(traits.look)) chosenInPython(look);
    },
    on: (event, act) => (hearing[event] ??= []).push(act),
    off: () => {},
    async send(content) {
        await globalThis.kernel; // while a cell runs, a kernel answers nothing
        const { status, kind, body } = await widgetAsked(content);
        const bytes = Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0));
        const told = { view: content.view, answered: content.asked, status, kind };
        for (const act of hearing["msg:custom"] ?? []) act(told, [new DataView(bytes.buffer)]);
    },
};
window.chosenInPython = (look) => {
    traits.look = look;
    for (const act of hearing["change:look"] ?? []) act();
};
widget.render({ model, el: document.querySelector("#cell") });
</script>"""
AT = "http://notebook.invalid/"  # no such host: what is not answered below fails
PIXELS = """async image => {
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const canvas = new OffscreenCanvas(width, height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    return [...canvas.getImageData(0, 0, width, height).data];
}"""


class Cell:
    """A cell's output on a notebook's page, and what the page asked its kernel for."""

    def __init__(self, page: Page, view: lg.LookView, *, silent: bool = False, colour: str = "black") -> None:
        self.page, self.view = page, view
        self.asked: list[str] = []
        self.sent_back: list[str] = []
        self._answers: Queue[tuple[dict[str, Any], list[bytes]]] = Queue()
        view.send = lambda content, buffers: self._answers.put((content, buffers))
        view.comm.send = self._told
        self.hosts: list[str] = []
        page.on("request", lambda request: self.hosts.append(request.url))
        page.expose_function("widgetModule", lambda: view._esm)
        traits = ("_subject", "_still", "look")
        page.expose_function("widgetTraits", lambda: {name: getattr(view, name) for name in traits})
        page.expose_function("widgetSaved", self._save)
        page.expose_function("widgetAsked", self._answer)
        if silent:
            page.add_init_script("window.kernel = new Promise((free) => { window.freeKernel = free; });")
        page.route(
            AT, lambda route: route.fulfill(body=NOTEBOOK.replace("COLOUR", colour), content_type="text/html")
        )
        page.goto(AT)

    @property
    def frame(self) -> FrameLocator:
        """The frame with the page."""
        return self.page.frame_locator("iframe[title=Layerglass]")

    def shows(self, layer: str) -> None:
        """Wait until the layer's maps are there."""
        self.frame.locator(f'.lg-viewer img[data-layer="{layer}"]').wait_for()

    def _answer(self, content: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(content.get("address", ""))
        self.view._asked(self.view, content, [])
        told, (body,) = self._answers.get(timeout=patience(PATIENCE))
        assert told.pop("answered") == content["asked"]
        return told | {"body": base64.b64encode(body).decode()}

    def _save(self, look: str) -> list[str]:
        """Take a trait as a kernel does; return what it sends back."""
        self.sent_back.clear()
        self.view.set_state({"look": look})
        return list(self.sent_back)

    def _told(self, data: dict[str, Any], **_: object) -> None:
        if data["method"] == "update" and "look" in data["state"]:
            self.sent_back.append(data["state"]["look"])


@pytest.fixture
def view() -> lg.LookView:
    """A look at a small net of ten classes, handed over as a notebook does."""
    card, net = models.describe("photonet"), models.load("photonet")
    return lg.look(net, sample("cat"), classes=card.classes, preprocessing=card.preprocessing)


def test_a_cell_shows_the_page_and_asks_nobody_but_its_kernel(page: Page, view: lg.LookView) -> None:
    """The picture's prediction, the maps with the very pixels of the answer, and the tree."""
    cell = Cell(page, view)
    cell.shows("stem.conv")
    expect(cell.frame.locator(".lg-seen ol li").first).to_contain_text("cat")
    expect(cell.frame.locator(".lg-tree")).to_contain_text("stage3")
    shown = cell.frame.locator('.lg-viewer img[data-layer="stem.conv"]').evaluate(PIXELS)
    address = [each for each in cell.asked if "/layer.png" in each and "layer=stem.conv" in each][-1]
    png = base64.b64encode(answer(address).result().body).decode()
    fresh = f"source => ({PIXELS})(Object.assign(new Image(), {{ src: source }}))"
    assert shown == page.evaluate(fresh, f"data:image/png;base64,{png}")
    assert {each.split(":")[0] for each in cell.hosts if each != AT} <= {"blob", "data", "about"}


def test_what_is_chosen_on_the_page_is_chosen_in_python(page: Page, view: lg.LookView) -> None:
    """A click in the tree, a channel, another view; and the numbers are those of a plain hook."""
    cell = Cell(page, view)
    cell.shows("stem.conv")
    cell.frame.locator(".lg-tree li").nth(3).click()
    cell.shows("stem.relu")
    until_so(page, lambda: view.layer == "stem.relu")
    net, card = models.load("photonet"), models.describe("photonet")
    np.testing.assert_allclose(
        view.values, by_hook(net, "stem.relu", card.preprocessing(sample("cat").convert("RGB"))), atol=1e-5
    )
    cell.frame.locator('.lg-switch [data-value="layers"]').click()
    until_so(page, lambda: "view=layers" in view.look)


def test_a_choice_on_the_page_is_not_sent_back_to_it(page: Page, view: lg.LookView) -> None:
    """Another layer has no channel chosen: neither side says for a moment that it has the last one's."""
    view.channel = 2
    cell = Cell(page, view)
    cell.shows("stem.conv")
    cell.frame.locator(".lg-tree li").nth(3).click()
    until_so(page, lambda: view.layer == "stem.relu")
    assert view.channel is None
    assert cell.sent_back == []


def test_what_is_chosen_in_python_is_on_the_page(page: Page, view: lg.LookView) -> None:
    """The layer and the channel, without a new cell."""
    cell = Cell(page, view)
    cell.shows("stem.conv")
    view.layer, view.channel = "stage1", 2
    page.evaluate("look => chosenInPython(look)", view.look)
    cell.shows("stage1")
    expect(cell.frame.locator(".lg-panel")).to_contain_text("channel 2")


@pytest.mark.parametrize(
    ("colour", "scheme"), [("oklch(0.2 0.01 240)", "light"), ("rgb(230, 237, 242)", "dark")]
)
def test_the_frame_is_as_dark_as_its_notebook(
    page: Page, view: lg.LookView, colour: str, scheme: str
) -> None:
    """However the notebook's style writes the colour of its text."""
    cell = Cell(page, view, colour=colour)
    cell.shows("stem.conv")
    expect(cell.frame.locator("html")).to_have_css("color-scheme", scheme)


def test_a_model_in_training_mode_is_shown_in_it(page: Page) -> None:
    """The page says so, and its picture is that of the values."""
    net = models.load("photonet").train()
    cell = Cell(page, view := lg.look(net, torch.rand(1, 3, 64, 64), layer="stem.bn"))
    cell.shows("stem.bn")
    expect(cell.frame.locator(".lg-viewer")).to_contain_text("training mode")
    bias = net.get_parameter(
        "stem.bn.bias"
    ).numpy()  # the mean to which a norm in training mode brings a channel
    np.testing.assert_allclose(view.values.mean((1, 2)), bias, atol=1e-4)
    assert all("training=0" in each for each in cell.asked if "/layer.png" in each)


def test_two_models_are_beside_each_other_in_a_cell(page: Page) -> None:
    """The cell opens on both sides and their difference; the box names the other model."""
    nets = [models.load("photonet"), models.load("photonet", "random")]
    card = models.describe("photonet")
    view = lg.look(nets[0], sample("cat"), against=nets[1], preprocessing=card.preprocessing)
    cell = Cell(page, view)
    for side in ("left", "right", "difference"):
        cell.frame.locator(f'.lg-compare [data-side="{side}"] img.lg-maps[data-layer="stem.conv"]').wait_for()
    expect(cell.frame.locator(".lg-compare")).to_contain_text(view._names[1])


def test_every_view_and_the_files_to_take_home_are_answered(page: Page, view: lg.LookView) -> None:
    """No view says that something failed, and a download is a file."""
    cell = Cell(page, view)
    cell.shows("stem.conv")
    for name, drawn in {
        "layers": ".lg-overview img",
        "gradients": ".lg-gradients img[data-layer]",
        "hooks": ".lg-event-maps img[data-layer]",
        "compare": '.lg-compare [data-side="difference"] img.lg-maps[data-layer]',
        "layer": ".lg-viewer img[data-layer]",
    }.items():
        cell.frame.locator(f'.lg-switch [data-value="{name}"]').click()
        cell.frame.locator(drawn).first.wait_for()
    cell.frame.locator(".lg-downloads summary").click()
    with page.expect_download() as coming:
        cell.frame.locator(".lg-downloads a", has_text="NPZ").first.click()
    found = np.load(coming.value.path())
    assert any(np.array_equal(np.squeeze(found[name]), view.values) for name in found.files)


def test_a_notebook_without_its_kernel_shows_what_was_looked_at(page: Page, view: lg.LookView) -> None:
    """After a while, the layer's maps as they were; the page is back once the kernel is."""
    until_so(page, lambda: bool(view._still))
    page.clock.install()
    cell = Cell(page, view, silent=True)
    page.locator("iframe").wait_for()
    page.clock.run_for(20_000)
    kept = page.locator("img[alt^='Feature maps']")
    expect(kept).to_be_visible()
    expect(page.locator("iframe")).to_be_hidden()
    page.evaluate("freeKernel()")
    cell.shows("stem.conv")
    expect(kept).to_be_hidden()


def until_so(page: Page, is_so: Callable[[], bool]) -> None:
    """Wait until something is so in Python, while the page goes on."""
    deadline = time.monotonic() + patience(PATIENCE)
    while not is_so():
        assert time.monotonic() < deadline
        page.wait_for_timeout(100)
