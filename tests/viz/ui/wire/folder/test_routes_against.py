"""The lens on two models over the page's addresses: right numbers, and who may know of whose."""

import io
import re
import threading
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from PIL import Image
from starlette.testclient import TestClient

import models
from tests.browser.pictures import photo as scene
from tests.browser.pictures import png
from tests.viz.ui.folders.test_store import peaks
from tests.viz.ui.wire.folder import test_routes_folder
from tests.viz.ui.wire.folder.test_routes_folder import ask, looked_through, name_pictures
from viz.answers.folders.lens import LensAgainstFacts
from viz.pictures.photo import Photo
from viz.ui.folders import captured, opened, sources
from viz.ui.visit.service import engine
from viz.ui.visit.visit import SubjectEntry, Visit
from viz.ui.wire.folder import gathered
from viz.views.whole_model import Survey

folder, capture = test_routes_folder.folder, test_routes_folder.capture
Features = dict[tuple[str, int], NDArray[np.float64]]
COUNT = 12
FILES = [png(scene(seed)) for seed in range(COUNT)]


def entry_of(visit: Visit, photo: Photo, model: str, weights: str = "pretrained") -> SubjectEntry:
    """The picture in a model, as a visit has it."""
    rows = engine().do(Survey(model, weights), visitor=visit.visitor).result()
    return visit.subject(photo, model, weights, rows)


@pytest.fixture
def photonet(visit: Visit, photo: Photo) -> SubjectEntry:
    """The same visitor's same picture in PhotoNet."""
    return entry_of(visit, photo, "photonet")


@pytest.fixture
def both(client: TestClient, visit: Visit, subject: SubjectEntry, photonet: SubjectEntry) -> None:
    """LeNet and PhotoNet have looked through the visit's own pictures."""
    for number, data in enumerate(FILES):
        visit.folder.add(f"{number}.png", data)
    for entry in (subject, photonet):
        assert looked_through(client, entry, "own")["state"] == "done"


def lens_of(client: TestClient, entry: SubjectEntry, source: str, lang: str = "en") -> dict[str, Any]:
    """Return the lens's facts of one model, in the end."""
    while not (told := ask(client, entry, f"lens.json?source={source}&lang={lang}"))["complete"]:
        pass
    return told


def calls_in(client: TestClient, entry: SubjectEntry) -> list[tuple[str, int]]:
    """The calls that it looks at in the visit's own pictures."""
    return [(each["layer"], each["call"]) for each in lens_of(client, entry, "own")["layers"]]


def offered(client: TestClient, entry: SubjectEntry, source: str, lang: str = "en") -> dict[str, str]:
    """The names of the models that can be compared with, by their titles."""
    return {each["title"]: each["name"] for each in lens_of(client, entry, source, lang)["others"]}


def against(client: TestClient, entry: SubjectEntry, name: str, source: str = "own") -> LensAgainstFacts:
    """The answer, strictly as its struct says."""
    found = client.get(f"/maps/{entry.token}/lens-against.json?source={source}&with={name}")
    assert found.status_code == 200, found.text
    return msgspec.json.decode(found.content, type=LensAgainstFacts)


def means_by_hooks(name: str, files: list[bytes]) -> Features:
    """Each call's channels, their means on each picture, by plain hooks on the model."""
    model, found = models.load(name), {}

    def note(layer: str, value: object) -> None:
        if isinstance(value, torch.Tensor) and value.dim() >= 2:
            number = sum(1 for each, _ in row if each == layer)
            row[layer, number] = value[0].double().reshape(value.shape[1], -1).mean(1).numpy()

    for layer, module in model.named_modules():
        module.register_forward_hook(lambda _module, _given, value, layer=layer: note(layer, value))
    for data in files:
        row: dict[tuple[str, int], NDArray[np.float64]] = {}
        with torch.no_grad():
            model(models.describe(name).preprocessing(Image.open(io.BytesIO(data)).convert("RGB")))
        for call, value in row.items():
            found.setdefault(call, []).append(value)
    return {call: np.array(values) for call, values in found.items()}


def hsic(one: NDArray[np.float64], two: NDArray[np.float64]) -> float:
    """The unbiased estimate, as Song et al. (2012) write it."""
    n, (k, m) = len(one), ((each - each.mean(0)) @ (each - each.mean(0)).T for each in (one, two))
    np.fill_diagonal(k, 0)
    np.fill_diagonal(m, 0)
    middle = k.sum() * m.sum() / ((n - 1) * (n - 2)) - 2 / (n - 2) * k.sum(0) @ m.sum(0)
    return float((np.trace(k @ m) + middle) / (n * (n - 3)))


@pytest.mark.usefixtures("both")
def test_the_matrix_is_the_formula_on_what_plain_hooks_see(
    client: TestClient, subject: SubjectEntry, photonet: SubjectEntry
) -> None:
    """Rows are the layers of the model on screen, as ``lens.json`` has them, columns the other's."""
    rows, columns = calls_in(client, subject), calls_in(client, photonet)
    found = against(client, subject, offered(client, subject, "own")["photonet (trained)"])
    assert (found.pictures, found.used) == (COUNT, COUNT)
    assert [(each.layer, each.call) for each in found.layers] == columns
    lenet, other = (means_by_hooks(name, FILES) for name in ("lenet", "photonet"))
    expected = [
        [
            hsic(lenet[row], other[column])
            / np.sqrt(hsic(lenet[row], lenet[row]) * hsic(other[column], other[column]))
            for column in columns
        ]
        for row in rows
    ]
    np.testing.assert_allclose(np.array(found.similarity, float), expected, atol=1e-5)


