"""One number taken apart, and the weights of a channel, by their addresses."""

import base64
import io

import numpy as np
import pytest
from PIL import Image
from starlette.testclient import TestClient

from viz.pictures.photo import Photo
from viz.ui.visit.service import load_subject
from viz.ui.visit.visit import SubjectEntry


def test_a_cell_is_answered_with_field_and_arithmetic(
    client: TestClient, subject: SubjectEntry, photo: Photo
) -> None:
    """Against the module called by hand; the window of five by five lies at the cell."""
    model = load_subject("lenet", "pretrained")
    output = model.module.conv1(model.prepare(photo.image)).detach()
    facts = client.get(f"/maps/{subject.token}/cell.json?layer=conv1&channel=4&y=3&x=20").json()
    assert facts["value"] == pytest.approx(float(output[0, 4, 3, 20]), rel=1e-5)
    assert facts["cell"] == [0, 4, 3, 20]
    assert facts["box"] == {"top": 3, "left": 20, "bottom": 8, "right": 25}
    assert facts["size"] == {"height": 32, "width": 32}
    assert facts["agrees"]
    other = client.get(f"/maps/{subject.token}/cell.json?layer=conv1&channel=4&y=3&x=20&source=2").json()
    assert other["patch"]["channel"] == 2
    assert other["channels"] == facts["channels"]


def test_the_weights_of_a_channel_are_a_picture(client: TestClient, subject: SubjectEntry) -> None:
    """Three kernels of five by five for the three colours."""
    answer = client.get(f"/maps/{subject.token}/filter.json?layer=conv1&channel=1")
    facts = answer.json()
    assert facts["kernels"] == {"count": 3, "height": 5, "width": 5}
    assert Image.open(io.BytesIO(base64.b64decode(facts["png"]))).width == facts["width"] == 17
    assert "private" in answer.headers["cache-control"]


def test_a_refusal_can_be_said_in_the_visitors_language(client: TestClient, subject: SubjectEntry) -> None:
    """The facts of a number as well: formula, field and reason."""
    refused = client.get(f"/maps/{subject.token}/filter.json?layer=relu1")
    assert refused.status_code == 422
    assert refused.json()["error"].startswith("ReLU has no filters")
    assert refused.json()["said"]["zh"]["error"].startswith("ReLU 没有滤波器：relu1 ")
    facts = client.get(f"/maps/{subject.token}/cell.json?layer=conv1").json()
    assert facts["said"]["zh"] == {
        "formula": "对 3 个通道、25 个位置求和 Σ 输入 × 权重，再加偏置",
        "note": "图片的一部分：到此为止，还没有哪一步把所有位置合在一起。",
    }


def test_a_unit_is_told_with_its_weights_and_its_neighbours(
    client: TestClient, subject: SubjectEntry
) -> None:
    """LeNet's second convolution: six kernels, fed by the first one, read by fc1."""
    facts = client.get(f"/maps/{subject.token}/unit.json?layer=conv2&channel=5").json()
    assert (facts["layer"], facts["channel"], facts["channels"]) == ("conv2", 5, 16)
    assert facts["weights"]["kernels"] == {"count": 6, "height": 5, "width": 5}
    model = load_subject("lenet", "pretrained").module
    norms = model.conv2.weight[5].detach().flatten(1).norm(dim=1)
    assert facts["weights"]["places"] == norms.argsort(descending=True).tolist()
    assert {each["unit"]["layer"] for each in facts["before"]["units"]} == {"conv1"}
    assert facts["before"]["units"][0]["steps"] == ["relu1", "pool1"]
    assert facts["after"]["layers"] == ["fc1"]
    effects = [each["effect"] for each in facts["after"]["units"]]
    assert effects == sorted(effects, reverse=True)
    refused = client.get(f"/maps/{subject.token}/unit.json?layer=conv2&channel=16")
    assert refused.json()["error"] == "there is no unit 16: conv2 has 16, from 0 to 15."
    assert refused.json()["said"]["zh"]["error"].startswith("没有单元 16")


@pytest.mark.parametrize(
    "asked", ["memory", "memory colormap=viridis", "filter", "filter colormap=viridis", "unit"]
)
def test_pictures_of_values_with_both_signs_suit_the_page_around_them(
    client: TestClient, subject: SubjectEntry, asked: str
) -> None:
    """Values near zero, which have no colour, are dark on a dark page and light on a light one."""
    form, _, chosen = asked.partition(" ")
    for page, light in (("", True), ("dark=1", False)):
        found = client.get(f"/maps/{subject.token}/{form}.json?layer=conv2&channel=3&{page}&{chosen}").json()
        pictures = {"memory": found.get("moments"), "filter": [found], "unit": [found.get("weights")]}[form]
        assert all((_greys(each["png"]) > 128).all() == light for each in pictures)


def _greys(png: str) -> np.ndarray:
    """Return the lightness of those pixels of a picture that have next to no colour."""
    pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(png))).convert("RGBA"), int)
    colours = pixels[pixels[..., 3] == 255][:, :3]
    greys = colours[np.ptp(colours, axis=1) < 25].mean(axis=1)
    assert greys.size
    return np.asarray(greys)
