"""Map of tests to modules: the test of a module's name, or those that the room's tests name for it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests"
NAMED_APART = {"__init__", "__main__"}  # what a package offers, and commands: tested as such
WORDS_ONLY = ROOT / "viz/ui/locale/english"  # tables, read as a whole in tests/viz/ui/locale
MODULES = {
    path
    for package in ("viz", "models")
    for path in (ROOT / package).rglob("*.py")
    if path.stem not in NAMED_APART and WORDS_ONLY not in path.parents
}


def room_entries(room: Path) -> Iterator[tuple[Path, list[str]]]:
    """The modules that a room's tests list in their ``__init__``, each with its test files.

    Below its first line the docstring has entries such as ``facts, ordering: views/test_drawing.py, why``;
    an entry goes on in lines that are indented.
    """
    said = ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8"))) or ""
    _, _, entries = said.partition("\n")
    for entry in re.sub(r"\n +", " ", entries).split("\n"):
        names, _, files = entry.partition(": ")
        for name in filter(None, names.split(", ")):
            yield ROOT / room.relative_to(TESTS) / f"{name}.py", re.findall(r"[\w/]+\.py", files)


LISTED = [
    entry
    for package in ("viz", "models")
    for path in sorted((TESTS / package).rglob("__init__.py"))
    for entry in room_entries(path.parent)
]


def own_test(module: Path) -> Path:
    """Return the path of the test of a module's own name."""
    return TESTS / module.parent.relative_to(ROOT) / f"test_{module.name}"


def test_every_module_has_its_test_or_names_it() -> None:
    """Once, and a list keeps no module that is gone or has a test of its own by now."""
    listed = [module for module, _ in LISTED]
    assert sorted(listed) == sorted(module for module in MODULES if not own_test(module).exists())


def test_every_test_named_is_there() -> None:
    """Each entry names one at least, as seen from ``tests/viz``, or from ``tests`` if it is elsewhere."""
    assert [module for module, files in LISTED if not files] == []
    lost = [
        (str(module.relative_to(ROOT)), file)
        for module, files in LISTED
        for file in files
        if [(folder / file).is_file() for folder in (TESTS / "viz", TESTS)].count(True) != 1
    ]
    assert lost == []
