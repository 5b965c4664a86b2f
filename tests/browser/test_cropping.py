"""The frame on the picture: what the model saw of it, moved by pointer, finger and keys."""

import io
import re
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

import models
from tests.browser.pictures import photo, png
from tests.browser.steps import (
    address,
    arrive,
    expect_address,
    expect_another_picture,
    expect_calm,
    maps,
    notices,
    settle,
    subject,
    upload,
    visit,
    visit_with_photo,
)
from tests.browser.typefaces import EVERY_TYPEFACE
from tests.browser.waiting import HeldRequests, until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NET = {"model": "efficientnet_lite0"}
# Keys that come faster than the frame rests, however slow the machine is.
KEYS = """(frame, keys) => {
    for (const key of keys) {
        frame.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    }
}"""


def _frame(page: Page) -> dict[str, float]:
    box = page.locator(".lg-crop").bounding_box()
    assert box
    return dict(box)


def _drag(page: Page, start: tuple[float, float], by: tuple[float, float]) -> None:
    """From a place in the frame, as shares of it, by so many pixels of the screen."""
    box = _frame(page)
    x, y = box["x"] + start[0] * box["width"], box["y"] + start[1] * box["height"]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by[0] / 2, y + by[1] / 2)
    page.mouse.move(x + by[0], y + by[1])
    page.mouse.up()


def _crop(page: Page) -> list[int]:
    """The part in the address."""
    return [int(number) for number in address(page).get("crop", "").split(",") if number]


def _expect_crop(page: Page, wanted: bool = True) -> list[int]:
    """Wait until the address says a part, or none."""
    until(page, "wanted => location.search.includes('crop=') === wanted", wanted)
    settle(page)
    return _crop(page)


def _seen(page: Page) -> np.ndarray:
    """The very pixels that the model was given, as the page fetched them."""
    saw = page.locator(".lg-seen .lg-saw:not(.lg-old)")
    answer = page.request.get(f"{page.url.partition('?')[0]}{saw.get_attribute('src')}")
    return np.asarray(Image.open(io.BytesIO(answer.body())).convert("RGB"))


@pytest.mark.parametrize("size", [(900, 3200), (3200, 900), (300, 300)], ids=str)
def test_a_picture_of_any_shape_is_shown_in_its_shape(page: Page, server: str, size: tuple[int, int]) -> None:
    """The whole picture has the photo's ratio of sides, and the frame is a square, as what the model sees."""
    visit(page, server, **NET)
    before = subject(page)
    upload(page, "own.png", png(photo(5, size)), "image/png")
    expect_another_picture(page, before)
    whole = page.locator(".lg-seen-photo").bounding_box()
    assert whole
    assert whole["width"] / whole["height"] == pytest.approx(size[0] / size[1], rel=0.02)
    frame = _frame(page)
    assert frame["width"] == pytest.approx(frame["height"], abs=1)


def test_the_picture_before_never_stands_in_a_new_frame(page: Page, server: str) -> None:
    """The new picture is slow: until it has come, its frame is empty, and never around the cat."""
    whole = page.locator(".lg-seen .lg-whole")
    visit(page, server, model="lenet", layer="conv2")
    expect(whole).to_have_css("opacity", "1")
    before = whole.get_attribute("src")
    held = HeldRequests(page, "**/photo.jpg")
    upload(page, "tall.png", png(photo(3).resize((60, 120))), "image/png")
    expect(whole).not_to_have_attribute("src", str(before))
    expect(whole).to_have_css("opacity", "0")
    held.wait_for()
    held.release()
    expect(whole).to_have_css("opacity", "1")


def test_what_was_seen_of_the_picture_before_never_stands_in_a_new_frame(page: Page, server: str) -> None:
    """It comes late, and the guess about the new picture later still: the frame is empty until then."""
    saw, seen = page.locator(".lg-seen .lg-saw"), HeldRequests(page, "**/seen.png")
    visit(page, server, model="lenet", layer="conv2")
    expect(saw).to_have_attribute("src", re.compile("seen"))
    guesses = HeldRequests(page, "**/prediction.json*")
    before = subject(page)
    upload(page, "own.png", png(photo(3)), "image/png")
    expect_another_picture(page, before)
    seen.release()
    until(page, "() => document.querySelector('.lg-saw').naturalWidth > 0")
    expect(saw).to_have_css("opacity", "0")
    guesses.release()
    expect(saw).to_have_css("opacity", "1")
    expect(saw).to_have_attribute("src", re.compile(subject(page)))


def test_a_dragged_frame_is_what_the_model_sees(page: Page, server: str) -> None:
    """A corner makes it smaller, then it is moved: the pixels are those of Pillow's crop of the photo."""
    visit_with_photo(page, server, 5, **NET)
    _drag(page, (0.97, 0.97), (-30, -30))
    left, top, width, height = _expect_crop(page)
    assert width == height < 200
    _drag(page, (0.5, 0.5), (20, -4))
    until(page, "before => !location.search.includes(before)", f"crop={left}%2C{top}")
    settle(page)
    moved = _crop(page)
    assert moved[2:] == [width, height]
    assert moved[0] > left
    part = photo(5).crop((moved[0], moved[1], moved[0] + width, moved[1] + height))
    wanted = models.describe("efficientnet_lite0").preprocessing.cropped(part)  # type: ignore[attr-defined]
    saw = page.locator(".lg-seen .lg-saw:not(.lg-old)")
    expect(saw).to_have_attribute("src", re.compile(subject(page)))
    assert np.array_equal(_seen(page), np.asarray(wanted))


