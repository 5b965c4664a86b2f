"""The data set on the real page: layers compared, a channel chosen by keys, no script run."""

import io
import re
import zipfile
from collections.abc import Callable, Iterator
from urllib.parse import urlencode

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.serving import serving
from tests.browser.steps import choose, expect_address, maps, settle
from tests.browser.test_accessibility import expect_no_violations
from tests.browser.typefaces import EVERY_TYPEFACE
from tests.machine import patience
from viz.__main__ import main
from viz.pictures.samples import sample_names

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NET = {"model": "lenet", "weights": "pretrained"}
LAYER, EACH, CLASSES = "conv2", 8, 3


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with a capture of red, green and blue noise, in a folder for each, by LeNet."""
    home = tmp_path_factory.mktemp("server")
    folder, out = tmp_path_factory.mktemp("pictures"), home / "capture"
    random = np.random.default_rng(0)
    for number in range(EACH * CLASSES):
        colour = number % CLASSES
        place = folder / ("red", "green", "blue")[colour]
        place.mkdir(exist_ok=True)
        pixels = random.integers(0, 60, (32, 32, 3), dtype=np.uint8)
        pixels[..., colour] += 150
        Image.fromarray(pixels).save(place / f"{number:02}.png")
    words = ["exemplars", str(folder), "--model", NET["model"], "--workers", "0", "--out", str(out)]
    assert main(words) == 0
    settings = {"LAYERGLASS_CAPTURE": str(out), "LAYERGLASS_PICTURES": str(folder)}
    with serving(home, settings=settings) as address:
        yield address


def opened(page: Page, server: str, **address: str) -> Locator:
    """The view, with the numbers of its layer."""
    page.goto(f"{server}/?{urlencode({**NET, 'view': 'lens', 'layer': LAYER, **address})}")
    found = page.locator("[data-part=lens]")
    expect(found.locator(".lg-lens-about h3")).to_be_visible(timeout=1000 * patience(60))
    settle(page)
    return found


def test_a_channel_is_found_by_keys_and_opened(page: Page, served: str) -> None:
    """The row is read out; the address has its channel; Enter shows its maps. No script runs."""
    found = opened(page, served)
    expect(found.locator(".lg-lens-head")).to_have_text(
        "24 pictures. 3 classes, named by folder or by labels.csv."
    )
    expect(found.locator(".lg-lens-names span")).to_have_count(CLASSES)
    runs = page.evaluate("document.documentElement.dataset.scriptRuns")
    heat = found.locator("[data-part=lens-heat]")
    heat.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    said = heat.get_by_role("option").inner_text()
    number = re.fullmatch(r"Channel (\d+), (red|green|blue): (?:[+−]\d\.\d|no more than chance)", said)
    assert number
    expect(found.locator(".lg-lens-about h3")).to_have_text(f"Channel {number[1]}")
    expect(page).to_have_url(re.compile(rf"channel={number[1]}\b"))
    page.keyboard.press("Enter")
    maps(page, LAYER).wait_for()
    assert "view=" not in page.url
    assert page.evaluate("document.documentElement.dataset.scriptRuns") == runs


def test_the_table_follows_a_channel_that_is_chosen_elsewhere(page: Page, served: str) -> None:
    """Undo goes back to the one before, and redo on again: facts, row and address are of one channel."""
    found = opened(page, served, channel="2")
    title, heat = found.locator(".lg-lens-about h3"), found.locator("[data-part=lens-heat]")
    expect(title).to_have_text("Channel 2")
    heat.focus()
    page.keyboard.press("ArrowDown")
    expect(title).not_to_have_text("Channel 2")
    after = title.inner_text()
    for key, said in (("Control+z", "Channel 2"), ("Control+y", after)):
        page.keyboard.press(key)
        expect(title).to_have_text(said)
        expect(heat.get_by_role("option")).to_have_text(re.compile(rf"^{said},"))
        expect_address(page, channel=said.removeprefix("Channel "))


def test_a_table_without_cells_is_not_there_yet(page: Page, served: str) -> None:
    """While the layer's channels are on their way, nothing without a name is on screen."""
    waiting = list[Route]()
    page.route("**/lens-layer.json?*", lambda route, _: waiting.append(route))
    page.goto(f"{served}/?{urlencode({**NET, 'view': 'lens', 'layer': LAYER})}")
    lens = page.locator("[data-part=lens]")
    expect(lens.locator("[data-part=lens-pairs]")).to_be_visible()  # once all layers are compared
    settle(page)
    expect(lens.locator("[data-part=lens-heat]")).to_be_hidden()
    expect_no_violations(page)
    waiting[0].continue_()
    expect(lens.get_by_role("listbox", name="Channels and classes")).to_be_visible()


