"""Copies of a process with imports, in which scripts are run: they see what a fresh process sees."""

import os
from pathlib import Path

import pytest

from tests.viz.copied import Done, copied, first_imports, fresh

FACTS = """\
'''What a script may see of its process.'''
import os
import sys
import numpy as np

print(sorted({name.partition('.')[0] for name in sys.modules} & {'numpy', 'PIL', 'pytest', 'tests', 'torch'}))
print(sys.argv, os.getcwd() in sys.path, __name__, os.environ['SAID'], np.random.rand(0).size)
assert 'json' not in globals()
"""


def both(text: str, folder: Path, **said: str) -> tuple[Done, Done]:
    """Return a script's outcome in a copy, and in a fresh process."""
    (folder / "view.py").write_text(text)
    environment = {**os.environ, "PYTHONWARNINGS": "error", **said}
    return copied("view.py", folder, environment), fresh("view.py", folder, environment)


@pytest.mark.parametrize("said", ["one", "another"])
def test_a_copy_sees_what_a_fresh_process_sees(said: str, tmp_path: Path) -> None:
    """Its own imports and environment, and nothing of the tests; the second is not told the first one's."""
    copy, new = both(FACTS, tmp_path, SAID=said)
    assert (copy.returncode, copy.stdout, copy.stderr) == (new.returncode, new.stdout, new.stderr)
    assert copy.stdout == f"['numpy']\n['view.py'] True __main__ {said} 0\n"


def test_copies_of_one_process_are_told_where_pytorch_keeps_files(tmp_path: Path) -> None:
    """No import reads that setting; a copy that is told nothing knows of no earlier one's folder."""
    (tmp_path / "view.py").write_text("import os\nprint(os.getppid(), os.environ.get('TORCH_HOME'))")
    plain = {key: value for key, value in os.environ.items() if key != "TORCH_HOME"}
    said = [
        copied("view.py", tmp_path, plain | more).stdout.split()
        for more in ({"TORCH_HOME": "one"}, {"TORCH_HOME": "another"}, {})
    ]
    assert [home for _, home in said] == ["one", "another", "None"]
    assert len({parent for parent, _ in said}) == 1


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("import os\nos.abort()", -6),
        ("import numpy\nraise SystemExit(3)", 3),
        ("import numpy\nnumpy.nothing", 1),
        ("import nothing_of_this_name", 1),
        ("import numpy as np\nnp.float32(1e300)", 1),
        ("import numpy\ntorch.zeros(1)", 1),
        ("import numpy\nnumpy.torch = 1\nprint('first')", 0),
    ],
)
def test_a_script_that_fails_fails_in_a_copy_as_in_a_fresh_process(
    text: str, code: int, tmp_path: Path
) -> None:
    """With the same last line; a warning is an error, and what one leaves behind the next one lacks."""
    for copy, new in (both(text, tmp_path), both(text, tmp_path)):
        assert (copy.returncode, new.returncode) == (code, code)
        assert (copy.stdout, copy.stderr.splitlines()[-1:]) == (new.stdout, new.stderr.splitlines()[-1:])
    again, _ = both("import numpy\nassert not hasattr(numpy, 'torch')", tmp_path)
    assert again.returncode == 0


def test_only_the_imports_before_any_other_statement_are_run_ahead() -> None:
    """Those behind one may depend on it."""
    assert (
        first_imports("'''Said.'''\nimport a\nfrom b import c\nx = 1\nimport d\n")
        == "import a\nfrom b import c"
    )
    assert first_imports("import a") == "import a"
    assert first_imports("x = 1") == ""
