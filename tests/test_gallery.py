"""Every program of the gallery runs as it stands, and draws and prints what the page shows of it."""

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

ROOT = Path(__file__).parents[1]
GALLERY = ROOT / "docs" / "gallery"
PROGRAMS = sorted(GALLERY.glob("*.py"))
GROUPS = {"Capture", "Inputs", "Gradients", "Edits", "Pictures", "Training and folders"}
NUMBER = re.compile(r"[-−]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
WIDEST, LARGEST = 640, 30_000  # pixels of a picture, bytes of the one that is kept
MOST_WORDS, MOST_LINES = 60, 25
Run = Callable[[Path, Path], dict[str, str]]

# One process for all programs, so that PyTorch is imported once; each finds what it would find alone.
RUNNER = """
import contextlib, io, json, os, runpy, sys, traceback
import matplotlib
from matplotlib import pyplot
surroundings, answers = dict(os.environ), os.fdopen(os.dup(1), "w")
for line in sys.stdin:
    program, folder = json.loads(line)
    printed, problem = io.StringIO(), ""
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(printed), matplotlib.rc_context():
            runpy.run_path(program, run_name="__main__")
    except BaseException:
        problem = traceback.format_exc()
    pyplot.close("all")
    os.environ.clear()
    os.environ.update(surroundings)
    print(json.dumps({"printed": printed.getvalue(), "problem": problem}), file=answers, flush=True)
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Run a program in a folder, in a process that has no path to the gallery."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "MPLBACKEND": "agg", "PYTHONUTF8": "1"}
    command = [sys.executable, "-P", "-c", RUNNER]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    at = tmp_path_factory.mktemp("gallery")
    with subprocess.Popen(command, cwd=at, env=environment, encoding="utf-8", **pipes) as process:

        def ask(program: Path, folder: Path) -> dict[str, str]:
            assert process.stdin
            assert process.stdout
            process.stdin.write(json.dumps([str(program), str(folder)]) + "\n")
            process.stdin.flush()
            answer: dict[str, str] = json.loads(process.stdout.readline())
            return answer

        yield ask
        process.kill()  # it waits for the next program, or hangs in one that was given up


def explained(program: Path) -> list[str]:
    """Return the paragraphs of a program's docstring."""
    return (ast.get_docstring(ast.parse(program.read_text(encoding="utf-8"))) or "").split("\n\n")


def lines_of_code(program: Path) -> int:
    """Return how many lines a reader has to read: no imports, comments and blank lines."""
    text = program.read_text(encoding="utf-8")
    told = ast.parse(text).body[0].end_lineno
    lines = [line.strip() for line in text.splitlines()[told:]]
    return sum(bool(line) and not line.startswith(("#", "import ", "from ")) for line in lines)


def differs(found: str, kept: str) -> bool:
    """Return whether a number is another one: by a thousandth, and by more than its last decimal."""
    found, kept = found.replace("−", "-"), kept.replace("−", "-")
    decimals = len(kept.partition("e")[0].partition(".")[2])
    last = 1.01 * 10.0**-decimals if decimals and "e" not in kept else 0.0
    return abs(float(found) - float(kept)) > max(1e-3 * abs(float(kept)), last)


def check_printed(found: str, kept: str) -> None:
    """Compare words exactly, and numbers nearly."""
    assert NUMBER.sub("#", found) == NUMBER.sub("#", kept)
    pairs = list(zip(NUMBER.findall(found), NUMBER.findall(kept), strict=True))
    assert [pair for pair in pairs if differs(*pair)] == []


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_a_program_draws_and_prints_what_the_page_shows(program: Path, run: Run, tmp_path: Path) -> None:
    """In an empty folder: a picture of more than one colour, and the text that is kept."""
    done = run(program, tmp_path)
    assert not done["problem"], done["problem"]
    with Image.open(tmp_path / f"{program.stem}.png") as picture:
        assert picture.width <= WIDEST
        assert any(low < high for low, high in picture.convert("RGB").getextrema())
    check_printed(done["printed"], (GALLERY / "output" / f"{program.stem}.txt").read_text(encoding="utf-8"))


def test_the_gallery_answers_many_questions_in_every_group() -> None:
    """A title that is a sentence, a few words, and a group that the page has."""
    assert len(PROGRAMS) >= 26
    groups = set()
    for program in PROGRAMS:
        title, *words, group = explained(program)
        assert title.endswith(".")
        assert 0 < len(" ".join(words).split()) <= MOST_WORDS, program
        groups.add(group.removeprefix("Group: "))
    assert groups == GROUPS


def test_a_program_is_short_and_uses_what_is_public() -> None:
    """A screen of code in cells, without names that begin with an underscore."""
    for program in PROGRAMS:
        text = program.read_text(encoding="utf-8")
        assert 8 <= lines_of_code(program) <= MOST_LINES, program
        assert "\n# %%\n" in text, program
        assert not re.search(r"\._(?!_)|import _", text), program


def test_each_program_has_its_picture_and_its_text_and_no_other_has() -> None:
    """Small enough that the whole gallery is one page."""
    names = {program.stem for program in PROGRAMS}
    assert {path.stem for path in (GALLERY / "output").iterdir()} == names
    assert {path.stem for path in (GALLERY / "pictures").iterdir()} == names
    for path in (GALLERY / "pictures").iterdir():
        assert path.stat().st_size <= LARGEST, path


def test_a_changed_number_and_a_changed_word_are_found() -> None:
    """The comparison lets the last decimal vary, and nothing else."""
    check_printed("conv1 (1, 6) 0.123", "conv1 (1, 6) 0.124")
    for other in ("conv1 (1, 6) 0.127", "conv1 (1, 7) 0.123", "conv2 (1, 6) 0.123", "conv1 (1, 6)"):
        with pytest.raises(AssertionError):
            check_printed(other, "conv1 (1, 6) 0.123")
