"""The addresses of pixels: right answers to those who hold a token, a sentence to everybody else."""

import io
import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PIL import Image
from safetensors.numpy import load
from starlette.testclient import TestClient

import models
from tests.machine import patience
from viz.engine.engine import LocalEngine
from viz.pictures.photo import Photo, photograph
from viz.ui.visit.service import engine, load_subject
from viz.ui.visit.visit import SubjectEntry, Visit
from viz.ui.wire.answers import attachment

FORMS = (
    "layer.json",
    "layer.png",
    "values",
    "channel.png",
    "export.npz",
    "cell.json",
    "reading.json",
    "filter.json",
    "unit.json",
    "reduced.json",
    "reduced?reduce=pca",
    "reduced.npz?reduce=top&top=2",
    "figure.json?figure=lenet:pretrained:conv1",
    "figure.svg?figure=lenet:pretrained:conv1",
    "code.py",
    "ablation.json",
    "timeline.json",
    "memory.json",
    "optimised.json?length=1",
    "seen.png",
    "picture.png",
    "overview.json",
    "overview.svg",
    "names.json",
    "attribution.json?view=gradients",
    "tree.json",
    "graph.json",
    "prediction.json",
    "home.html",
)
HOSTILE = (
    *("layer.json?layer=conv99", "layer.json?layer=conv1&call=99", "layer.png?layer=conv1&call=2"),
    *(
        "values?layer=conv1&call=9999999999999999999999",
        f"layer.json?layer={'9' * 5000}",
        "layer.json?call=0",
    ),
    *("layer.json?layer=", "layer.json?layer=%00", "layer.json?layer=conv1%20%E2%80%BA%20add", "layer.json"),
    *(
        "layer.json?columns=99999",
        "layer.png?columns=-3",
        "layer.json?columns=1e9",
        "layer.json?columns=\N{SUPERSCRIPT TWO}",
        "layer.png?room=1x1",
        "layer.json?room=99999x99999",
        "layer.json?room=123456x1",
        "layer.json?room=\N{SUPERSCRIPT TWO}x3",
    ),
    *(
        "layer.json?kind=%00",
        "layer.json?kind=" + "k" * 5000,
        "layer.json?leaf=../../etc",
        "layer.json?leaf=inputs[9]",
    ),
    *(
        "layer.json?index=99999",
        "values?channel=99999",
        "reduced.json?reduce=median",
        "reduced?layer=fc1&reduce=top&top=0",
        "reduced?layer=prob&top=99999&reduce=top",
        "values?channel=x",
        "channel.png?channel=99999",
    ),
    *("layer.png?dark=2", "layer.png?dark=", "overview.json?dark=yes", "layer.json?dark=1%0A"),
    *("cell.json?channel=99999", "cell.json?y=x&x=-1", "cell.json?source=99999"),
    *(
        "reading.json?channel=99999",
        "reading.json?y=x&x=-1",
        "reading.json?y=999&x=0",
        "reading.json?source=99999",
    ),
    *("reading.json?leaf=inputs", "reading.json?call=10", "reading.json?kind=nosuch"),
    *("cell.json?leaf=inputs", "cell.json?call=10", "filter.json?channel=77", "filter.json?layer=relu1"),
    *("code.py?leaf=output[0]", "code.py?kind=nosuch", "code.py?call=8"),
    *("export.exe", "export.npz?kind=nosuch", "overview.exe", "export.svg?leaf=nosuch"),
    *(
        "layer.json?colormap=nosuch",
        "layer.json?scale=nosuch",
        "overview.json?colormap=%00",
        "layer.json?show=x",
    ),
    *("layer.json?view=gradients&target=99999", "timeline.json?back=1&target=-1", "prediction.json?edit=;;;"),
    *("layer.json?edit=" + "conv1:zero:" * 2_000, "overview.json?edit=conv1:swap:3:own_" + "0" * 32),
    *(
        "nothing",
        "layer.json/",
        "../layer.json",
        "",
        "tree.json?operations=2",
        "pair.json",
        "pair.json?with=",
    ),
)


