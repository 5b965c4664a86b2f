"""Promises of the README, and the commands of all documents, work as they are written there."""

import re
import shlex
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image
from safetensors.torch import save_file

import models
from viz.__main__ import main
from viz.pictures.samples import sample

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = {path.name: path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").glob("*.md"))}
COMMANDS = sorted(
    {
        command
        for text in DOCUMENTS.values()
        for command in re.findall(r"^python -m viz (.*?)(?: +#.*)?$", text, re.MULTILINE)
        if "mynets" not in command  # a name to be filled in
    }
)
COMMANDS.remove("layers resnet50 --weights pretrained")  # brings the weights from the network
SERVING = [each for each in COMMANDS if each.startswith("serve ")]
COMMANDS = [each for each in COMMANDS if each not in SERVING]  # which would not end
CAPTURED = "capture-folder photos --model photonet --layers Conv2d --out capture"
TOUR = "docs/pictures/tour.webp"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder where a reader tries things: photos of each class, weights, checkpoints."""
    sample("cat").save(tmp_path / "photo.jpg")
    labels = ["picture,label"]
    for name in ("cat", "rocket"):
        (tmp_path / "photos" / name).mkdir(parents=True)
        for turn in range(6):
            sample(name).rotate(10 * turn).resize((64, 64)).save(tmp_path / "photos" / name / f"{turn}.jpg")
            labels.append(f"{name}/{turn}.jpg,{name}")
    torch.save({"state_dict": models.load("lenet", "random").state_dict()}, tmp_path / "mine.pt")
    save_file(models.load("photonet").state_dict(), tmp_path / "converted.safetensors")
    for epoch in (1, 2):
        torch.save(models.load("lenet").state_dict(), tmp_path / f"epoch-{epoch}.pt")
    (tmp_path / "labels.csv").write_text("\n".join(labels), "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_python_example_draws_the_maps(folder: Path) -> None:
    """Sixty-four maps of 16 by 16 values, with a line between them."""
    [example] = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(compile(example, "README.md", "exec"), {})
    with Image.open(folder / "maps.png") as maps:
        assert maps.size == (8 * 17 - 1, 8 * 17 - 1)


def test_the_example_is_ten_lines_or_fewer() -> None:
    """A reader with little time reads no more; empty lines do not count."""
    [example] = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert len([line for line in example.splitlines() if line]) <= 10


def test_the_picture_at_the_top_moves_and_is_small() -> None:
    """Eight to fifteen frames, a megabyte and a half at most: a README is opened on telephones too."""
    assert f"]({TOUR})" in README
    assert (ROOT / TOUR).stat().st_size <= 1_500_000
    with Image.open(ROOT / TOUR) as tour:
        assert tour.format == "WEBP"
        assert 8 <= getattr(tour, "n_frames", 1) <= 15


def test_the_example_of_attribution_makes_what_its_comments_say(folder: Path) -> None:
    """Shapes as beside the lines; the edit changes the map, and the picture has a pixel for each value."""
    examples = re.findall(r"```python\n(.*?)```", DOCUMENTS["why-this-class.md"], re.DOTALL)
    [example] = [each for each in examples if "integrated_gradients" in each]
    exec(compile(example, "why-this-class.md", "exec"), names := {})
    assert names["pixels"].values.shape == names["images"].shape == (1, 3, 32, 32)
    assert names["inside"].values.shape == (1, 64, 16, 16)
    assert names["covered"].shape == (32, 32)
    assert (names["covered"] != names["without"]).any()
    with Image.open(folder / "covered.png") as covered:
        assert covered.size == (32, 32)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_do_what_they_say(folder: Path, command: str) -> None:
    """Each writes the file that it names, if it names one."""
    words = shlex.split(command)
    for taken in [
        each for each in ("capture", "capture-of-another-model") if each in words and words[0] == "lens"
    ]:
        assert main(shlex.split(CAPTURED.removesuffix("capture") + taken)) == 0
    assert main(words) == 0
    if "--out" in words:
        assert (folder / words[words.index("--out") + 1]).stat().st_size > 0


def test_a_lens_looks_at_what_the_command_before_it_has_captured() -> None:
    """So it is run before it here, too; and what serves is written as commands are."""
    assert CAPTURED in COMMANDS
    assert SERVING == [
        "serve --capture capture",
        "serve --pictures photos",
        "serve --pictures photos --labels labels.csv",
    ]


def test_the_numbers_of_the_example_can_be_read(folder: Path) -> None:
    """The NPZ of the last command holds one array."""
    [command] = [each for each in COMMANDS if each.endswith(".npz") and "resnet18" in each]
    assert main(shlex.split(command)) == 0
    with np.load(folder / "maps.npz") as arrays:
        assert arrays["output"].shape == (1, 64, 56, 56)
