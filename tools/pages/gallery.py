"""The gallery's document, and a notebook for each of its programs."""

import ast
import json
import re
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from tools.pages.markdown import fenced

HEAD = """\
# Gallery

Short programs, each with its picture and what it prints. They need no network, and run as they stand once
[Layerglass is installed](install.md).
"""
CELL = re.compile(r"^# %%\n", re.MULTILINE)
GROUP = re.compile(r"\n\nGroup: (.+)$")
GROUPS = ("Capture", "Inputs", "Gradients", "Edits", "Pictures", "Training and folders")


class Program(NamedTuple):
    """A program of the gallery, in cells of comment and code."""

    name: str
    group: str
    title: str
    text: str
    cells: list[tuple[str, str]]


def files(folder: Path) -> dict[str, str]:
    """Return the document and the notebooks, by name.

    The names are below the folder's parent.
    """
    programs = sorted(map(_read, folder.glob("*.py")), key=lambda each: (GROUPS.index(each.group), each.name))
    made = {"gallery.md": _page(programs, folder)}
    return made | {f"{folder.name}/{each.name}.ipynb": _notebook(each) for each in programs}


def _read(path: Path) -> Program:
    source = path.read_text(encoding="utf-8")
    said = ast.get_docstring(ast.parse(source)) or ""
    group = GROUP.search(said)
    if group is None:
        raise ValueError(f"{path.name}: the docstring ends with no line such as 'Group: Capture'")
    title, _, text = said[: group.start()].partition("\n")
    code = source.partition('"""\n')[2]  # the docstring's opening quotes end no line
    return Program(path.stem, group[1], title.rstrip("."), text.strip(), _cells(code))


def _cells(code: str) -> list[tuple[str, str]]:
    """Return a program's cells, each a comment and its code."""
    found = []
    for cell in filter(str.strip, CELL.split(code)):
        lines = cell.strip().splitlines()
        comment = lines[: _first_code(lines)]
        found.append((" ".join(line.lstrip("# ") for line in comment), "\n".join(lines[len(comment) :])))
    return found


def _first_code(lines: list[str]) -> int:
    return next((at for at, line in enumerate(lines) if not line.startswith("#")), len(lines))


def _page(programs: list[Program], folder: Path) -> str:
    parts = [HEAD.rstrip()]
    for group, inside in groupby(programs, lambda each: each.group):
        parts += [f"## {group}", *(_shown(each, folder) for each in inside)]
    return "\n\n".join(parts) + "\n"


def _shown(program: Program, folder: Path) -> str:
    """Return a program's part of the document."""
    output = folder / "output" / f"{program.name}.txt"
    code = "\n\n".join(f"# {said}\n{code}" if said else code for said, code in program.cells)
    path = f"{folder.name}/{program.name}"
    return "\n\n".join(
        [
            f"### {program.title}",
            program.text,
            f"![{program.title}]({folder.name}/pictures/{program.name}.webp)",
            fenced(code, "py"),
            *([fenced(output.read_text(encoding="utf-8"), "text")] if output.is_file() else []),
            f"[Program]({path}.py) · [Notebook]({path}.ipynb)",
        ]
    )


def _notebook(program: Program) -> str:
    """Return the program as a notebook, whose format is https://nbformat.readthedocs.io, 4.5."""
    texts = [("markdown", f"# {program.title}\n\n{program.text}")]
    for said, code in program.cells:
        texts += [("markdown", said)] * bool(said) + [("code", code)] * bool(code)
    cells = [_cell(kind, text, at) for at, (kind, text) in enumerate(texts)]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    about = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(about, indent=1, ensure_ascii=False) + "\n"


def _cell(kind: str, text: str, at: int) -> dict[str, Any]:
    code = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return {
        "cell_type": kind,
        "id": f"cell-{at}",
        "metadata": {},
        "source": text.splitlines(keepends=True),
        **code,
    }
