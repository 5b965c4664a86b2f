"""The lens over the page's addresses: the same numbers as on the command line, found once for all."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from starlette.testclient import TestClient

from tests.viz.ui.wire.folder.test_routes_folder import _forget, ask
from viz.__main__ import main
from viz.home import LABELS
from viz.lens.capture import read_capture
from viz.lens.labels import by_folder
from viz.lens.lens import lens
from viz.ui.folders import captured
from viz.ui.visit.visit import SubjectEntry
from viz.ui.wire.folder import gathered, routes_lens


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A capture of dark and light pictures, in a folder for each, by LeNet."""
    folder, out = tmp_path_factory.mktemp("pictures"), tmp_path_factory.mktemp("run") / "out"
    random = np.random.default_rng(0)
    for number in range(20):
        low, high, name = ((0, 90, "dark"), (160, 256, "light"))[number % 2]
        (folder / name).mkdir(exist_ok=True)
        pixels = random.integers(low, high, (32, 32, 3), dtype=np.uint8)
        Image.fromarray(pixels).save(folder / name / f"{number:02}.png")
    assert main(["exemplars", str(folder), "--model", "lenet", "--workers", "0", "--out", str(out)]) == 0
    return out


@pytest.fixture
def capture(finished: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The server that was given it."""
    monkeypatch.setenv(captured.CAPTURE, str(finished))
    _forget()
    routes_lens._findings.clear()
    yield finished
    monkeypatch.undo()
    _forget()


def complete(client: TestClient, subject: SubjectEntry, source: str = "folder") -> dict[str, Any]:
    """Return the facts that the page is told in the end."""
    while not (told := ask(client, subject, f"lens.json?source={source}"))["complete"]:
        pass
    return told


def test_the_page_is_told_what_the_command_line_finds(
    client: TestClient, subject: SubjectEntry, capture: Path
) -> None:
    """Every layer's probe and counts, every pair's CKA, and a layer's channel × class."""
    made = read_capture(capture)
    found = lens(made, by_folder(made.pictures))
    told = complete(client, subject)
    assert (told["pictures"], told["used"], told["unlabelled"]) == (20, 20, 0)
    assert sorted((each["name"], each["pictures"]) for each in told["classes"]) == [
        ("dark", 10),
        ("light", 10),
    ]
    assert [each["layer"] for each in told["layers"]] == [each.call.layer for each in found.layers]
    assert [each["accuracy"] for each in told["layers"]] == [
        each.probe and each.probe.accuracy for each in found.layers
    ]
    assert found.similarity is not None
    np.testing.assert_allclose(np.array(told["similarity"]), found.similarity, atol=1e-4)
    layer = ask(client, subject, "lens-layer.json?layer=conv2")
    place = [each.call.layer for each in found.layers].index("conv2")
    classes = found.layers[place].classes
    assert classes is not None
    assert [each["channel"] for each in layer["channels"]] == classes.order.tolist()
    scores = np.array([each["scores"] for each in layer["channels"]])
    np.testing.assert_allclose(scores, classes.score[classes.order], atol=1e-4)


def test_labels_beside_the_capture_count(client: TestClient, subject: SubjectEntry, capture: Path) -> None:
    """They come before the folders' names, and it is noticed when they go."""
    labels = capture / "labels.csv"
    labels.write_text(
        "picture,label\n" + "".join(f"dark/{n:02}.png,{'ab'[n % 4 // 2]}\n" for n in range(0, 20, 2))
    )
    try:
        told = complete(client, subject)
    finally:
        labels.unlink()
    again = complete(client, subject)
    assert sorted(each["name"] for each in again["classes"]) == [
        "dark",
        "light",
    ]
    assert sorted(each["name"] for each in told["classes"]) == ["a", "b"]
    assert told["unlabelled"] == 10


def test_labels_that_the_server_was_given_count_before_those_beside_the_capture(
    client: TestClient,
    subject: SubjectEntry,
    capture: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As ``serve --labels`` names them; classes and counts are those of the file, and it may change."""
    given, beside = tmp_path / "classes.csv", capture / "labels.csv"
    monkeypatch.setenv(LABELS, str(given))
    given.write_text(
        "picture,label\n" + "".join(f"light/{n:02}.png,{'xyz'[n % 3]}\n" for n in range(1, 20, 2))
    )
    beside.write_text("picture,label\ndark/00.png,a\ndark/02.png,b\n")
    try:
        told = complete(client, subject)
        given.write_text("picture,label\ndark/00.png,first\nlight/01.png,second\n")
        changed = complete(client, subject)
    finally:
        beside.unlink()
    counts = Counter("xyz"[n % 3] for n in range(1, 20, 2))
    assert {each["name"]: each["pictures"] for each in told["classes"]} == counts
    assert told["unlabelled"] == 10
    assert sorted(each["name"] for each in changed["classes"]) == ["first", "second"]


@pytest.mark.usefixtures("capture")
def test_labels_that_are_gone_since_the_server_began_are_said_to_be(
    client: TestClient, subject: SubjectEntry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other classes than those that were named would mislead; where the file lies is nobody's business."""
    monkeypatch.setenv(LABELS, str(tmp_path / "gone.csv"))
    answer = client.get(f"/maps/{subject.token}/lens.json?source=folder")
    assert answer.status_code == 422
    assert answer.json()["error"] == "cannot read gone.csv as a table of labels: No such file or directory"


@pytest.mark.usefixtures("capture")
def test_what_is_found_of_the_first_layers_is_told_before_the_last_one(
    client: TestClient, subject: SubjectEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question is answered soon; whoever asks again sees more, and in the end the same as at once."""
    whole = complete(client, subject)
    routes_lens._findings.clear()
    monkeypatch.setattr(routes_lens, "PATIENCE", 0)
    told = [ask(client, subject, "lens.json")]
    while not told[-1]["complete"]:
        told.append(ask(client, subject, "lens.json"))
    assert told[0]["layers"] == []
    for before, after in pairwise(told):
        assert before["layers"] == after["layers"][: len(before["layers"])]
        assert not before["similarity"]
    assert told[-1] == whole


def test_of_too_many_numbers_pictures_are_drawn_at_random(
    client: TestClient, subject: SubjectEntry, capture: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is said how many."""
    channels = read_capture(capture).starts[-1]
    monkeypatch.setattr(gathered, "MOST_BYTES", 8 * channels * 12)
    told = complete(client, subject)
    assert (told["pictures"], told["used"]) == (20, 12)
    assert sum(each["pictures"] for each in told["classes"]) == 12


@pytest.mark.usefixtures("capture")
def test_a_visit_without_pictures_is_told_so(client: TestClient, subject: SubjectEntry) -> None:
    """In one sentence; what a capture lacks is asked about in ``test_routes_folder``."""
    answer = client.get(f"/maps/{subject.token}/lens.json?source=own")
    assert answer.status_code == 422
    assert "no such pictures" in answer.json()["error"]
