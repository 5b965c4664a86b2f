"""``open``: from a file to its kind, the model that it opens, and that model's classes for a picture."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import safetensors.torch
import torch
from torch import nn

import models
from tests.machine import patience
from tests.models.own.opening.test_outline import Net, exported, script, shards
from tests.models.uploads import saved, state
from viz.__main__ import main
from viz.pictures.samples import sample

FIELDS = {"kind", "model", "fits", "missing", "unexpected", "classes"}


def opened(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """Return the object that the command prints."""
    assert main(["open", *arguments, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said.keys() >= FIELDS
    return said


def written(path: Path, data: bytes) -> str:
    """Write a file, and return its name."""
    path.write_bytes(data)
    return str(path)


def test_one_command_goes_from_a_file_to_the_five_most_probable_classes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are those of the softmax of the net itself, called on the prepared picture."""
    weights = {name: value / 50 for name, value in state().items()}
    file = written(
        tmp_path / "mine.ckpt", saved({"state_dict": {f"net.{name}": weights[name] for name in weights}})
    )
    said = opened(capsys, file, "sample:cat")
    assert (said["kind"], said["model"], said["classes"], said["prefix"]) == (
        "state dict",
        "lenet",
        10,
        "state_dict/net.",
    )
    assert (said["fits"][0]["share"], said["missing"], said["unexpected"]) == (1, [], [])
    net, card = models.load("lenet", "random"), models.describe("lenet")
    net.load_state_dict(weights)
    with torch.no_grad():
        shares = net(card.preprocessing(sample("cat")))[0].softmax(0)
    best = shares.topk(5)
    assert [each["index"] for each in said["predictions"]] == best.indices.tolist()
    assert [each["class"] for each in said["predictions"]] == [card.classes[at] for at in best.indices]
    assert [each["probability"] for each in said["predictions"]] == pytest.approx(
        best.values.tolist(), rel=1e-4
    )


def test_classes_that_the_file_names_are_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder as transformers saves it: three classes, named by the configuration."""
    weights = state() | {"fc3.weight": torch.randn(3, 84) / 9, "fc3.bias": torch.randn(3)}
    for name, data in shards(weights).items():
        written(tmp_path / name, data)
    said = opened(capsys, str(tmp_path), "sample:cat")
    assert (said["kind"], said["model"], said["classes"]) == ("safetensors", "lenet", 3)
    assert said["class_names"] == ["cat", "dog", "owl"]
    assert [each["name"] for each in said["wrong_shape"]] == ["fc3.weight", "fc3.bias"]
    assert {each["class"] for each in said["predictions"]} == {"cat", "dog", "owl"}
    assert said["library"]["package"] == "transformers"


def test_a_model_of_somebodys_own_shows_its_tree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No model of the catalogue fits; the modules, settings and classes are the file's."""
    file = written(tmp_path / "thesis.pt", saved(Net()))
    said = opened(capsys, file)
    assert (said["kind"], said["model"], said["fits"], said["classes"]) == ("pickled module", None, [], 3)
    assert [row["name"] for row in said["tree"]] == [name for name, _ in Net().named_modules()]
    assert main(["open", file]) == 0
    lines = capsys.readouterr().out
    assert "No model of the catalogue fits." in lines
    assert "conv  Conv2d" in lines


