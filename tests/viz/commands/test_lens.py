"""The command ``lens``, from its words to its lines and files, over a run of ``exemplars``."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from tests.viz.commands.test_command_refusals import refusal
from viz.__main__ import main
from viz.lens.chance import SAME

SMALL = ["--model", "lenet", "--layers", "Conv2d", "pool1", "--workers", "0"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run over bright and dark pictures, in a folder for each; two lie outside of them."""
    folder = tmp_path_factory.mktemp("pictures")
    random = np.random.default_rng(0)
    for number in range(22):
        low, high, name = ((0, 90, "dark"), (160, 256, "light"))[number % 2]
        place = folder / (name if number < 20 else ".")
        place.mkdir(exist_ok=True)
        pixels = random.integers(low, high, (32, 32, 3), dtype=np.uint8)
        Image.fromarray(pixels).save(place / f"{number:02}.png")
    out = tmp_path_factory.mktemp("run") / "out"
    assert main(["exemplars", str(folder), *SMALL, "--out", str(out)]) == 0
    return out


def test_it_says_what_each_layer_does(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each; without a folder to write into, nothing is written."""
    before = sorted(run.iterdir())
    assert main(["lens", str(run)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "lenet, pretrained weights: 22 pictures, 3 layers, 28 channels"
    assert lines[1] == "2 classes: dark 10, light 10"
    assert lines[2] == "2 pictures of 22 without a class, such as 20.png, 21.png"
    assert lines[4].endswith("separates the classes (chance 50.0%)")
    assert [line.split()[0] for line in lines[5:8]] == ["conv1", "pool1", "conv2"]
    assert "100.0%" in lines[5]
    assert sorted(run.iterdir()) == before


def test_it_writes_tables_and_figures(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Read by pandas and Pillow; compared with itself, each layer is most like itself."""
    out = tmp_path / "new" / "lens"
    assert main(["lens", str(run), "--against", str(run), "--out", str(out)]) == 0
    lines = capsys.readouterr().out.splitlines()
    said = "compared with lenet, pretrained weights, on 22 pictures: the layer that is most like each"
    assert f"{said}, by the unbiased estimate of linear CKA, which can pass 1" in lines
    assert "conv2   1.00  conv2" in lines
    assert {str(path) for path in out.iterdir()} == {line for line in lines if line.startswith(str(out))}
    layers = pd.read_csv(out / "layers.csv")
    assert layers.layer.tolist() == ["conv1", "pool1", "conv2"]
    assert layers.accuracy[0] == 1
    assert len(pd.read_parquet(out / "classes.parquet")) == 28 * 2
    assert len(pd.read_parquet(out / "channels.parquet")) == 28
    pairs = pd.read_csv(out / "similarity.csv")
    np.testing.assert_allclose(pairs.cka[pairs.layer == pairs.other_layer], 1)
    against = pd.read_csv(out / "against.csv")
    pd.testing.assert_frame_equal(pairs.drop(columns="chance"), against.drop(columns="chance"))
    assert set(pairs.pictures) == {22}
    assert 0 < pairs.chance[0] < against.chance[0] < SAME  # 3 pairs of one's own layers, 9 with another's
    for name in ("probes", "similarity", "against"):
        with Image.open(out / f"{name}.png") as image:
            assert min(image.size) > 300
    assert (out / "classes.pdf").read_bytes().startswith(b"%PDF")


def test_labels_of_a_file_count_instead_of_folders(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of two pictures each, no layer is probed, and that is said."""
    file = tmp_path / "labels.csv"
    file.write_text("picture,label\ndark/00.png,one\ndark/02.png,one\nlight/01.png,two\nlight/03.png,two\n")
    assert main(["lens", str(run), "--labels", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "2 classes: one 2, two 2"
    assert (
        lines[3]
        == "no class but one has the five different pictures that a probe needs, so no layer is probed"
    )


def test_what_cannot_be_done_is_said_in_one_line(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No run, labels of other pictures, a file in place of a folder."""
    wrong = tmp_path / "wrong.csv"
    wrong.write_text("picture,label\nother.png,a\n")
    for words, said in (
        ([str(tmp_path)], "is no finished capture"),
        ([str(run), "--against", str(tmp_path)], "is no finished capture"),
        ([str(run), "--labels", str(wrong)], "is of a picture of this capture"),
        ([str(run), "--out", str(wrong)], "cannot write"),
    ):
        assert said in refusal(capsys, ["lens", *words])


def test_of_few_pictures_layers_are_not_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of six, chance alone makes layers look the same: no table, no line, but how many pictures it takes."""
    few, out = tmp_path / "few", tmp_path / "out"
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for number in range(6):
        pixels = np.random.default_rng(number).integers(0, 256, (32, 32, 3), dtype=np.uint8)
        Image.fromarray(pixels).save(pictures / f"{number}.png")
    assert main(["exemplars", str(pictures), *SMALL, "--out", str(few)]) == 0
    capsys.readouterr()
    assert main(["lens", str(few), "--against", str(few), "--out", str(out)]) == 0
    lines = capsys.readouterr().out.splitlines()
    told = [line for line in lines if line.startswith("how alike layers are is not told of 6 different")]
    assert [line.split()[-1] for line in told] == ["7", "9"]  # 3 pairs, then 9
    assert not any("1.00" in line for line in lines)
    assert not {"similarity.csv", "against.csv"} & {path.name for path in out.iterdir()}
