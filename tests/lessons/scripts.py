"""Where the lessons are, and two ways to use one: as a module, and as a script in a process of its own."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]
LESSONS = ROOT / "docs" / "lessons"


def lesson(name: str) -> ModuleType:
    """The lesson as a module; a file whose name begins with a digit has no import statement."""
    spec = importlib.util.spec_from_file_location(f"lesson_{name}", LESSONS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def printed_by(name: str, folder: Path, *arguments: str) -> str:
    """What a copy of the lesson prints in another folder, with ``viz`` on the path; warnings are errors."""
    script = folder / f"{name}.py"
    script.write_text((LESSONS / script.name).read_text(encoding="utf-8"), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "error", str(script), *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout
