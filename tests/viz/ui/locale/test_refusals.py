"""What a visitor is refused is said in both languages: no refusal is written without its Chinese."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from viz.ui.locale.translated import translated

ROOT = Path(__file__).parents[4]
# Where refusals that reach the page are raised; others are met by people who write Python, and those of
# the door have both languages beside each other.
MODELS = "bundled_zoo torchvision_zoo weights_file signal_preprocessing whole_preprocessing uploaded_state"
VIZ = """
    layout layout_guess views/drawing attribution cells gradcam breakdown album animation
    limits edit_request applied_edits
"""
SOURCES = [
    *(path for name in MODELS.split() for path in (ROOT / "models").rglob(f"{name}.py")),
    *(path for name in VIZ.split() for path in (ROOT / "viz").rglob(f"{name}.py")),
    *(path for path in sorted((ROOT / "viz" / "ui").rglob("*.py")) if path.parent.name != "door"),
]
# What stands in for a value that is itself a word of ours; any other is a number here.
WORDS = {"verb": "returned", "what": "slice"}


def refusals(path: Path) -> Iterator[str]:
    """Every sentence that a file raises an error with, with made-up values in it."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
            text = sentence(node.exc.args[0])
            if re.search("[a-z] [a-z]", text):  # or else it is put together of others
                yield text


def sentence(node: ast.expr) -> str:
    """The text of a string or an f-string; nothing of what is computed elsewhere."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(map(sentence, node.values))
    if isinstance(node, ast.FormattedValue):
        return WORDS.get(ast.unparse(node.value), "7")
    return ""


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_refusal_that_reaches_the_page_has_its_chinese(path: Path) -> None:
    """In which every value stands."""
    for english in refusals(path):
        chinese = translated(english, "zh")
        assert chinese != english, english
        assert re.search("[\u4e00-\u9fff]", chinese), english


def test_the_refusals_are_found() -> None:
    """Or else the test above would hold of nothing."""
    found = [english for path in SOURCES for english in refusals(path)]
    assert len(found) > 40
    assert "only complex values have a phase" in found
