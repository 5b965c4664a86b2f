"""The command ``visualise``, from its words to the picture."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.viz.commands.test_command_refusals import refusal
from viz.__main__ import main

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
    ],
)
def test_what_cannot_be_met_is_refused_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str]
) -> None:
    """Status 2, and no picture."""
    assert refusal(capsys, [*ASKED, *more, "--out", str(tmp_path / "x.png")])
    assert not list(tmp_path.iterdir())
