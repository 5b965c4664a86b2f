"""A pass over a folder through the page's addresses: right numbers, stop, and who may see what."""

import io
import json
import threading
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch
from PIL import Image
from starlette.testclient import TestClient

import models
from tests.browser.pictures import photo as noise
from tests.browser.pictures import png
from tests.machine import patience
from viz.__main__ import main
from viz.errors import ImageError
from viz.pictures.photo import Photo, photograph
from viz.pictures.samples import sample, sample_names, sample_title
from viz.ui.folders import captured, opened, sources
from viz.ui.locale.translated import translated
from viz.ui.visit import own_folder
from viz.ui.visit.jobs.reading import read_photo
from viz.ui.visit.visit import SubjectEntry, Visit
from viz.ui.wire.folder import routes_folder

COUNT, CHANNEL = 8, 2
LOOK = f"layer=conv1&channel={CHANNEL}"


def maps_of(data: bytes) -> np.ndarray:
    """LeNet's first maps of a file, by calling the layer itself."""
    images = models.describe("lenet").preprocessing(Image.open(io.BytesIO(data)).convert("RGB"))
    with torch.no_grad():
        found: np.ndarray = models.load("lenet").get_submodule("conv1")(images)[0].numpy()
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The server's folder, with a file that is no picture; what is found is kept beside it."""
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for seed in range(COUNT):
        (pictures / f"{seed}.png").write_bytes(png(noise(seed)))
    (pictures / "broken.png").write_bytes(b"nothing")
    monkeypatch.setenv("LAYERGLASS_PICTURES", str(pictures))
    monkeypatch.setenv(opened.HOME, str(tmp_path / "kept"))
    _forget()
    yield pictures
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    for each in (sources.served, captured.captured, opened.kept_in):
        each.cache_clear()
    opened._of_server.clear()


def ask(client: TestClient, subject: SubjectEntry, question: str, **post: Any) -> dict[str, Any]:
    """An answer as JSON."""
    address = f"/maps/{subject.token}/{question}"
    found = (
        client.post(address, **post) if post or question.startswith("folder.pass") else client.get(address)
    )
    assert found.status_code == 200, found.text
    answer: dict[str, Any] = found.json()
    return answer


def looked_through(client: TestClient, subject: SubjectEntry, source: str = "folder") -> dict[str, Any]:
    """Start the pass and wait for its end."""
    ask(client, subject, f"folder.pass?source={source}&act=start")
    until = time.monotonic() + patience(60)
    while time.monotonic() < until:
        found = next(
            each for each in ask(client, subject, "folders.json")["folders"] if each["source"] == source
        )
        if found["state"] != "running":
            return dict(found)
        time.sleep(0.05)
    raise TimeoutError


def test_the_strongest_pictures_are_those_of_brute_force(
    client: TestClient, subject: SubjectEntry, folder: Path
) -> None:
    """By maximum and by mean, with values and boxes; what cannot be read is named with its reason."""
    before = ask(client, subject, "folders.json")["folders"]
    assert [(each["source"], each["state"], each["count"]) for each in before] == [
        ("folder", "none", COUNT + 1)
    ]
    assert before[0]["seconds"] > 0
    done = looked_through(client, subject)
    assert (done["state"], done["done"], done["left_out"]) == ("done", COUNT + 1, 1)
    assert done["some"][0]["title"] == "broken.png"
    maps = {f"{seed}.png": maps_of((folder / f"{seed}.png").read_bytes())[CHANNEL] for seed in range(COUNT)}
    for by, number in (("maximum", np.max), ("mean", np.mean)):
        values = {name: float(number(each)) for name, each in maps.items()}
        found = ask(client, subject, f"exemplars.json?{LOOK}&by={by}")
        order = sorted(values, key=lambda name: -values[name])
        assert [each["picture"] for each in found["most"]] == order
        assert [each["picture"] for each in found["least"]] == order[::-1]
        np.testing.assert_allclose(
            [each["value"] for each in found["most"]], [values[name] for name in order], rtol=1e-5
        )
        assert sum(found["spread"]["counts"]) == found["pictures"] == COUNT
        for each in found["most"]:
            top, left = np.unravel_index(maps[each["picture"]].argmax(), maps[each["picture"]].shape)
            size = 32
            box = [max(0, left), max(0, top), min(size, left + 5), min(size, top + 5)]
            assert each["box"] == (None if by == "mean" else box)


