"""The command line: what it prints and writes is right."""

import contextlib
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
import torch
from matplotlib.colors import Normalize
from PIL import Image

import models
from viz.__main__ import COMMANDS, _parser, main
from viz.commands.line import capture as command
from viz.commands.line.subject import load_subject
from viz.commands.line.sweep import FAMILIES
from viz.pictures.images import read_image
from viz.pictures.samples import sample_bytes
from viz.pictures.subject import Subject

ROOT = Path(__file__).parents[3]
NAMES = {each.name for each in COMMANDS}
EXAMPLES = {each.name: [each.name, *each.example.split()] for each in COMMANDS}
OF_FILES = ("layers", "graph", "capture", "open", "script", "diverge", "film", "lens", "doctor")
LENET_SHAPES = {
    "conv1": [1, 6, 28, 28],
    "pool1": [1, 6, 14, 14],
    "conv2": [1, 16, 10, 10],
    "pool2": [1, 16, 5, 5],
    "flatten": [1, 400],
    "fc3": [1, 10],
}


@pytest.fixture
def cat(tmp_path: Path) -> Path:
    """A photograph as a file."""
    path = tmp_path / "cat photo.png"
    path.write_bytes(sample_bytes("cat"))
    return path


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the commands' examples speak of."""
    folder = tmp_path_factory.mktemp("reader")
    for name in ("weights", "step-1", "step-2"):
        torch.save(models.load("lenet").state_dict(), folder / f"{name}.pth")
    (folder / "photos").mkdir()
    (folder / "photos" / "cat.png").write_bytes(sample_bytes("cat"))
    (folder / "photos" / "coffee.png").write_bytes(sample_bytes("coffee"))
    photos, *words = EXAMPLES["capture-folder"][1:]
    with contextlib.chdir(folder):
        assert main(["capture-folder", photos, *words, "--workers", "0"]) == 0
    return folder


