"""The view of gradients without a browser: the class that is chosen, and the answers behind the photos."""

import base64
import io

import numpy as np
import pytest
from PIL import Image
from starlette.testclient import TestClient

from tests.viz.ui.conftest import Opened
from viz.ui.choose.choose_target import TOP
from viz.ui.locale.words import say
from viz.ui.visit.markdown import escaped
from viz.ui.visit.visit import SubjectEntry

OF_CAT = "view=gradients&target=3"


def test_the_class_at_first_is_the_top_prediction(opened: Opened) -> None:
    """Every class of the model can be chosen, by name and number; the address says the number."""
    page = opened(view="gradients")
    box = page.selectbox(key="target")
    assert (box.value, len(box.options)) == (TOP, 11)
    assert box.options[0].startswith("top prediction: ")
    assert box.options[4] == "cat · 3"
    assert "target" not in page.query_params
    box.select(5).run()
    assert not page.exception
    assert page.query_params["target"] == "5"


@pytest.mark.parametrize("target", ["10", "-1", "cat", "9" * 5000])
def test_an_address_with_a_class_that_does_not_exist_says_so(opened: Opened, target: str) -> None:
    """One sentence, and the top prediction."""
    page = opened(view="gradients", target=target)
    (warning,) = page.warning
    assert str(warning.value).startswith("The address says target=")
    assert page.selectbox(key="target").value == TOP


def test_the_class_is_kept_while_another_view_is_on_screen(opened: Opened) -> None:
    """It leaves the address with the view, and comes back with it."""
    page = opened(view="gradients", target="7")
    assert page.selectbox(key="target").value == 7
    for view, said in (("layer", False), ("gradients", True)):
        page.session_state["view"] = view
        page.run()
        assert not page.exception
        assert ("target" in page.query_params) is said
    assert page.selectbox(key="target").value == 7


def test_a_model_without_classes_says_so(opened: Opened) -> None:
    """One sentence instead of maps."""
    page = opened(model="fcn_resnet50", weights="random", view="gradients")
    assert [warning.value for warning in page.warning] == [escaped(say("en", "no_target"))]
    assert not page.exception


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
