"""A layer with its own batch on the real page: the regions that a detector looks at, one by one."""

import numpy as np
import pytest
import torch
from playwright.sync_api import Page, expect

import models
from tests.browser.oracle import assert_colours
from tests.browser.pictures import photo
from tests.browser.steps import facts, maps, pixels, visit_with_photo

pytestmark = [pytest.mark.browser, pytest.mark.slow]

DETECTOR, LAYER, SEED = "fasterrcnn_mobilenet_v3_large_320_fpn", "roi_heads.box_roi_pool", 4


def regions() -> np.ndarray:
    """Return the untrained detector's cuts of the photo, (regions, channels, 7, 7), seen by a plain hook."""
    model, seen = models.load(DETECTOR, weights="random"), []
    model.get_submodule(LAYER).register_forward_hook(
        lambda _layer, _given, output: seen.append(output.clone())
    )
    given = models.describe(DETECTOR).preprocessing(photo(SEED))
    with torch.no_grad():
        model(*given) if isinstance(given, tuple) else model(given)
    (found,) = seen
    return np.asarray(found)


def test_each_region_of_a_detector_can_be_chosen(page: Page, server: str) -> None:
    """The slider chooses one; numbers, colours and words belong to it; none can be laid over the photo.

    All rows share the layer's one scale, so that moving on recolours nothing.
    """
    expected = regions()
    count = len(expected)
    visit_with_photo(page, server, SEED, model=DETECTOR, weights="random", layer=LAYER)
    expect(page.locator(".lg-facts")).to_contain_text(
        f"{len(expected)} × 256 × 7 × 7 · row 1 of {len(expected)}"
    )
    limit = float(np.abs(expected).max())
    np.testing.assert_allclose((facts(page)["vmin"], facts(page)["vmax"]), (-limit, limit), rtol=1e-4)
    assert_colours(pixels(maps(page, LAYER)), expected[0], facts(page))
    expect(page.locator(".lg-overlay")).to_be_hidden()
    slider = page.get_by_label("row of the batch")
    slider.focus()
    slider.press("ArrowRight")
    slider.press("ArrowRight")
    expect(page.locator(".lg-facts")).to_contain_text(f"row 3 of {count}")
    np.testing.assert_allclose((facts(page)["vmin"], facts(page)["vmax"]), (-limit, limit), rtol=1e-4)
    assert_colours(pixels(maps(page, LAYER)), expected[2], facts(page))
