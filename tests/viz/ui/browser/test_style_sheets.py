"""Rules of the style sheets have something to style: none outlives the element that it was for."""

import re
from functools import cache
from pathlib import Path

import pytest

from viz.ui.browser.modules import BROWSER

SHEETS = sorted(BROWSER.rglob("*.css"))
OURS, STREAMLITS = "lg-", "st-key-"
DECLARATIONS = re.compile(r"/\*.*?\*/|\{[^{}]*\}", re.DOTALL)


def classes(sheet: str) -> set[str]:
    """The classes in its selectors."""
    return set(re.findall(r"\.([a-zA-Z][\w-]*)", DECLARATIONS.sub("{}", sheet)))


@cache
def sources(folder: Path, ending: str) -> str:
    """All sources of one kind in a folder."""
    return "\n".join(path.read_text("utf-8") for path in folder.rglob(f"*.{ending}"))


@cache
def written() -> set[str]:
    """Every word of our scripts; a class is a word, which may have hyphens."""
    return set(re.findall(r"[\w-]+", sources(BROWSER, "js")))


def is_set(name: str) -> bool:
    """Return whether one of our scripts says the class, or a box of Streamlit's has the key that it names."""
    if name.startswith(STREAMLITS):
        key = rf'(key=|_box\(\w+, )"{name.removeprefix(STREAMLITS)}"'
        return re.search(key, sources(BROWSER.parent, "py")) is not None
    return name.startswith(OURS) and name in written()


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_every_class_in_a_style_sheet_is_set_somewhere(sheet: Path) -> None:
    """Read from the sources; a class made of two parts at run time would have to be written out once."""
    assert sorted(name for name in classes(sheet.read_text("utf-8")) if not is_set(name)) == []


def test_scripts_leave_streamlits_classes_to_streamlit() -> None:
    """Its classes are named after keys; what our scripts make has names of ours."""
    assert re.findall(r"st-key-\w+", sources(BROWSER, "js")) == []


def test_a_class_that_nothing_sets_is_found() -> None:
    """The tests above rely on this."""
    assert classes(".lg-a:hover, .st-key-b > p { margin: .5rem } /* .c */") == {"lg-a", "st-key-b"}
    assert is_set("lg-combo")
    assert is_set("st-key-upload")
    assert not is_set("lg-comb")
    assert not is_set("st-key-viewer")
