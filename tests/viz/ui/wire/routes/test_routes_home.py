"""The addresses of files to take home."""

import io
import json
import re
from dataclasses import replace

import pytest
from PIL import Image
from starlette.testclient import TestClient

from viz.pictures.photo import photograph
from viz.pictures.samples import sample, sample_title
from viz.request.inspection import Inspection
from viz.ui.visit.visit import SubjectEntry, Visit
from viz.ui.wire.file_titles import model_said


def sheets(text: str) -> list[str]:
    """The names of the layers in a file."""
    found = re.search(r'id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    return [sheet["name"] for sheet in json.loads(found[1])["sheets"]]


def test_all_layers_come_in_one_file(client: TestClient, subject: SubjectEntry) -> None:
    """In execution order, under a telling name, in the language that is asked for."""
    answer = client.get(f"/maps/{subject.token}/home.html?lang=zh")
    assert answer.headers["content-disposition"] == 'attachment; filename="lenet-layers.html"'
    assert sheets(answer.text)[:3] == ["conv1", "relu1", "pool1"]
    assert '<html lang="zh">' in answer.text
    assert "lenet, pretrained weights" in answer.text
    assert "private" in answer.headers["cache-control"]


def test_nobody_says_that_a_model_of_ones_own_is_trained(
    wanted: Inspection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its weights are those of its factory; another model's, and untrained ones, are called what they are."""
    monkeypatch.setenv("LAYERGLASS_MODEL", "somewhere:net")
    own, other = replace(wanted, model="net"), wanted
    assert model_said(own) == "net, original weights"
    assert model_said(other) == "lenet, pretrained weights"
    assert model_said(replace(own, weights="random")) == "net, random weights"
    assert model_said(replace(own, weights="own:1234")) == "net, own weights"


def test_the_title_says_edits_in_words(client: TestClient, subject: SubjectEntry) -> None:
    """As the page does, with minus signs, and in the language that is asked for."""
    asked = f"/maps/{subject.token}/home.html?block=conv1&edit=conv1:scale:2:-1.5"
    assert "conv1: channel 2 × \N{MINUS SIGN}1.5</title>" in client.get(asked).text
    assert "conv1：通道 2 × \N{MINUS SIGN}1.5</title>" in client.get(f"{asked}&lang=zh").text


def test_the_title_says_the_picture_and_whether_it_is_a_difference(
    client: TestClient, visit: Visit, subject: SubjectEntry
) -> None:
    """In words of the language; a figure's font has English letters, so a fingerprint stands there.

    Files of all layers show them after the edits.
    """
    asked, more = f"/maps/{subject.token}", "layer=conv1&edit=conv1:zero:2&show=difference"
    fingerprint = subject.photo.fingerprint[:8]
    assert f"picture {fingerprint}" in client.get(f"{asked}/export.svg?{more}").text
    visit.pictures.hold(subject.photo, "我的猫.png")
    page = client.get(f"{asked}/home.html?block=conv1&{more}").text
    assert "picture 我的猫.png, edited: conv1: channel 2 removed</title>" in page
    assert (
        "图片 我的猫.png, 已修改：conv1" in client.get(f"{asked}/home.html?block=conv1&{more}&lang=zh").text
    )
    figure = " ".join(re.findall("<!-- (.*) -->", client.get(f"{asked}/export.svg?{more}").text))
    assert f"lenet, pretrained weights · conv1 · picture {fingerprint} · difference" in figure
    whole = client.get(f"{asked}/overview.svg?{more}").text
    assert f"lenet, pretrained weights · picture {fingerprint} · edited: conv1:zero:2" in whole


def test_a_sample_is_called_what_it_shows(client: TestClient, visit: Visit, subject: SubjectEntry) -> None:
    """The cat is no file of the visitor's."""
    cat = visit.subject(photograph(sample("cat")), "lenet", "pretrained", subject.rows)
    figure = client.get(f"/maps/{cat.token}/export.svg?layer=conv1").text
    assert f"conv1 · picture {sample_title('cat')}" in " ".join(re.findall("<!-- (.*) -->", figure))


def test_a_guess_is_that_of_the_edited_model(client: TestClient, subject: SubjectEntry) -> None:
    """Best first, as the page shows it; without edits it is the prediction itself."""

    def best(edit: str) -> list[tuple[str, float]]:
        found = client.get(f"/maps/{subject.token}/home.html?block=conv1{edit}").text
        data = re.search(r'id="data">(.*?)</script>', found, re.DOTALL)
        assert data is not None
        return [(each["label"], each["share"]) for each in json.loads(data[1])["top"]]

    said = client.get(f"/maps/{subject.token}/prediction.json?edit=conv2:zero:all").json()
    after = sorted(((each["label"], each["after"]) for each in said["changes"]), key=lambda each: -each[1])
    assert best("&edit=conv2:zero:all") == after
    assert best("") == [(each["label"], each["share"]) for each in said["top"]]


def test_one_layer_comes_alone(client: TestClient, subject: SubjectEntry) -> None:
    """It is a file with the layer's name."""
    answer = client.get(f"/maps/{subject.token}/home.html?block=conv2")
    assert sheets(answer.text) == ["conv2"]
    assert "lenet-conv2.html" in answer.headers["content-disposition"]


def test_the_animation_has_a_frame_for_each_layer(client: TestClient, subject: SubjectEntry) -> None:
    """There are as many frames as layers in the model."""
    answer = client.get(f"/maps/{subject.token}/home.gif")
    assert answer.headers["content-type"] == "image/gif"
    with Image.open(io.BytesIO(answer.content)) as picture:
        assert getattr(picture, "n_frames", 0) == len(subject.rows)


def test_what_there_is_not_gets_a_sentence(client: TestClient, visit: Visit, subject: SubjectEntry) -> None:
    """A block of another model, an odd language, a visit that has ended."""
    answer = client.get(f"/maps/{subject.token}/home.html?block=layer4")
    assert (answer.status_code, "'layer4'" in answer.json()["error"]) == (422, True)
    assert '<html lang="en">' in client.get(f"/maps/{subject.token}/home.html?block=conv1&lang=xx%22").text
    assert client.get(f"/maps/{subject.token}/home.exe").status_code == 404
    visit.end()
    assert client.get(f"/maps/{subject.token}/home.gif").status_code == 410
