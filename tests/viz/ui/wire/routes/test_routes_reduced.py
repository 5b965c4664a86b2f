"""The numbers of a layer as one picture: NumPy's, of the maps that another address answers."""

import io
import json

import numpy as np
import pytest
from starlette.testclient import TestClient

from viz.ui.visit.visit import SubjectEntry

FORMULAS = {
    "mean": lambda maps: maps.mean(0),
    "abs-mean": lambda maps: np.abs(maps).mean(0),
    "max": lambda maps: maps.max(0),
    "l2": lambda maps: np.sqrt((maps**2).sum(0)),
    "std": lambda maps: maps.std(0),
    "argmax": lambda maps: maps.argmax(0),
}


def numbers(client: TestClient, subject: SubjectEntry, question: str) -> np.ndarray:
    """The float32 numbers of an answer."""
    answer = client.get(f"/maps/{subject.token}/{question}")
    assert answer.status_code == 200, answer.text
    return np.frombuffer(answer.content, "<f4")


@pytest.fixture
def maps(client: TestClient, subject: SubjectEntry) -> np.ndarray:
    """The sixteen maps of LeNet's second convolution, in double precision."""
    found = [numbers(client, subject, f"values?layer=conv2&channel={channel}") for channel in range(16)]
    return np.stack(found).reshape(16, 10, 10).astype(np.float64)


@pytest.mark.parametrize("how", FORMULAS)
def test_each_formula_is_numpys(
    client: TestClient, subject: SubjectEntry, maps: np.ndarray, how: str
) -> None:
    """Rounded once, to float32."""
    found = numbers(client, subject, f"reduced?layer=conv2&reduce={how}")
    np.testing.assert_allclose(found.reshape(10, 10), FORMULAS[how](maps), rtol=1e-6)


def test_components_and_files_have_the_same_numbers(
    client: TestClient, subject: SubjectEntry, maps: np.ndarray
) -> None:
    """Three for each place; their variance is the largest that three directions can have."""
    found = numbers(client, subject, "reduced?layer=conv2&reduce=pca").reshape(10, 10, 3)
    sizes = np.linalg.svd((maps - maps.mean((1, 2), keepdims=True)).reshape(16, -1), compute_uv=False)
    np.testing.assert_allclose(np.sqrt((found**2).sum((0, 1))), sizes[:3], rtol=1e-5)
    file = client.get(f"/maps/{subject.token}/reduced.npz?layer=conv2&reduce=pca")
    with np.load(io.BytesIO(file.content)) as arrays:
        assert np.array_equal(arrays["values"], found)


def test_places_are_compared_with_the_cell_of_the_look(
    client: TestClient, subject: SubjectEntry, maps: np.ndarray
) -> None:
    """Without one with the strongest; another formula passes the cell over."""
    about = "layer=conv2&view=reduced"
    found = numbers(client, subject, f"reduced?{about}&reduce=similar&cell=3,4").reshape(10, 10)
    lengths = np.linalg.norm(maps, axis=0)
    expected = np.einsum("c,crw->rw", maps[:, 3, 4], maps) / lengths / lengths[3, 4]
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-7)
    facts = client.get(f"/maps/{subject.token}/reduced.json?{about}&reduce=similar").json()
    assert tuple(facts["at"]) == divmod(int(lengths.argmax()), 10)
    mean = numbers(client, subject, f"reduced?{about}&reduce=mean&cell=3,4")
    np.testing.assert_allclose(mean.reshape(10, 10), maps.mean(0), rtol=1e-6)
    refused = client.get(f"/maps/{subject.token}/reduced.json?{about}&reduce=similar&cell=10,0")
    assert (refused.status_code, "no place 10, 0" in refused.json()["error"]) == (422, True)
    file = client.get(f"/maps/{subject.token}/reduced.npz?{about}&reduce=similar&cell=3,4")
    with np.load(io.BytesIO(file.content)) as arrays:
        assert np.array_equal(arrays["values"], found)
        assert json.loads(str(arrays["card"]))["place"] == "3,4"


def test_a_number_of_channels_goes_with_their_sum_alone(
    client: TestClient, subject: SubjectEntry, maps: np.ndarray
) -> None:
    """With another formula it is passed over, as the look keeps it while the visitor tries others."""
    strongest = np.argsort(-np.abs(maps).mean((1, 2)), kind="stable")[:3]
    found = numbers(client, subject, "reduced?layer=conv2&reduce=top&top=3")
    np.testing.assert_allclose(found.reshape(10, 10), maps[strongest].sum(0), rtol=1e-5, atol=1e-6)
    with_it = numbers(client, subject, "reduced?layer=conv2&reduce=max&top=3")
    assert np.array_equal(with_it, numbers(client, subject, "reduced?layer=conv2&reduce=max"))
