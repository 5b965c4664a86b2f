"""Steps of a visitor on the page, and readings for a test."""

import base64
import io
import re
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import numpy as np
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.browser.engine import typed
from tests.browser.going import go_to, stands
from tests.browser.pictures import photo, png
from tests.browser.waiting import until

# What is there once a view is drawn, whatever layer it is of.
DRAWN = {
    "layer": ".lg-viewer img[data-layer]",
    "layers": ".lg-overview img",
    "gradients": ".lg-gradients img[data-layer]",
    "compare": '.lg-compare [data-side="difference"] img.lg-maps[data-layer]',
    "hooks": ".lg-event-maps img[data-layer]",
    "lens": ".lg-lens-head:not(:empty)",
    "course": ".lg-lessons button",
    "quiz": ".lg-quiz-choices button",
    "reduced": ".lg-reduced:not([aria-busy]) .lg-reduced-definition:not(:empty)",
    "unit": ".lg-unit-classes li",
    "figure": ".lg-figure:not([aria-busy]) :is(.lg-figure-sheet[src], .lg-figure-note:not(:empty))",
}
GUESSED = """() => {
    const [saw, stage] = [".lg-seen .lg-saw", ".lg-stage"].map((each) => document.querySelector(each));
    return Boolean(saw?.src.includes(stage.dataset.subject));
}"""
QUICK = {"model": "photonet"}  # what a test looks at if it does not care: it answers in milliseconds


def first_visit(page: Page, server: str) -> Page:
    """Open the bare address, as a visitor does who has never been here, and wait for the maps."""
    page.goto(server)
    maps(page).wait_for()
    settle(page)
    return page


def arrive(page: Page, server: str, **view: str) -> Page:
    """Open the page on a view, and wait until its script has run to its end."""
    page.goto(f"{server}/?{urlencode(QUICK | view)}")
    page.locator(".st-key-model input").first.wait_for()
    settle(page)
    return page


def visit(page: Page, server: str, **view: str) -> Page:
    """Open the page on a view, and wait until its maps are there, and the boxes, which may come later."""
    page.goto(f"{server}/?{urlencode(QUICK | view)}")
    maps(page, view.get("layer", "")).wait_for()
    page.locator(".st-key-model input").first.wait_for(state="attached")
    settle(page)
    return page


def go(page: Page, server: str, **view: str) -> Page:
    """Go to a view, without loading a page that stands at this server; wait as ``visit`` or ``arrive`` do."""
    if not stands(page, server):
        return (arrive if "view" in view else visit)(page, server, **view)
    go_to(page, QUICK | view)
    if "view" not in view:
        maps(page, view.get("layer", "")).wait_for()
    settle(page)
    return page


def visit_with_photo(page: Page, server: str, seed: int, **view: str) -> Page:
    """Open the page on a view, and upload the photo with this seed."""
    before = drawing(visit(page, server, **view))
    upload(page, "own.png", png(photo(seed)), "image/png")
    expect_another_picture(page, before)
    return page


def settle(page: Page) -> None:
    """Wait until the page's script has run to its end, and the maps have found their size."""
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    expect(page.locator(".lg-viewer:is([aria-busy], [data-settling])")).to_have_count(0)
    expect(page.locator(".lg-learning:is([aria-busy], :has([aria-busy]))")).to_have_count(0)


def wait_for_guess(page: Page) -> None:
    """Wait until the guesses beside the picture are about what is on screen."""
    until(page, GUESSED)


def maps(page: Page, layer: str = "") -> Locator:
    """The mosaic on screen; of this layer, if one is named."""
    shown = f'[data-layer="{layer}"]' if layer else "[data-layer]"
    return page.locator(f'.lg-stage img[alt^="Feature maps of {layer}"]{shown}')


def upload(page: Page, name: str, content: bytes, kind: str = "image/jpeg", box: str = "upload") -> None:
    """Upload a file as the browser does it."""
    settle(page)
    page.locator(f".st-key-{box} input[type=file]").set_input_files(
        {"name": name, "mimeType": kind, "buffer": content}
    )


def choose(page: Page, box: str, option: str) -> None:
    """Pick an option of a searchable select box by typing its name."""
    settle(page)
    pick(page, box, option)


def pick(page: Page, box: str, option: str) -> None:
    """The same without waiting for the page to settle."""
    if (plain := page.locator(f"select[data-part={box}]")).count():
        plain.select_option(label=option)
        return
    field = box_of(page, box)
    field.click()
    typed(field, option)
    page.locator("[role=option]:visible").filter(has_text=re.compile(f"^{re.escape(option)}")).first.click()


def box_of(page: Page, box: str) -> Locator:
    """The field of a box: the stage's by its part, Streamlit's by its key."""
    return page.locator(f"[data-part={box}], .st-key-{box} input").first


def choose_in_tree(page: Page, layer: str) -> None:
    """Unfold the tree down to a layer, and click it."""
    parts = layer.split(".")
    for depth in range(1, len(parts)):
        item = tree_item(page, ".".join(parts[:depth]))
        if item.get_attribute("aria-expanded") == "false":
            item.locator("> .lg-line .lg-twist").click()
    tree_item(page, layer).locator("> .lg-line").click()


def tree_item(page: Page, layer: str) -> Locator:
    """A row of the module tree."""
    return page.locator(f'[data-part=tree] [role=treeitem][data-name="{layer}"]')


def press(page: Page, *keys: str) -> None:
    """Press keys while the viewer has the focus."""
    page.locator(".lg-viewer").focus()
    for key in keys:
        page.keyboard.press(key)


