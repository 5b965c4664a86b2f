"""The view of gradients without a browser: the answers behind the photos and the maps."""

import base64
import io

import numpy as np
from PIL import Image
from starlette.testclient import TestClient

from viz.ui.visit.visit import SubjectEntry

OF_CAT = "view=gradients&target=3"


def test_the_facts_say_whose_gradient_it_is(client: TestClient, subject: SubjectEntry) -> None:
    """The values themselves stay the same, under their own address."""
    facts = client.get(f"/maps/{subject.token}/layer.json?layer=conv1&{OF_CAT}").json()
    assert facts["note"].startswith("gradient of class 'cat' (logit ")
    assert "with respect to this layer's output: 6 channels" in facts["note"]
    assert facts["colormap"] == "coolwarm"
    assert facts["vmin"] == -facts["vmax"]
    plain = client.get(f"/maps/{subject.token}/layer.json?layer=conv1").json()
    assert "gradient" not in plain["note"]
    assert plain["statistics"] != facts["statistics"]
    inputs = client.get(f"/maps/{subject.token}/layer.json?layer=conv1&{OF_CAT}&leaf=inputs").json()
    assert (inputs["shape"], "layer's input" in inputs["note"]) == ([1, 3, 32, 32], True)


def test_photos_have_the_size_of_what_the_model_saw(client: TestClient, subject: SubjectEntry) -> None:
    """Grad-CAM of the first layer, and saliency."""
    for name in ("cam.json?layer=conv1&", "saliency.json?"):
        answer = client.get(f"/maps/{subject.token}/{name}{OF_CAT}")
        picture = Image.open(io.BytesIO(base64.b64decode(answer.json()["png"])))
        assert (answer.status_code, picture.size) == (200, (32, 32))
        assert np.ptp(np.asarray(picture.convert("RGB"))) > 100


def test_what_has_no_cam_says_why(client: TestClient, subject: SubjectEntry) -> None:
    """A layer of single numbers, a call that does not exist, and a look without a class."""
    for query, words in (
        (f"layer=fc1&{OF_CAT}", "fc1 has no Grad-CAM"),
        (f"layer=conv1&call=8&{OF_CAT}", "no call 8"),
        ("layer=conv1", "choose a class first"),
    ):
        answer = client.get(f"/maps/{subject.token}/cam.json?{query}")
        assert (answer.status_code, words in answer.json()["error"]) == (422, True)
