"""A picture that is pasted, or dropped anywhere on the page, is looked at like an uploaded one."""

import base64
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import drawing, expect_another_picture, photo, png, settle, visit

pytestmark = pytest.mark.browser

EVENT = """([kind, data, type, selector]) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const held = new DataTransfer();
    if (bytes.length) held.items.add(new File([bytes], "screenshot.png", { type }));
    else held.setData("text/plain", "no file");
    const options = { bubbles: true, cancelable: true, clipboardData: held, dataTransfer: held };
    const event = kind.endsWith("paste") ? new ClipboardEvent(kind, options) : new DragEvent(kind, options);
    return document.querySelector(selector).dispatchEvent(event);
}"""


def happens(page: Page, event: str, content: bytes, kind: str = "image/png", on: str = ".lg-stage") -> bool:
    """Dispatch a paste, a drag or a drop of one file, or of text without bytes; tell if it is left alone."""
    return page.evaluate(EVENT, [event, base64.b64encode(content).decode(), kind, on])


@pytest.mark.parametrize("event", ["paste", "drop"])
def test_a_pasted_or_dropped_picture_is_on_screen(page: Page, server: str, event: str) -> None:
    """Its chip names it, and the maps are its own; the frame around the stage goes with the drop."""
    before = drawing(visit(page, server, model="lenet", layer="conv2"))
    settle(page)
    if event == "drop":
        happens(page, "dragover", png(photo(3)))
        expect(page.locator(".lg-stage[data-bringing]")).to_have_count(1)
    happens(page, event, png(photo(3)))
    expect_another_picture(page, before)
    expect(page.locator(".lg-stage[data-bringing]")).to_have_count(0)
    expect(page.get_by_text("screenshot.png").first).to_be_visible()


def test_the_frame_stays_while_a_picture_goes_from_part_to_part(page: Page, server: str) -> None:
    """None of its events tells where it goes, as in Safari; it goes with the picture."""
    visit(page, server, model="lenet", layer="conv2")
    framed = page.locator(".lg-stage[data-bringing]")
    for event, part in (("dragenter", ".lg-stage"), ("dragover", ".lg-stage"), ("dragenter", ".lg-room")):
        happens(page, event, png(photo(3)), on=part)
    happens(page, "dragleave", png(photo(3)))
    assert framed.count() == 1
    happens(page, "dragleave", png(photo(3)), on=".lg-room")
    assert framed.count() == 0


def test_what_is_no_file_and_what_a_field_takes_is_left_alone(
    visitor: Callable[..., Page], server: str
) -> None:
    """Text or a map that is dragged, a paste into a field or beside a dialog; the next paste is taken."""
    page = visitor()
    visit(page, server, model="lenet", layer="conv2")
    settle(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "upload_file" in request.url else None)
    happens(page, "dragover", b"")
    expect(page.locator(".lg-stage[data-bringing]")).to_have_count(0)
    happens(page, "drop", b"")
    happens(page, "dragstart", png(photo(3)))  # as of a map of the page
    happens(page, "dragover", png(photo(3)))
    expect(page.locator(".lg-stage[data-bringing]")).to_have_count(0)
    happens(page, "drop", png(photo(3)))
    happens(page, "dragend", b"")
    happens(page, "paste", b"")
    field = "textarea, input:not([type=file], [type=checkbox])"
    happens(page, "paste", png(photo(3)), on=field)
    # Where it is not left alone, Safari pastes.
    assert [happens(page, "beforepaste", b"", on=place) for place in (field, ".lg-stage")] == [True, False]
    page.evaluate("document.body.append(Object.assign(document.createElement('dialog'), { id: 'open' }))")
    page.evaluate("document.getElementById('open').showModal()")
    happens(page, "paste", png(photo(3)))
    page.evaluate("document.getElementById('open').remove()")
    assert asked == []
    with page.expect_request("**/upload_file/**"):
        happens(page, "paste", png(photo(3)))
    settle(page)
    assert len(asked) == 1


def test_a_dropped_file_that_is_no_picture_is_refused_in_a_sentence(page: Page, server: str) -> None:
    """As in the box; the picture on screen stays, and the next one is taken."""
    before = drawing(visit(page, server, model="lenet", layer="conv2"))
    settle(page)
    happens(page, "drop", b"no picture at all", "text/plain")
    expect(page.get_by_text("this is a text file, not a picture").first).to_be_visible()
    assert drawing(page) == before
    happens(page, "drop", png(photo(4)))
    expect_another_picture(page, before)