def test_the_picture_is_what_the_facts_say(client: TestClient, subject: SubjectEntry) -> None:
    """Facts and mosaic belong together, also in one file, and are for this browser only."""
    facts = client.get(f"/maps/{subject.token}/layer.json?layer=conv1&columns=2").json()
    answer = client.get(f"/maps/{subject.token}/layer.png?layer=conv1&columns=2")
    picture = Image.open(io.BytesIO(answer.content))
    assert json.loads(picture.info["layerglass"]) == facts
    assert (facts["layer"], facts["geometry"]["columns"]) == ("conv1", 2)
    assert picture.size == (facts["geometry"]["width"], facts["geometry"]["height"])
    assert "private" in answer.headers["cache-control"]


def test_values_and_arrays_are_the_layers_own(
    client: TestClient, subject: SubjectEntry, photo: Photo
) -> None:
    """One channel as little-endian floats, and all of it as NPZ, against the module called by hand."""
    model = load_subject("lenet", "pretrained")
    expected = model.module.conv1(model.prepare(photo.image)).detach().numpy()
    values = np.frombuffer(client.get(f"/maps/{subject.token}/values?layer=conv1&channel=4").content, "<f4")
    np.testing.assert_allclose(values.reshape(28, 28), expected[0, 4], rtol=1e-4, atol=1e-6)
    answer = client.get(f"/maps/{subject.token}/export.npz?layer=conv1")
    assert answer.headers["content-disposition"] == 'attachment; filename="lenet-conv1-call1.npz"'
    with np.load(io.BytesIO(answer.content)) as arrays:
        np.testing.assert_allclose(arrays[arrays.files[0]], expected, rtol=1e-4, atol=1e-6)


def test_one_channel_is_its_part_of_the_whole_mosaic(client: TestClient, subject: SubjectEntry) -> None:
    """A pixel for each value, for which the mosaic has no room, in the colours of the layer's scale."""
    facts = client.get(f"/maps/{subject.token}/layer.json?layer=conv1&room=60x50").json()["geometry"]
    assert facts["width"] <= 60
    assert facts["height"] <= 50
    assert (facts["tile_width"], facts["map_width"]) == (facts["tile_height"], 28)
    whole = Image.open(
        io.BytesIO(client.get(f"/maps/{subject.token}/layer.png?layer=conv1&columns=3").content)
    ).convert("RGBA")
    one = Image.open(
        io.BytesIO(client.get(f"/maps/{subject.token}/channel.png?layer=conv1&room=60x50&channel=4").content)
    )
    np.testing.assert_array_equal(whole.crop((29, 29, 57, 57)), one.convert("RGBA"))


def test_what_the_model_saw_is_its_input(client: TestClient, subject: SubjectEntry) -> None:
    """The picture after resizing and cropping."""
    answer = client.get(f"/maps/{subject.token}/seen.png")
    assert Image.open(io.BytesIO(answer.content)).size == (32, 32)


@pytest.mark.parametrize("form", FORMS)
def test_a_token_that_nobody_holds_is_gone(client: TestClient, subject: SubjectEntry, form: str) -> None:
    """One sentence and 410, whatever is asked for."""
    assert client.get(f"/maps/{subject.token}/{form}").status_code == 200
    answer = client.get(f"/maps/{subject.token[::-1]}/{form}")
    assert answer.status_code == 410
    assert "visit that has ended" in answer.json()["error"]


@pytest.mark.parametrize("ending", HOSTILE)
def test_a_hostile_address_gets_a_sentence_at_most(
    client: TestClient, subject: SubjectEntry, ending: str
) -> None:
    """An answer or a refusal in JSON or plain text; never a bug, which would raise here."""
    answer = client.get(f"/maps/{subject.token}/{ending}")
    assert answer.status_code in (200, 404, 422)
    if answer.status_code == 422:
        assert 10 < len(json.loads(answer.content)["error"]) < 500
    if "svg" in answer.headers["content-type"]:
        assert "<script" not in answer.text
        ET.fromstring(answer.text)


def _local() -> LocalEngine:
    found = engine().engine
    assert isinstance(found, LocalEngine)
    return found


