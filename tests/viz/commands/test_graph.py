"""The command that writes a model's graph, as somebody types it."""

import json
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from viz.__main__ import main

FAILING = """\
from torch import nn
def factory():
    return nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Conv2d(5, 4, 3))
"""


def test_a_graph_is_written_in_each_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """LeNet is a chain of twelve layers between its input and its output."""
    for form in ("json", "svg", "html"):
        path = tmp_path / f"graph.{form}"
        assert main(["graph", "lenet", "sample:cat", "--out", str(path)]) == 0
        assert capsys.readouterr().out == f"{path}: graph of lenet (untrained), 14 nodes, 13 edges\n"
    graph = json.loads((tmp_path / "graph.json").read_text())
    assert [node["name"] for node in graph["nodes"]][:3] == ["input", "conv1", "relu1"]
    assert graph["edges"] == [{"from": place, "to": place + 1} for place in range(13)]
    drawn = ET.fromstring((tmp_path / "graph.svg").read_text())
    assert (tmp_path / "graph.svg").read_text().splitlines()[-2] in (tmp_path / "graph.html").read_text()
    assert drawn[0].text == "lenet (untrained)"


def test_the_depth_of_a_drawing_is_chosen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """PhotoNet's stages are blocks of blocks; one level deep, none is opened."""
    path = tmp_path / "graph.svg"
    found = []
    for depth in ("1", "2"):
        assert main(["graph", "photonet", "--weights", "random", "--depth", depth, "--out", str(path)]) == 0
        found.append(path.read_text())
    assert ">stage1<" in found[0]
    assert ">stage1<" not in found[1]
    assert ">stage1.0" in found[1]
    with pytest.raises(SystemExit, match="2"):
        main(["graph", "lenet", "--depth", "0", "--out", str(path)])
    assert "'0' is no number of levels from 1" in capsys.readouterr().err


def test_a_model_that_fails_half_way_is_drawn_up_to_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The failing layer stands in the graph with its error, and standard error names it too."""
    (tmp_path / "failing_half_way.py").write_text(FAILING)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    assert main(["graph", "failing_half_way:factory", "--out", "graph.json"]) == 0
    nodes = json.loads(Path("graph.json").read_text())["nodes"]
    assert [node["name"] for node in nodes] == ["input", "0", "1", "2"]
    assert [node["name"] for node in nodes if "error" in node] == ["2"]
    assert "the pass failed at 2: RuntimeError: " in capsys.readouterr().err
