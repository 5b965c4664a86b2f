"""The reference is built from the docstrings, and a broken reference in them is found."""

import inspect
import re
import runpy
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from viz import LayerActivations

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "docs" / "reference.py"
PARAMETER = re.compile(r'class="param">\s*(?:<span class="o">\*+</span>)?<span class="\w+">(\w+)')


@pytest.mark.slow
def test_the_reference_has_every_method_of_layer_activations_with_its_signature(tmp_path: Path) -> None:
    """Each parameter that ``inspect`` finds, in order, in the signature that stands on the page."""
    built = subprocess.run([sys.executable, SCRIPT, tmp_path], capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    page = (tmp_path / "viz.html").read_text(encoding="utf-8")
    for name, function in inspect.getmembers(LayerActivations, inspect.isfunction):
        if name == "__init__" or not name.startswith("_"):
            expected = list(inspect.signature(function).parameters)
            assert parameters(page, f"LayerActivations.{name}") == expected[name == "__init__" :]
    assert "'auto'" in signature(page, "LayerActivations.__init__")


def signature(page: str, place: str) -> str:
    """The HTML between the place of a function and its description."""
    begin = page.index(f'<div id="{place}"')
    return page[begin : page.index('<div class="docstring">', begin)]


def parameters(page: str, place: str) -> list[str]:
    """The names of a function's parameters, as its signature on the page says them."""
    return PARAMETER.findall(signature(page, place))


def test_a_reference_to_nothing_is_found() -> None:
    """A missing module and an error that nothing describes; neither what is there nor what Python has."""
    script = runpy.run_path(str(SCRIPT))
    module = ModuleType("made_up")
    module.__doc__ = (
        "See ``viz.nowhere`` and ``viz.errors``.\n\nRaises:\n    LostError: always.\n    ValueError: also.\n"
    )
    docs = list(script["described"](script["Module"](module)))
    assert list(script["broken_names"](docs)) == [
        "made_up: there is no viz.nowhere",
        "made_up: nothing describes LostError",
    ]


def test_a_link_to_nothing_is_found(tmp_path: Path) -> None:
    """A page that is not there and a place that is not on a page; links to elsewhere are not followed."""
    (tmp_path / "a.html").write_text('<p id="here"><a href="#here"><a href="b.html#there">', encoding="utf-8")
    (tmp_path / "b.html").write_text('<a href="c.html"><a href="https://pdoc.dev">', encoding="utf-8")
    broken = runpy.run_path(str(SCRIPT))["broken_links"](tmp_path)
    assert list(broken) == ["a.html: b.html#there leads nowhere", "b.html: c.html leads nowhere"]