@pytest.mark.chromium("double click")
def test_the_way_back_leads_to_the_frame_before(page: Page, server: str) -> None:
    """A link to a part shows it; a double click goes back to the middle, and Back the part again."""
    visit(page, server, **NET, sample="coffee", crop="300,100,200,200")
    frame, box = page.locator(".lg-crop"), _frame(page)
    said = str(frame.get_attribute("aria-label"))
    frame.dblclick()
    assert _expect_crop(page, wanted=False) == []
    expect(frame).not_to_have_attribute("aria-label", said)
    assert _frame(page)["width"] > box["width"]
    page.go_back()
    assert _expect_crop(page) == [300, 100, 200, 200]
    expect(frame).to_have_attribute("aria-label", said)
    assert _frame(page) == pytest.approx(box, abs=1)
    page.get_by_role("button", name="back to the middle").click()
    _expect_crop(page, wanted=False)
    expect_calm(page)


def test_keys_move_the_frame_and_nothing_else(page: Page, server: str) -> None:
    """The layer and its channel stay; the name of the frame says where it is."""
    visit(page, server, **NET, sample="coffee", crop="300,100,200,200")
    layer = address(page)["layer"]
    frame = page.locator(".lg-crop")
    frame.focus()
    frame.evaluate(KEYS, ["ArrowLeft", "ArrowLeft", "ArrowUp", "-"])
    until(page, "() => !location.search.includes('300%2C100')")
    settle(page)
    left, top, width, _ = _crop(page)
    assert (left < 300, top < 110, 150 < width < 200) == (True, True, True)
    expect_address(page, layer=layer)
    assert "of 600 × 400 pixels" in (frame.get_attribute("aria-label") or "")
    frame.press("Home")
    _expect_crop(page, wanted=False)
    expect(frame).to_be_focused()


def test_a_signal_has_no_frame_to_move(page: Page, server: str) -> None:
    """The model saw a curve, so nothing says that a part of the picture was seen."""
    visit(page, server, model="signalnet")
    expect(page.locator(".lg-seen .lg-saw")).to_be_visible()
    expect(page.locator(".lg-seen .lg-whole")).to_be_hidden()
    expect(page.locator(".lg-crop:is([role], [tabindex])")).to_have_count(0)
    expect(page.locator(".lg-knows")).to_contain_text("kinds")
    expect(page.locator(".lg-knows")).to_contain_text("values")


def test_a_part_that_is_not_there_gets_one_sentence(page: Page, server: str) -> None:
    """The whole picture is shown, and the page works."""
    arrive(page, server, model="lenet", crop="0,0,9000,10")
    maps(page, "conv1").wait_for()
    expect(notices(page)).to_have_count(1)
    expect(notices(page)).to_contain_text("The crop 0,0,9000,10")
    assert _crop(page) == []


def test_beside_a_guess_stands_what_the_model_cannot_know(page: Page, server: str) -> None:
    """Of how many kinds it is one, and what size was seen; a model that names none says only the size."""
    visit(page, server, model="lenet")
    expect(page.locator(".lg-knows")).to_have_text("1 of 10 kindssaw 32\u00a0×\u00a032 pixels")
    visit(page, server, model="lraspp_mobilenet_v3_large", weights="random")
    expect(page.locator(".lg-seen")).to_contain_text("scores for each place")
    expect(page.locator(".lg-seen")).not_to_contain_text("means nothing")
    expect(page.locator(".lg-knows")).not_to_contain_text("kinds")


@pytest.mark.chromium("finger")
@EVERY_TYPEFACE
def test_a_finger_moves_the_frame_however_small_it_is(visitor: Callable[..., Page], server: str) -> None:
    """On a phone, where the corners are as large as a finger; the page behind does not scroll."""
    screen = {"width": 390, "height": 844}
    page = visitor(viewport=screen, has_touch=True, is_mobile=True)
    visit(page, server, model="lenet", sample="coffee", crop="100,50,200,200")
    page.locator(".lg-phone-strip").tap()
    expect(page.locator(".lg-crop")).to_be_in_viewport(ratio=1)
    page.locator(".lg-crop").scroll_into_view_if_needed()  # waits until the sidebar stands still
    box, touch = _frame(page), page.context.new_cdp_session(page)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for kind, by in (("touchStart", 0), ("touchMove", 10), ("touchMove", 20), ("touchEnd", None)):
        points = [] if by is None else [{"x": x + by, "y": y + by}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    until(page, "() => !location.search.includes('100%2C50')")
    left, top, width, height = _crop(page)
    assert (left > 100, top > 50, width, height) == (True, True, 200, 200)