STEADY = """() => new Promise((said) => requestAnimationFrame(() => requestAnimationFrame(() => {
    said(!document.querySelector(".lg-viewer:is([aria-busy], [data-settling])"));
})))"""


def steady(page: Page) -> None:
    """Wait until what has just come above the maps has moved them, and those of the new size have come."""
    until(page, STEADY)


def click_tile(page: Page, channel: int) -> None:
    """Click a channel's tile in the mosaic, once its maps have come."""
    steady(page)
    click_tile_now(page, channel)


def click_tile_now(page: Page, channel: int) -> None:
    """Click a channel's tile in the mosaic, also of maps that others are to replace."""
    at = tile_centre(page, channel)
    maps(page).click(position={"x": at[0], "y": at[1]})


def tile_centre(page: Page, channel: int) -> tuple[float, float]:
    """The middle of a channel's tile, in screen pixels from the mosaic's corner."""
    geometry = facts(page)["geometry"]
    scale = maps(page).evaluate("image => image.getBoundingClientRect().width / image.naturalWidth")
    row, column = divmod(channel, geometry["columns"])
    height, width, pad = geometry["tile_height"], geometry["tile_width"], geometry["pad"]
    return (column * (width + pad) + width / 2) * scale, (row * (height + pad) + height / 2) * scale


def pixels(image: Locator) -> np.ndarray:
    """The picture's own pixels, (height, width, 4) uint8, as the browser decoded them."""
    url: str = image.evaluate(
        """image => {
            const canvas = document.createElement("canvas");
            canvas.width = image.naturalWidth;
            canvas.height = image.naturalHeight;
            canvas.getContext("2d").drawImage(image, 0, 0);
            return canvas.toDataURL("image/png");
        }"""
    )
    return decoded(url.split(",")[1])


def drawn_on(canvas: Locator) -> np.ndarray:
    """A canvas's own pixels, (height, width, 4) uint8."""
    return decoded(str(canvas.evaluate("canvas => canvas.toDataURL()")).split(",")[1])


def decoded(encoded: str) -> np.ndarray:
    """The pixels (height, width, 4) uint8 of a picture file in base64."""
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(encoded))).convert("RGBA"))


DRAWING = """image => {
    const { pathname, searchParams } = new URL(image.dataset.address ?? image.src, document.baseURI);
    const names = ["view", "target", "colormap", "scale", "order", "edit"];
    const chosen = names.map((name) => searchParams.get(name));
    return JSON.stringify([...pathname.match(/maps\\/[0-9a-f]+/) ?? [], ...chosen]);
}"""


def drawing(page: Page) -> str:
    """Whose picture the maps on screen are of, and what the page's boxes say about how they are drawn."""
    return str(maps(page).evaluate(DRAWING))


def subject(page: Page) -> str:
    """The secret part of the addresses of what is on screen; each photo has another."""
    return str(maps(page).evaluate(f"image => ({DRAWING})(image).match(/maps\\/([0-9a-f]+)/)[1]"))


ANOTHER = f"""before => {{
    const image = document.querySelector(".lg-stage img[alt^='Feature maps of '][data-layer]");
    return Boolean(image) && ({DRAWING})(image).includes("maps/") && !({DRAWING})(image).includes(before);
}}"""


def expect_another_picture(page: Page, before: str) -> None:
    """Wait until the maps are another ``drawing``, or of another ``subject``, and the page has settled."""
    until(page, ANOTHER, arg=before)
    settle(page)


def chosen(page: Page, box: str) -> str:
    """Return the text that a select box shows."""
    field = box_of(page, box)
    shown = field.evaluate("box => box.selectedOptions ? box.selectedOptions[0].text : box.value")
    return str(shown).rstrip()  # blanks at the end are not seen


def address(page: Page) -> dict[str, str]:
    """The view that the page's address says."""
    return dict(parse_qsl(urlsplit(page.url).query))


def expect_address(page: Page, **said: str) -> None:
    """The page's address says this, or does so soon: it follows what is on screen."""
    page.wait_for_url(lambda url: said.items() <= dict(parse_qsl(urlsplit(url).query)).items())


def notices(page: Page) -> Locator:
    """Every notice on the page: warnings, errors and questions of costs."""
    return page.locator("[data-testid=stAlert], .lg-notice, .lg-cost")


def expect_one_sentence(page: Page, *parts: str) -> None:
    """Exactly one notice, which says these words, and no traceback."""
    for part in parts:
        expect(notices(page)).to_contain_text(part)
    expect(notices(page)).to_have_count(1)
    expect(page.locator("[data-testid=stException]")).to_have_count(0)
    assert "Traceback" not in page.locator("body").inner_text()


def expect_more(sentence: Locator, document: str) -> None:
    """A sentence ends with a link to this document, or to a heading in it."""
    expect(sentence.get_by_role("link", name="More", exact=True)).to_have_attribute(
        "href", f"help/{document}"
    )


def expect_calm(page: Page) -> None:
    """No notice, no exception box."""
    expect(notices(page)).to_have_count(0)
    expect(page.locator("[data-testid=stException]")).to_have_count(0)


def facts(page: Page) -> dict[str, Any]:
    """Return the server's facts of the mosaic on screen."""
    return dict(
        page.evaluate("""async () => {
        const image = document.querySelector(".lg-stage img[data-layer]");
        return (await fetch(image.dataset.address.replace(".png", ".json"))).json();
    }""")
    )
