"""Frames that are posted: their maps go only to holders of the address, everything else is refused."""

import base64
import io
import time

import numpy as np
import pytest
from PIL import Image
from starlette.testclient import TestClient

from viz.pictures.images import read_image
from viz.pictures.photo import photograph
from viz.ui.choose.choose_live import LONGEST, SHORTEST, frame_side
from viz.ui.visit.service import load_subject
from viz.ui.visit.visit import SubjectEntry, Visit
from viz.ui.wire.routes.routes_live import LONGEST_SIDE, MOST_BYTES, REFUSED_SECONDS


def jpeg(seed: int, size: tuple[int, int] = (160, 120)) -> bytes:
    """A small picture of noise, as a camera's frame comes."""
    noise = np.random.default_rng(seed).integers(0, 256, (*size[::-1], 3), dtype=np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(noise).save(buffer, "JPEG")
    return buffer.getvalue()


def test_the_maps_of_a_frame_are_its_own(client: TestClient, subject: SubjectEntry) -> None:
    """They are not those of the subject's own picture; we check each frame against LeNet called by hand."""
    model = load_subject("lenet", "pretrained")
    for seed in (1, 2):
        answer = client.post(f"/maps/{subject.token}/layer.live?layer=conv1&columns=3", content=jpeg(seed))
        found = answer.json()
        output = model.module.conv1(model.prepare(read_image(jpeg(seed)))).detach().numpy()[0]
        np.testing.assert_allclose(found["channels"]["mean"], output.mean((1, 2)), rtol=1e-3, atol=1e-5)
        mosaic = Image.open(io.BytesIO(base64.b64decode(found["png"])))
        assert mosaic.size == (found["geometry"]["width"], found["geometry"]["height"])
        assert found["geometry"]["columns"] == 3
        assert len(found["top"]) == 5
        assert Image.open(io.BytesIO(base64.b64decode(found["seen"]))).size == (32, 32)
        assert answer.headers["cache-control"] == "no-store"


def test_the_scale_of_the_whole_model_is_that_of_the_picture_before(
    client: TestClient, subject: SubjectEntry
) -> None:
    """Every frame has it, and says which share of its values is beyond it."""
    still = client.get(f"/maps/{subject.token}/layer.json?layer=conv1&scale=model").json()
    output = load_subject("lenet", "pretrained")
    for seed in (1, 2):
        found = client.post(
            f"/maps/{subject.token}/layer.live?layer=conv1&scale=model", content=jpeg(seed)
        ).json()
        assert (found["vmin"], found["vmax"]) == (still["vmin"], still["vmax"])
        values = output.module.conv1(output.prepare(read_image(jpeg(seed)))).detach().numpy()
        beyond = ((values < found["vmin"]) | (values > found["vmax"])).mean()
        assert found["beyond"] == pytest.approx(beyond, abs=1e-3)


def test_the_chosen_channel_comes_whole_where_the_maps_are_small(
    client: TestClient, subject: SubjectEntry
) -> None:
    """With a pixel for each value, as in the mosaic that has room for all; else it is left out."""
    whole = client.post(f"/maps/{subject.token}/layer.live?layer=conv1&columns=3", content=jpeg(1)).json()
    small = client.post(
        f"/maps/{subject.token}/layer.live?layer=conv1&room=60x50&channel=4", content=jpeg(1)
    ).json()
    assert whole["large"] == ""
    assert small["geometry"]["tile_width"] < 28
    mosaic, large = (
        Image.open(io.BytesIO(base64.b64decode(each))).convert("RGBA")
        for each in (whole["png"], small["large"])
    )
    np.testing.assert_array_equal(mosaic.crop((29, 29, 57, 57)), large)
    assert client.post(
        f"/maps/{subject.token}/layer.live?layer=conv1&room=60x50&channel=77", content=jpeg(1)
    ).is_success


@pytest.mark.parametrize("scale", ["layer", "model"])
def test_all_layers_of_a_frame_come_in_small(
    client: TestClient, subject: SubjectEntry, visit: Visit, scale: str
) -> None:
    """They equal those of the same picture uploaded; one scale for all is that of the picture before."""
    frame = jpeg(5)
    still = photograph(read_image(frame))
    own = visit.subject(still, subject.model, subject.weights, subject.rows)
    answer = client.post(f"/maps/{subject.token}/overview.live?scale={scale}", content=frame)
    before, expected = (
        client.get(f"/maps/{each.token}/overview.json?scale={scale}").json() for each in (subject, own)
    )
    found = answer.json()
    assert [each["layer"] for each in found["layers"]] == [each["layer"] for each in expected]
    if scale == "layer":
        assert found["layers"] == expected
    else:
        assert {each["low"] for each in found["layers"]} == {before[0]["low"]} != {expected[0]["low"]}
    assert (len(found["top"]), answer.headers["cache-control"]) == (5, "no-store")
    assert (
        client.post(f"/maps/{subject.token}/overview.live?scale={scale}", content=b"no picture").status_code
        == 422
    )
    assert client.post(f"/maps/{'0' * 40}/overview.live", content=frame).status_code == 410


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"", "empty"),
        (b"no picture", "PNG"),
        (b"\xff" * (MOST_BYTES + 1), f"{MOST_BYTES // 1000} kB"),
        (jpeg(1, (LONGEST_SIDE + 1, 8)), "times as long"),
        (jpeg(1, (LONGEST_SIDE + 1, 200)), f"{LONGEST_SIDE} pixels"),
    ],
)
def test_what_is_no_frame_is_refused_in_a_sentence(
    client: TestClient, subject: SubjectEntry, body: bytes, says: str
) -> None:
    """The next good one is answered."""
    answer = client.post(f"/maps/{subject.token}/layer.live?layer=conv1", content=body)
    assert answer.status_code == 422
    assert says in answer.json()["error"]
    assert client.post(f"/maps/{subject.token}/layer.live?layer=conv1", content=jpeg(3)).is_success


def test_who_sends_what_is_no_frame_has_little_of_it_read(client: TestClient, subject: SubjectEntry) -> None:
    """A pause follows each; a frame that can be read comes at once again."""
    address, began = f"/maps/{subject.token}/layer.live?layer=conv1", time.monotonic()
    assert [client.post(address, content=b"no picture").status_code for _ in range(3)] == [422] * 3
    assert time.monotonic() - began > 3 * REFUSED_SECONDS
    assert client.post(address, content=jpeg(1)).status_code == 200


def test_nobody_else_gets_or_sends_frames(client: TestClient, subject: SubjectEntry, visit: Visit) -> None:
    """A wrong address, a visit that has ended, and asking instead of sending."""
    assert client.post(f"/maps/{'0' * 40}/layer.live", content=jpeg(1)).status_code == 410
    assert client.get(f"/maps/{subject.token}/layer.live?layer=conv1").status_code == 405
    visit.end()
    assert client.post(f"/maps/{subject.token}/layer.live?layer=conv1", content=jpeg(1)).status_code == 410


def test_gradients_are_not_live(client: TestClient, subject: SubjectEntry) -> None:
    """One sentence says so."""
    address = f"/maps/{subject.token}/layer.live?layer=conv1&view=gradients&target=2"
    answer = client.post(address, content=jpeg(1))
    assert (answer.status_code, "gradients" in answer.json()["error"]) == (422, True)


def test_a_frame_is_as_large_as_the_model_needs() -> None:
    """The size is within two bounds; other code reports a model that does not exist."""
    assert frame_side("lenet") == frame_side("nonsense") == frame_side(None) == SHORTEST
    assert frame_side("resnet50") == 256
    assert frame_side("regnet_y_128gf") <= LONGEST
