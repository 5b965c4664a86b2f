"""The command ``fool``, from its words to the picture."""

import re
from pathlib import Path

import numpy as np
import pytest

import models
from tests.viz.commands.test_command_refusals import refusal
from viz.__main__ import main
from viz.hooks.activations import LayerActivations
from viz.pictures.images import read_image
from viz.pictures.samples import sample

ASKED = ["fool", "sample:cat", "--model", "lenet"]


def shares(path: Path) -> np.ndarray:
    """The probabilities of the classes for a picture's file, prepared as any upload."""
    images = models.describe("lenet").preprocessing(read_image(path.read_bytes()))
    found: np.ndarray = LayerActivations(models.load("lenet"), "cpu").run(images).softmax(1)[0].numpy()
    return found


def test_the_file_misleads_the_model_as_the_command_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Opened like any picture; no number that the model sees has changed by more than the bound."""
    out, card = tmp_path / "fooled.png", models.describe("lenet")
    assert main([*ASKED, "--epsilon", "3", "--toward", "7", "--out", str(out)]) == 0
    said = capsys.readouterr().out
    found = shares(out)
    assert found.argmax() == 7
    assert f"after: {card.classes[7]} {found[7]:.1%}" in said
    assert "no number changed by more than 3 of 255, in 10 steps" in said
    before, after = (
        card.preprocessing.cropped(each) for each in (sample("cat"), read_image(out.read_bytes()))
    )
    assert np.abs(np.asarray(before).astype(int) - np.asarray(after)).max() == 3


def test_the_least_change_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A level less does not mislead it, and the command says so."""
    out = tmp_path / "fooled.png"
    assert main([*ASKED, "--least", "--toward", "1", "--out", str(out)]) == 0
    (least,) = re.findall(r"more than (\d+) of 255", capsys.readouterr().out)
    assert shares(out).argmax() == 1
    assert main([*ASKED, "--epsilon", str(int(least) - 1), "--toward", "1", "--out", str(out)]) == 0
    assert "The model is not fooled: choose a larger --epsilon" in capsys.readouterr().out
    assert shares(out).argmax() != 1


def test_where_no_change_works_the_largest_that_was_tried_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the sentence tells its bound."""
    monkeypatch.setattr("viz.commands.line.drawn.fool.MOST", 1)
    out = tmp_path / "fooled.png"
    assert main([*ASKED, "--least", "--toward", "1", "--out", str(out)]) == 0
    said = capsys.readouterr().out
    assert "no number changed by more than 1 of 255" in said
    assert "The model is not fooled" in said


@pytest.mark.parametrize(
    "more",
    [
        ["--epsilon", "0"],
        ["--steps", "0"],
        ["--toward", "10"],
        ["--model", "signalnet"],
        ["--model", "fcn_resnet50", "--weights", "random"],
        ["--out", "fooled.jpg"],
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    more: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And no file is written."""
    monkeypatch.chdir(tmp_path)
    assert refusal(capsys, [*ASKED, "--out", "fooled.png", *more])
    assert list(tmp_path.iterdir()) == []
