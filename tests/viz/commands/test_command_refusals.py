"""The command line: what cannot be done is said in one line, with status 2, and leaves nothing behind."""

import os
from pathlib import Path

import pytest
import torch

from viz.__main__ import main
from viz.pictures.samples import sample_bytes


def refusal(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> str:
    """The one line that answers an impossible request."""
    try:
        status = main(arguments)
    except SystemExit as leaving:  # argparse exits by itself
        status = int(str(leaving.code))
    shown = capsys.readouterr()
    assert (status, shown.out) == (2, "")
    assert shown.err.endswith("\n")
    assert shown.err.count("\n") == 1
    return shown.err


@pytest.mark.parametrize(
    ("call", "expected"),
    [([], "ran 2 times"), (["--call", "3"], "--call 1 to --call 2"), (["--call", "0"], "no call 0")],
)
def test_a_call_that_is_not_one_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], call: list[str], expected: str
) -> None:
    """A reused layer needs a choice, and the choice must exist."""
    common = [
        "capture",
        "sample:cat",
        "--model",
        "resnet18",
        "--weights",
        "random",
        "--layer",
        "layer1.0.relu",
    ]
    assert expected in refusal(capsys, [*common, *call, "--out", str(tmp_path / "maps.png")])
    assert not list(tmp_path.iterdir())


REFUSED = {
    "unknown model": (["--model", "lenett"], "did you mean lenet"),
    "unknown layer": (["--layer", "conv3"], "conv1, conv2"),
    "a pattern of several layers": (
        ["--layer", "conv*"],
        "'conv*' means 2 layers: choose one of conv1, conv2",
    ),
    "a pattern of no layer": (["--layer", "cow*"], "no layer's name fits"),
    "a file that holds no weights": (["--weights", __file__], "neither a safetensors file nor"),
    "unknown colormap": (["--colormap", "virids"], "viridis"),
    "unknown weights": (["--weights", "good"], "pretrained"),
    "call out of range": (["--call", "2"], "ran once"),
    "call that is no number": (["--call", "last"], "--call"),
    "unknown ending": (["--out", "maps.tiff"], ".png"),
    "no ending": (["--out", "maps"], ".npz"),
    "missing folder": (["--out", "nowhere/maps.png"], "no folder"),
    "a name too long": (["--out", "m" * 300 + ".png"], "too long"),
    "not a folder to write in": (["--out", "/proc/maps.png"], "cannot write"),
    "a seed below zero": (["--training", "-1"], "from 0 to 999,999"),
    "a seed that is no number": (["--training", "yes"], "--training"),
    "unknown option": (["--bright"], "--bright"),
}


@pytest.mark.parametrize(("change", "expected"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_done_is_said_in_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    change: list[str],
    expected: str,
) -> None:
    """Nothing is printed but that line, and no file appears."""
    monkeypatch.chdir(tmp_path)
    good = ["capture", "sample:cat", "--model", "lenet", "--layer", "conv1", "--out", "maps.png"]
    assert expected in refusal(capsys, [*good, *change])
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, "no such file"),
        (b"", "empty"),
        (b"hello", "a text"),
        (sample_bytes("cat")[:5000], "damaged"),
        (b"\xff" * 20_000_001, "MB"),
    ],
    ids=["missing", "empty", "text", "cut short", "huge"],
)
def test_a_bad_picture_is_refused_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, expected: str
) -> None:
    """The line names the file and what is wrong with it."""
    path = tmp_path / "holiday.jpg"
    if content is not None:
        path.write_bytes(content)
    request = ["capture", str(path), "--model", "lenet", "--layer", "conv1", "--out", str(tmp_path / "x.png")]
    line = refusal(capsys, request)
    assert expected in line
    assert "holiday.jpg" in line


def test_a_folder_is_neither_picture_nor_target(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both mistakes get one line."""
    folder = tmp_path / "folder.png"
    folder.mkdir()
    request = ["capture", str(folder), "--model", "lenet", "--layer", "conv1", "--out"]
    assert "folder.png" in refusal(capsys, [*request, str(tmp_path / "maps.png")])
    assert "it is a folder" in refusal(capsys, [*request, str(folder)])


def test_without_a_network_trained_weights_are_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing listens at the mirror's address."""
    monkeypatch.setenv("LAYERGLASS_WEIGHTS_URL", "http://127.0.0.1:9")
    monkeypatch.setattr(torch.hub, "_hub_dir", str(tmp_path))
    line = refusal(capsys, ["layers", "resnet18", "--weights", "pretrained"])
    assert "cannot be fetched" in line


def test_a_device_that_is_not_there_is_one_clear_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """``LAYERGLASS_DEVICE`` names the device, for the page too."""
    monkeypatch.setenv("LAYERGLASS_DEVICE", "gpu0")
    assert "'gpu0' cannot be used" in refusal(capsys, ["layers", "lenet"])


@pytest.mark.parametrize(
    "words",
    [
        ["layers", "lenet"],
        ["capture", "sample:cat", "--model", "lenet", "--layer", "conv1", "--out", "x.png"],
        ["script", "sample:cat", "--model", "lenet", "--layer", "conv1", "--out", "x.py"],
        ["visualise", "--model", "lenet", "--layer", "conv1", "--channel", "0", "--out", "x.png"],
        ["sweep", "--family", "bundled", "--limit", "0"],
        ["plans", "check"],
        ["lessons", "check"],
        ["serve"],
    ],
    ids=lambda words: words[0],
)
def test_every_command_that_runs_a_model_takes_a_device(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One that is not there is refused before any work, and nothing is kept of it."""
    monkeypatch.delenv("LAYERGLASS_DEVICE", raising=False)
    monkeypatch.chdir(tmp_path)
    assert "'gpu0' cannot be used" in refusal(capsys, [*words, "--device", "gpu0"])
    assert "LAYERGLASS_DEVICE" not in os.environ


def test_the_device_that_is_asked_for_is_used(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before the one of the setting."""
    monkeypatch.setenv("LAYERGLASS_DEVICE", "gpu0")
    assert main(["layers", "lenet", "--device", "cpu"]) == 0
    assert "conv1" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[], ["layers"], ["capture", "cat.png"], ["paint"]])
def test_words_that_make_no_request_are_refused(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    """An error that argparse finds is also one line, and says where help is."""
    assert "--help" in refusal(capsys, arguments)
