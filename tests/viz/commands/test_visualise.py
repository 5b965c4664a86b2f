"""The command ``visualise``, from its words to the picture."""

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch
from PIL import Image

import models
from tests.browser.pictures import photo as noise
from tests.browser.pictures import png
from tests.viz.commands.test_command_refusals import refusal
from viz.__main__ import main
from viz.hooks.activations import LayerActivations
from viz.pictures.images import read_image

ASKED = ["visualise", "--model", "lenet", "--steps", "3"]


def test_the_same_seed_writes_the_same_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As large as the net's input; another seed writes another one."""
    out = [str(tmp_path / f"{number}.png") for number in range(3)]
    for path, seed in zip(out, (1, 1, 2), strict=True):
        assert main([*ASKED, "--layer", "conv1", "--channel", "2", "--out", path, "--seed", str(seed)]) == 0
    assert "strongest cell" in capsys.readouterr().out
    first, again, other = map(_pixels, out)
    assert first.shape[:2] == (32, 32)
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


def _pixels(path: str) -> np.ndarray:
    with Image.open(path) as picture:
        return np.array(picture)


def test_a_class_in_several_pictures(tmp_path: Path) -> None:
    """Side by side."""
    out = tmp_path / "class.png"
    assert main([*ASKED, "--class", "3", "--count", "2", "--method", "maco", "--out", str(out)]) == 0
    with Image.open(out) as picture:
        assert picture.size == (64, 32)


@pytest.mark.parametrize(
    "more",
    [
        ["--channel", "2"],
        ["--layer", "conv1", "--channel", "99"],
        ["--layer", "nowhere", "--channel", "0"],
        ["--class", "10"],
        ["--class", "1", "--steps", "0"],
        ["--class", "1", "--beside", "nowhere"],
        ["--layer", "conv1", "--channel", "2", "--beside", "nowhere"],
        ["--layer", "conv1", "--channel", "2", "--cell", "99", "0"],
        ["--layer", "conv1", "--channel", "2", "--from", "nowhere.png"],
    ],
)
def test_what_cannot_be_met_is_refused_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str]
) -> None:
    """Status 2, and no picture."""
    assert refusal(capsys, [*ASKED, *more, "--out", str(tmp_path / "x.png")])
    assert not list(tmp_path.iterdir())


@pytest.fixture(scope="module")
def capture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real capture of LeNet's first layer on fourteen pictures of noise."""
    folder, out = tmp_path_factory.mktemp("pictures"), tmp_path_factory.mktemp("run") / "out"
    for seed in range(14):
        (folder / f"{seed:02}.png").write_bytes(png(noise(seed)))
    command = ["capture-folder", str(folder), "--model", "lenet", "--layers", "conv1", "--workers", "0"]
    assert main([*command, "--out", str(out)]) == 0
    return out


BESIDE = ["--layer", "conv1", "--channel", "2", "--beside"]


