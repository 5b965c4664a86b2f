"""Lessons' scripts: their folder, and the text that one prints in its own process."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
LESSONS = ROOT / "docs" / "lessons"


def printed_by(name: str, folder: Path, *arguments: str) -> str:
    """Return the output of a copy of the lesson in a folder, with ``viz`` on the path; no warnings."""
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
