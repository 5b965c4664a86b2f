"""The view of gradients without a browser: the answers behind the photos and the maps."""

import base64
import io

import numpy as np
from PIL import Image
from starlette.testclient import TestClient

from viz.pictures.photo import Photo, cropped
from viz.ui.visit.service import engine
from viz.ui.visit.visit import SubjectEntry, Visit
from viz.views.whole_model import Survey

OF_CAT = "view=gradients&target=3"


def test_the_facts_say_whose_gradient_it_is(client: TestClient, subject: SubjectEntry) -> None:
    """The values themselves stay the same, under their own address."""
    facts = client.get(f"/maps/{subject.token}/layer.json?layer=conv1&{OF_CAT}").json()
    assert facts["note"].startswith("gradient of class 'cat' (logit ")
    assert facts["note"].endswith("with respect to this layer's output")
    assert facts["colormap"] == "coolwarm"
    assert facts["vmin"] == -facts["vmax"]
    plain = client.get(f"/maps/{subject.token}/layer.json?layer=conv1").json()
    assert "gradient" not in plain["note"]
    assert plain["statistics"] != facts["statistics"]
    inputs = client.get(f"/maps/{subject.token}/layer.json?layer=conv1&{OF_CAT}&leaf=inputs").json()
    assert (inputs["shape"], "layer's input" in inputs["note"]) == ([1, 3, 32, 32], True)


def test_photos_have_the_size_of_what_the_model_saw(client: TestClient, subject: SubjectEntry) -> None:
    """Grad-CAM of the first layer, saliency, and an occlusion."""
    for name in ("at=layer&layer=conv1", "method=saliency", "method=occlusion&window=16&stride=16"):
        answer = client.get(f"/maps/{subject.token}/attribution.json?{name}&{OF_CAT}")
        picture = Image.open(io.BytesIO(base64.b64decode(answer.json()["png"])))
        assert (answer.status_code, picture.size) == (200, (32, 32))
        assert np.ptp(np.asarray(picture.convert("RGBA"))) > 100
        assert answer.headers["cache-control"] == "no-store"


def test_what_has_no_cam_says_why(client: TestClient, subject: SubjectEntry) -> None:
    """A layer of single numbers, a call that does not exist, and a look without a class."""
    for query, words in (
        (f"layer=fc1&{OF_CAT}", "fc1 has no Grad-CAM"),
        (f"layer=fc1&method=conductance&{OF_CAT}", "the conductance of fc1 has no places"),
        (f"layer=conv1&call=8&{OF_CAT}", "no call 8"),
        (f"method=occlusion&window=99&{OF_CAT}", "99 pixels does not fit into a picture of 32"),
        ("layer=conv1", "is told of a class: choose one first"),
    ):
        answer = client.get(f"/maps/{subject.token}/attribution.json?at=layer&{query}")
        assert (answer.status_code, words in answer.json()["error"]) == (422, True)


def test_without_a_word_the_last_layer_with_maps_is_looked_at(
    client: TestClient, subject: SubjectEntry
) -> None:
    """LeNet's second ReLU; the layer on screen does not matter, unless the look says so."""
    base = f"/maps/{subject.token}/attribution.json?{OF_CAT}&layer=conv1"
    last, here = client.get(base).json(), client.get(f"{base}&at=layer").json()
    assert (last["layer"], last["height"], last["width"]) == ("relu2", 10, 10)
    assert (here["layer"], here["height"], here["width"]) == ("conv1", 28, 28)
    assert last["png"] != here["png"]


def test_the_included_transformer_is_looked_at_in_front_of_its_class_token(
    client: TestClient, visit: Visit, photo: Photo
) -> None:
    """Behind its last attention all places' gradients are zero; the layer on screen is told to be so."""
    rows = engine().do(Survey("patchformer", "pretrained"), visitor=visit.visitor).result()
    subject = visit.subject(photo, "patchformer", "pretrained", rows)
    base = f"/maps/{subject.token}/attribution.json?{OF_CAT}"
    first, behind = client.get(base).json(), client.get(f"{base}&at=layer&layer=norm").json()
    assert (first["layer"], first["height"], first["width"]) == ("blocks.3.attention.value", 8, 8)
    assert (first["empty"], first["reached"]) == (False, True)
    assert (behind["empty"], behind["reached"]) == (True, False)


def test_a_long_method_is_asked_for_until_it_is_done(client: TestClient, subject: SubjectEntry) -> None:
    """It says then what a script of the same settings says; the gap is that of completeness."""
    query = f"method=integrated-gradients&steps=30&{OF_CAT}"
    told = []
    while not told or told[-1]["done"] < told[-1]["total"]:
        told.append(client.get(f"/maps/{subject.token}/attribution.json?{query}").json())
        assert len(told) <= 30
    assert (told[-1]["total"], told[-1]["steps"], told[-1]["signed"]) == (30, 30, True)
    assert abs(told[-1]["gap"]) < 0.05 * abs(told[-1]["rise"])
    script = client.get(f"/maps/{subject.token}/attribution.py?{query}")
    assert script.status_code == 200
    assert "leggauss(30)" in script.text
    assert script.headers["content-disposition"].endswith('lenet-integrated-gradients-class3.py"')


def test_a_script_is_of_the_layer_that_is_looked_at(client: TestClient, subject: SubjectEntry) -> None:
    """The last with maps; with edits there is none."""
    script = client.get(f"/maps/{subject.token}/attribution.py?layer=conv1&{OF_CAT}")
    assert "Grad-CAM of class 3 at relu2" in script.text
    refused = client.get(f"/maps/{subject.token}/attribution.py?edit=conv1:zero:1&{OF_CAT}")
    assert (refused.status_code, "without edits" in refused.json()["error"]) == (422, True)


def test_a_script_reads_the_part_that_was_looked_at(
    client: TestClient, visit: Visit, subject: SubjectEntry
) -> None:
    """A frame on the picture is in the script as it is in that of a layer."""
    part = visit.subject(cropped(subject.photo, "4,2,24,20"), "lenet", "pretrained", subject.rows)
    for script in ("attribution.py?method=saliency&", "code.py?layer=conv1&"):
        assert "image.crop((4, 2, 28, 22))" in client.get(f"/maps/{part.token}/{script}{OF_CAT}").text
        assert "image.crop((4, 2," not in client.get(f"/maps/{subject.token}/{script}{OF_CAT}").text


def test_the_layers_that_name_their_classes_are_told(client: TestClient, subject: SubjectEntry) -> None:
    """LeNet's last one."""
    found = client.get(f"/maps/{subject.token}/names.json").json()
    assert found["calls"] == [{"layer": "fc3", "call": 0, "scores": True}]
    assert found["classes"][3] == "cat"