def test_a_picture_beside_a_capture_is_compared_with_its_numbers(
    tmp_path: Path, capture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says of how many pictures' maxima the picture's own is above: counted here from the table."""
    assert main([*ASKED, *BESIDE, str(capture), "--out", str(tmp_path / "x.png")]) == 0
    said = capsys.readouterr().out
    peak = float(said.split("its strongest cell ")[1].split()[0])
    about = [("layer", "==", "conv1"), ("channel", "==", 2)]
    maxima = pq.read_table(capture / "maxima.parquet", filters=about)["maximum"].to_numpy()
    assert f"more than {(maxima < peak).sum()} of the 14 pictures" in said


@pytest.mark.parametrize(
    ("changed", "word"),
    [
        ({"model": "resnet18"}, "is of resnet18, pretrained, and not of lenet, pretrained"),
        ({"weights": "random"}, "is of lenet, random, and not of lenet, pretrained"),
        ({"weights_sha256": "0"}, "other weights than the model has now"),
    ],
)
def test_another_models_capture_is_refused_before_any_step(
    tmp_path: Path, capture: Path, capsys: pytest.CaptureFixture[str], changed: dict[str, str], word: str
) -> None:
    """In one line, with status 2; also the same model's after another training."""
    other = tmp_path / "other"
    shutil.copytree(capture, other)
    card = json.loads((other / "card.json").read_text())
    (other / "card.json").write_text(json.dumps(card | changed))
    assert word in refusal(capsys, [*ASKED, *BESIDE, str(other), "--out", str(tmp_path / "x.png")])
    assert not (tmp_path / "x.png").exists()


def test_a_class_has_no_layer_to_compare(
    tmp_path: Path, capture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line says so."""
    out = ["--out", str(tmp_path / "x.png")]
    assert "leave it out" in refusal(capsys, [*ASKED, "--class", "1", "--beside", str(capture), *out])


def test_one_cell_of_a_photo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With ``--from`` the picture begins as the photo and stays near it; with ``--cell`` one cell changes it.

    The cell in a corner sees the corner alone, so nothing else of the picture changes much.
    """
    photo, out = tmp_path / "photo.png", tmp_path / "x.png"
    photo.write_bytes(png(noise(3)))
    about = ["--layer", "conv1", "--channel", "2", "--from", str(photo)]
    assert main([*ASKED, *about, "--out", str(out)]) == 0
    assert "picture 1: " in capsys.readouterr().out
    with Image.open(photo) as given:
        seen = np.array(given.convert("RGB").resize((32, 32)), np.float64)
    near = _pixels(str(out)).astype(np.float64)
    assert np.corrcoef(near.ravel(), np.broadcast_to(seen, near.shape).ravel())[0, 1] > 0.5
    assert main([*ASKED, *about, "--cell", "0", "0", "--out", str(out)]) == 0
    assert (_pixels(str(out)) != near).any()


NUMBER = r"(-?[0-9.]+(?:e[+-]?[0-9]+)?)"


def printed(capsys: pytest.CaptureFixture[str], out: Path, *meant: str) -> tuple[str, np.ndarray]:
    """Return the command's text about LeNet's first layer, and the layer's maps by a plain call."""
    assert main([*ASKED, *meant, "--out", str(out)]) == 0
    net, said = models.load("lenet").eval(), capsys.readouterr().out
    with torch.no_grad():
        picture = models.describe("lenet").preprocessing(read_image(out.read_bytes()))
        return said, net.conv1(picture)[0].numpy()


def test_each_number_is_that_of_what_the_sentence_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A channel's mean with the cells below zero in full, and the strongest cells of the channels meant."""
    conv1 = ("--layer", "conv1")
    said, maps = printed(capsys, tmp_path / "c.png", *conv1, "--channel", "2")
    found = re.search(rf"the mean of channel 2 is {NUMBER}, its strongest cell {NUMBER}", said)
    assert maps[2].min() < 0
    assert list(map(float, found.groups())) == pytest.approx([maps[2].mean(), maps[2].max()], rel=1e-2)
    said, maps = printed(capsys, tmp_path / "d.png", *conv1, "--direction", "2:1,4:-2")
    found = re.search(rf"of the channels' means is {NUMBER}; each .*: 2: {NUMBER}, 4: {NUMBER}", said)
    expected = [maps[2].mean() - 2 * maps[4].mean(), maps[2].max(), maps[4].max()]
    assert list(map(float, found.groups())) == pytest.approx(expected, rel=1e-2)
    said, maps = printed(capsys, tmp_path / "e.png", *conv1, "--channel", "2", "--cell", "3", "5")
    found = re.search(rf"row 3, column 5 of channel 2 is {NUMBER}, .* {NUMBER}", said)
    assert list(map(float, found.groups())) == pytest.approx([maps[2][3, 5], maps[2].max()], rel=1e-2)


@pytest.mark.parametrize("said", ["3", "3:one", "3:1;4:1"])
def test_a_direction_that_cannot_be_read_is_refused(said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With what it should look like."""
    with pytest.raises(SystemExit, match="2"):
        main(["visualise", "--model", "lenet", "--layer", "conv1", "--direction", said, "--out", "x.png"])
    assert "--direction" in capsys.readouterr().err


def test_a_direction_goes_from_one_channel_to_another(tmp_path: Path) -> None:
    """Its picture does more for one channel, less for the other, than that of the first channel alone."""
    layers = LayerActivations(models.load("lenet"), "cpu")

    def means(name: str, *meant: str) -> torch.Tensor:
        words = ["visualise", "--model", "lenet", "--layer", "conv1", "--steps", "40", *meant]
        assert main([*words, "--out", str(tmp_path / name)]) == 0
        photo = read_image((tmp_path / name).read_bytes())
        with layers.capture("conv1") as record:
            layers.run(models.describe("lenet").preprocessing(photo))
        found: torch.Tensor = record["conv1"].output[0].mean((1, 2))
        return found

    alone, apart = means("alone.png", "--channel", "2"), means("apart.png", "--direction", "2:1,4:-1")
    assert apart[2] - apart[4] > alone[2] - alone[4]
