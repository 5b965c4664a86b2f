"""Tables of measurements: each row says of which commit it is, old ones are marked, all are kept as JSON."""

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
    """Tables in Markdown with one more column, which says of which commit each row is."""
    lines: list[str] = []
    place = 0  # in a table: of its head, of the line below, and of its rows
    for line in text.splitlines():
        place = place + 1 if line.startswith("|") else 0
        said = {1: COLUMN, 2: "---"}.get(place, commit)
        lines.append(f"{line} {said} |" if place else line)
    return "\n".join(lines)


def marked(text: str, age: Callable[[str], int | None]) -> str:
    """Mark rows of commits that are more than ``OLD`` commits old, or not in the history.

    Args:
        text: tables that ``stamped`` has made.
        age: how many commits there are after one; None if it is not in the history.
    """

    def mark(found: re.Match[str]) -> str:
        after = age(found[1].removesuffix("+"))
        return f"| {found[1]}{', old' if after is None or after > OLD else ''} |"

    return _COMMIT.sub(mark, text)


def replaced(text: str, title: str, content: str) -> str:
    """A document in Markdown with another content of one section, or with a new one at its end."""
    before, *rest = _SECTION.split(text)
    sections = {name: body.strip() for name, body in zip(rest[::2], rest[1::2], strict=True)}
    sections[title] = content.strip()
    return "\n\n".join([before.strip(), *(f"## {name}\n\n{body}" for name, body in sections.items())]) + "\n"


def rows(text: str) -> list[dict[str, str]]:
    """Every row of the tables in a text, by the names of its columns."""
    return [row for table in _tables(text) for row in table]


def append(history: Path, about: dict[str, Any], measured: dict[str, str]) -> None:
    """Write one more line of JSON: what the measurement is about, and its rows by section."""
    line = about | {"rows": {title: rows(text) for title, text in measured.items()}}
    with history.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line, ensure_ascii=False) + "\n")


def commit() -> str:
    """The commit that is checked out; with a plus if files differ from it."""
    return _git("describe", "--always", "--exclude=*", "--abbrev=8", "--dirty=+")


@cache
def age(of: str) -> int | None:
    """Count the commits after one; None if it is not in the history."""
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
