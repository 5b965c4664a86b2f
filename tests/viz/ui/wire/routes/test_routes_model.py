"""Questions about a subject as a whole, and that nobody else gets an answer."""

import json

import numpy as np
import pytest
from PIL import Image
from starlette.testclient import TestClient

from viz.__main__ import main
from viz.pictures.own_donors import own_name
from viz.pictures.photo import Photo, photograph
from viz.ui.visit.service import engine, load_subject
from viz.ui.visit.visit import SubjectEntry, Visit
from viz.views.whole_model import Survey

QUESTIONS = (
    *(
        "layer.json?",
        "layer.png?",
        "values?",
        "export.npz?",
        "cell.json?",
        "code.py?show=before&",
        "overview.json?",
    ),
    *(
        "prediction.json?",
        "attribution.json?target=1&view=gradients&",
        "attribution.py?target=1&view=gradients&method=saliency&",
        "timeline.json?",
        "memory.json?",
        "graph.json?",
    ),
    *("home.gif?", "overview.svg?", "ablation.json?", "channel.png?", "filter.json?"),
)


def test_the_tree_is_what_the_command_line_prints(
    client: TestClient, subject: SubjectEntry, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same layers, calls, shapes and reasons; operations only if they are asked for."""
    assert main(["layers", "lenet", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    found = client.get(f"/maps/{subject.token}/tree.json").json()
    for name in ("name", "type", "parameters", "calls", "shapes", "reason", "evidence"):
        assert [row[name] for row in found] == [row[name] for row in printed]
    more = client.get(f"/maps/{subject.token}/tree.json?operations=1").json()
    assert [row["name"] for row in more] == [row.name for row in subject.rows]


def test_the_graph_has_every_call_of_the_tree_and_the_edges_of_a_chain(
    client: TestClient, subject: SubjectEntry
) -> None:
    """LeNet is a chain: what ran, in execution order, and an edge from each to the next."""
    found = client.get(f"/maps/{subject.token}/graph.json").json()
    assert {tuple(node) for node in found["nodes"]} == {("id", "name", "type", "call", "shape", "parent")}
    ran = sorted((row for row in subject.rows if row.calls), key=lambda row: row.order or 0)
    assert [node["name"] for node in found["nodes"]] == ["input", *(row.name for row in ran), "output"]
    shapes = [node["shape"] for node in found["nodes"][1:-1]]
    assert shapes == [list(row.shapes[0] or ()) for row in ran]
    assert found["edges"] == [{"from": place, "to": place + 1} for place in range(len(ran) + 1)]


def test_a_reason_is_said_in_each_language(client: TestClient, visit: Visit, photo: Photo) -> None:
    """Of a layer that does not run when the model predicts."""
    rows = engine().do(Survey("googlenet", "random"), visitor=visit.visitor).result()
    subject = visit.subject(photo, "googlenet", "random", rows)
    found = client.get(f"/maps/{subject.token}/tree.json").json()
    silent = [row for row in found if row["reason"]]
    assert silent
    assert all(row["said"]["zh"]["reason"] for row in silent)


def test_a_prediction_is_that_of_the_model_called_by_hand(
    client: TestClient, subject: SubjectEntry, photo: Photo
) -> None:
    """Best first, each with its place among the classes; without edits, nothing changes."""
    model = load_subject("lenet", "pretrained")
    shares = model.module(model.prepare(photo.image)).softmax(1).detach().numpy()[0]
    found = client.get(f"/maps/{subject.token}/prediction.json").json()
    best = list(np.argsort(-shares)[:5])
    assert [each["place"] for each in found["top"]] == best
    assert [each["label"] for each in found["top"]] == [model.classes[place] for place in best]
    np.testing.assert_allclose([each["share"] for each in found["top"]], shares[best], rtol=1e-4)
    assert found["changes"] == []


def test_a_prediction_says_how_edits_change_it(client: TestClient, subject: SubjectEntry) -> None:
    """Before and after; what is shown of one layer does not matter; null if the model fails with them."""
    address = f"/maps/{subject.token}/prediction.json"
    plain = client.get(address).json()["top"][0]
    changed = client.get(f"{address}?edit=fc3:scale:all:0&show=before").json()
    assert changed["top"][0] == plain
    before = {each["label"]: each["before"] for each in changed["changes"]}
    assert before[plain["label"]] == pytest.approx(plain["share"])
    assert {round(each["after"], 6) for each in changed["changes"]} == {0.1}
    assert client.get(f"{address}?edit=conv1:inputs.zero:7").json()["changes"] is None


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_question_takes_values_from_another_visits_picture(
    client: TestClient, subject: SubjectEntry, question: str
) -> None:
    """Not even after its owner, who looks at the same picture, got the answer."""
    owner, secret = Visit("owner"), photograph(Image.effect_noise((40, 30), 90).convert("RGB"))
    owner.pictures.hold(secret, "secret.png")
    theirs = owner.subject(subject.photo, subject.model, subject.weights, subject.rows)
    edit = f"edit=conv1:swap:3:{own_name(secret)}"
    if ".py?" not in question:  # a script with such an edit is refused to its owner too
        assert client.get(f"/maps/{theirs.token}/{question}{edit}").status_code == 200
    answer = client.get(f"/maps/{subject.token}/{question}{edit}")
    assert answer.status_code == 422
    assert "no longer here" in answer.json()["error"]
    assert answer.json()["of_edit"]


def test_no_frame_and_no_pair_takes_values_from_another_visits_picture(
    client: TestClient, subject: SubjectEntry, visit: Visit, photo: Photo
) -> None:
    """Neither side of a comparison, and no frame of the camera."""
    owner, secret = Visit("owner"), photograph(Image.effect_noise((40, 30), 90).convert("RGB"))
    owner.pictures.hold(secret, "secret.png")
    edit = f"layer=conv1&edit=conv1:swap:3:{own_name(secret)}"
    beside = visit.subject(photo, "lenet", "random", subject.rows)
    for pair in ("pair.json", "pair.right.png"):
        for query in (edit, f"{edit}&with_edits=none", f"{edit}&with_edits=same"):
            answer = client.get(f"/maps/{subject.token}/{pair}?with={beside.token}&{query}")
            assert (answer.status_code, "no longer here" in answer.json()["error"]) == (422, True)
    for live in ("layer.live", "overview.live"):
        answer = client.post(f"/maps/{subject.token}/{live}?{edit}", content=b"")
        assert (answer.status_code, "no longer here" in answer.json()["error"]) == (422, True)


def test_a_visit_that_ended_takes_its_answers_along(
    client: TestClient, subject: SubjectEntry, visit: Visit
) -> None:
    """Every question, also one that was answered before."""
    for question in QUESTIONS[:3]:
        assert client.get(f"/maps/{subject.token}/{question}").status_code == 200
    visit.end()
    for question in QUESTIONS:
        assert client.get(f"/maps/{subject.token}/{question}").status_code == 410
