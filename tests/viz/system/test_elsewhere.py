"""Everything starts where Python has no POSIX modules, as on Windows: there, these tests' own cannot run."""

import ast
import json
import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.browser.serving import alone, serving
from tests.machine import patience
from tests.viz.system.windows_like import NO_MODULES, NOT_IN
from viz.pictures.samples import sample_bytes

ROOT = Path(__file__).parents[3]
# The second and third in processes that Windows does not have; the last may import nothing of viz.
OWNERS = {"viz.system", "viz.reader", "viz.engine", "models.partial_file"}
EVERYWHERE = """
import importlib, pkgutil
found = 0
for top in map(importlib.import_module, ("viz", "models")):
    for each in pkgutil.walk_packages(top.__path__, f"{top.__name__}.", onerror=lambda name: None):
        if not each.name.startswith("viz.engine.ray") and not each.name.endswith("__main__"):
            importlib.import_module(each.name)
            found += 1
print(found)
"""


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Environment in which Python gives our modules what it has on Windows."""
    folder = tmp_path_factory.mktemp("windows")
    shutil.copy(Path(__file__).with_name("windows_like.py"), folder / "sitecustomize.py")
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}


def told(environment: dict[str, str], *arguments: str) -> str:
    """Return what Python prints, which must succeed."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=patience(300),
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_module_is_imported(elsewhere: dict[str, str]) -> None:
    """All of them, for a command may need any; so it is not by chance that the page needs none of those."""
    assert int(told(elsewhere, "-c", EVERYWHERE)) > 700


def test_the_preamble_takes_away_what_it_says(elsewhere: dict[str, str], tmp_path: Path) -> None:
    """From a package of our names, and from no other: otherwise the tests of this file would show nothing."""
    code = """
        import json, os, signal, sys
        found = [sys.platform, hasattr(os, "fork"), hasattr(signal, "SIGKILL")]
        try:
            import fcntl
            found.append(True)
        except ImportError:
            found.append(False)
        print(json.dumps(found))
    """
    seen = {}
    for name in ("models", "theirs"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(textwrap.dedent(code))
        path = os.pathsep.join([str(tmp_path), elsewhere["PYTHONPATH"]])
        seen[name] = json.loads(told(elsewhere | {"PYTHONPATH": path}, "-P", "-c", f"import {name}"))
    assert seen == {"models": ["win32", False, False, False], "theirs": [sys.platform, True, True, True]}


def test_a_layer_is_captured_from_the_command_line(elsewhere: dict[str, str], tmp_path: Path) -> None:
    """The same numbers as here, with every system call that there is."""
    assert "capture" in told(elsewhere, "-m", "viz", "--help")
    (tmp_path / "cat.png").write_bytes(sample_bytes("cat"))
    found = []
    for name, environment in (("here", dict(os.environ)), ("there", elsewhere)):
        out = tmp_path / f"{name}.npz"
        words = ("capture", tmp_path / "cat.png", "--model", "lenet", "--layer", "conv1", "--out", out)
        told(environment, "-m", "viz", *map(str, words))
        found.append(dict(np.load(out)))
    assert found[0].keys() == found[1].keys()
    assert [np.array_equal(found[0][name], found[1][name]) for name in found[0]] == [True] * len(found[0])


def test_the_page_is_served_with_one_sentence_on_what_it_lacks(
    elsewhere: dict[str, str], tmp_path: Path
) -> None:
    """By the engine in its own process, which the log says once, as that files are read without limits."""
    with serving(tmp_path, settings=elsewhere | alone(tmp_path) | {"LAYERGLASS_ENGINE": "process"}):
        pass
    said = (tmp_path / "log.txt").read_text("utf-8")
    assert said.count("this system cannot copy a process") == 1
    assert said.count("models run in the page's own process") == 1


def test_another_program_runs_in_place_of_this_one(elsewhere: dict[str, str]) -> None:
    """One that waits for the first hears the status of the second; nothing of the first comes after it."""
    program = """
import os, sys
from viz.system.processes import become
become([sys.executable, "-c", "print('other'); raise SystemExit(7)"], os.environ)
print("never")
"""
    for environment in (dict(os.environ), elsewhere):
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.stdout, done.returncode) == ("other\n", 7)


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Yield each of our modules, by its name."""
    for package in ("viz", "models"):
        for path in sorted((ROOT / package).rglob("*.py")):
            yield ".".join(path.relative_to(ROOT).with_suffix("").parts), ast.parse(path.read_text("utf-8"))


def things_named(node: ast.AST) -> list[str]:
    """Return the modules, and what is in them, that a piece of code names: in a statement or in a call."""
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module=str(name), names=names, level=0):
            return [name, *(f"{name}.{alias.name}" for alias in names)]
        case ast.Call(func=function, args=[ast.Constant(value=str(name)), *_]):
            return [name] * ast.unparse(function).endswith(("import_module", "__import__"))
        case ast.Attribute():
            return [ast.unparse(node)]
    return []


@pytest.mark.parametrize(
    ("code", "named"),
    [
        ("import fcntl", "fcntl"),
        ("import os, fcntl as f", "fcntl"),
        ("from fcntl import flock", "fcntl"),
        ("from os import fork", "os.fork"),
        ("os.fork()", "os.fork"),
        ("x = import_module('fcntl')", "fcntl"),
        ("importlib.import_module('fcntl')", "fcntl"),
        ("__import__('fcntl')", "fcntl"),
        ("from .fcntl import x", None),
        ("optional('fcntl')", None),
        ("import_module(name)", None),
    ],
)
def test_every_way_to_name_a_module_is_seen(code: str, named: str | None) -> None:
    """Otherwise the next test would show little; asking for what may be absent is no use of it."""
    found = {name for node in ast.walk(ast.parse(code)) for name in things_named(node)}
    assert named in found if named else not {"fcntl", "os.fork"} & found


def test_what_windows_has_not_is_used_in_one_place() -> None:
    """Not even behind a condition: a difference between systems has one owner."""
    absent = {f"{home.__name__}.{name}" for home, names in NOT_IN.items() for name in names.split()}
    guarded = {"os.sysconf", "os.setpriority", "os.PRIO_PROCESS"}  # where there is Linux's own /proc
    used = set()
    for module, tree in modules():
        for node in ast.walk(tree):
            names = set(things_named(node))
            if names & (NO_MODULES | absent - guarded) and ".".join(module.split(".")[:2]) not in OWNERS:
                used.add(module)
    assert used == set()
