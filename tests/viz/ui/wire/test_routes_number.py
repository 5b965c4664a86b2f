"""What takes a view apart, by its address: one number, the weights of a channel, the view as a script."""

import ast
import base64
import io
from dataclasses import replace

import numpy as np
import pytest
import safetensors.torch
from PIL import Image
from safetensors.numpy import load
from starlette.testclient import TestClient

from tests.models.uploads import state
from viz.pictures.subject import Photo
from viz.request.edit_request import edits_from
from viz.request.inspection import Inspection
from viz.ui.locale.words_sentences import CHINESE
from viz.ui.visit.own_weights import own_weights
from viz.ui.visit.service import load_subject
from viz.ui.visit.visit import Book, Visit


def test_a_cell_is_answered_with_field_and_arithmetic(client: TestClient, book: Book, photo: Photo) -> None:
    """Against the module called by hand; the window of five by five lies at the cell."""
    subject = load_subject("lenet", "pretrained")
    output = subject.module.conv1(subject.prepare(photo.image)).detach()
    facts = client.get(f"/maps/{book.token}-0-0.cell.json?channel=4&y=3&x=20").json()
    assert facts["value"] == pytest.approx(float(output[0, 4, 3, 20]), rel=1e-5)
    assert (facts["cell"], facts["box"], facts["size"]) == ([0, 4, 3, 20], [3, 20, 8, 25], [32, 32])
    assert facts["agrees"]
    other = client.get(f"/maps/{book.token}-0-0.cell.json?channel=4&y=3&x=20&source=2").json()
    assert other["patch"]["channel"] == 2
    assert other["channels"] == facts["channels"]


def test_the_weights_of_a_channel_are_a_picture(client: TestClient, book: Book) -> None:
    """Three kernels of five by five for the three colours."""
    answer = client.get(f"/maps/{book.token}-0-0.filter.json?channel=1")
    facts = answer.json()
    assert facts["kernels"] == [3, 5, 5]
    assert Image.open(io.BytesIO(base64.b64decode(facts["png"]))).width == facts["width"] == 17
    assert "private" in answer.headers["cache-control"]


def test_a_refusal_can_be_said_in_the_visitors_language(client: TestClient, book: Book) -> None:
    """The facts of a number as well: formula, field and reason."""
    refused = client.get(f"/maps/{book.token}-1-0.filter.json")
    assert refused.status_code == 422
    assert refused.json()["error"].startswith("ReLU has no filters")
    assert refused.json()["error_zh"] == CHINESE["filter_none"].format(what="ReLU", layer="relu1")
    facts = client.get(f"/maps/{book.token}-0-0.cell.json").json()
    assert facts["formula_zh"] == CHINESE["convolution_bias"].format(channels=3, places=25)
    assert facts["note_zh"] == CHINESE["field_part"]


def test_the_script_comes_under_the_name_of_its_view(client: TestClient, book: Book) -> None:
    """It is Python, about this layer."""
    answer = client.get(f"/maps/{book.token}-0-0.code.py")
    assert answer.headers["content-disposition"] == 'attachment; filename="lenet-conv1-call1.py"'
    ast.parse(answer.text)
    assert "get_submodule('conv1')" in answer.text


def test_the_picture_that_a_script_reads_is_there_pixel_for_pixel(
    client: TestClient, book: Book, photo: Photo
) -> None:
    """As it was uploaded, before the model's preprocessing."""
    answer = client.get(f"/maps/{book.token}.picture.png")
    assert Image.open(io.BytesIO(answer.content)).tobytes() == photo.image.tobytes()
    assert answer.headers["content-disposition"] == 'attachment; filename="picture.png"'


def test_what_no_script_can_make_gets_one_sentence(
    client: TestClient, visit: Visit, book: Book, photo: Photo, wanted: Inspection
) -> None:
    """Nobody else has an upload's weights; gradients at a layer's output and input have a script."""
    gradients = visit.book(photo, replace(wanted, gradient=3), book.pages)
    for query in ("", "?leaf=inputs"):
        code = client.get(f"/maps/{gradients.token}-1-0.code.py{query}").text
        assert "score = model(*arguments)[0, 3]" in code
    mine = own_weights(safetensors.torch.save(state(21)))
    own = visit.book(photo, replace(wanted, weights=mine.id), book.pages)
    answer = client.get(f"/maps/{own.token}-1-0.code.py")
    assert (answer.status_code, answer.json()["error_zh"]) == (422, CHINESE["code_weights"])


def test_the_script_of_an_edited_view_has_its_edits_and_that_of_the_view_before_has_none(
    client: TestClient, visit: Visit, book: Book, photo: Photo, wanted: Inspection
) -> None:
    """By their addresses; what the plain book gives has none either."""
    edited = visit.book(
        photo, replace(wanted, edits=edits_from("conv1:zero:1;conv2:scale:all:2")), book.pages
    )
    after, before, plain = (
        client.get(f"/maps/{address}").text
        for address in (
            f"{edited.token}-0-0.code.py",
            f"{edited.token}-0-0.code.py?show=before",
            f"{book.token}-0-0.code.py",
        )
    )
    assert after.count("register_forward_hook(edit_") == 2
    assert before == plain != after


def test_the_numbers_come_as_safetensors_too(client: TestClient, book: Book) -> None:
    """Bit for bit what the NPZ holds."""
    tensors = load(client.get(f"/maps/{book.token}-0-0.export.safetensors").content)
    answer = client.get(f"/maps/{book.token}-0-0.export.npz")
    with np.load(io.BytesIO(answer.content)) as arrays:
        assert list(tensors) == arrays.files
        np.testing.assert_array_equal(tensors["output"], arrays["output"])
    assert tensors["output"].dtype == np.float32