@pytest.mark.usefixtures("both")
def test_the_other_way_round_it_is_turned(
    client: TestClient, subject: SubjectEntry, photonet: SubjectEntry
) -> None:
    """Each model is offered to the other, in the visitor's language, and none to itself."""
    (there,), (back,) = (offered(client, each, "own", "zh").items() for each in (subject, photonet))
    assert [re.findall(r"\w+", title) for title, _ in (there, back)] == [
        ["photonet", "已训练"],
        ["lenet", "已训练"],
    ]
    one, other = against(client, subject, there[1]), against(client, photonet, back[1])
    np.testing.assert_allclose(
        np.array(one.similarity, float), np.array(other.similarity, float).T, atol=2e-6
    )


@pytest.mark.usefixtures("both")
def test_of_too_many_numbers_the_same_pictures_are_drawn_for_both(
    client: TestClient, subject: SubjectEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many as the room for both together allows, and it is said how many."""
    name = offered(client, subject, "own")["photonet (trained)"]
    monkeypatch.setattr(gathered, "MOST_BYTES", 1)
    found = against(client, subject, name)
    assert (found.pictures, found.used) == (COUNT, gathered.LEAST_PICTURES)


@pytest.mark.usefixtures("both")
def test_another_visit_learns_nothing_of_own_pictures(
    client: TestClient, subject: SubjectEntry, photo: Photo
) -> None:
    """It has the same pictures, by the same names, and knows what to ask for: there is nothing for it."""
    name = offered(client, subject, "own")["photonet (trained)"]
    stranger = Visit("another session")
    for number, data in enumerate(FILES):
        stranger.folder.add(f"{number}.png", data)
    entry = entry_of(stranger, photo, "lenet")
    looked_through(client, entry, "own")
    assert offered(client, entry, "own") == {}
    answer = client.get(f"/maps/{entry.token}/lens-against.json?source=own&with={name}")
    assert answer.status_code == 422
    assert "not here any more" in answer.json()["error"]
    assert answer.json()["said"]["zh"]["error"] != answer.json()["error"]


def test_own_weights_over_the_servers_folder_are_known_to_their_visit_alone(
    visit: Visit, subject: SubjectEntry, photo: Photo, folder: Path
) -> None:
    """A pass for all is known to all; one with a visitor's weights is of that visit."""
    source = sources.served()
    assert source is not None
    assert folder.is_dir()
    mine = opened.pass_of(visit.subject(photo, "lenet", "own:1", subject.rows), source, None)
    stranger = Visit("another session")
    other = stranger.subject(photo, "lenet", "pretrained", subject.rows)
    assert opened.looked_too(subject, source) == [mine]
    assert opened.looked_too(other, source) == []


def test_a_pass_for_all_is_compared_with_until_the_folder_changes(
    client: TestClient,
    subject: SubjectEntry,
    photo: Photo,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Anyone may have made it; a picture of another file would have the same name."""
    guest = Visit("another session")
    looked_through(client, entry_of(guest, photo, "lenet", "random"))
    looked_through(client, subject)
    ((title, name),) = offered(client, subject, "folder").items()
    assert title == "lenet (untrained)"
    assert against(client, subject, name, "folder").pictures == test_routes_folder.COUNT
    (folder / "0.png").write_bytes(png(scene(99)))
    monkeypatch.setattr(sources, "LIST_AGAIN_SECONDS", 0)
    assert offered(client, subject, "folder") == {}


def test_a_capture_that_the_server_was_given_is_compared_with(
    client: TestClient,
    subject: SubjectEntry,
    photonet: SubjectEntry,
    capture: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """From the other model's page; its own page has the other model's pass. It is of two layers."""
    name_pictures(capture, monkeypatch)
    looked_through(client, photonet)
    ((title, name),) = offered(client, photonet, "folder").items()
    assert title == "lenet (trained, capture)"
    found = against(client, photonet, name, "folder")
    assert ([each.layer for each in found.layers], found.pictures) == (["conv1", "conv2"], 6)
    (back,) = offered(client, subject, "folder").values()
    turned = against(client, subject, back, "folder")
    np.testing.assert_allclose(
        np.array(turned.similarity, float), np.array(found.similarity, float).T, atol=2e-6
    )


def test_a_capture_that_is_compared_with_is_read_where_nobody_else_waits(
    client: TestClient,
    photonet: SubjectEntry,
    capture: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In the one thread for that, as for its own page; a large one takes a minute and more."""
    name_pictures(capture, monkeypatch)
    looked_through(client, photonet)
    read, threads = captured._read, list[str]()

    def noted(*given: Any) -> Any:
        threads.append(threading.current_thread().name)
        return read(*given)

    monkeypatch.setattr(captured, "_read", noted)
    (name,) = offered(client, photonet, "folder").values()
    assert against(client, photonet, name, "folder").pictures == 6
    assert [name.rpartition("_")[0] for name in threads] == ["layerglass-capture"]


def test_models_that_share_too_few_pictures_are_not_compared(
    client: TestClient, visit: Visit, subject: SubjectEntry, photonet: SubjectEntry
) -> None:
    """Two passes that were stopped: one has the first five pictures, one the last five."""
    names = [visit.folder.add(f"{number}.png", data) for number, data in enumerate(FILES[:8])]
    for entry, seen in ((subject, names[:5]), (photonet, names[3:])):
        source = opened.source_of(entry, "own")
        made = source and opened.pass_of(entry, source, None)
        assert made
        for number, name in enumerate(seen):
            made.store.add(name, (9, 7), peaks(number))
    name = offered(client, subject, "own")["photonet (trained)"]
    answer = client.get(f"/maps/{subject.token}/lens-against.json?source=own&with={name}")
    assert answer.status_code == 422
    assert answer.json()["error"] == (
        "lenet (trained) and photonet (trained) have 2 of these pictures in common, and 4 are needed: let "
        "both look through more of them"
    )
