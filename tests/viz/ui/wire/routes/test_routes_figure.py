"""The page's figure: the very file of the command that it shows, and its refusals."""

import shlex
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest
import torch
from PIL import Image
from starlette.testclient import TestClient
from torch import nn
from torchvision import transforms

import models
from viz.__main__ import main
from viz.home import COMMAND
from viz.pictures.own_donors import own_name
from viz.pictures.photo import photograph
from viz.pictures.samples import sample
from viz.profile.cost import megabytes, model_cost
from viz.ui.visit.service import engine
from viz.ui.visit.visit import SubjectEntry, Visit
from viz.views.whole_model import Survey

TWO_MODELS = "lenet:pretrained:conv2;photonet:random:stage1"


def facts(client: TestClient, subject: SubjectEntry, **look: object) -> dict[str, Any]:
    """The answer about a figure."""
    answer = client.get(f"/maps/{subject.token}/figure.json?{urlencode(look)}")
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize(
    "look",
    [
        {"figure": TWO_MODELS, "figure_pictures": "cat,coffee", "figure_photos": 1, "reduce": "l2"},
        {"figure": TWO_MODELS, "figure_pictures": "cat", "figure_over": 1, "figure_width": 88},
        {"figure": "lenet:pretrained:conv1;lenet:pretrained:conv2", "figure_pictures": "coffee"}
        | {"figure_scale": "all", "figure_letters": 0, "reduce": "top", "top": 3, "colormap": "magma"},
        {"figure": "lenet:pretrained:conv1", "figure_pictures": "cat", "reduce": "pca", "colormap": "magma"}
        | {"figure_scale": "all"},
        {"figure": "alexnet:random:features.1", "figure_pictures": "cat,sine"},
    ],
    ids=["rows", "over", "scaled", "components", "torchvision"],
)
@pytest.mark.parametrize("form", ["pdf", "svg", "png"])
def test_the_command_that_is_shown_writes_the_very_file(
    client: TestClient,
    subject: SubjectEntry,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    look: dict[str, object],
    form: str,
) -> None:
    """Byte by byte, and it prints the caption on the page."""
    found = facts(client, subject, **look)
    said = found["command"].removeprefix(f"{COMMAND} ")
    out = tmp_path / f"figure.{form}"
    assert main([word if word != "figure.pdf" else str(out) for word in shlex.split(said)]) == 0
    assert found["caption"] in capsys.readouterr().out
    page = client.get(f"/maps/{subject.token}/figure.{form}?{urlencode(look)}")
    assert page.content == out.read_bytes()
    assert f"figure.{form}" in page.headers["content-disposition"]


def test_own_pictures_are_named_by_their_files(client: TestClient, visit: Visit, tmp_path: Path) -> None:
    """Whole, whatever part the model on screen sees; the command reads the file of that name."""
    photo = photograph(Image.fromarray(np.asarray(sample("cat"))[40:240, 30:290]))
    visit.pictures.hold(photo, "my cat.png")
    rows = subject_rows(visit)
    subject = visit.subject(photo, "lenet", "pretrained", rows)
    found = facts(client, subject, figure="lenet:pretrained:conv2", figure_over=1)
    assert [each["label"] for each in found["pictures"]] == ["my cat.png"]
    assert "picture my cat.png" in found["caption"]
    assert "'my cat.png'" in found["command"]
    photo.image.save(tmp_path / "my cat.png")
    words = shlex.split(found["command"].removeprefix(f"{COMMAND} "))
    out = tmp_path / "figure.pdf"
    words = [str(tmp_path / each) if each.endswith((".png", ".pdf")) else each for each in words]
    assert main(words) == 0
    page = client.get(f"/maps/{subject.token}/figure.pdf?figure=lenet:pretrained:conv2&figure_over=1")
    assert page.content == out.read_bytes()


def subject_rows(visit: Visit) -> Any:
    """Return LeNet's layers."""
    return engine().do(Survey("lenet", "pretrained"), visitor=visit.visitor).result()