@pytest.fixture
def busy() -> Iterator[threading.Event]:
    """Keeps the engine's only worker busy for somebody else until this is set."""
    begun, done = threading.Event(), threading.Event()
    _local()._worker.submit("busy", lambda: (begun.set(), done.wait()), lane="somebody else")
    assert begun.wait(patience(60))  # it no longer waits itself
    yield done
    done.set()


@pytest.fixture
def fresh(visit: Visit, subject: SubjectEntry) -> SubjectEntry:
    """A picture of which nothing has been captured yet, in the same model."""
    photo = photograph(Image.effect_noise((40, 30), 50).convert("RGB"))
    return visit.subject(photo, subject.model, subject.weights, subject.rows)


def test_a_newer_view_takes_the_older_ones_place(
    client: TestClient, fresh: SubjectEntry, busy: threading.Event
) -> None:
    """While the worker is busy only the newest view waits; the browser is told that it was superseded."""
    with ThreadPoolExecutor() as browser:
        try:
            older = browser.submit(client.get, f"/maps/{fresh.token}/layer.json?layer=conv2")
            _wait_until_waiting(1)
            newer = browser.submit(client.get, f"/maps/{fresh.token}/layer.json?layer=relu2")
            assert older.result(timeout=patience(60)).status_code == 409
        finally:
            busy.set()  # or the two would wait for ever, and the test with them
        assert newer.result(timeout=patience(60)).status_code == 200
    assert older.result().json()["superseded"] is True


def test_what_is_captured_is_drawn_while_the_worker_is_busy(
    client: TestClient, subject: SubjectEntry, request: pytest.FixtureRequest
) -> None:
    """Another visitor's forward pass does not hold up a flip to a layer that was captured before."""
    assert client.get(f"/maps/{subject.token}/layer.json?layer=relu1").status_code == 200
    busy = request.getfixturevalue("busy")
    with ThreadPoolExecutor() as browser:
        again = browser.submit(client.get, f"/maps/{subject.token}/layer.json?layer=relu1&columns=3")
        try:
            assert again.result(timeout=patience(60)).json()["geometry"]["columns"] == 3
        finally:
            busy.set()  # or it would wait for ever, and the test with it


def _wait_until_waiting(count: int) -> None:
    until = time.monotonic() + patience(60)
    while _local()._worker.waiting < count:
        assert time.monotonic() < until, "the request never reached the worker"
        time.sleep(0.01)


def test_a_download_has_a_name_that_every_file_system_takes() -> None:
    """No model's or layer's name can end the header or leave the folder."""
    header = attachment('timm/net"; x\r\nset-cookie: a=1 层-call1.npz')["content-disposition"]
    assert header == 'attachment; filename="timm-net-x-set-cookie-a-1--call1.npz"'


def test_downloaded_numbers_say_what_they_are(
    client: TestClient, subject: SubjectEntry, photo: Photo
) -> None:
    """The card has the picture's digest and the model's own words for how it became its input."""
    answer = client.get(f"/maps/{subject.token}/export.npz?layer=conv2&edit=conv1:zero:3")
    with np.load(io.BytesIO(answer.content)) as arrays:
        card = json.loads(str(arrays["card"]))
    assert (card["model"], card["weights"], card["layer"]) == ("lenet", "pretrained", "conv2")
    assert (card["picture"], card["edits"]) == (photo.fingerprint, ["conv1:zero:3"])
    assert card["preprocessing"] == models.describe("lenet").preprocessing.describe()


def test_the_numbers_come_as_safetensors_too(client: TestClient, subject: SubjectEntry) -> None:
    """Bit for bit what the NPZ holds."""
    tensors = load(client.get(f"/maps/{subject.token}/export.safetensors?layer=conv1").content)
    answer = client.get(f"/maps/{subject.token}/export.npz?layer=conv1")
    with np.load(io.BytesIO(answer.content)) as arrays:
        assert [*tensors, "card"] == arrays.files
        np.testing.assert_array_equal(tensors["output"], arrays["output"])
    assert tensors["output"].dtype == np.float32
