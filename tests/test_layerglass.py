"""Offer of ``import layerglass``: that of ``viz``, its errors, the catalogue and a version."""

import inspect
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import torch

import layerglass
import viz
import viz.errors

ROOT = Path(__file__).parents[1]
BUILD = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
CHECKOUT = """
import sys
import layerglass as lg
assert not {"torch", "matplotlib"} & set(sys.modules)
import viz, models, viz.errors
assert lg.viz is viz and lg.models is models
assert all(getattr(lg, name) is getattr(viz, name) for name in viz.__all__)
import layerglass.viz.maps.mosaic, layerglass.models.cards
from layerglass.viz.errors import UnknownLayerError
assert layerglass.viz.maps.mosaic is sys.modules["viz.maps.mosaic"]
assert layerglass.models.cards.ModelCard is models.cards.ModelCard
assert UnknownLayerError is viz.errors.UnknownLayerError is lg.UnknownLayerError
assert viz.__spec__.name == "viz" and viz.errors.__spec__.name == "viz.errors"
assert not hasattr(lg, "nonsense") and set(lg.__all__) < set(dir(lg))
"""
TYPES = """
import layerglass as lg
reveal_type(lg.LayerActivations(lg.models.load("lenet")).names)
reveal_type(lg.render_mosaic([[[1.0]]]).png)
lg.nonsense
"""
LOOK = """
import sys
import layerglass as lg
assert lg.viz.__name__ == "layerglass.viz"
assert not {"torch", "matplotlib"} & set(sys.modules)
assert lg.models.names()
from layerglass import LayerActivations, UnknownLayerError
from layerglass.viz.errors import UnknownLayerError as same
assert same is UnknownLayerError and not hasattr(lg, "nonsense")
import torch
layers = LayerActivations(torch.nn.Sequential(torch.nn.ReLU(), torch.nn.ReLU()), device="cpu")
with layers.capture("1") as record:
    layers.run(torch.zeros(1, 2), until="0")
try:
    record["1"].output
except lg.CallError as error:
    print(error)
assert lg.survey
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder in which the parts stand as the wheel puts them: by links."""
    package = tmp_path / "layerglass"
    package.mkdir()
    apart = {ROOT / name for name in BUILD["targets"]["wheel"]["exclude"]}
    for part in {*(ROOT / "layerglass").iterdir(), ROOT / "viz", ROOT / "models"} - apart:
        if part.name != "__pycache__":
            (package / part.name).symlink_to(part)
    return tmp_path


def test_viz_offers_every_error_that_it_raises() -> None:
    """All that ``viz.errors`` defines, so that ``except lg.EditError`` needs no other import."""
    defined = {name for name in vars(viz.errors) if name.endswith("Error")}
    assert {name for name in viz.__all__ if name.endswith("Error")} == defined


@pytest.mark.slow
def test_a_checkout_has_the_same_import_and_no_second_copy() -> None:
    """In a process that finds only the checkout's folder, every name is the very object of ``viz``."""
    done = subprocess.run(
        [sys.executable, "-c", CHECKOUT], cwd=ROOT, capture_output=True, text=True, check=False, env={}
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("installed", [False, True])
def test_a_type_checker_knows_what_it_offers(installed: bool, site: Path, tmp_path: Path) -> None:
    """Mypy reveals the types of values that come from ``viz`` and ``models``, and refuses another name."""
    (script := tmp_path / "script.py").write_text(TYPES, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--no-site-packages", "--ignore-missing-imports"]
    done = subprocess.run(
        [*command, "--follow-imports", "silent", "--config-file", os.devnull, script],
        cwd=tmp_path / "..",
        capture_output=True,
        text=True,
        check=False,
        env={"MYPYPATH": str(site if installed else ROOT), "MYPY_CACHE_DIR": str(tmp_path / "cache")},
    )
    said = re.sub(r"builtins\.|, \.\.\.", "", done.stdout)
    assert said.count("Revealed type") == 2, done.stdout
    assert '"tuple[str]"' in said
    assert '"bytes"' in said
    assert 'no attribute "nonsense"' in said


def test_what_it_offers_is_there_and_messages_name_it(site: Path) -> None:
    """Nothing heavy is imported before it is used, and a message says what can be typed."""
    done = subprocess.run(
        [sys.executable, "-c", LOOK],
        cwd=site,
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(site)},
    )
    assert done.returncode == 0, done.stderr
    assert "layerglass.survey" in done.stdout
    assert "viz." not in done.stdout


def test_no_docstring_of_it_names_what_is_not_there() -> None:
    """Each dotted name is one of ``layerglass``, of what it offers, or of PyTorch."""
    wrong = []
    for name in viz.__all__:
        offered = getattr(viz, name)
        members = vars(offered).values() if inspect.isclass(offered) else ()
        for each in (offered, *members):
            named = re.findall(r"``([A-Za-z_]\w*(?:\.\w+)+)``", inspect.getdoc(each) or "")
            wrong += [found for found in named if not _is_there(found)]
    assert wrong == []


def _is_there(dotted: str) -> bool:
    first, *rest = dotted.split(".")
    known = {"layerglass": layerglass, "torch": torch, "nn": torch.nn}
    place = known.get(first) or getattr(viz, first, None)
    for part in rest:
        place = getattr(place, part, None)
    return place is not None