def test_a_pass_is_kept_for_the_next_server(client: TestClient, subject: SubjectEntry, folder: Path) -> None:
    """The next server finds it done; a picture that is added to the folder is all that is left to do."""
    looked_through(client, subject)
    _forget()
    (found,) = ask(client, subject, "folders.json")["folders"]
    assert (found["state"], found["done"]) == ("done", COUNT + 1)
    (folder / "more.png").write_bytes(png(noise(77)))
    _forget()
    (found,) = ask(client, subject, "folders.json")["folders"]
    assert (found["state"], found["done"], found["count"]) == ("stopped", COUNT + 1, COUNT + 2)
    assert len(list(opened.kept_in().iterdir())) == 1
    assert looked_through(client, subject)["done"] == COUNT + 2


def test_a_pass_goes_on_while_its_folder_changes(
    client: TestClient, subject: SubjectEntry, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One picture is added, one replaced, one removed: in the end the numbers are those of what is there."""
    monkeypatch.setattr(sources, "LIST_AGAIN_SECONDS", 0)
    ask(client, subject, "folder.pass?act=start")
    (folder / "more.png").write_bytes(png(noise(77)))
    (folder / "0.png").write_bytes(png(noise(78)))
    (folder / "1.png").unlink()
    assert looked_through(client, subject)["state"] == "done"
    assert len(opened._of_server) == len(list(opened.kept_in().iterdir())) == 1
    found = ask(client, subject, f"exemplars.json?{LOOK}")
    values = {
        path.name: maps_of(path.read_bytes())[CHANNEL].max()
        for path in folder.iterdir()
        if path.name != "broken.png"
    }
    assert found["pictures"] == len(values) == COUNT
    for each in found["most"]:
        assert each["value"] == pytest.approx(values[each["picture"]], rel=1e-5)


def test_who_has_left_wants_nothing_and_stop_says_who_still_does(
    client: TestClient, visit: Visit, subject: SubjectEntry, photo: Photo, folder: Path
) -> None:
    """Two visits begin a pass: it goes on when one stops it, and ends when the other is over."""
    assert folder.is_dir()
    other_visit = Visit("another session")
    other = other_visit.subject(photo, "lenet", "pretrained", subject.rows)
    running = passes_held(client, subject)
    try:
        (mine,) = ask(client, subject, "folder.pass?act=start")["folders"]
        (theirs,) = ask(client, other, "folder.pass?act=start")["folders"]
        assert (mine["mine"], theirs["mine"]) == (True, True)
        (found,) = opened._of_server.values()
        until = time.monotonic() + patience(60)
        while not len(found.store.seen) and time.monotonic() < until:
            time.sleep(0.01)
        (mine,) = ask(client, subject, "folder.pass?act=stop")["folders"]
        assert (mine["state"], mine["mine"]) == ("running", False)
    finally:
        other_visit.end()
        running.set()
    found.wait()
    assert found.progress().state == "stopped"
    assert 0 < found.progress().done < COUNT
    assert visit.visitor not in found._wanted


def passes_held(client: TestClient, subject: SubjectEntry) -> threading.Event:
    """Let the pass wait at its second picture until this is set."""
    ask(client, subject, "folders.json")
    (found,) = opened._of_server.values()
    event, photo = threading.Event(), found.source.photo

    def held(name: str, visitor: str) -> Photo:
        if len(found.store.seen) or name != min(found.source.names):
            event.wait(patience(60))
        return photo(name, visitor)

    found.source.photo = held  # type: ignore[method-assign]
    return event


def test_a_stopped_pass_goes_on_where_it_was(client: TestClient, subject: SubjectEntry, folder: Path) -> None:
    """It stops once nobody wants it any more, and in the end has every picture once."""
    assert folder.is_dir()
    ask(client, subject, "folder.pass?act=start")
    ask(client, subject, "folder.pass?act=stop")
    done = looked_through(client, subject)
    assert (done["state"], done["done"]) == ("done", COUNT + 1)
    found = ask(client, subject, f"exemplars.json?{LOOK}")
    assert len({each["picture"] for each in found["most"]}) == found["pictures"] == COUNT


def test_a_picture_that_differs_from_the_folders_has_unusual_channels(
    client: TestClient, visit: Visit, subject: SubjectEntry, folder: Path
) -> None:
    """Eight pictures of noise, and one of black and white halves."""
    assert folder.is_dir()
    looked_through(client, subject)
    pixels = np.zeros((40, 40, 3), np.uint8)
    pixels[:, 20:] = 255
    odd = visit.subject(photograph(Image.fromarray(pixels)), "lenet", "pretrained", subject.rows)
    found = ask(client, odd, "excited.json?layer=conv1")
    assert found["pictures"] == COUNT
    assert found["model"]
    scores = [each["score"] for each in found["model"]]
    assert scores == sorted(scores, reverse=True)
    assert all(each["layer"] == "conv1" for each in found["layer"])


def test_pictures_are_decoded_where_only_those_wait_who_want_some(
    client: TestClient, subject: SubjectEntry, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There are few places to decode, and a class that opens a folder asks for hundreds."""
    photo, threads = sources.ServedFolder.photo, list[str]()

    def noted(source: sources.ServedFolder, name: str, visitor: str) -> Photo:
        threads.append(threading.current_thread().name)
        return photo(source, name, visitor)

    monkeypatch.setattr(sources.ServedFolder, "photo", noted)
    assert (folder / "3.png").is_file()
    assert client.get(f"/maps/{subject.token}/exemplar.jpg?picture=3.png").status_code == 200
    assert [name.rpartition("_")[0] for name in threads] == ["layerglass-decoding"]


def test_own_pictures_reach_nobody_else(
    client: TestClient, visit: Visit, subject: SubjectEntry, photo: Photo
) -> None:
    """They are taken in, looked through and removed; another visit sees none of them at any address."""
    for seed in range(3):
        data = png(noise(seed))
        ask(client, subject, f"pictures.add?file=mine-{seed}.png", content=data)
    looked_through(client, subject, "own")
    found = ask(client, subject, f"exemplars.json?{LOOK}&source=own")
    assert {each["title"] for each in found["most"]} == {f"mine-{seed}.png" for seed in range(3)}
    picture = found["most"][0]["picture"]
    seen = client.get(f"/maps/{subject.token}/exemplar.jpg?source=own&picture={picture}")
    assert Image.open(io.BytesIO(seen.content)).size == (32, 32)
    other_visit = Visit("another session")
    other = other_visit.subject(photo, "lenet", "pretrained", subject.rows)
    assert [each["source"] for each in ask(client, other, "folders.json")["folders"]] == ["samples"]
    for address in (f"exemplars.json?{LOOK}&source=own", f"exemplar.jpg?source=own&picture={picture}"):
        assert client.get(f"/maps/{other.token}/{address}").status_code == 422
    left = ask(client, subject, "pictures.forget", content=b"-")["folders"]
    assert [each["source"] for each in left] == ["samples"]
    assert visit.folder.files == {}


def test_the_samples_are_a_first_folder(client: TestClient, subject: SubjectEntry, photo: Photo) -> None:
    """Nobody has offered or brought anything: its numbers are those of plain calls, and others' too."""
    _forget()
    (found,) = ask(client, subject, "folders.json")["folders"]
    assert (found["source"], found["count"], found["state"]) == ("samples", len(sample_names()), "none")
    looked_through(client, subject, "samples")
    net, card = models.load("lenet").eval(), models.describe("lenet")
    with torch.no_grad():
        every = {
            name: float(net.conv1(card.preprocessing(sample(name)))[0, 2].max()) for name in sample_names()
        }
    most = ask(client, subject, f"exemplars.json?{LOOK}&source=samples&lang=zh")["most"]
    assert [each["picture"] for each in most] == sorted(every, key=lambda name: -every[name])[: len(most)]
    assert [each["value"] for each in most] == pytest.approx(
        [every[each["picture"]] for each in most], rel=1e-4
    )
    assert [each["title"] for each in most] == [
        translated(sample_title(each["picture"]), "zh") for each in most
    ]
    seen = client.get(f"/maps/{subject.token}/exemplar.jpg?source=samples&picture={most[0]['picture']}")
    assert Image.open(io.BytesIO(seen.content)).size == (32, 32)
    none = client.get(f"/maps/{subject.token}/exemplar.jpg?source=samples&picture=..%2Fcat")
    assert none.status_code == 422
    other = Visit("another session").subject(photo, "lenet", "pretrained", subject.rows)
    (theirs,) = ask(client, other, "folders.json")["folders"]
    assert theirs["state"] == "done"  # one pass serves everybody


@pytest.mark.parametrize("data", [b"nothing", b"", b"\x89PNG" + bytes(100)])
def test_what_is_no_picture_is_not_taken_in(
    client: TestClient, visit: Visit, subject: SubjectEntry, data: bytes
) -> None:
    """One sentence, and nothing is kept."""
    answer = client.post(f"/maps/{subject.token}/pictures.add?file=bad.png", content=data)
    assert answer.status_code == 422
    assert len(answer.json()["error"]) > 10
    assert visit.folder.files == {}


@pytest.fixture
def capture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A finished capture of LeNet's convolutions on six pictures, which the server was given."""
    pictures, out = tmp_path / "pictures", tmp_path / "out"
    pictures.mkdir()
    for seed in range(6):
        (pictures / f"{seed}.png").write_bytes(png(noise(seed)))
    command = ["exemplars", str(pictures), "--model", "lenet", "--out", str(out), "--workers", "0"]
    assert main([*command, "--layers", "Conv2d"]) == 0
    monkeypatch.setenv("LAYERGLASS_CAPTURE", str(out))
    monkeypatch.delenv("LAYERGLASS_PICTURES", raising=False)
    monkeypatch.setenv(opened.HOME, str(tmp_path / "kept"))
    _forget()
    yield out
    monkeypatch.undo()
    _forget()


def name_pictures(capture: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the operator name the folder that a capture was made of."""
    monkeypatch.setenv("LAYERGLASS_PICTURES", str(capture.parent / "pictures"))
    _forget()


def card_with(out: Path, **more: Any) -> None:
    """Let a capture's card say something else."""
    path = out / "card.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | more))
    _forget()


def test_a_capture_is_shown_without_a_pass(client: TestClient, subject: SubjectEntry, capture: Path) -> None:
    """The tables of a run of the command line: its exemplars and its boxes are those of the page."""
    (found,) = ask(client, subject, "folders.json")["folders"]
    assert (found["state"], found["opened"], found["count"], found["note"]) == ("done", True, 6, "")
    shown = ask(client, subject, f"exemplars.json?{LOOK}")
    about = [("layer", "==", "conv1"), ("channel", "==", CHANNEL)]
    rows = pq.read_table(capture / "exemplars.parquet", filters=about)
    expected = [(row["picture"], row["box"]) for row in rows.to_pylist()]
    assert [(each["picture"], each["box"]) for each in shown["most"]] == expected
    assert json.loads((capture / "card.json").read_text())["done"] == 6


def test_a_capture_is_read_in_a_thread_that_nobody_else_waits_for(
    client: TestClient, subject: SubjectEntry, capture: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, whatever is asked first: in the server's loop, no page would be answered meanwhile."""
    assert capture.is_dir()
    read, threads = captured._read, list[str]()

    def noted(*given: Any) -> Any:
        threads.append(threading.current_thread().name)
        return read(*given)

    monkeypatch.setattr(captured, "_read", noted)
    ask(client, subject, "folders.json")
    ask(client, subject, f"exemplars.json?{LOOK}")
    assert [name.rpartition("_")[0] for name in threads] == ["layerglass-capture"]


def test_a_capture_is_shown_before_the_model_runs(
    client: TestClient, subject: SubjectEntry, capture: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All but where the picture on screen stands, which comes with a second question."""

    async def run(*_: object) -> None:
        raise AssertionError("the model ran")

    whole = ask(client, subject, f"exemplars.json?{LOOK}")
    monkeypatch.setattr(routes_folder, "peaks_here", run)
    shown = ask(client, subject, f"exemplars.json?{LOOK}&alone=1")
    assert capture.is_dir()
    assert (whole["spread"]["here"] is None, shown["spread"]["here"]) == (False, None)
    assert shown | {"spread": None} == whole | {"spread": None}
    with pytest.raises(AssertionError, match="the model ran"):
        client.get(f"/maps/{subject.token}/exemplars.json?{LOOK}")


def test_a_capture_of_some_layers_says_what_is_unusual_in_them(
    client: TestClient, visit: Visit, subject: SubjectEntry, capture: Path
) -> None:
    """The page looks at all layers; of one that the capture lacks, it does not say that it has no maps."""
    assert capture.is_dir()
    pixels = np.zeros((40, 40, 3), np.uint8)
    pixels[:, 20:] = 255
    odd = visit.subject(photograph(Image.fromarray(pixels)), "lenet", "pretrained", subject.rows)
    found = ask(client, odd, "excited.json?layer=conv1")
    assert {each["layer"] for each in found["layer"]} == {"conv1"}
    assert {each["layer"] for each in found["model"]} <= {"conv1", "conv2"}
    for layer, question in product(("pool1", "fc1"), ("exemplars.json", "lens-layer.json")):
        answer = client.get(f"/maps/{subject.token}/{question}?layer={layer}&channel=0")
        assert answer.status_code == 422
        assert answer.json()["error"].startswith(f"{layer} is not in this capture: choose another layer")


@pytest.mark.parametrize(
    ("said", "word"), [({"weights_sha256": "0"}, "other weights"), ({"preprocessing": "0"}, "preparation")]
)
def test_a_capture_of_the_model_as_it_was_is_not_shown(
    client: TestClient,
    subject: SubjectEntry,
    capture: Path,
    monkeypatch: pytest.MonkeyPatch,
    said: dict[str, str],
    word: str,
) -> None:
    """After another training, say: one sentence, and a pass over its pictures; without them nothing else."""
    card_with(capture, **said)
    name_pictures(capture, monkeypatch)
    (found,) = ask(client, subject, "folders.json")["folders"]
    assert word in found["note"]
    assert (found["opened"], found["state"], found["done"]) == (False, "none", 0)
    monkeypatch.delenv("LAYERGLASS_PICTURES")
    _forget()
    (found,) = ask(client, subject, "folders.json")["folders"]
    assert (found["state"], found["count"]) == ("unfit", 0)
    assert word in found["note"]
    assert word in client.get(f"/maps/{subject.token}/exemplars.json?{LOOK}").json()["error"]


def test_a_capture_that_was_stopped_says_so(client: TestClient, subject: SubjectEntry, capture: Path) -> None:
    """With how many pictures it has, of how many."""
    card_with(capture, complete=False, pictures=40)
    (found,) = ask(client, subject, "folders.json")["folders"]
    assert found["note"] == "this capture was stopped: it has 6 of 40 pictures"


def test_another_models_capture_without_its_pictures_offers_nothing(
    client: TestClient, subject: SubjectEntry, capture: Path
) -> None:
    """A pass would leave out every one of them; the samples are there instead."""
    card_with(capture, model="resnet18", folder="/nowhere")
    (found,) = ask(client, subject, "folders.json")["folders"]
    assert (found["source"], found["state"]) == ("samples", "none")


def test_a_capture_that_has_no_room_leaves_nothing_behind(
    client: TestClient, subject: SubjectEntry, capture: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither when it is too large, nor when its table cannot be read; however often somebody asks."""
    own = capture.parent / "temporary"
    own.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(own))
    card_with(capture, done=10**15)
    for _ in range(2):
        answer = client.get(f"/maps/{subject.token}/exemplars.json?{LOOK}")
        assert "GB are free" in answer.json()["error"]
    card_with(capture, done=6)
    (capture / "maxima.parquet").write_bytes(b"nothing")
    assert "cannot read" in client.get(f"/maps/{subject.token}/exemplars.json?{LOOK}").json()["error"]
    assert list(own.iterdir()) == []


def test_all_that_was_left_out_comes_as_a_text(
    client: TestClient, subject: SubjectEntry, folder: Path
) -> None:
    """Also those beyond the first few that the page lists, each in a line with its reason."""
    names = [f"bad-{number:02}.png" for number in range(25)]
    for name in names:
        (folder / name).write_bytes(b"nothing")
    found = looked_through(client, subject)
    assert (found["left_out"], len(found["some"])) == (26, 20)
    answer = client.get(f"/maps/{subject.token}/left-out.txt?source=folder")
    assert answer.headers["content-type"].startswith("text/plain")
    lines = dict(line.split(": ", 1) for line in answer.text.splitlines())
    assert sorted(lines) == sorted([*names, "broken.png"])
    assert all(lines.values())
    for lang in ("zh", "en"):
        _forget()  # the reasons are read from the disk
        (told,) = ask(client, subject, f"folders.json?lang={lang}")["folders"]
        text = client.get(f"/maps/{subject.token}/left-out.txt?source=folder&lang={lang}").text
        with pytest.raises(ImageError) as refused:
            read_photo(b"nothing", "")
        reason = translated(str(refused.value), lang)
        assert (reason.isascii(), f"bad-00.png: {reason}" in text) == (lang == "en", True)
        assert {"title": "bad-00.png", "reason": reason} in told["some"]


def test_what_was_left_out_so_far_comes_while_a_pass_leaves_out_more(
    client: TestClient, subject: SubjectEntry, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pass has a thread of its own, which writes whenever it likes: here between any two lines."""
    (folder / "bad.png").write_bytes(b"nothing")
    looked_through(client, subject)
    (found,) = opened._of_server.values()

    def title(_: sources.ServedFolder, name: str) -> str:
        found.store.leave_out(f"more-{len(found.store.unreadable)}.png", "no picture")
        return name

    monkeypatch.setattr(sources.ServedFolder, "title", title)
    answer = client.get(f"/maps/{subject.token}/left-out.txt?source=folder")
    assert sorted(line.partition(":")[0] for line in answer.text.splitlines()) == ["bad.png", "broken.png"]


def test_who_brings_too_many_is_told_that_no_more_are_taken(
    client: TestClient, subject: SubjectEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer says so beside the sentence; the picture that is here already is still the same."""
    monkeypatch.setattr(own_folder, "MOST_PICTURES", 1)
    first = ask(client, subject, "pictures.add?file=a.png", content=png(noise(0)))
    assert (first["count"], first["full"]) == (1, False)
    second = ask(client, subject, "pictures.add?file=b.png", content=png(noise(1)))
    assert (second["count"], second["full"], second["name"]) == (1, True, "")
    assert second["error"].startswith("a visit has room for 1 pictures")
    assert second["said"]["zh"]["error"] != second["error"]
    assert ask(client, subject, "pictures.add?file=c.png", content=png(noise(0)))["name"] == first["name"]
