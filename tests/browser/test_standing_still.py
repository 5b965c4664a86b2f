"""Elements above the maps stand where they stood, whatever is shown below; nothing covers anything."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.pictures import photo, png
from tests.browser.steps import arrive, go, settle, upload
from tests.browser.two_sides import compare
from tests.browser.typefaces import EVERY_TYPEFACE

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
OWN = ".st-key-other_own [data-testid=stFileUploaderDropzone]"


def box(found: Locator) -> dict[str, float]:
    """Return the box in which an element is drawn."""
    drawn = found.bounding_box()
    assert drawn is not None
    x, y, width, height = drawn["x"], drawn["y"], drawn["width"], drawn["height"]
    return {"x": x, "y": y, "width": width, "height": height}


@EVERY_TYPEFACE
def test_the_switch_of_views_stays_where_it_is(page: Page, server: str) -> None:
    """With trained weights and without, in views with boxes of their own and without."""
    switch = page.locator("[data-part=view]")
    arrive(page, server, model="lenet", weights="random")
    tops = {"untrained": box(switch)["y"]}
    go(page, server, model="lenet")
    for view in ("layer", "layers", "gradients", "compare", "hooks", "course"):
        page.locator(f"[data-part=view] [data-value={view}]").click()
        if view in {"gradients", "hooks"}:
            page.locator("[data-part=target]").wait_for()
        settle(page)
        tops[view] = box(switch)["y"]
    assert list(tops.values()) == pytest.approx([tops["untrained"]] * len(tops), abs=0.5), tops


@EVERY_TYPEFACE
@pytest.mark.parametrize("options", [{}, PHONE], ids=["laptop", "phone"])
def test_the_box_for_the_other_picture_stands_in_its_row(
    visitor: Callable[..., Page], server: str, options: dict[str, object]
) -> None:
    """Streamlit's box lies in the place kept for it, with a file and without; other views have none."""
    page = visitor(**options)
    compare(page, server, model="lenet")
    for files in (0, 1):
        expect(page.locator(".st-key-other_own [data-testid=stFileChip]")).to_have_count(files)
        own, place = box(page.locator(OWN)), box(page.locator(".lg-other-own"))
        for side in ("x", "y", "width", "height"):
            assert own[side] == pytest.approx(place[side], abs=2), (files, side)
        upload(page, "a-picture-with-a-long-name.png", png(photo(5)), "image/png", "other_upload")
        settle(page)
    page.locator("[data-part=view] [data-value=layer]").click()
    expect(page.locator(OWN)).to_be_hidden()


def test_the_arrow_of_a_box_takes_no_click_from_it(page: Page, server: str) -> None:
    """A click on the arrow opens the list, as a click on the text does."""
    arrive(page, server, model="lenet")
    field = page.locator("[data-part=layer]")
    where = box(field)
    field.click(position={"x": where["width"] - 16, "y": where["height"] / 2})
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-expanded", "true")
