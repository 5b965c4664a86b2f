"""``python -m viz script``: what it writes runs in its folder, and what it cannot write is said in a line."""

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.viz.commands.test_command_refusals import refusal
from tests.viz.copied import Done, copied, fresh
from tests.viz.script.attribution.test_code import NETS
from viz.__main__ import main
from viz.commands.script import check_asked
from viz.errors import RequestError
from viz.pictures.samples import sample

ROOT = Path(__file__).parents[3]
SAME = "The same numbers as in"
LENET = ["sample:cat", "--model", "lenet"]
DETECTOR = ["sample:cat", "--weights", "random", "--model", "fasterrcnn_mobilenet_v3_large_320_fpn"]
CONV2 = [*LENET, "--layer", "conv2"]


def said_by(folder: Path, name: str = "script.py", begun: Callable[..., Done] = copied) -> str:
    """Return the text that a script prints in its folder, with Layerglass on its path."""
    done = begun(name, folder, {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"})
    assert done.returncode == 0, done.stderr
    return done.stdout


WRITTEN = {
    "a layer": (CONV2, (1, 16, 10, 10)),
    "training mode": ([*CONV2, "--training", "7"], (1, 16, 10, 10)),
    "a gradient": ([*CONV2, "--target", "3"], (1, 16, 10, 10)),
    "grad-cam": ([*CONV2, "--method", "grad-cam", "--target", "3"], (10, 10)),
    "saliency": ([*LENET, "--method", "saliency", "--target", "3"], (32, 32)),
    "conductance": ([*CONV2, "--method", "conductance", "--target", "3", "--call", "1"], (1, 16, 10, 10)),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_a_script_that_is_written_makes_the_same_numbers(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In its folder, where there is nothing but the script and its picture; a line names both."""
    words, shape = WRITTEN[name]
    assert main(["script", *words, "--out", str(tmp_path / "script.py")]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["script-picture.png", "script.py"]
    line = capsys.readouterr().out
    assert line.startswith(f"{tmp_path / 'script.py'}: ")
    assert line.endswith("it reads script-picture.png, so run it in that folder\n")
    assert ("in training mode, seed 7" in line) == (name == "training mode")
    assert said_by(tmp_path, begun=fresh if name == "a layer" else copied).startswith(SAME)
    assert np.load(tmp_path / "script-values.npy").shape == shape
    with (
        Image.open(tmp_path / "script-maps.png") as drawn,
        Image.open(tmp_path / "script-picture.png") as read,
    ):
        assert drawn.width > 100
        assert read.tobytes() == sample("cat").tobytes()


@pytest.mark.slow
@pytest.mark.parametrize("model", [*NETS, "squeezenet1_1"])
def test_scripts_of_one_folder_keep_out_of_each_others_way(model: str, tmp_path: Path) -> None:
    """Two of a model's scripts write four files of their own; both say that their numbers are ours."""
    layer = NETS.get(model, "features.12")
    common = ["script", "sample:coffee", "--model", model, "--weights", "random", "--layer", layer]
    for name, more in (("view", []), ("cam", ["--method", "grad-cam", "--target", "1", "--training", "0"])):
        assert main([*common, *more, "--out", str(tmp_path / f"{name}.py")]) == 0
        assert said_by(tmp_path, f"{name}.py").startswith(SAME)
    assert len(list(tmp_path.iterdir())) == 8


REFUSED = {
    "no layer": (LENET, "choose one with --layer"),
    "a method without its layer": ([*LENET, "--method", "grad-cam", "--target", "1"], "--layer"),
    "a method without its class": ([*LENET, "--method", "occlusion"], "choose one with --target"),
    "a class that is none": ([*CONV2, "--method", "saliency", "--target", "10"], "classes 0 to 9"),
    "a class below zero": ([*CONV2, "--target", "-1"], "there is no class -1"),
    "an unknown method": ([*CONV2, "--method", "lime", "--target", "1"], "grad-cam"),
    "an unknown layer": ([*LENET, "--layer", "conv3"], "conv1, conv2"),
    "no such call": ([*CONV2, "--call", "2"], "ran once"),
    "a layer without places": (
        [*LENET, "--layer", "fc3", "--method", "grad-cam", "--target", "1"],
        "no Grad-CAM",
    ),
    "a seed below zero": ([*CONV2, "--training", "-1"], "from 0 to 999,999"),
    "a detector in training mode": (
        [*DETECTOR, "--layer", "backbone.body.0", "--training", "1"],
        "cannot run in training mode",
    ),
    "another ending": ([*CONV2, "--out", "script.txt"], ".py"),
    "no such folder": ([*CONV2, "--out", "nowhere/script.py"], "no folder"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_script_that_cannot_be_written_is_said_in_one_line(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2, nothing but that line, and no file."""
    monkeypatch.chdir(tmp_path)
    words, expected = REFUSED[name]
    assert expected in refusal(capsys, ["script", "--out", "script.py", *words])
    assert not list(tmp_path.iterdir())


def test_what_a_script_needs_is_asked_for_before_any_work() -> None:
    """A class for each method, a layer for those that look at one; no more than that."""
    check_asked(None, "conv1", None)
    check_asked("saliency", None, 0)
    for method, layer, target in ((None, None, 3), ("conductance", None, 3), ("saliency", "conv1", None)):
        with pytest.raises(RequestError, match="choose one with"):
            check_asked(method, layer, target)
