"""The addresses of pixels: right answers to those who hold a token, a sentence to everybody else."""

import io
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PIL import Image
from safetensors.numpy import load
from starlette.testclient import TestClient

from viz.pictures.photo import Photo, photograph
from viz.ui.visit.service import engine, load_subject
from viz.ui.visit.visit import MapSet, Visit
from viz.ui.wire.answers import attachment

FORMS = (
    "-0-0.json",
    "-0-0.png",
    "-0-0.bar.svg",
    "-0-0.values",
    "-0-0.channel.png",
    "-0-0.export.npz",
    "-0-0.cell.json",
    "-0-0.filter.json",
    "-0-0.code.py",
    ".seen.png",
    ".picture.png",
    ".overview.json",
)
HOSTILE = (
    *("-99-0.json", "-0-99.json", "-0-1.png", "-0-9999999999999999999999.values", f"-{'9' * 5000}-0.json"),
    *(
        "-0-0.json?columns=99999",
        "-0-0.png?columns=-3",
        "-0-0.json?columns=1e9",
        "-0-0.json?columns=\N{SUPERSCRIPT TWO}",
        "-0-0.png?room=1x1",
        "-0-0.json?room=99999x99999",
        "-0-0.json?room=123456x1",
        "-0-0.json?room=\N{SUPERSCRIPT TWO}x3",
    ),
    *(
        "-0-0.json?kind=%00",
        "-0-0.json?kind=" + "k" * 5000,
        "-0-0.json?leaf=../../etc",
        "-0-0.json?leaf=inputs[9]",
    ),
    *(
        "-0-0.json?index=99999",
        "-0-0.values?channel=99999",
        "-0-0.values?channel=x",
        "-0-0.channel.png?channel=99999",
        "-0-0.bar.svg?channel=99999",
    ),
    *("-0-0.bar.svg?ink=</svg><script>", "-0-0.bar.svg?ink=zzzzzz", "-0-0.bar.svg?ink="),
    *("-0-0.cell.json?channel=99999", "-0-0.cell.json?y=x&x=-1", "-0-0.cell.json?source=99999"),
    *("-0-0.cell.json?leaf=inputs", "-0-9.cell.json", "-0-0.filter.json?channel=77", "-1-0.filter.json"),
    *("-0-0.code.py?leaf=output[0]", "-0-0.code.py?kind=nosuch", "-0-7.code.py"),
    *("-0-0.export.exe", "-0-0.export.npz?kind=nosuch", ".overview.exe", "-0-0.export.svg?leaf=nosuch"),
)


def test_the_picture_is_what_the_facts_say(client: TestClient, map_set: MapSet) -> None:
    """Facts, mosaic and colour bar belong together, and are for this browser only."""
    facts = client.get(f"/maps/{map_set.token}-0-0.json?columns=2").json()
    answer = client.get(f"/maps/{map_set.token}-0-0.png?columns=2")
    size = Image.open(io.BytesIO(answer.content)).size
    assert (facts["layer"], facts["geometry"]["columns"]) == ("conv1", 2)
    assert size == (facts["geometry"]["width"], facts["geometry"]["height"])
    assert "private" in answer.headers["cache-control"]
    bar = client.get(f"/maps/{map_set.token}-0-0.bar.svg?ink=aabbcc")
    assert ET.fromstring(bar.text).tag.endswith("svg")


def test_values_and_arrays_are_the_layers_own(client: TestClient, map_set: MapSet, photo: Photo) -> None:
    """One channel as little-endian floats, and all of it as NPZ, against the module called by hand."""
    subject = load_subject("lenet", "pretrained")
    expected = subject.module.conv1(subject.prepare(photo.image)).detach().numpy()
    values = np.frombuffer(client.get(f"/maps/{map_set.token}-0-0.values?channel=4").content, "<f4")
    np.testing.assert_allclose(values.reshape(28, 28), expected[0, 4], rtol=1e-4, atol=1e-6)
    answer = client.get(f"/maps/{map_set.token}-0-0.export.npz")
    assert answer.headers["content-disposition"] == 'attachment; filename="lenet-conv1-call1.npz"'
    with np.load(io.BytesIO(answer.content)) as arrays:
        np.testing.assert_allclose(arrays[arrays.files[0]], expected, rtol=1e-4, atol=1e-6)


def test_one_channel_is_its_part_of_the_whole_mosaic(client: TestClient, map_set: MapSet) -> None:
    """A pixel for each value, for which the mosaic has no room, in the colours of the layer's scale."""
    facts = client.get(f"/maps/{map_set.token}-0-0.json?room=60x50").json()["geometry"]
    assert facts["width"] <= 60
    assert facts["height"] <= 50
    assert (facts["tile_width"], facts["map_width"]) == (facts["tile_height"], 28)
    whole = Image.open(io.BytesIO(client.get(f"/maps/{map_set.token}-0-0.png?columns=3").content)).convert(
        "RGBA"
    )
    one = Image.open(
        io.BytesIO(client.get(f"/maps/{map_set.token}-0-0.channel.png?room=60x50&channel=4").content)
    )
    np.testing.assert_array_equal(whole.crop((29, 29, 57, 57)), one.convert("RGBA"))


