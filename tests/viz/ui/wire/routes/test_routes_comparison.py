"""The addresses of two sides: right answers to those who hold both tokens, a sentence to everybody else."""

import io

import numpy as np
import pytest
from PIL import Image
from starlette.testclient import TestClient

from viz.pictures.photo import Photo, photograph
from viz.profile.rows import first_layer
from viz.ui.visit.service import engine, load_subject
from viz.ui.visit.visit import SubjectEntry, Visit
from viz.views.whole_model import Survey


@pytest.fixture
def second() -> Photo:
    """Another picture of noise."""
    noise = np.random.default_rng(6).integers(0, 256, (40, 40, 3), dtype=np.uint8)
    return photograph(Image.fromarray(noise))


@pytest.fixture
def other(visit: Visit, subject: SubjectEntry, second: Photo) -> SubjectEntry:
    """The same layers for the other picture."""
    return visit.subject(second, subject.model, subject.weights, subject.rows)


def test_two_pictures_have_one_scale_and_a_difference(
    client: TestClient, subject: SubjectEntry, other: SubjectEntry, photo: Photo, second: Photo
) -> None:
    """Facts, pictures and colour bars, against the module called by hand."""
    model = load_subject("lenet", "pretrained")
    left, right = (
        model.module.conv1(model.prepare(each.image)).detach().numpy()[0] for each in (photo, second)
    )
    pair, query = f"/maps/{subject.token}/pair", f"?layer=conv1&with={other.token}&columns=3"
    facts = client.get(f"{pair}.json{query}").json()
    reach = max(abs(left).max(), abs(right).max())
    for side in ("left", "right"):
        assert (facts[side]["vmin"], facts[side]["vmax"]) == pytest.approx((-reach, reach), rel=1e-4)
    assert facts["difference"]["statistics"]["maximum"] == pytest.approx((left - right).max(), rel=1e-3)
    np.testing.assert_allclose(facts["distances"], np.abs(left - right).mean((1, 2)), rtol=1e-3)
    for side in ("left", "right", "difference"):
        size = Image.open(io.BytesIO(client.get(f"{pair}.{side}.png{query}").content)).size
        assert size == (facts[side]["geometry"]["width"], facts[side]["geometry"]["height"])


def test_each_side_has_columns_of_its_own(
    client: TestClient, subject: SubjectEntry, other: SubjectEntry
) -> None:
    """Each has as many tiles in a row as the browser has room for."""
    query = f"with={other.token}&with_layer=conv2&columns=2&with_columns=5"
    facts = client.get(f"/maps/{subject.token}/pair.json?layer=conv1&{query}").json()
    assert facts["left"]["geometry"]["columns"] == 2
    assert facts["right"]["geometry"]["columns"] == 5
    assert facts["difference"] is None


def test_one_channel_of_a_comparison_has_a_pixel_for_each_value(
    client: TestClient, subject: SubjectEntry, other: SubjectEntry
) -> None:
    """They equal those of mosaics with room for all; a side without that channel has no picture."""
    pair = f"/maps/{subject.token}/pair"
    query = f"?layer=conv1&with={other.token}&columns=6&with_columns=6"
    facts = client.get(f"{pair}.json{query}&room=90x90").json()
    for side in ("left", "right", "difference"):
        assert facts[side]["geometry"]["width"] <= 90
        answers = [client.get(f"{pair}.{side}.png{query}{ending}") for ending in ("", "&only=3")]
        whole, one = (Image.open(io.BytesIO(answer.content)).convert("RGBA") for answer in answers)
        np.testing.assert_array_equal(whole.crop((87, 0, 115, 28)), one)
    apart = f"{pair}.{{}}.png{query}&with_layer=conv2&only=7"  # 6 channels beside 16
    assert client.get(apart.format("left")).status_code == 422
    assert client.get(apart.format("right")).is_success


BAD = (
    "",
    "nobody",
    "{other}-0-0",
    "{other}&with_layer=conv99",
    "{other}&with_call=0",
    "{other}&with_call=x",
    "{other}&with_order=nosuch",
    "{strange}",
    "../{other}",
)


