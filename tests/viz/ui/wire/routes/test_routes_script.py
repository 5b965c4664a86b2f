"""A view as a script by its address, and the picture that the script reads."""

import ast
import io
from dataclasses import replace

import safetensors.torch
from PIL import Image
from starlette.testclient import TestClient

from tests.models.uploads import state
from viz.pictures.photo import Photo
from viz.request.inspection import Inspection
from viz.script.code_check import digest
from viz.ui.visit.own_weights import own_weights
from viz.ui.visit.service import engine
from viz.ui.visit.visit import SubjectEntry, Visit
from viz.views.one_layer import Values


def test_the_script_comes_under_the_name_of_its_view(client: TestClient, subject: SubjectEntry) -> None:
    """It is Python, about this layer."""
    answer = client.get(f"/maps/{subject.token}/code.py?layer=conv1")
    assert answer.headers["content-disposition"] == 'attachment; filename="lenet-conv1-call1.py"'
    ast.parse(answer.text)
    assert "get_submodule('conv1')" in answer.text


def test_training_mode_is_asked_for_in_the_address(client: TestClient, subject: SubjectEntry) -> None:
    """The view says so, and its script trains."""
    for query, seed in (("", None), ("&training=0", 0), ("&training=7", 7)):
        note = client.get(f"/maps/{subject.token}/layer.json?layer=conv1{query}").json()["note"]
        code = client.get(f"/maps/{subject.token}/code.py?layer=conv1{query}").text
        assert ("training mode" in note) == ("model.train()" in code) == (seed is not None)
        assert seed is None or (note.endswith(f"seed {seed}") and f"torch.manual_seed({seed})" in code)


def test_a_script_names_a_colormap_of_matplotlib_on_a_dark_page_too(
    client: TestClient, subject: SubjectEntry
) -> None:
    """Our own colormap for dark pages is in no other program."""
    light, dark = (
        client.get(f"/maps/{subject.token}/code.py?layer=conv1{query}").text for query in ("", "&dark=1")
    )
    assert "cmap='coolwarm'" in light
    assert dark == light


def test_the_picture_that_a_script_reads_is_there_pixel_for_pixel(
    client: TestClient, subject: SubjectEntry, photo: Photo
) -> None:
    """It is the picture before the model's preprocessing."""
    answer = client.get(f"/maps/{subject.token}/picture.png")
    assert Image.open(io.BytesIO(answer.content)).tobytes() == photo.image.tobytes()
    assert answer.headers["content-disposition"] == 'attachment; filename="picture.png"'


def test_what_no_script_can_make_gets_one_sentence(
    client: TestClient, visit: Visit, subject: SubjectEntry, photo: Photo
) -> None:
    """Nobody else has an upload's weights; gradients at a layer's output and input have a script."""
    for query in ("", "&leaf=inputs"):
        code = client.get(f"/maps/{subject.token}/code.py?layer=relu1&view=gradients&target=3{query}").text
        assert "score = model(*arguments)[0, 3]" in code
    mine = own_weights(safetensors.torch.save(state(21)))
    own = visit.subject(photo, subject.model, mine.id, subject.rows)
    answer = client.get(f"/maps/{own.token}/code.py?layer=relu1")
    assert answer.status_code == 422
    assert answer.json()["said"]["zh"]["error"].startswith("脚本只能加载已训练或未训练的权重")


def test_the_script_of_an_edited_view_has_its_edits_and_that_of_the_view_before_has_none(
    client: TestClient, subject: SubjectEntry
) -> None:
    """We fetch both by address; the plain view's script has no edits either."""
    edit = "&edit=conv1:zero:1;conv2:scale:all:2"
    after, before, plain = (
        client.get(f"/maps/{subject.token}/code.py?layer=conv1{query}").text
        for query in (edit, f"{edit}&show=before", "")
    )
    assert after.count("register_forward_hook(edit_") == 2
    assert before == plain != after


def test_a_script_knows_the_numbers_of_its_own_view(
    client: TestClient, visit: Visit, subject: SubjectEntry, photo: Photo, wanted: Inspection
) -> None:
    """Of the layer's value or its input, as the engine has them; of both sides of a difference."""
    inside = replace(wanted, layer="conv2", leaf="inputs[0]")
    for query, asked, leaf in (
        ("layer=conv1", wanted, "output"),
        ("layer=conv2&leaf=inputs", inside, "inputs[0]"),
    ):
        values = engine().do(Values(asked, photo), visitor=visit.visitor).result()
        known = digest(values.call(0)[leaf].array)
        text = client.get(f"/maps/{subject.token}/code.py?{query}").text
        assert f"deviation = distance(values, values_sums, {known.size!r})" in text
    query = "layer=conv1&show=difference&edit=conv1:zero:1"
    text = client.get(f"/maps/{subject.token}/code.py?{query}").text
    plain = digest(engine().do(Values(wanted, photo), visitor=visit.visitor).result().call(0)["output"].array)
    assert f"distance(before, before_sums, {plain.size!r})," in text
    assert text.count("distance(after, after_sums, ") == 1