def test_a_figure_that_no_command_can_write_has_none(
    client: TestClient, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of files with one name or with one cut short, of an operator's model, of different calls."""
    photos = [photograph(Image.fromarray(np.full((50, 60, 3), grey, np.uint8))) for grey in (20, 99, 180)]
    for photo, file in zip(photos, ("a.png", "a.png", f"{'long' * 20}.png"), strict=True):
        visit.pictures.hold(photo, file)
    subject = visit.subject(photos[0], "lenet", "pretrained", subject_rows(visit))
    twice, cut = (",".join(map(own_name, some)) for some in (photos[:2], photos[2:]))
    for pictures in (twice, cut):
        found = facts(client, subject, figure="lenet:pretrained:conv1", figure_pictures=pictures)
        assert (found["command"], "picture" in found) == ("", True)
    assert facts(client, subject, figure="lenet:pretrained:conv1", figure_pictures=own_name(photos[1]))[
        "command"
    ]
    monkeypatch.setenv("LAYERGLASS_MODEL", "tests.browser.own_net:edge_finder")
    of_operator = facts(client, subject, figure="edge_finder:pretrained:0", figure_pictures="cat")
    assert of_operator["command"] == ""
    assert "edge_finder (original weights), 0, picture cat" in of_operator["caption"]


def test_a_preparation_of_the_operators_hides_no_figure(
    client: TestClient, subject: SubjectEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows which part of the photo it sees, so its maps are drawn beside the photo alone."""
    monkeypatch.setenv("LAYERGLASS_MODEL", f"{__name__}:prepared")
    look = {"figure": "prepared:pretrained:0", "figure_pictures": "cat", "figure_photos": 1}
    assert "(a) picture cat; (b) prepared" in facts(client, subject, **look)["caption"]
    assert "No part of the photo is known" in facts(client, subject, **look, figure_over=1)["error"]


def prepared() -> tuple[nn.Module, dict[str, Any]]:
    """A model whose pictures a function of the operator's prepares."""
    with torch.random.fork_rng():
        torch.manual_seed(3)
        net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 2))
    steps = transforms.Compose((transforms.Resize(40), transforms.CenterCrop(40), transforms.ToTensor()))
    return net, {"preprocessing": lambda picture: steps(picture)[None]}


def test_a_picture_that_is_gone_leaves_others_to_choose(client: TestClient, subject: SubjectEntry) -> None:
    """A link to another visitor's own says so, and offers what is here."""
    found = facts(client, subject, figure="lenet:pretrained:conv1", figure_pictures=f"own_{'1' * 32},cat")
    assert "There is no picture 'own_1111" in found["error"]
    assert {each["name"] for each in found["offered"]} >= {"cat", "coffee"}
    assert "zh" in found["said"]


