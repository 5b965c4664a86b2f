"""Two visitors at once: nothing of one reaches the other, and nothing remains after a visit."""

import base64
import json
import random
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page

from tests.browser.forgetting import hurried
from tests.browser.oracle import assert_mosaic_shows, lenet_outputs
from tests.browser.pictures import photo, png
from tests.browser.serving import serving
from tests.browser.steps import (
    decoded,
    expect_another_picture,
    facts,
    maps,
    pixels,
    press,
    subject,
    upload,
    visit,
)
from tests.machine import patience

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LAYERS = ("conv1", "relu1", "pool1", "conv2", "relu2", "pool2")
ROUNDS = 6
ENDINGS = ("layer.json", "layer.png", "values", "export.npz", "seen.png", "overview.json", "tree.json")

# Requests every address at once, like an impatient page; repeats a request that a newer one replaced.
ASK = """addresses => { window.answers = Promise.all(addresses.map(async (address) => {
    for (;;) {
        const answer = await fetch(address, { cache: "no-store" });
        const bytes = new Uint8Array(await answer.arrayBuffer());
        if (answer.ok) return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
        if (answer.status !== 409) throw new Error(`${address}: ${answer.status}`);
        await new Promise((again) => setTimeout(again, 20 * Math.random()));
    }
})); }"""
STATUS = "async address => (await fetch(address, { cache: 'no-store' })).status"


def test_interleaved_requests_are_never_mixed(visitor: Callable[..., Page], server: str) -> None:
    """Both request all layers at once, again and again; every picture belongs to its visitor's photo."""
    pages = [_with_photo(visitor(), server, seed) for seed in (1, 2)]
    expected = [lenet_outputs(photo(seed)) for seed in (1, 2)]
    answered = 0
    for columns in range(1, ROUNDS + 1):
        asked = [_asked(page, columns) for page in pages]
        for page, addresses in zip(pages, asked, strict=True):
            page.evaluate(ASK, list(addresses))
        for page, addresses, outputs in zip(pages, asked, expected, strict=True):
            answers = dict(zip(addresses.values(), page.evaluate("window.answers"), strict=True))
            answered += len(answers)
            _check(answers, outputs, columns)
    assert answered >= 200


def test_visitors_who_flip_at_once_see_their_own_maps(visitor: Callable[..., Page], server: str) -> None:
    """They press keys in turn; each screen shows that visitor's maps."""
    pages = [_with_photo(visitor(), server, seed) for seed in (3, 4)]
    expected = [lenet_outputs(photo(seed)) for seed in (3, 4)]
    there = [("ArrowRight", layer) for layer in LAYERS[1:]]
    back = [("ArrowLeft", layer) for layer in LAYERS[-2::-1]]
    for key, layer in there + back:
        for page in pages:
            press(page, key)
        for page, outputs in zip(pages, expected, strict=True):
            maps(page, layer).wait_for()
            assert_mosaic_shows(pixels(maps(page)), outputs[layer], facts(page))


def test_the_same_photo_has_another_address_for_every_visitor(
    visitor: Callable[..., Page], server: str
) -> None:
    """A photo does not reveal an address, and an invented address is answered with an error."""
    tokens = [subject(_with_photo(visitor(), server, 5)) for _ in range(2)]
    assert tokens[0] != tokens[1]
    stranger = visitor()
    stranger.goto(f"{server}/_stcore/health")
    for token in ("0" * 40, tokens[0][:-1], tokens[0] + "0", "..%2f" + tokens[0]):
        for ending in ENDINGS:
            assert stranger.evaluate(STATUS, f"{server}/maps/{token}/{ending}") in (400, 404, 410)


def test_an_address_dies_with_the_visit(visitor: Callable[..., Page], tmp_path: Path) -> None:
    """While the page is open its pictures are served; soon after it is closed they are gone."""
    with serving(tmp_path, hurried("0.5")) as server:
        leaving, staying = visitor(), visitor()
        visit(leaving, server, model="lenet", layer="conv1")
        picture = maps(leaving).evaluate("image => new URL(image.dataset.address, document.baseURI).href")
        staying.goto(f"{server}/_stcore/health")
        assert staying.evaluate(STATUS, picture) == 200
        leaving.close()
        deadline = time.monotonic() + patience(60)
        while staying.evaluate(STATUS, picture) != 410:
            assert time.monotonic() < deadline, "the picture outlived its visit"
            time.sleep(0.2)


def _with_photo(page: Page, server: str, seed: int) -> Page:
    """A visitor who uploaded a photo of their own."""
    visit(page, server, model="lenet", layer="conv1")
    before = subject(page)
    upload(page, "photo.png", png(photo(seed)), "image/png")
    expect_another_picture(page, before)
    return page


def _asked(page: Page, columns: int) -> dict[str, tuple[str, str]]:
    """Addresses in random order, each with its layer and form."""
    token = subject(page)
    asked = {
        f"maps/{token}/{form}?layer={layer}&columns={columns}&channel={columns}": (layer, form)
        for layer in LAYERS
        for form in ("layer.json", "layer.png", "values")
    }
    return dict(random.Random(columns).sample(list(asked.items()), len(asked)))


def _check(answers: dict[tuple[str, str], str], outputs: dict[str, np.ndarray], channel: int) -> None:
    """Every layer's picture and every number of one channel of it are those of this visitor's photo."""
    for layer in LAYERS:
        drawn = json.loads(base64.b64decode(answers[layer, "layer.json"]))
        assert_mosaic_shows(decoded(answers[layer, "layer.png"]), outputs[layer], drawn)
        values = np.frombuffer(base64.b64decode(answers[layer, "values"]), "<f4")
        own = outputs[layer][min(channel, len(outputs[layer]) - 1)]
        np.testing.assert_allclose(values.reshape(own.shape), own, rtol=1e-4, atol=1e-6)
