"""``capture --reduce`` on real nets, against plain hooks and the formulas."""

from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

import models
import viz
from tests.viz.commands.test_command_refusals import refusal
from tests.viz.maps.reduction.formulas import FORMULAS
from viz.__main__ import main
from viz.maps.reduction.reduce import REDUCTIONS
from viz.pictures.samples import sample

LAYERS = {"lenet": "conv2", "photonet": "stage1.1.conv2", "patchformer": "blocks.1.add2"}


def output(model: str, layer: str) -> np.ndarray:
    """Return the maps of a layer for the cat, by a plain hook; of tokens, without the class token."""
    net, kept = models.load(model), []
    net.get_submodule(layer).register_forward_hook(lambda *called: kept.append(called[2].clone()))
    with torch.no_grad():
        net(models.describe(model).preprocessing(sample("cat")))
    value = kept[0][0]
    return (value if value.ndim == 3 else value[1:].T.reshape(-1, 8, 8)).numpy()


def reduced(path: Path, model: str, how: str, *more: str) -> dict[str, np.ndarray]:
    """Return the arrays that the command writes."""
    words = ["capture", "sample:cat", "--model", model, "--layer", LAYERS[model], "--reduce", how]
    assert main([*words, *more, "--out", str(path / "one.npz")]) == 0
    with np.load(path / "one.npz") as file:
        return dict(file)


@pytest.mark.parametrize("model", LAYERS)
def test_the_array_is_the_formula_of_what_a_plain_hook_sees(model: str, tmp_path: Path) -> None:
    """Maps and tokens, each reduction; bit for bit as from Python."""
    maps = output(model, LAYERS[model])
    for how in REDUCTIONS:
        found = reduced(tmp_path, model, how)
        assert found["how"] == how
        np.testing.assert_array_equal(found["values"], viz.reduce_maps(maps, how).values)
        if how in FORMULAS:
            expected = FORMULAS[how](maps.astype(np.float64))
            np.testing.assert_allclose(found["values"], expected, rtol=1e-6, atol=1e-9)


def test_the_strongest_channels_are_as_many_as_are_asked_for(tmp_path: Path) -> None:
    """Three of lenet's, by their mean absolute value."""
    maps = output("lenet", "conv2").astype(np.float64)
    found = reduced(tmp_path, "lenet", "top", "--top", "3")
    strongest = np.argsort(-np.abs(maps).mean(axis=(1, 2)))[:3]
    assert found["channels"].tolist() == strongest.tolist()
    np.testing.assert_allclose(found["values"], maps[strongest].sum(axis=0), rtol=1e-6)


def test_chosen_channels_alone_are_reduced(tmp_path: Path) -> None:
    """Two of lenet's; the winner has its own index."""
    maps = output("lenet", "conv2")
    found = reduced(tmp_path, "lenet", "argmax", "--channels", "9,4")
    assert found["channels"].tolist() == [4, 9]
    np.testing.assert_array_equal(found["values"], np.where(maps[9] > maps[4], 9, 4))


def test_a_crop_is_marked_in_pixels_of_the_whole_photo(tmp_path: Path) -> None:
    """LeNet sees the middle square of the part; conv2's cells are centred 11 of 32 pixels from its corner."""
    found = reduced(tmp_path, "lenet", "l2", "--over", "--crop", "100,50,200,160")
    assert found["seen"] == pytest.approx([120, 50, 280, 210])
    step, first = 160 / 32, 120 + (6.5 + 0.5 - 1) * 160 / 32
    assert found["cells"] == pytest.approx([first, 80, first + 20 * step, 80 + 20 * step])


def test_a_figure_over_the_photo_is_written(tmp_path: Path) -> None:
    """As a PNG without ``--figure`` too, much larger than 16 × 16 pixels, and as a PDF."""
    words = ["capture", "sample:cat", "--model", "photonet", "--layer", "stage1.1.conv2", "--reduce", "pca"]
    for name in ("one.png", "one.pdf"):
        assert main([*words, "--over", "--out", str(tmp_path / name)]) == 0
    with Image.open(tmp_path / "one.png") as picture:
        assert min(picture.size) > 400
    assert (tmp_path / "one.pdf").read_bytes().startswith(b"%PDF")


REFUSED = {
    "another reduction": (["--reduce", "median"], "choose one of mean, abs-mean"),
    "top without a reduction": (["--top", "3"], "--over, --channels, --top and --at need --reduce"),
    "over without a reduction": (["--over"], "--over, --channels, --top and --at need --reduce"),
    "channels without a reduction": (["--channels", "1"], "--over, --channels, --top and --at need --reduce"),
    "a place without a reduction": (["--at", "1,2"], "--over, --channels, --top and --at need --reduce"),
    "a place of a mean": (
        ["--reduce", "mean", "--at", "1,2"],
        "goes with the reduction similar, not with mean",
    ),
    "a place that is not there": (
        ["--reduce", "similar", "--at", "10,0"],
        "no place 10, 0: these maps have 10 rows",
    ),
    "half a place": (["--reduce", "similar", "--at", "3"], "a row and a column, such as 3,4"),
    "a channel that is not there": (["--reduce", "mean", "--channels", "3,16"], "no channel 16"),
    "a channel that is no number": (["--reduce", "mean", "--channels", "3-5"], "--channels"),
    "no channel": (["--reduce", "top", "--top", "0"], "at least 1 channel"),
    "top of a mean": (["--reduce", "mean", "--top", "2"], "goes with the reduction top"),
    "colours of components": (["--reduce", "pca", "--colormap", "hot"], "leave --colormap out"),
    "no places": (["--layer", "fc1", "--reduce", "mean", "--over"], "cannot be laid over the photo"),
    "a signal": (["--model", "signalnet", "--reduce", "mean", "--over"], "no part is known"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_does_not_go_together_is_refused(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line, and nothing is written."""
    more, said = REFUSED[case]
    words = [
        "capture",
        "sample:cat",
        "--model",
        "lenet",
        "--layer",
        "conv2",
        "--out",
        str(tmp_path / "one.png"),
    ]
    assert said in refusal(capsys, [*words, *more])
    assert not list(tmp_path.iterdir())
