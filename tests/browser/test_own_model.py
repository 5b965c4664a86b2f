"""The operator's own model on the real page: first in the list, and every pixel is right."""

from pathlib import Path

import pytest
import torch
from playwright.sync_api import Page, expect
from torchvision import transforms

from tests.browser.oracle import assert_mosaic_shows
from tests.browser.own_net import edge_finder, spectral
from tests.browser.serving import serving
from tests.browser.steps import (
    chosen,
    expect_calm,
    expect_one_sentence,
    facts,
    first_visit,
    maps,
    pixels,
    settle,
    visit,
)
from viz.pictures.samples import sample

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_the_first_screen_is_the_operators_own_model(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its maps equal those of the same net called by hand on the same picture."""
    monkeypatch.setenv("LAYERGLASS_MODEL", "tests.browser.own_net:edge_finder")
    with serving(tmp_path) as server:
        first_visit(page, server)
        settle(page)
        expect_calm(page)
        assert chosen(page, "model") == "edge_finder · ready"
        expect(page.locator(".lg-facts").first).to_contain_text("· original weights ·")
        page.locator(".st-key-model input").first.click()
        expect(page.get_by_role("option").first).to_have_text("edge_finder · ready")
        page.keyboard.press("Escape")
        steps = (transforms.Resize(40), transforms.CenterCrop(40), transforms.ToTensor())
        picture = transforms.Compose(steps)(sample("cat"))[None]
        with torch.inference_mode():
            expected = edge_finder()[0][0](picture)[0].numpy()
        assert_mosaic_shows(pixels(maps(page, "0")), expected, facts(page))


def test_a_complex_layer_is_drawn_by_magnitude_or_by_phase(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A vector is drawn in squares or as a bar; the visitor chooses the layout."""
    monkeypatch.setenv("LAYERGLASS_MODEL", "tests.browser.own_net:spectral")
    steps = (transforms.Resize(40), transforms.CenterCrop(40), transforms.ToTensor())
    picture = transforms.Compose(steps)(sample("cat"))[None]
    spectrum = torch.fft.fft2(picture)[0]
    scores = spectral()[0](picture).detach()
    with serving(tmp_path) as server:
        visit(page, server, model="spectral", layer="0")
        assert_mosaic_shows(pixels(maps(page, "0")), spectrum.abs().numpy(), facts(page))
        page.get_by_label("layout").select_option(label="phase")
        expect(page.locator(".lg-note")).to_contain_text("The phase of")
        assert_mosaic_shows(pixels(maps(page, "0")), spectrum.angle().numpy(), facts(page))
        visit(page, server, model="spectral", layer="4")
        page.get_by_label("layout").select_option(label="bar")
        expect(page.locator(".lg-note")).to_contain_text("2 numbers in a row")
        assert_mosaic_shows(pixels(maps(page, "4")), scores[None].numpy(), facts(page))


def test_no_address_runs_code_that_the_operator_did_not_name(page: Page, server: str, tmp_path: Path) -> None:
    """A module and a function in the address are not a model, and neither is imported."""
    page.goto(f"{server}/?model=tests.browser.own_net:edge_finder")
    expect_one_sentence(page, "does not exist")
    assert not list(tmp_path.iterdir())