def test_a_layer_is_chosen_on_the_curve_and_in_the_matrix(page: Page, served: str) -> None:
    """By a click on the curve's first layer, and by the button that names one of a pair."""
    found = opened(page, served)
    curve = found.locator("[data-part=lens-probes]")
    curve.click(position={"x": 3, "y": 40})
    expect(found.locator(".lg-lens-one h2")).to_have_text("conv1")
    expect(found.locator(".lg-lens-one > .lg-lens-told")).to_contain_text(re.compile(r"conv1: \d+\s% right"))
    pairs = found.locator("[data-part=lens-pairs]")
    expect(pairs).to_be_visible()  # once all layers are compared
    pairs.focus()
    page.keyboard.press("End")
    told = found.locator(".lg-lens-pairs .lg-lens-told")
    expect(told).to_contain_text("CKA 1.00")
    name = told.get_by_role("button").first.inner_text()
    told.get_by_role("button").first.click()
    expect(found.locator(".lg-lens-one h2")).to_have_text(name)


def archive(classes: tuple[str, ...], table: str = "", each: int = EACH) -> bytes:
    """A ZIP file with a folder of noise for each class, and a table of labels if there is one."""
    buffer, random = io.BytesIO(), np.random.default_rng(0)
    with zipfile.ZipFile(buffer, "w") as file:
        if table:
            file.writestr("labels.csv", table)
        for number in range(each * len(classes)):
            colour, picture = number % len(classes), io.BytesIO()
            pixels = random.integers(0, 60, (32, 32, 3), dtype=np.uint8)
            pixels[..., colour] += 150
            Image.fromarray(pixels).save(picture, "PNG")
            file.writestr(f"all/{classes[colour]}/{number}.png", picture.getvalue())
    return buffer.getvalue()


def bring(lens: Locator) -> None:
    """Choose a ZIP file of three classes, as a visitor does."""
    expect(lens).to_be_visible(timeout=1000 * patience(60))
    lens.locator("input[type=file]").set_input_files(
        {"name": "own.zip", "mimeType": "application/zip", "buffer": archive(("red", "green", "blue"))}
    )
    # Others may have looked through the samples before: what is found of these stands until then.
    expect(lens.locator(".lg-lens-names span")).to_have_count(CLASSES, timeout=1000 * patience(60))


def test_the_folders_in_a_visitors_zip_are_classes(visitor: Callable[..., Page], server: str) -> None:
    """On a server without pictures: brought in the view itself, looked through, compared."""
    page = visitor()
    page.goto(f"{server}/?{urlencode({**NET, 'view': 'lens', 'layer': LAYER})}")
    lens = page.locator("[data-part=lens]")
    bring(lens)
    names = lens.locator(".lg-lens-names span")
    assert sorted(names.all_inner_texts()) == ["blue", "green", "red"]


def expect_to_come_back(page: Page, section: Locator, said: str) -> None:
    """A step back takes away what a section says, a step forward brings it: the address has it."""
    expect(section).to_contain_text(said)
    page.wait_for_url("**against=**")
    page.go_back()
    expect(section).not_to_contain_text(said)
    expect(section.get_by_label("Compare with")).to_have_value("")
    page.go_forward()
    expect(section).to_contain_text(said)


