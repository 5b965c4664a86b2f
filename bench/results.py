"""Tables of measurements, with the commit of each row.

Old rows are marked; all are kept as JSON.
"""

import json
import re
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
OLD = 200  # commits
COLUMN = "commit"
_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_COMMIT = re.compile(r"\| ([0-9a-f]{7,40}\+?)(?:, old)? \|$", re.MULTILINE)


def stamped(text: str, commit: str) -> str:
    """Add a column with the commit to tables in Markdown."""
    lines: list[str] = []
    place = 0  # in a table: of its head, of the line below, and of its rows
    for line in text.splitlines():
        place = place + 1 if line.startswith("|") else 0
        said = {1: COLUMN, 2: "---"}.get(place, commit)
        lines.append(f"{line} {said} |" if place else line)
    return "\n".join(lines)


def marked(text: str, age: Callable[[str], int | None]) -> str:
    """Mark rows whose commit is old, or not in the history.

    Old means more than ``OLD`` commits ago.

    Args:
        text: tables that ``stamped`` has made.
        age: how many commits there are after one; None if it is not in the history.
    """

    def mark(found: re.Match[str]) -> str:
        after = age(found[1].removesuffix("+"))
        return f"| {found[1]}{', old' if after is None or after > OLD else ''} |"

    return _COMMIT.sub(mark, text)


def replaced(text: str, title: str, content: str) -> str:
    """Return a Markdown document with one section replaced or added."""
    before, *rest = _SECTION.split(text)
    sections = {name: body.strip() for name, body in zip(rest[::2], rest[1::2], strict=True)}
    sections[title] = content.strip()
    return "\n\n".join([before.strip(), *(f"## {name}\n\n{body}" for name, body in sections.items())]) + "\n"


def rows(text: str) -> list[dict[str, str]]:
    """Return every row of a text's tables, by column names."""
    return [row for table in _tables(text) for row in table]


def append(history: Path, about: dict[str, Any], measured: dict[str, str]) -> None:
    """Write a measurement and its rows as a line of JSON."""
    line = about | {"rows": {title: rows(text) for title, text in measured.items()}}
    with history.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line, ensure_ascii=False) + "\n")


def commit() -> str:
    """Return the commit that is checked out.

    It ends in a plus if files differ from it.
    """
    return _git("describe", "--always", "--exclude=*", "--abbrev=8", "--dirty=+")


@cache
def age(of: str) -> int | None:
    """Count the commits after one.

    None if it is not in the history.
    """
    try:
        _git("merge-base", "--is-ancestor", of, "HEAD")
        return int(_git("rev-list", "--count", f"{of}..HEAD"))
    except subprocess.CalledProcessError:
        return None


def _tables(text: str) -> Iterator[list[dict[str, str]]]:
    for block in re.findall(r"(?:^\|.*\n?)+", text, re.MULTILINE):
        head, _, *lines = (_cells(line) for line in block.splitlines())
        yield [dict(zip(head, cells, strict=False)) for cells in lines]


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip()[1:-1].split("|")]


def _git(*command: str) -> str:
    done = subprocess.run(["git", *command], cwd=HERE, capture_output=True, check=True, text=True)
    return done.stdout.strip()
