"""Hostile pickles: whatever they name is neither looked up nor called, and nothing of it is made."""

import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hostile.weights_files import END, HEAD
from tests.machine import patience
from tests.models.own.opening.hostile_pickles import _ways


@pytest.fixture(scope="module")
def sign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the pickles would make."""
    return tmp_path_factory.mktemp("hostile") / "it-was-run"


@pytest.fixture(scope="module")
def report(sign: Path) -> dict[str, object]:
    """Events that Python itself saw while all were read."""
    command = [sys.executable, "-m", "tests.models.own.opening.watched_reading", str(sign)]
    done = subprocess.run(command, check=True, capture_output=True, timeout=patience(120))
    return json.loads(done.stdout)


def test_the_pickles_would_do_harm(sign: Path) -> None:
    """Python's own reader makes the folder, by each way of naming and calling that it has."""
    for way, listed in _ways("os mkdir", str(sign)):
        if way in ("called", "called by a name on the stack", "remembered", "an instance", "an object"):
            pickle.loads(HEAD + listed + END)
            assert sign.is_dir(), way
            sign.rmdir()


def test_no_hostile_pickle_imports_calls_or_opens_anything(report: dict[str, object], sign: Path) -> None:
    """Python's audit hook reports every import, lookup of a class, compilation, and call of the system."""
    assert report["files"] >= 200
    assert report["events"] == []
    assert not sign.exists()


def test_no_name_stands_for_a_class_but_the_plain_dict(report: dict[str, object]) -> None:
    """OrderedDict is read as a dict; every other name stays a name, which cannot be called."""
    assert report["classes"] == ["dict"]
    assert report["callable"] == []


def test_nothing_is_made_but_plain_containers_and_descriptions(report: dict[str, object]) -> None:
    """Every value inside every result is plain, a description of a tensor, or an object left unmade."""
    assert report["made"] == []


def test_each_hostile_pickle_gets_a_sentence_or_its_weights(report: dict[str, dict[str, list[str]]]) -> None:
    """Beside weights it is left out; alone it is refused, in one line that says why."""
    for name, (kind, problem) in report["kinds"].items():
        if name.startswith("beside weights") and "2019" not in name:
            assert (kind, problem) == ("state dict", "")
        elif kind == "something else":
            assert problem.endswith((".", "safetensors")), name
            assert "\n" not in problem