def test_what_the_model_saw_is_its_input(client: TestClient, map_set: MapSet) -> None:
    """The picture after resizing and cropping."""
    answer = client.get(f"/maps/{map_set.token}.seen.png")
    assert Image.open(io.BytesIO(answer.content)).size == (32, 32)


@pytest.mark.parametrize("form", FORMS)
def test_a_token_that_nobody_holds_is_gone(client: TestClient, map_set: MapSet, form: str) -> None:
    """One sentence and 410, whatever is asked for."""
    assert client.get(f"/maps/{map_set.token}{form}").status_code == 200
    answer = client.get(f"/maps/{map_set.token[::-1]}{form}")
    assert answer.status_code == 410
    assert "visit that has ended" in answer.json()["error"]


@pytest.mark.parametrize("ending", HOSTILE)
def test_a_hostile_address_gets_a_sentence_at_most(client: TestClient, map_set: MapSet, ending: str) -> None:
    """An answer or a refusal in JSON or plain text; never a bug, which would raise here."""
    answer = client.get(f"/maps/{map_set.token}{ending}")
    assert answer.status_code in (200, 404, 422)
    if answer.status_code == 422:
        assert 10 < len(json.loads(answer.content)["error"]) < 500
    if "svg" in answer.headers["content-type"]:
        assert "<script" not in answer.text
        ET.fromstring(answer.text)


@pytest.fixture
def busy() -> Iterator[threading.Event]:
    """Keeps the engine's only worker busy for somebody else until this is set."""
    done = threading.Event()
    engine()._worker.submit("busy", done.wait, lane="somebody else")
    yield done
    done.set()


@pytest.fixture
def fresh(visit: Visit, map_set: MapSet) -> MapSet:
    """A map set of a picture of which nothing has been captured yet."""
    photo = photograph(Image.effect_noise((40, 30), 50).convert("RGB"))
    return visit.map_set(photo, replace(map_set.wanted, image=photo.fingerprint), map_set.layers)


def test_a_newer_view_takes_the_older_ones_place(
    client: TestClient, fresh: MapSet, busy: threading.Event
) -> None:
    """While the worker is busy only the newest view waits; the browser is told that it was superseded."""
    with ThreadPoolExecutor() as browser:
        older = browser.submit(client.get, f"/maps/{fresh.token}-3-0.json")
        _wait_until_waiting(1)
        newer = browser.submit(client.get, f"/maps/{fresh.token}-4-0.json")
        assert older.result(timeout=20).status_code == 409
        busy.set()
        assert newer.result(timeout=20).status_code == 200
    assert older.result().json()["superseded"] is True


def test_what_is_captured_is_drawn_while_the_worker_is_busy(
    client: TestClient, map_set: MapSet, request: pytest.FixtureRequest
) -> None:
    """Another visitor's forward pass does not hold up a flip to a layer that was captured before."""
    assert client.get(f"/maps/{map_set.token}-1-0.json").status_code == 200
    request.getfixturevalue("busy")
    with ThreadPoolExecutor() as browser:
        again = browser.submit(client.get, f"/maps/{map_set.token}-1-0.json?columns=3")
        assert again.result(timeout=20).json()["geometry"]["columns"] == 3


def _wait_until_waiting(count: int) -> None:
    for _ in range(2000):
        if engine()._worker.waiting >= count:
            return
        threading.Event().wait(0.01)
    pytest.fail("the request never reached the worker")


def test_a_download_has_a_name_that_every_file_system_takes() -> None:
    """No model's or layer's name can end the header or leave the folder."""
    header = attachment('timm/net"; x\r\nset-cookie: a=1 层-call1.npz')["content-disposition"]
    assert header == 'attachment; filename="timm-net-x-set-cookie-a-1--call1.npz"'


def test_the_numbers_come_as_safetensors_too(client: TestClient, map_set: MapSet) -> None:
    """Bit for bit what the NPZ holds."""
    tensors = load(client.get(f"/maps/{map_set.token}-0-0.export.safetensors").content)
    answer = client.get(f"/maps/{map_set.token}-0-0.export.npz")
    with np.load(io.BytesIO(answer.content)) as arrays:
        assert list(tensors) == arrays.files
        np.testing.assert_array_equal(tensors["output"], arrays["output"])
    assert tensors["output"].dtype == np.float32
