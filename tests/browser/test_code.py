"""The view as code and as a link: what is copied runs in a fresh process, and makes the very same numbers."""

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from safetensors.numpy import load

from tests.browser.engine import allow
from tests.browser.pictures import jpeg, photo
from tests.browser.serving import ROOT
from tests.browser.steps import (
    arrive,
    drawing,
    expect_another_picture,
    facts,
    maps,
    pixels,
    press,
    settle,
    upload,
    visit,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ADDRESS = "() => location.href"
CLIPBOARD = "() => navigator.clipboard.readText()"
ONLY_IN_A_CLICK = """{
    let clicked = false;
    addEventListener("click", () => { clicked = true; }, true);
    addEventListener("click", () => { clicked = false; });
    const hold = (of, name) => {
        const real = of[name];
        of[name] = function (...given) {
            if (!clicked) throw new DOMException("Not in a click", "NotAllowedError");
            return real.apply(this, given);
        };
    };
    const { prototype } = globalThis.Clipboard ?? {}; // a first, empty page has none in Firefox
    if (prototype) for (const name of ["write", "writeText"]) hold(prototype, name);
    hold(Document.prototype, "execCommand");
}"""


def copied(page: Page, button: str) -> str:
    """The clipboard's text after a click on a button, once the page has confirmed it."""
    allow(page, "clipboard-read", "clipboard-write")
    page.locator(button).click()
    expect(page.locator(button)).to_have_text("Copied")
    return str(page.evaluate(CLIPBOARD))


def downloaded(page: Page, label: str) -> bytes:
    """A file from the list of downloads."""
    if not page.locator(".lg-downloads div").is_visible():
        page.locator(".lg-downloads summary").click()
    with page.expect_download() as waiting:
        page.locator(".lg-downloads div > *").filter(has_text=label).click()
    return Path(waiting.value.path()).read_bytes()


def made_by(script: str, picture: bytes, folder: Path) -> np.ndarray:
    """The array that a script makes of a picture, in a process and a folder of its own."""
    (folder / "picture.png").write_bytes(picture)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return np.load(folder / "values.npy")


def test_copied_code_makes_the_numbers_on_screen_bit_for_bit(page: Page, server: str, tmp_path: Path) -> None:
    """The code runs on an uploaded photo in a fresh process; safetensors and NPZ hold the same numbers."""
    visit(page, server, model="lenet", layer="conv2", scale="channel")
    before = drawing(page)
    upload(page, "own.jpg", jpeg(photo(51)))
    expect_another_picture(page, before)
    script = copied(page, ".lg-code")
    expect(page.locator(".lg-status")).to_contain_text("picture.png")
    made = made_by(script, downloaded(page, "picture.png"), tmp_path)
    with np.load(io.BytesIO(downloaded(page, "(NPZ)"))) as arrays:
        shown = arrays["output"]
    assert (made.shape, made.dtype, made.tobytes()) == (shown.shape, shown.dtype, shown.tobytes())
    assert load(downloaded(page, "(safetensors)"))["output"].tobytes() == shown.tobytes()
    assert downloaded(page, "as a script").decode() == script


def test_the_code_of_an_edited_view_changes_the_model_with_hooks_of_its_own(
    page: Page, server: str, tmp_path: Path
) -> None:
    """The code has one hook for each edit; we compare the edited values and the difference."""
    visit(
        page,
        server,
        model="lenet",
        layer="conv2",
        edit="conv1:zero:1;relu1:inputs.scale:0,2:0.5",
        sample="cat",
    )
    for show, shown in (
        ("after", ":not([data-address*=show])"),
        ("difference", "[data-address*='show=difference']"),
    ):
        page.locator(f".lg-show [data-show={show}]").click()
        page.locator(f".lg-maps[data-layer=conv2]{shown}").wait_for()
        script = copied(page, ".lg-code")
        hooks = ("conv1').register_forward_hook(edit_1)", "relu1').register_forward_pre_hook(edit_2)")
        assert [script.count(hook) for hook in hooks] == [1, 1]
        made = made_by(script, downloaded(page, "picture.png"), tmp_path)
        with np.load(io.BytesIO(downloaded(page, "(NPZ)"))) as arrays:
            assert made.tobytes() == arrays["output"].tobytes()
        expect(page.locator(".lg-code")).to_have_text("Copy as code")


def test_what_no_script_makes_is_refused_in_one_sentence(page: Page, server: str) -> None:
    """An operation's edit has none, so the clipboard stays as it is; without it, operation and layer have."""
    operation = "stage1.1.add › add"
    visit(page, server, model="photonet", layer=operation, edit="stage1.1.add%20%E2%80%BA%20add:zero:1")
    page.locator(".lg-code").click()
    expect(page.locator(".lg-status")).to_contain_text("no hook reaches an operation")
    expect(page.locator(".lg-code")).to_have_text("Copy as code")
    visit(page, server, model="photonet", layer=operation)
    assert "Keep(layer, ('add', 'iadd', 'radd'), 1)" in copied(page, ".lg-code")
    press(page, "ArrowRight")
    maps(page, "stage1.1.add").and_(page.locator("[data-layer='stage1.1.add']")).wait_for()
    settle(page)
    expect(page.locator(".lg-code")).to_have_text("Copy as code")  # no longer that the one before was copied
    assert "get_submodule('stage1.1.add')" in copied(page, ".lg-code")


def test_a_copied_link_restores_the_view_and_leaves_a_photo_out(page: Page, server: str) -> None:
    """The link is the page's address; for an uploaded photo, the page says that the link leaves it out."""
    visit(page, server, model="lenet", layer="conv2", channel="3", sample="coffee")
    assert copied(page, ".lg-link") == page.evaluate(ADDRESS)
    expect(page.locator(".lg-status")).to_contain_text("opens this view anywhere")
    before = drawing(page)
    upload(page, "own.jpg", jpeg(photo(52)))
    expect_another_picture(page, before)
    page.wait_for_url(lambda url: "sample" not in url)
    expect(page.locator(".lg-link")).to_have_text("Copy link")
    assert "sample" not in copied(page, ".lg-link")
    expect(page.locator(".lg-status")).to_contain_text("stays private")


def test_a_copied_link_says_how_the_layer_is_drawn(
    visitor: Callable[..., Page], page: Page, server: str
) -> None:
    """The link says which tensor, which layout, before or after edits; another layer gets the defaults."""
    visit(page, server, model="lenet", layer="conv2", edit="conv1:zero:1", sample="cat")
    page.locator(".lg-options select").first.select_option("inputs")
    page.locator('.lg-maps[data-address*="leaf=inputs"]').wait_for()
    page.locator(".lg-show [data-show=difference]").click()
    page.locator('.lg-maps[data-address*="show=difference"]').wait_for()
    link = copied(page, ".lg-link")
    other = visitor()
    other.goto(link)
    other.locator('.lg-maps[data-address*="leaf=inputs"][data-address*="show=difference"]').wait_for()
    settle(other)
    assert facts(other)["leaf"] == "inputs[0]"
    expect(other.locator(".lg-show [aria-pressed=true]")).to_have_attribute("data-show", "difference")
    np.testing.assert_array_equal(pixels(maps(other)), pixels(maps(page)))
    other.locator(".lg-next").click()
    maps(other, "relu2").wait_for()
    assert facts(other)["leaf"] == "output"


@pytest.mark.parametrize(("view", "button"), [("layer", ".lg-code"), ("gradients", ".lg-method-code")])
def test_a_script_is_copied_within_the_click(page: Page, server: str, view: str, button: str) -> None:
    """Safari lets a page copy nowhere else, and so does this one, while the script comes later."""
    page.add_init_script(ONLY_IN_A_CLICK)
    arrive(page, server, model="lenet", layer="conv2", view=view)
    page.locator(f"{button}:enabled").wait_for()
    settle(page)
    assert "import torch" in copied(page, button)


def test_copying_works_without_a_clipboard_of_the_browsers(page: Page, server: str) -> None:
    """This is the case on a page without https, as in a classroom; we paste the text to check it."""
    page.add_init_script("Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })")
    visit(page, server, model="lenet", layer="conv2")
    page.locator(".lg-code").click()
    expect(page.locator(".lg-code")).to_have_text("Copied")
    field = page.locator("[data-part=layer]").first
    field.click()
    field.press("ControlOrMeta+a")
    field.press("ControlOrMeta+v")
    assert "register_forward_hook" in field.input_value()


def test_copying_works_in_a_dialog_without_a_clipboard_of_the_browsers(page: Page, server: str) -> None:
    """Outside an open dialog nothing can be selected; we paste the text beside the button."""
    page.add_init_script("Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })")
    visit(page, server, model="lenet", layer="conv2")
    page.evaluate(
        """async () => {
            const { modules } = await import(`${layerglassRoot}bundle.js`);
            const dialog = document.body.appendChild(document.createElement("dialog"));
            const copy = dialog.appendChild(document.createElement("button"));
            copy.onclick = () => modules["layer/copying.js"].toClipboard("a caption");
            dialog.append("Copy", document.createElement("input"));
            dialog.showModal();
        }"""
    )
    page.locator("dialog[open] button").click()
    field = page.locator("dialog[open] input")
    field.press("ControlOrMeta+v")
    assert field.input_value() == "a caption"
