"""The command ``figure``, from pictures and models to a file and its caption."""

from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

import models
from tests.viz.commands.test_command_refusals import refusal
from viz.__main__ import main
from viz.pictures.samples import sample

CAT = ["figure", "sample:cat"]


def norms(model: str, layer: str, name: str) -> np.ndarray:
    """The L2 norm over channels of what a plain hook sees."""
    net, kept = models.load(model), []
    net.get_submodule(layer).register_forward_hook(lambda *called: kept.append(called[2].clone()))
    with torch.no_grad():
        net(models.describe(model).preprocessing(sample(name)))
    return np.sqrt((kept[0][0].double().numpy() ** 2).sum(axis=0))


def test_layers_of_two_models_on_two_pictures_are_one_figure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A row for each picture, a column for each layer; the caption has plain hooks' numbers."""
    out = tmp_path / "figure.png"
    words = ["--panel", "photonet", "stage2", "--panel", "lenet", "conv2", "--over", "--photo"]
    assert main([*CAT, "sample:coffee", *words, "--dpi", "100", "--out", str(out)]) == 0
    said = capsys.readouterr().out
    letters = iter("bcef")
    for name in ("cat", "coffee"):
        for model, layer in (("photonet", "stage2"), ("lenet", "conv2")):
            found = norms(model, layer, name)
            height, width = found.shape
            assert (
                f"({next(letters)}) {model} (trained), {layer}, picture {name}, {height} × {width} values "
                f"from {found.min():.4g} to {found.max():.4g}"
            ) in said
    assert "Over the whole photo, 60 % opaque" in said
    with Image.open(out) as picture:
        assert picture.width == pytest.approx(180 / 25.4 * 100, abs=1)


def test_panels_of_one_picture_go_in_rows(tmp_path: Path) -> None:
    """Two by two, in one column of a paper; the same command writes the same bytes."""
    layers = ["stem", "stage1", "stage2", "stage3"]
    words = [word for layer in layers for word in ("--panel", "photonet", layer)]
    words += ["--columns", "2", "--scale", "all", "--width", "88", "--dpi", "100"]
    written = []
    for name in ("a.png", "b.png"):
        assert main([*CAT, *words, "--out", str(tmp_path / name)]) == 0
        written.append((tmp_path / name).read_bytes())
    assert written[0] == written[1]
    with Image.open(tmp_path / "a.png") as picture:
        assert picture.width == pytest.approx(88 / 25.4 * 100, abs=1)
        assert 0.8 < picture.height / picture.width < 1.2  # two rows of two squares, and a bar beside them


def test_one_model_with_two_sets_of_weights_is_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file, and chance; beside bare maps the photo is what both saw."""
    torch.save(models.load("lenet").state_dict(), tmp_path / "mine.pth")
    words = ["--panel", "lenet", "conv2", str(tmp_path / "mine.pth"), "--panel", "lenet", "conv2", "random"]
    assert main([*CAT, *words, "--photo", "--out", str(tmp_path / "figure.svg")]) == 0
    said = capsys.readouterr().out
    assert f"(b) lenet (weights of {tmp_path / 'mine.pth'}), conv2" in said
    assert "(c) lenet (untrained), conv2" in said
    assert "(a) the part of picture cat that the models saw" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--panel", "lenet"], "--panel takes a model, a layer and, if you like, weights"),
        (["--panel", "lenet", "conv2", "--title", "A", "--title", "B"], "2 titles for 1"),
        (["--panel", "lenet", "conv2", "--reduce", "sum"], "there is no reduction 'sum'"),
        (["--panel", "lenet", "conv2", "--width", "20"], "30 to 1000 mm wide"),
        (["--panel", "lenet", "conv2", "--scale", "some"], "there is no scale 'some'"),
        (["--panel", "lenet", "conv2", "--columns", "0"], "--columns is a number from 1"),
        (["--panel", "lenet", "conv2", "--dpi", "7"], "--dpi is from 30 to 1200"),
        (["--panel", "lenet", "conv2", "--reduce", "pca", "--colormap", "hot"], "leave --colormap out"),
        (["--panel", "lenet", "nowhere"], "no layer named 'nowhere'"),
        (["--panel", "nothing", "conv2"], "no model"),
        (["--panel", "lenet", "conv2", "--title", "猫"], "a figure's font has no letter '猫'"),
        (["--panel", "lenet", "conv2"] * 12 + ["--width", "88"], "12 panels do not fit beside each other"),
    ],
)
def test_what_cannot_be_drawn_gets_one_line(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And no file."""
    out = tmp_path / "figure.pdf"
    assert said in refusal(capsys, [*CAT, *words, "--out", str(out)])
    assert not out.exists()


def test_pictures_with_any_name_and_layers_that_run_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A name is whole in the caption; a call is chosen for all."""
    sample("cat").save(tmp_path / "猫.png")
    words = [
        "figure",
        str(tmp_path / "猫.png"),
        "sample:cat",
        "--panel",
        "resnet18",
        "layer1.0.relu",
        "random",
    ]
    out = str(tmp_path / "figure.png")
    assert "choose with --call 1 to --call 2" in refusal(capsys, [*words, "--out", out])
    assert main([*words, "--call", "2", "--out", out]) == 0
    assert "layer1.0.relu (call 2), picture 猫.png, 56 × 56 values" in capsys.readouterr().out


def test_columns_are_for_one_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With two pictures, rows are theirs."""
    words = ["--panel", "lenet", "conv2", "--columns", "2", "--out", str(tmp_path / "figure.pdf")]
    assert "for a figure of one picture" in refusal(capsys, [*CAT, "sample:coffee", *words])
