"""Markdown of tables and code."""

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table, with bars and line ends in cells escaped."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def fenced(code: str, kind: str = "") -> str:
    """Return a block of code."""
    return f"```{kind}\n{code.rstrip()}\n```"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
