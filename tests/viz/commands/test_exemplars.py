"""The command ``exemplars``, from its words to its files; interrupted and gone on with."""

import json
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pandas as pd
import pytest
from skimage import data

from tests.machine import patience
from tests.viz.commands.test_command_refusals import refusal
from tests.viz.conftest import NO_RAY
from tests.viz.exemplars.folders import contents, noise
from viz.__main__ import main
from viz.commands.exemplars import said_of, stopped_by_signals
from viz.exemplars.search import Outcome

ROOT = Path(__file__).parents[3]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with pictures and some other files."""
    made = noise(tmp_path / "pictures", 12)
    (made / "broken.jpg").write_text("no picture")
    (made / "labels.csv").write_text("no picture either")
    return made


def test_the_files_are_those_that_are_promised(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Read by pandas without us; what was left out is said at the end and stands in the card."""
    out = tmp_path / "out"
    words = ["exemplars", str(folder), "--model", "lenet", "--layers", "conv1", "pool*", "--top", "3"]
    assert main([*words, "--out", str(out)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == f"{out}/exemplars.parquet: for each of 28 channels the 3 strongest of 12 pictures"
    assert said[1] == "one picture was left out:"
    assert said[2].startswith("  broken.jpg: this is a text file")
    assert said[3] == "one file is no picture by its name"
    table = pd.read_parquet(out / "exemplars.parquet")
    assert list(table.columns) == [
        *("layer", "call", "channel", "rank", "picture", "value", "row", "column", "box")
    ]
    assert table.value.dtype == "float32"
    assert table.groupby("layer").size().to_dict() == {"conv1": 18, "pool1": 18, "pool2": 48}
    assert all(len(box) == 4 for box in table.box)
    assert all((folder / picture).is_file() for picture in table.picture)
    card = json.loads((out / "card.json").read_bytes())
    assert (card["model"], card["weights"], card["layers"]) == (
        "lenet",
        "pretrained",
        ["conv1", "pool1", "pool2"],
    )
    assert [each["picture"] for each in card["unreadable"]] == ["broken.jpg"]
    assert card["preprocessing"].startswith("short side resized to 32")


def test_what_cannot_be_done_is_said_in_one_line(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is left behind."""
    empty = tmp_path / "empty"
    empty.mkdir()
    out = tmp_path / "out"
    for words, said in (
        ([str(empty), "--model", "lenet"], "there is no picture in"),
        ([str(tmp_path / "gone"), "--model", "lenet"], "no such file or directory"),
        ([str(folder), "--model", "lenett"], "did you mean lenet"),
        ([str(folder), "--model", "lenet", "--layers", "conv3"], "no layer named 'conv3'"),
        (
            [str(folder), "--model", "lenet", "--top", "0"],
            "--top is a number of pictures from 1 to 1000, not 0",
        ),
        ([str(folder), "--model", "lenet", "--workers", "-1"], "--workers is a number of processes from 0"),
    ):
        assert said in refusal(capsys, ["exemplars", *words, "--out", str(out)])
        assert not out.exists()


def test_the_sheet_is_a_figure_in_the_form_that_its_name_asks_for(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another ending is refused before any work."""
    words = [
        "exemplars",
        str(folder),
        "--model",
        "lenet",
        "--layers",
        "conv1",
        "--out",
        str(tmp_path / "out"),
    ]
    assert main([*words, "--sheet", str(tmp_path / "sheet.txt")]) == 2
    assert "must end in one of .png" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    for form, begins in (("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml")):
        assert main([*words, "--resume", "--sheet", str(tmp_path / f"sheet.{form}")]) == 0
        assert (tmp_path / f"sheet.{form}").read_bytes().startswith(begins)


def test_another_runs_folder_is_refused(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With --resume it is done already, and another model is refused."""
    words = ["exemplars", str(folder), "--layers", "conv1", "--out", str(tmp_path / "out"), "--model"]
    assert main([*words, "lenet"]) == 0
    capsys.readouterr()
    assert main([*words, "lenet"]) == 2
    assert "--resume goes on with it" in capsys.readouterr().err
    assert main([*words, "lenet", "--weights", "random", "--resume"]) == 2
    assert "their weights, pretrained there and random here" in capsys.readouterr().err
    assert main([*words, "lenet", "--resume"]) == 0


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_done_and_resume_goes_on(tmp_path: Path) -> None:
    """The real command, interrupted as a terminal does it; at last the files are those of a run in one go."""
    folder, out = noise(tmp_path / "pictures", 400), tmp_path / "out"
    assert data.chelsea().ndim == 3
    command = [
        sys.executable,
        "-m",
        "viz",
        "exemplars",
        str(folder),
        "--model",
        "photonet",
        "--layers",
        "Conv2d",
    ]
    with subprocess.Popen(
        [*command, "--out", str(out)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        said = ""
        while "/400" not in said.rpartition("%")[2] or " 0/400" in said[-40:]:
            said += process.stderr.read(1)
        process.send_signal(signal.SIGINT)
        told, more = process.communicate(timeout=patience(120))
    assert process.returncode == 130
    assert "stopping after this picture" in more
    assert "--resume goes on" in told
    assert "Traceback" not in more
    half = len(pd.read_parquet(out / "maxima.parquet"))
    done = subprocess.run(
        [*command, "--out", str(out), "--resume"], cwd=ROOT, check=True, capture_output=True
    )
    assert done.stdout
    assert main([*command[3:], "--out", str(tmp_path / "whole")]) == 0
    for name in ("exemplars.parquet", "maxima.parquet", "card.json"):
        assert (out / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert 0 < half < len(pd.read_parquet(out / "maxima.parquet"))


def test_a_second_interrupt_ends_it_where_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    """The first one asks; afterwards the signals do what they did."""
    before = signal.getsignal(signal.SIGINT)
    with stopped_by_signals() as stopping:
        assert not stopping()
        signal.raise_signal(signal.SIGTERM)
        assert stopping()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before
    assert capsys.readouterr().err.count("stopping") == 1


def test_many_pictures_left_out_are_not_all_listed() -> None:
    """The card has all of them."""
    bad = tuple((f"{number}.png", "damaged") for number in range(25))
    said = said_of(Outcome(100, 60, bad, 7, complete=False), Path("out"), 9, 0)
    assert said[0] == "out/exemplars.parquet: for each of 7 channels the 9 strongest of 35 pictures"
    assert said[1] == "stopped; 40 of 100 pictures are left: --resume goes on"
    assert said[2] == "25 pictures were left out:"
    assert said[-1] == "  and 15 more: see card.json"
    assert len(said) == 14


@pytest.mark.ray
@pytest.mark.skipif(find_spec("ray") is None, reason=NO_RAY)
@pytest.mark.slow
@pytest.mark.usefixtures("ray_cluster")
def test_a_run_on_a_cluster_writes_the_files_of_a_run_here(folder: Path, tmp_path: Path) -> None:
    """By the command's own words: with ``--ray``, bit for bit the same, what is left out too."""
    command = ["capture-folder", str(folder), "--model", "lenet", "--layers", "conv1", "--workers", "1"]
    assert main([*command, "--out", str(tmp_path / "here")]) == 0
    assert main([*command, "--out", str(tmp_path / "there"), "--ray"]) == 0
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


def test_without_ray_a_cluster_is_refused_before_any_work(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one line, and nothing is written."""
    monkeypatch.setattr("viz.exemplars.spread.cluster.find_spec", lambda _: None)
    out = tmp_path / "out"
    command = ["capture-folder", str(folder), "--model", "lenet", "--out", str(out), "--ray"]
    assert "Ray is not installed" in refusal(capsys, command)
    assert not out.exists()