@pytest.mark.parametrize("name", sorted(NAMES))
def test_the_help_of_a_command_ends_with_an_example_that_it_takes(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one copies it from a narrow terminal: in one line."""
    monkeypatch.setenv("COLUMNS", "40")
    with pytest.raises(SystemExit):
        main([name, "--help"])
    *_, said = capsys.readouterr().out.partition("For example: ")
    assert said.count("\n") == 1
    words = said.split()[3:]  # behind python -m viz
    assert words == EXAMPLES[name]
    assert _parser(name).parse_args(words).command


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_FILES)
def test_the_example_of_a_command_works(name: str, reader: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It needs the files that it names; what takes long has tests of its own."""
    monkeypatch.chdir(reader)
    assert main(EXAMPLES[name]) == 0


def lenet_outputs(cat: Path) -> dict[str, np.ndarray]:
    """Every layer's output, by calling the layers one after the other."""
    net, outputs = models.load("lenet"), {}
    value = models.describe("lenet").preprocessing(read_image(cat.read_bytes()))
    with torch.inference_mode():
        for name, layer in net.named_children():
            value = layer(value)
            outputs[name] = value.numpy().copy()
    return outputs


def png_width(path: Path) -> int:
    """The width in pixels that a PNG states."""
    return int.from_bytes(path.read_bytes()[16:20])


def capture(cat: Path | str, out: Path, layer: str = "conv1", *more: str) -> int:
    """The exit status of one capture of lenet."""
    return main(["capture", str(cat), "--model", "lenet", "--layer", layer, "--out", str(out), *more])


def test_layers_as_json_are_the_list_of_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    """Exactly seven facts for each layer, in definition order, with shapes that LeNet is known for."""
    assert main(["layers", "lenet", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in rows] == [name for name, _ in models.load("lenet").named_children()]
    assert all(
        list(row) == ["name", "type", "parameters", "calls", "shapes", "layout", "reason", "evidence"]
        for row in rows
    )
    shapes = {row["name"]: row["shapes"] for row in rows}
    assert all(shapes[name] == [shape] for name, shape in LENET_SHAPES.items())
    assert rows[0] == {
        "name": "conv1",
        "type": "Conv2d",
        "parameters": 456,
        "calls": 1,
        "shapes": [[1, 6, 28, 28]],
        "layout": {"kind": "maps", "known": True},
        "reason": None,
        "evidence": None,
    }


def test_a_layer_that_runs_twice_has_two_shapes(capsys: pytest.CaptureFixture[str]) -> None:
    """ResNet-18 uses one ReLU twice in each block."""
    assert main(["layers", "resnet18", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["layer1.0.relu"]["calls"] == 2
    assert rows["layer1.0.relu"]["shapes"] == [[1, 64, 56, 56]] * 2


def test_the_tree_is_aligned(capsys: pytest.CaptureFixture[str]) -> None:
    """Types begin in one column, and a line for each layer has its whole name, indented by its depth."""
    assert main(["layers", "photonet"]) == 0
    heading, *lines = capsys.readouterr().out.splitlines()
    column = heading.index("type")
    assert all(line[column - 1] == " " and line[column] != " " for line in lines)
    assert any(line.startswith("    stage1.1.conv1  ") for line in lines)


def test_the_mosaic_has_matplotlibs_colour_for_every_value(cat: Path, tmp_path: Path) -> None:
    """We compare the PNG with the layers called by hand and matplotlib's own Normalize and colormap."""
    assert capture(cat, tmp_path / "maps.png", "conv2", "--colormap", "viridis") == 0
    maps = lenet_outputs(cat)["conv2"][0]
    expected = mpl.colormaps["viridis"](Normalize(maps.min(), maps.max())(maps), bytes=True)
    with Image.open(tmp_path / "maps.png") as picture:
        pixels = np.asarray(picture.convert("RGBA"))
    columns = (pixels.shape[1] + 1) // 11
    for channel, tile in enumerate(expected):
        row, column = divmod(channel, columns)
        found = pixels[row * 11 : row * 11 + 10, column * 11 : column * 11 + 10]
        np.testing.assert_array_equal(found, tile)


def test_a_capture_in_training_mode_is_that_of_the_model_in_training_mode(
    cat: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """PhotoNet in training mode, with a plain hook; the line that is printed says so."""
    words = ["capture", str(cat), "--model", "photonet", "--layer", "stage1.1.bn1", "--training", "5"]
    assert main([*words, "--out", str(tmp_path / "maps.npz")]) == 0
    assert "(trained, in training mode, seed 5)" in capsys.readouterr().out
    net, kept = models.load("photonet").train(), []
    net.get_submodule("stage1.1.bn1").register_forward_hook(lambda *called: kept.append(called[2].clone()))
    torch.manual_seed(5)
    with torch.no_grad():
        net(models.describe("photonet").preprocessing(read_image(cat.read_bytes())))
    with np.load(tmp_path / "maps.npz") as arrays:
        np.testing.assert_array_equal(arrays["output"], kept[0].numpy())
        card = json.loads(str(arrays["card"]))
    assert (card["layer"], card["mode"]) == ("stage1.1.bn1", "training, seed 5")
    assert card["preprocessing"] == models.describe("photonet").preprocessing.describe()


def test_a_layer_behind_a_draw_says_that_its_values_differ_each_time(
    cat: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """LeNet, into which somebody has built a dropout that nobody switches off; layers before it are quiet."""

    def load(*asked: str) -> Subject:
        subject = load_subject(*asked)
        relu = subject.module.get_submodule("relu1")
        relu.forward = lambda maps: torch.nn.functional.dropout(maps.relu())
        return subject

    monkeypatch.setattr(command, "load_subject", load)
    for layer, said in (("relu1", True), ("fc3", True), ("conv1", False)):
        assert capture(cat, tmp_path / "maps.png", layer) == 0
        assert ("returns other values each time" in capsys.readouterr().err) == said


def test_the_numbers_are_what_the_layer_returned(cat: Path, tmp_path: Path) -> None:
    """The NPZ against the layers called by hand, bit for bit, batch row included."""
    assert capture(cat, tmp_path / "maps.npz", "relu2") == 0
    with np.load(tmp_path / "maps.npz") as arrays:
        np.testing.assert_array_equal(arrays["output"], lenet_outputs(cat)["relu2"])


def test_a_part_of_a_picture_gives_the_numbers_of_that_part(cat: Path, tmp_path: Path) -> None:
    """The NPZ against a picture that was cut by hand; a part that is not there is one sentence."""
    with Image.open(cat) as whole:
        whole.convert("RGB").crop((10, 20, 110, 110)).save(tmp_path / "part.png")
    assert capture(cat, tmp_path / "maps.npz", "relu2", "--crop", "10,20,100,90") == 0
    with np.load(tmp_path / "maps.npz") as arrays:
        np.testing.assert_array_equal(arrays["output"], lenet_outputs(tmp_path / "part.png")["relu2"])
    assert capture(cat, tmp_path / "none.npz", "relu2", "--crop", "10,20,9000,90") == 2


@pytest.mark.parametrize(
    ("name", "start", "more"),
    [
        ("figure.pdf", b"%PDF", []),
        ("figure.svg", b"<?xml", []),
        ("FIGURE.PNG", b"\x89PNG", ["--figure"]),
    ],
)
def test_figures_come_in_three_forms(
    cat: Path, tmp_path: Path, name: str, start: bytes, more: list[str]
) -> None:
    """The ending chooses the form, whatever its case."""
    assert capture(cat, tmp_path / name, "pool1", *more) == 0
    assert (tmp_path / name).read_bytes().startswith(start)


def test_a_figure_says_model_layer_and_picture(cat: Path, tmp_path: Path) -> None:
    """The sample by its name, a file by its own, and training mode; SVG has titles as comments."""
    for source, name in ((cat, cat.name), ("sample:cat", "cat")):
        assert capture(source, tmp_path / "figure.svg", "pool1", "--training", "3") == 0
        said = " ".join(re.findall("<!-- (.*) -->", (tmp_path / "figure.svg").read_text()))
        assert f"lenet (trained) · pool1 · picture {name} · training mode, seed 3" in said


def test_a_figure_is_more_than_the_bare_maps(cat: Path, tmp_path: Path) -> None:
    """With --figure a PNG has titles and a colour bar, and so more pixels than values."""
    assert capture(cat, tmp_path / "figure.png", "pool1", "--figure") == 0
    assert capture(cat, tmp_path / "maps.png", "pool1") == 0
    assert png_width(tmp_path / "figure.png") > 4 * png_width(tmp_path / "maps.png")


def test_a_sample_is_a_picture_like_any_other(cat: Path, tmp_path: Path) -> None:
    """``sample:cat`` gives the same file as the cat's own file does."""
    assert capture(cat, tmp_path / "file.png") == 0
    assert (
        main(
            [
                "capture",
                "sample:cat",
                "--model",
                "lenet",
                "--layer",
                "conv1",
                "--out",
                str(tmp_path / "sample.png"),
            ]
        )
        == 0
    )
    assert (tmp_path / "file.png").read_bytes() == (tmp_path / "sample.png").read_bytes()


def test_what_was_written_is_said(cat: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """File, layer, model, training, call and shape, on one line."""
    assert capture(cat, tmp_path / "maps.png") == 0
    said = capsys.readouterr().out
    assert said.count("\n") == 1
    assert all(word in said for word in ("maps.png", "conv1", "lenet", "(trained)", "call 1 of 1", "28"))


def test_calls_are_chosen_from_one(tmp_path: Path, cat: Path) -> None:
    """The two calls of a reused layer are two different files of the right numbers."""
    common = ["capture", str(cat), "--model", "resnet18", "--weights", "random", "--layer", "layer1.0.relu"]
    for call in ("1", "2"):
        assert main([*common, "--call", call, "--out", str(tmp_path / f"{call}.npz")]) == 0
    net, block = models.load("resnet18", weights="random"), []
    net.layer1[0].register_forward_hook(lambda _module, _inputs, output: block.append(output.clone()))
    with torch.inference_mode():
        net(models.describe("resnet18").preprocessing(read_image(cat.read_bytes())))
    with np.load(tmp_path / "2.npz") as second, np.load(tmp_path / "1.npz") as first:
        np.testing.assert_array_equal(second["output"], block[0].numpy())
        assert (first["output"] != second["output"]).any()


def test_a_reader_that_leaves_early_is_no_error() -> None:
    """This happens with ``python -m viz layers lenet | head -1``."""
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "viz", "layers", "lenet"]
    done = subprocess.run(command, cwd=ROOT, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_command_line_needs_no_streamlit() -> None:
    """It also works on a machine without Streamlit; and a refusal shows no traceback."""
    code = "import sys; sys.modules['streamlit'] = None; from viz.__main__ import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "layers", "x"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("python -m viz layers: no model named 'x'")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("asked", [["--help"], ["--version"], *([name, "--help"] for name in sorted(NAMES))])
def test_what_needs_no_pytorch_does_not_import_it(asked: list[str]) -> None:
    """Importing it takes seconds, so an answer would seem to hang, or fail where only PyTorch is broken."""
    program = f"""
import sys
from viz.__main__ import main
try:
    main({asked})
except SystemExit as end:
    print(end.code, sorted({{"torch", "torchvision", "timm", "streamlit"}} & set(sys.modules)))
"""
    told = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert told.stdout.splitlines()[-1] == "0 []"


def test_the_help_of_a_sweep_names_every_family() -> None:
    """Its names stand there without the families, which import PyTorch."""
    assert models.families() == FAMILIES


@pytest.mark.parametrize("command", sorted(NAMES))
def test_every_command_says_what_it_takes(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A command's module is imported once it is asked for, so here its name is seen to lead somewhere."""
    with pytest.raises(SystemExit, match="0"):
        main([command, "--help"])
    assert capsys.readouterr().out.startswith(f"usage: python -m viz {command} ")


def test_the_version_is_that_of_the_project(capsys: pytest.CaptureFixture[str]) -> None:
    """As its own file says."""
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    said = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert (ended.value.code, capsys.readouterr().out) == (0, f"layerglass {said}\n")


def test_a_dash_writes_to_standard_output_and_speaks_on_the_other(
    cat: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """The picture's bytes alone are there, as in a file."""
    assert capture(cat, tmp_path / "maps.png") == 0
    capfdbinary.readouterr()
    assert capture(cat, Path("-")) == 0
    shown = capfdbinary.readouterr()
    assert shown.out == (tmp_path / "maps.png").read_bytes()
    assert shown.err.startswith(b"-: conv1 of lenet (trained)")


def test_a_script_on_standard_output_reads_the_picture_that_lies_there(
    cat: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """It is valid Python, and the one file beside it is the one that it opens."""
    monkeypatch.chdir(tmp_path)
    assert main(["script", str(cat), "--model", "lenet", "--layer", "conv1", "--out", "-"]) == 0
    text = capfd.readouterr().out
    compile(text, "script.py", "exec")
    assert "'picture.png'" in text
    assert {path.name for path in tmp_path.iterdir()} == {cat.name, "picture.png"}


def test_weights_may_come_from_a_file(cat: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """LeNet's own weights, doubled in its first layer: doubled maps, by its layers called by hand."""
    net = models.load("lenet")
    state = net.state_dict()
    state["conv1.weight"], state["conv1.bias"] = 2 * state["conv1.weight"], 2 * state["conv1.bias"]
    torch.save({"state_dict": state, "epoch": 3}, tmp_path / "mine.pth")
    path = tmp_path / "maps.npz"
    assert capture(cat, path, "conv1", "--weights", str(tmp_path / "mine.pth")) == 0
    assert "weights of " in capsys.readouterr().out
    with np.load(path) as arrays:
        np.testing.assert_allclose(arrays["output"], 2 * lenet_outputs(cat)["conv1"], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("word", ["conv2", "*v2", "flat*", "Flatten"])
def test_a_layer_may_be_meant_by_whatever_fits_it_alone(cat: Path, tmp_path: Path, word: str) -> None:
    """A name, a pattern or a class."""
    name = "conv2" if word.endswith("2") else "flatten"
    assert capture(cat, tmp_path / "maps.npz", word) == 0
    with np.load(tmp_path / "maps.npz") as arrays:
        np.testing.assert_array_equal(arrays["output"], lenet_outputs(cat)[name])
