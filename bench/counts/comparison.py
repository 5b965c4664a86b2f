"""Comparison of counts with the committed ones."""

from typing import NamedTuple

Counts = dict[str, dict[str, int]]  # by way through the product, by what is counted
GROWN = 1.2  # times as much fails


class Pair(NamedTuple):
    """One count, before and now; 0 where it is not there."""

    way: str
    what: str
    before: int
    now: int

    @property
    def has_grown(self) -> bool:
        """True if a count is new, or a fifth larger."""
        return self.now > 0 and self.now >= GROWN * self.before


def pairs(before: Counts, now: Counts) -> list[Pair]:
    """Every count of both, in the order of ``now``."""
    return [
        Pair(way, what, before.get(way, {}).get(what, 0), now.get(way, {}).get(what, 0))
        for way in {**now, **before}
        for what in sorted(now.get(way, {}).keys() | before.get(way, {}).keys())
    ]


def table(found: list[Pair]) -> str:
    """A line for each count; one that has grown is marked."""
    lines = ["| way | what | committed | now | |", "|---|---|---:|---:|---|"]
    for each in found:
        mark = "GROWN" if each.has_grown else ""
        lines.append(f"| {each.way} | {each.what} | {each.before:,} | {each.now:,} | {mark} |")
    return "\n".join(lines)