def test_layers_are_compared_with_those_of_a_model_that_has_seen_the_same_pictures(
    visitor: Callable[..., Page], server: str
) -> None:
    """It says how to get one; then the other model is chosen by keys, and a pair is read out and clicked."""
    page = visitor()
    page.goto(f"{server}/?{urlencode({**NET, 'view': 'lens', 'layer': LAYER})}")
    lens = page.locator("[data-part=lens]")
    bring(lens)
    section = lens.locator(".lg-lens-pairs")
    expect(section).to_contain_text(
        "let that model look through the same pictures", timeout=1000 * patience(60)
    )
    expect(section.get_by_label("Compare with")).to_have_count(0)
    choose(page, "model", "photonet")
    lens.get_by_role("button", name="Look through").click()
    box = section.get_by_label("Compare with")
    expect(box.locator("option")).to_have_text(["each other", "lenet (trained)"], timeout=1000 * patience(60))
    box.focus()
    page.keyboard.press("ArrowDown")
    said = f"Both models have looked through {EACH * CLASSES} of these pictures."
    expect_to_come_back(page, section, said)
    matrix = section.get_by_role("listbox", name="How alike the layers are to those of lenet (trained)")
    matrix.focus()
    page.keyboard.press("End")
    told = section.locator(".lg-lens-told")
    expect(told).to_contain_text(
        "fc here and fc3 of lenet (trained): no more alike than chance makes layers."
    )
    page.keyboard.press("Home")
    expect(told).to_contain_text(re.compile(r"^(\S+) here and conv1 of lenet \(trained\): CKA −?\d\.\d\d\."))
    name = told.inner_text().split()[0]
    expect(told.get_by_role("button")).to_have_text([name])
    expect_no_violations(page)
    told.get_by_role("button").click()
    expect(lens.locator(".lg-lens-one h2")).to_have_text(name)
    box.select_option("each other")
    expect(section).to_contain_text("each pair of layers")


def test_classes_of_a_few_pictures_excite_no_channel(visitor: Callable[..., Page], server: str) -> None:
    """Four pictures of noise in two classes by lot: no channel prefers one, and no cell claims it."""
    page = visitor()
    page.goto(f"{server}/?{urlencode({**NET, 'view': 'lens', 'layer': LAYER})}")
    lens = page.locator("[data-part=lens]")
    expect(lens).to_be_visible(timeout=1000 * patience(60))
    table = "picture,label\n0.png,a\n1.png,b\n2.png,b\n3.png,a\n"
    data = archive(("one",), table, 4)
    lens.locator("input[type=file]").set_input_files(
        {"name": "own.zip", "mimeType": "application/zip", "buffer": data}
    )
    about = lens.locator(".lg-lens-about")
    expect(about).to_contain_text("By 4 pictures, no class excites it", timeout=1000 * patience(60))
    heat = lens.locator("[data-part=lens-heat]")
    heat.focus()
    page.keyboard.press("ArrowDown")
    expect(heat.get_by_role("option")).to_have_text(re.compile(r"^Channel \d+, [ab]: no more than chance$"))


def test_of_few_pictures_layers_are_not_compared(visitor: Callable[..., Page], server: str) -> None:
    """Of eight, any two layers may look the same by chance: no number, but how many it takes."""
    page = visitor()
    page.goto(f"{server}/?{urlencode({**NET, 'view': 'lens', 'layer': LAYER})}")
    lens = page.locator("[data-part=lens]")
    expect(lens).to_be_visible(timeout=1000 * patience(60))
    lens.locator("input[type=file]").set_input_files(
        {"name": "own.zip", "mimeType": "application/zip", "buffer": archive(("one",))}
    )
    section = lens.locator(".lg-lens-pairs")
    said = re.compile(r"Not shown of 8 different pictures: .* It takes (9|[1-9]\d) different pictures\.")
    expect(section.locator(".lg-lens-told")).to_have_text(said, timeout=1000 * patience(60))
    expect(section.get_by_role("listbox")).to_be_hidden()
    expect(section).not_to_contain_text("CKA", use_inner_text=True)  # what is hidden may be of the samples


