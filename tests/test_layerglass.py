"""Offer of ``import layerglass``: that of ``viz``, its errors, the catalogue and a version."""

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import viz
import viz.errors

ROOT = Path(__file__).parents[1]
ERRORS = {
    name
    for name, found in vars(viz.errors).items()
    if inspect.isclass(found) and issubclass(found, Exception)
}
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
    for part in (*(ROOT / "installed").iterdir(), ROOT / "viz", ROOT / "models"):
        if part.name != "__pycache__":
            (package / part.name).symlink_to(part)
    return tmp_path


def test_it_offers_what_viz_does_and_its_errors() -> None:
    """By name, in a stub from which each is imported when it is first used."""
    stub = ast.parse((ROOT / "installed/__init__.pyi").read_text(encoding="utf-8"))
    imported = {
        alias.name: node.module or ""
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert set(imported) == {*viz.__all__, *ERRORS, "models", "viz"}
    assert {imported[name] for name in ERRORS} == {"viz.errors"}


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


def test_no_docstring_of_it_names_a_package_that_is_not_there() -> None:
    """Installed, there is no ``viz`` at the top: names are those below it."""
    wrong = []
    for name in viz.__all__:
        offered = getattr(viz, name)
        members = vars(offered).values() if inspect.isclass(offered) else ()
        for each in (offered, *members):
            wrong += re.findall(r"``viz\.[^`]*``", inspect.getdoc(each) or "")
    assert wrong == []