def test_a_model_that_costs_much_is_asked_about_first(
    client: TestClient, subject: SubjectEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them in one question, beside the choices; agreed to, the figure comes, and its file."""
    look = {"figure": f"{TWO_MODELS};patchformer:pretrained:stem", "figure_pictures": "cat"}
    monkeypatch.setenv("LAYERGLASS_ASK_MB", "0")
    asked = facts(client, subject, **look)
    assert asked["costly"] == ["photonet", "patchformer"]
    cost = sum(model_cost(models.describe(each).parameters) for each in ("photonet", "patchformer"))
    assert asked["ask"].startswith(f"Loading photonet, patchformer takes about {megabytes(cost)} MB")
    assert asked["may"] is True
    assert "picture" not in asked
    assert len(asked["offered"]) > 5
    one = facts(client, subject, **look, agreed="photonet")
    assert one["costly"] == ["patchformer"]
    assert client.get(f"/maps/{subject.token}/figure.pdf?{urlencode(look)}").status_code == 422
    loaded = facts(client, subject, **look, agreed="photonet,patchformer")
    assert loaded["costly"] == ["lenet conv2", "photonet stage1", "patchformer stem"]
    look["agreed"] = ",".join(["photonet", "patchformer", *loaded["costly"]])
    assert "picture" in facts(client, subject, **look)
    assert client.get(f"/maps/{subject.token}/figure.pdf?{urlencode(look)}").status_code == 200
    alone = megabytes(model_cost(models.describe("patchformer").parameters))
    assert one["ask"].startswith(f"Loading patchformer takes about {alone} MB")


def test_what_the_server_cannot_bear_nobody_can_agree_to(
    client: TestClient, subject: SubjectEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of models and of a layer: the sentence says the limit, or that it is costly."""
    monkeypatch.setenv("LAYERGLASS_REFUSE_MB", "0")
    for figure, about in ((TWO_MODELS, ["photonet"]), ("lenet:pretrained:conv1", ["lenet conv1"])):
        asked = facts(client, subject, figure=figure, figure_pictures="cat")
        assert (asked["costly"], asked["may"], "picture" in asked) == (about, False, False)
    monkeypatch.delenv("LAYERGLASS_REFUSE_MB")
    monkeypatch.setenv("LAYERGLASS_ASK_MB", "0")
    look = {"figure": "lenet:pretrained:conv1", "figure_pictures": "cat"}
    assert facts(client, subject, **look)["ask"].startswith("Showing lenet conv1 takes about")
    assert "picture" in facts(client, subject, **look, agreed="lenet conv1")


def test_layers_that_run_several_times_say_their_calls(
    client: TestClient, visit: Visit, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In titles and in the caption, also of the command; of different calls there is no command."""
    rows = engine().do(Survey("resnet18", "random"), visitor=visit.visitor).result()
    several = next(row.name for row in rows if row.calls > 1)
    subject = visit.subject(photograph(sample("cat")), "resnet18", "random", rows)
    first, second = (f"resnet18:random:{several}{call}" for call in ("", "@2"))
    both = facts(client, subject, figure=f"{first};{second}")
    for call in (1, 2):
        assert f"resnet18 (untrained), {several} (call {call}), picture cat" in both["caption"]
    assert both["command"] == ""
    found = facts(client, subject, figure=second)
    out = tmp_path / "figure.pdf"
    said = found["command"].removeprefix(f"{COMMAND} ")
    assert main([word if word != "figure.pdf" else str(out) for word in shlex.split(said)]) == 0
    assert found["caption"] in capsys.readouterr().out
    page = client.get(f"/maps/{subject.token}/figure.pdf?figure={second}")
    assert page.content == out.read_bytes()


@pytest.mark.parametrize(
    ("look", "said"),
    [
        ({}, "1 to 8 columns"),
        ({"figure": "lenet:pretrained:conv9"}, "conv9"),
        ({"figure": "nolenet:pretrained:conv1"}, "nolenet"),
        ({"figure": "lenet:pretrained:conv1@2"}, "no call 2"),
        ({"figure": "lenet:pretrained:conv1", "figure_pictures": "nocat"}, "no picture 'nocat'"),
        ({"figure": "lenet:pretrained:conv1", "figure_pictures": f"own_{'0' * 32}"}, "There is no picture"),
        ({"figure": "lenet:pretrained:conv1", "colormap": "jetty"}, "jetty"),
        ({"figure": ";".join(["lenet:pretrained:conv1"] * 8), "figure_width": 30}, "do not fit"),
        ({"figure": "signalnet:pretrained:features.0", "figure_over": 1}, "No part of the photo"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(
    client: TestClient, subject: SubjectEntry, look: dict[str, object], said: str
) -> None:
    """For the facts and for the files."""
    assert said in facts(client, subject, **{"figure_pictures": "cat"} | look)["error"]
    answer = client.get(f"/maps/{subject.token}/figure.svg?{urlencode({'figure_pictures': 'cat'} | look)}")
    assert (answer.status_code, said in answer.json()["error"]) == (422, True)
    assert client.get(f"/maps/{subject.token}/figure.docx?{urlencode(look)}").status_code == 422