def test_a_table_in_a_visitors_zip_says_the_classes(visitor: Callable[..., Page], server: str) -> None:
    """Then another one, by itself; one that cannot be used is said to be none, and all stays as it is."""
    page = visitor()
    page.goto(f"{server}/?{urlencode({**NET, 'view': 'lens', 'layer': LAYER})}")
    lens = page.locator("[data-part=lens]")
    expect(lens).to_be_visible(timeout=1000 * patience(60))
    chosen, status = lens.locator("input[type=file]"), lens.locator(".lg-bring-status")
    names = lens.locator(".lg-lens-names span")

    def choose(name: str, kind: str, data: bytes) -> None:
        chosen.set_input_files({"name": name, "mimeType": kind, "buffer": data})

    lines = "".join(f"{number}.png,{'odd' if number % 2 else 'even'}\n" for number in range(2 * EACH))
    table = f"picture,label\n{lines}"
    choose("own.zip", "application/zip", archive(("one", "two"), table))
    labelled = f"Pictures with a class from labels: {2 * EACH}."
    expect(status).to_have_text(f"Pictures taken in: {2 * EACH}. {labelled}")
    expect(names).to_have_text([re.compile("odd|even")] * 2, timeout=1000 * patience(60))
    choose("mine.csv", "text/csv", table.replace("odd", "left").replace("even", "right").encode())
    expect(status).to_have_text(labelled)
    expect(names).to_have_text([re.compile("left|right")] * 2, timeout=1000 * patience(60))
    choose("bad.csv", "text/csv", b"file;class\n")
    expect(lens.locator(".lg-bring-left")).to_contain_text("bad.csv has no column picture or label")
    expect(names).to_have_text([re.compile("left|right")] * 2)


def test_own_pictures_stand_beside_the_servers(visitor: Callable[..., Page], served: str) -> None:
    """Just brought, they are what the view is about; the server's are one click away, and never mixed."""
    found = opened(visitor(), served)
    whose, names = (
        found.get_by_role("radiogroup", name="Whose pictures"),
        found.locator(".lg-lens-names span"),
    )
    expect(whose).to_be_hidden()
    found.locator("input[type=file]").set_input_files(
        {"name": "own.zip", "mimeType": "application/zip", "buffer": archive(("dawn", "dusk"))}
    )
    expect(names).to_have_text([re.compile("dawn|dusk")] * 2, timeout=1000 * patience(60))
    expect(whose.get_by_role("radio", name="My pictures")).to_be_checked()
    whose.get_by_text("The server's folder").click()
    expect(names).to_have_text([re.compile("red|green|blue")] * CLASSES, timeout=1000 * patience(60))
    whose.get_by_text("My pictures").click()
    expect(names).to_have_count(2, timeout=1000 * patience(60))


def test_a_channel_like_another_is_a_click_away(page: Page, served: str) -> None:
    """Its number goes into the look, from which Back returns."""
    found = opened(page, served, layer="conv1")
    before = found.locator(".lg-lens-about h3").inner_text()
    found.locator(".lg-lens-alike button").first.click()
    expect(found.locator(".lg-lens-about h3")).not_to_have_text(before)


@EVERY_TYPEFACE
def test_it_fits_a_phone_and_speaks_chinese(visitor: Callable[..., Page], served: str) -> None:
    """Nothing is wider than the page at 360 pixels, and nothing is left in English."""
    page = visitor(viewport={"width": 360, "height": 740})
    found = opened(page, served, lang="zh")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    inside = found.evaluate(
        "each => Math.max(...[...each.querySelectorAll('*')].map(e => e.getBoundingClientRect().right))"
    )
    assert inside <= 360
    text = found.locator("h2").all_inner_texts()
    assert text[0] == "每一层把各类别分得多开"


def test_without_a_folder_the_samples_are_one(page: Page, server: str) -> None:
    """One sentence before the model has seen them, their number after that, and the box to choose others."""
    page.goto(f"{server}/?{urlencode({**NET, 'view': 'lens'})}")
    settle(page)
    said = re.compile(rf"^Let the model look through the pictures once|\b{len(sample_names())} pictures\.")
    expect(page.locator(".lg-lens-head")).to_contain_text(said)
    expect(page.locator("[data-part=lens] input[type=file]")).to_be_attached()
