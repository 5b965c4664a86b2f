"""The addresses of two sides: right answers to those who hold both tokens, a sentence to everybody else."""

import io
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PIL import Image
from starlette.testclient import TestClient

from viz.pictures.photo import Photo, photograph
from viz.ui.visit.service import load_subject
from viz.ui.visit.visit import MapSet, Visit


@pytest.fixture
def second() -> Photo:
    """Another picture of noise."""
    noise = np.random.default_rng(6).integers(0, 256, (40, 40, 3), dtype=np.uint8)
    return photograph(Image.fromarray(noise))


@pytest.fixture
def other(visit: Visit, map_set: MapSet, second: Photo) -> MapSet:
    """The same layers for the other picture."""
    return visit.map_set(second, replace(map_set.wanted, image=second.fingerprint), map_set.layers)


def test_two_pictures_have_one_scale_and_a_difference(
    client: TestClient, map_set: MapSet, other: MapSet, photo: Photo, second: Photo
) -> None:
    """Facts, pictures and colour bars, against the module called by hand."""
    subject = load_subject("lenet", "pretrained")
    left, right = (
        subject.module.conv1(subject.prepare(each.image)).detach().numpy()[0] for each in (photo, second)
    )
    pair, query = f"/maps/{map_set.token}-0-0.pair", f"?with={other.token}-0-0&columns=3"
    facts = client.get(f"{pair}.json{query}").json()
    reach = max(abs(left).max(), abs(right).max())
    for side in ("left", "right"):
        assert (facts[side]["vmin"], facts[side]["vmax"]) == pytest.approx((-reach, reach), rel=1e-4)
    assert facts["difference"]["statistics"]["maximum"] == pytest.approx((left - right).max(), rel=1e-3)
    np.testing.assert_allclose(facts["distances"], np.abs(left - right).mean((1, 2)), rtol=1e-3)
    for side in ("left", "right", "difference"):
        size = Image.open(io.BytesIO(client.get(f"{pair}.{side}.png{query}").content)).size
        assert size == (facts[side]["geometry"]["width"], facts[side]["geometry"]["height"])
        bar = client.get(f"{pair}.{side}.bar.svg{query}&ink=aabbcc")
        assert ET.fromstring(bar.text).tag.endswith("svg")


def test_each_side_has_columns_of_its_own(client: TestClient, map_set: MapSet, other: MapSet) -> None:
    """Each has as many tiles in a row as the browser has room for."""
    query = f"with={other.token}-3-0&columns=2&with_columns=5"
    facts = client.get(f"/maps/{map_set.token}-0-0.pair.json?{query}").json()
    assert facts["left"]["geometry"]["columns"] == 2
    assert facts["right"]["geometry"]["columns"] == 5
    assert facts["difference"] is None


def test_one_channel_of_a_comparison_has_a_pixel_for_each_value(
    client: TestClient, map_set: MapSet, other: MapSet
) -> None:
    """They equal those of mosaics with room for all; a side without that channel has no picture."""
    pair, query = f"/maps/{map_set.token}-0-0.pair", f"?with={other.token}-0-0&columns=6&with_columns=6"
    facts = client.get(f"{pair}.json{query}&room=90x90").json()
    for side in ("left", "right", "difference"):
        assert facts[side]["geometry"]["width"] <= 90
        answers = [client.get(f"{pair}.{side}.png{query}{ending}") for ending in ("", "&only=3")]
        whole, one = (Image.open(io.BytesIO(answer.content)).convert("RGBA") for answer in answers)
        np.testing.assert_array_equal(whole.crop((87, 0, 115, 28)), one)
    apart = f"/maps/{map_set.token}-0-0.pair.{{}}.png?with={other.token}-3-0&only=7"  # 6 channels beside 16
    assert client.get(apart.format("left")).status_code == 422
    assert client.get(apart.format("right")).is_success


BAD = (
    "",
    "nobody-0-0",
    "{other}",
    "{other}-0",
    "{other}-99-0",
    "{other}-0-0-0",
    "{strange}-0-0",
    "../{other}-0-0",
)


@pytest.mark.parametrize("asked", BAD)
def test_a_second_side_that_is_not_ones_own_gets_a_sentence(
    client: TestClient, map_set: MapSet, other: MapSet, second: Photo, asked: str
) -> None:
    """A token that does not exist, none at all, and another visitor's token that somebody found out."""
    stranger = Visit("another session")
    strange = stranger.map_set(second, replace(map_set.wanted, image=second.fingerprint), map_set.layers)
    asked = asked.format(other=other.token, strange=strange.token)
    for form in ("json", "left.png", "left.bar.svg"):
        answer = client.get(f"/maps/{map_set.token}-0-0.pair.{form}", params={"with": asked})
        assert answer.status_code == 422
        assert 10 < len(answer.json()["error"]) < 200


@pytest.mark.parametrize("side", ["middle", "problems", "__class__", "difference"])
def test_a_side_that_there_is_not_gets_a_sentence(
    client: TestClient, map_set: MapSet, other: MapSet, side: str
) -> None:
    """Also the difference of two layers of other shapes."""
    answer = client.get(f"/maps/{map_set.token}-0-0.pair.{side}.png?with={other.token}-3-0")
    assert (answer.status_code, "to be shown of this pair" in answer.json()["error"]) == (422, True)


def test_both_addresses_die_with_the_visit(
    client: TestClient, visit: Visit, map_set: MapSet, other: MapSet
) -> None:
    """The left address is gone, and so is the right one."""
    address = f"/maps/{map_set.token}-0-0.pair.json?with={other.token}-0-0"
    assert client.get(address).status_code == 200
    visit.end()
    assert client.get(address).status_code == 410