def test_exported_files_are_told_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By the command, as by the outline."""
    for name, data, kind in (
        ("a.pt", script(Net()), "TorchScript"),
        ("a.pt2", exported(Net()), "torch.export"),
    ):
        assert opened(capsys, written(tmp_path / name, data))["kind"] == kind


def test_people_read_what_fits_and_what_does_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The names and shapes of the two tensors that differ, and what is left over."""
    weights = state() | {"fc3.bias": torch.ones(7), "more": torch.ones(1)}
    assert main(["open", written(tmp_path / "a.pth", saved(weights)), "sample:cat"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert (
        lines[0]
        == f"a.pth: state dict, 11 tensors, {sum(each.numel() for each in weights.values()):,} numbers"
    )
    assert lines[1].startswith("  lenet: 9 of 11 tensors")
    assert "unexpected: more" in lines
    assert "of another shape: fc3.bias (7, not 10)" in lines
    assert any("%" in line for line in lines)
    assert "Your file has no weights for fc3: this prediction means nothing." in lines


def test_a_part_of_a_larger_model_is_said_to_be_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As of a segmentation net's encoder: the tensors beside it are counted."""
    weights = {f"encoder.{name}": value for name, value in state().items()}
    file = written(
        tmp_path / "a.pth", saved(weights | {"decoder.a": torch.ones(1), "decoder.b": torch.ones(1)})
    )
    said = opened(capsys, file)
    assert (said["model"], said["prefix"], said["elsewhere"], said["tensors"]) == ("lenet", "encoder.", 2, 12)
    assert main(["open", file]) == 0
    assert "elsewhere in the file: 2 tensors" in capsys.readouterr().out.splitlines()


class Evil:
    """Its pickle would end the process."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what pickle is to call."""
        return sys.exit, (7,)


BAD = {
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(99), "something else", "neither"),
    "empty": (b"", "something else", "empty"),
    "cut short": (saved(state())[:-300], "something else", "damaged"),
    "safetensors cut short": (safetensors.torch.save(state())[:-9], "safetensors", "damaged"),
    "hostile": (saved(Evil()), "something else", "nothing in it was run"),
    "without tensors": (saved(nn.ReLU()), "something else", "more than weights"),
}


@pytest.mark.parametrize(("data", "kind", "says"), BAD.values(), ids=BAD)
def test_bad_input_is_one_sentence_and_status_2(
    data: bytes, kind: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The object is printed all the same; the sentence is alone on standard error."""
    assert main(["open", written(tmp_path / "bad.bin", data), "--json"]) == 2
    out, said = capsys.readouterr()
    found = json.loads(out)
    assert (found["kind"], found["model"]) == (kind, None)
    assert says in said
    assert says in found["problem"]
    assert len(said.splitlines()) == 1


def test_a_picture_needs_a_model_that_fits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file's kind is still printed."""
    assert main(["open", written(tmp_path / "thesis.pt", saved(Net())), "sample:cat"]) == 2
    out, said = capsys.readouterr()
    assert "pickled module" in out
    assert "no model of the catalogue fits" in said
    assert main(["open", str(tmp_path / "none.pt")]) == 2
    assert "cannot read" in capsys.readouterr().err


def test_a_file_larger_than_memory_allows_is_refused_unread(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five gigabytes, of which the disk holds none; with 16 GB free they are too many."""
    file = tmp_path / "large.safetensors"
    with file.open("wb") as begun:
        begun.truncate(5_000_000_000)
    monkeypatch.setattr("viz.commands.opening.opened_file.free_memory", lambda: 16_000_000_000)
    assert main(["open", str(file)]) == 2
    said = capsys.readouterr().err
    assert "5.0 GB" in said
    assert len(said.splitlines()) == 1


def test_what_is_no_file_has_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A device without an end, a folder without weights, and one that may not exist."""
    for name, says in (
        ("/dev/zero", "neither a file nor a folder"),
        (str(tmp_path), "no file of weights in the folder"),
        (str(tmp_path / "none"), "cannot read"),
    ):
        assert main(["open", name]) == 2
        assert says in capsys.readouterr().err


def test_a_file_that_takes_too_long_is_ended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the limits of the reading process, in its place; the command goes on to say so."""
    monkeypatch.setattr("viz.reader.bounds.WEIGHTS_MEMORY", 1_000_000)
    weights = {f"layer{at}.weight": torch.zeros(1) for at in range(20_000)}
    assert main(["open", written(tmp_path / "many.pth", saved(weights))]) == 2
    assert "more time or memory" in capsys.readouterr().err


def test_the_reading_process_does_without_pytorch() -> None:
    """Its job imports none, so that a file is read in a process that starts at once and is small."""
    code = "import viz.commands.opening.job, sys; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=patience(60))