@pytest.mark.parametrize("asked", BAD)
def test_a_second_side_that_is_not_ones_own_gets_a_sentence(
    client: TestClient, subject: SubjectEntry, other: SubjectEntry, second: Photo, asked: str
) -> None:
    """A token that does not exist, none at all, and another visitor's token that somebody found out."""
    stranger = Visit("another session")
    strange = stranger.subject(second, subject.model, subject.weights, subject.rows)
    asked = asked.format(other=other.token, strange=strange.token)
    for form in ("json", "left.png"):
        answer = client.get(f"/maps/{subject.token}/pair.{form}?layer=conv1&with={asked}")
        assert answer.status_code == 422
        assert 10 < len(answer.json()["error"]) < 200


@pytest.mark.parametrize("side", ["middle", "problems", "__class__", "difference"])
def test_a_side_that_there_is_not_gets_a_sentence(
    client: TestClient, subject: SubjectEntry, other: SubjectEntry, side: str
) -> None:
    """Also the difference of two layers of other shapes."""
    answer = client.get(
        f"/maps/{subject.token}/pair.{side}.png?layer=conv1&with={other.token}&with_layer=conv2"
    )
    assert (answer.status_code, "to be shown of this pair" in answer.json()["error"]) == (422, True)


def test_both_addresses_die_with_the_visit(
    client: TestClient, visit: Visit, subject: SubjectEntry, other: SubjectEntry
) -> None:
    """The left address is gone, and so is the right one."""
    address = f"/maps/{subject.token}/pair.json?layer=conv1&with={other.token}"
    assert client.get(address).status_code == 200
    visit.end()
    assert client.get(address).status_code == 410


def test_the_other_side_follows_the_look_as_far_as_it_can(
    client: TestClient, subject: SubjectEntry, other: SubjectEntry
) -> None:
    """The same layer, the same edits and colours; a layer, and no edits, if the look says so."""
    address = f"/maps/{subject.token}/pair.json?with={other.token}&edit=conv1:zero:0&colormap=magma"
    both = client.get(f"{address}&layer=relu1").json()
    assert [both[side]["layer"] for side in ("left", "right")] == ["relu1", "relu1"]
    assert [both[side]["colormap"] for side in ("left", "right")] == ["magma", "magma"]
    assert [both[side]["channels"]["maximum"][0] for side in ("left", "right")] == [0, 0]
    apart = client.get(f"{address}&layer=relu1&with_layer=conv2&with_call=1&with_edits=none").json()
    assert (apart["right"]["layer"], apart["right"]["call"]) == ("conv2", 0)
    alone = client.get(f"{address}&layer=relu1&with_edits=none").json()
    assert alone["right"]["channels"]["maximum"][0] > 0
    assert alone["left"]["channels"]["maximum"][0] == 0


def test_edits_stay_with_their_model(client: TestClient, visit: Visit, subject: SubjectEntry) -> None:
    """Another model has other layers, and begins at its first if it does not have this one."""
    rows = engine().do(Survey("photonet", "pretrained"), visitor=visit.visitor).result()
    beside = visit.subject(subject.photo, "photonet", "pretrained", rows)
    query = f"layer=fc1&with={beside.token}&edit=fc1:zero:0"
    found = client.get(f"/maps/{subject.token}/pair.json?{query}").json()
    assert found["right"]["layer"] == first_layer(rows)


def test_the_order_of_channels_is_that_of_the_comparison(
    client: TestClient, subject: SubjectEntry, other: SubjectEntry
) -> None:
    """At first those that differ most come first, whatever order one layer has."""
    address = f"/maps/{subject.token}/pair.json?layer=conv1&order=mean&with={other.token}"
    found = client.get(address).json()
    assert found["left"]["geometry"]["order"] == list(
        np.argsort(-np.array(found["distances"]), kind="stable")
    )
    means = client.get(f"{address}&with_order=mean").json()["left"]
    assert means["geometry"]["order"] == list(np.argsort(-np.array(means["channels"]["mean"]), kind="stable"))
