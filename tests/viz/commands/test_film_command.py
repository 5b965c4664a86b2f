"""The command ``film``, from files of weights to frames."""

from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image
from safetensors.torch import save_file

import models
import viz
from tests.viz.commands.test_command_refusals import refusal
from viz.__main__ import main
from viz.frames.checkpoints import checkpoint_steps
from viz.pictures.samples import sample

ASKED = ["--model", "lenet", "--image", "sample:cat"]


def test_each_checkpoint_is_a_frame_in_the_order_of_its_number(tmp_path: Path) -> None:
    """Maps are those of plain calls of the layer with each file's weights; 10 comes after 9."""
    card, expected = models.describe("lenet"), []
    for epoch in (9, 10):
        torch.manual_seed(epoch)
        net = models.load("lenet", "random")
        torch.nn.init.normal_(net.conv1.weight)
        state = dict(net.state_dict())
        if epoch == 9:
            torch.save({"epoch": epoch, "model": state}, tmp_path / "epoch-9.pt")
        else:
            save_file(state, tmp_path / "epoch-10.safetensors")
        with torch.no_grad():
            expected.append(net.conv1(card.preprocessing(sample("cat")))[:, :16].numpy())
    files = [str(tmp_path / name) for name in ("epoch-10.safetensors", "epoch-9.pt")]
    out, drawn = tmp_path / "film", tmp_path / "dead.png"
    words = ["--layers", "conv1", "--out", str(out), "--figure", str(drawn)]
    assert main(["film", *files, *ASKED, *words]) == 0
    film = viz.open_film(out)
    assert film.steps.tolist() == [9, 10]
    assert film.layers == ("conv1",)
    assert np.allclose(film["conv1"], expected, atol=1e-6)
    with Image.open(drawn) as picture:
        assert picture.format == "PNG"


@pytest.mark.parametrize(
    ("names", "steps"),
    [
        (["a-3.pt", "a-20.pt"], [3, 20]),
        (["run2-epoch7.pt", "run2-epoch1.pt"], [7, 1]),
        (["a.pt", "b.pt"], [0, 1]),
        (["a1.pt", "b1.pt"], [0, 1]),
        (["first.pt", "b1.pt"], [0, 1]),
    ],
)
def test_steps_are_numbers_in_names_or_the_order(names: list[str], steps: list[int]) -> None:
    """The last number of each, if all have one and no two the same."""
    assert checkpoint_steps([Path(name) for name in names]) == steps


def test_what_cannot_be_met_is_refused_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No such file, weights of another model, no such layer, and no folder begun."""
    state, out = tmp_path / "lenet-1.pt", tmp_path / "film"
    torch.save(models.load("lenet", "random").state_dict(), state)
    torch.save({"other": torch.ones(3)}, tmp_path / "other.pt")
    for words in (
        ["film", str(tmp_path / "nowhere.pt"), *ASKED],
        ["film", str(tmp_path / "other.pt"), *ASKED],
        ["film", str(state), *ASKED, "--layers", "nowhere"],
        ["film", str(state), *ASKED, "--figure", "figure.txt"],
    ):
        assert refusal(capsys, [*words, "--out", str(out)])
    assert not out.exists()
    assert refusal(capsys, ["film", str(state), *ASKED, "--out", str(state)])
