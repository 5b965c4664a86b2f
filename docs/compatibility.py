"""Writes ``docs/compatibility.md`` from the reports in ``docs/compatibility/``: ``make compatibility``."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from viz.commands.sweep_report import Row, read_report, summary  # noqa: E402  the path has to be known first

PAGE = ROOT / "docs" / "compatibility.md"
REPORTS = ROOT / "docs" / "compatibility"
INTRODUCTION = """# Every layer of every model

Written by `make compatibility` from the reports in `docs/compatibility/`; do not edit it by hand.

Each model was loaded with untrained weights and shown one photograph, prepared as its card says. The outputs
of every layer were captured, every call and every tensor, and drawn.

- **drawn**: the layer ran, was captured, and its outputs became maps.
- **explained**: it had no output, or one with nothing to draw, such as the empty list of boxes of an
  untrained detector; `python -m viz layers MODEL` says why. Where a line below counts kinds of evidence, each
  reason states what was seen of the pass; `viz/profile/uncalled.py` names the kinds.
- **failed**: neither. Every such layer is named below the table, and the sweep ends with exit status 1.

Seconds and megabytes are those of one process for one model, on two shared processor cores while other work
ran; they compare models, not machines. Versions: `constraints.txt`.
"""
FAMILIES = {
    "torchvision": "Classification, quantised too, segmentation, detection, video and optical flow.",
    "timm": "The smallest architecture of each of timm's source files, which it calls modules.",
}


def page() -> str:
    """The page's text."""
    parts = [INTRODUCTION]
    for family, words in FAMILIES.items():
        rows = read_report(REPORTS / f"{family}.jsonl")
        about = [f"{summary(rows)}.", *evidence(rows)]
        parts.append("\n".join([f"## {family}", "", words, "", *about, "", *table(rows)]))
    return "\n".join(parts)


def evidence(rows: Sequence[Row]) -> Iterator[str]:
    """A line that counts what explains layers, the most frequent first; none if no row says."""
    found = sum((Counter(row.evidence) for row in rows), Counter[str]())
    if found:
        counts = ", ".join(f"{kind} {count:,}" for kind, count in found.most_common())
        yield from ("", f"Explained by evidence: {counts}.")


def table(rows: Sequence[Row]) -> Iterator[str]:
    """The lines of one table, by name, and of the failures below it."""
    yield "| model | layers | drawn | explained | failed | seconds | peak MB |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for row in sorted(rows, key=lambda row: row.model):
        counts = f"{row.layers} | {row.drawn} | {row.explained} | {row.failed}"
        yield f"| `{row.model}` | {counts} | {row.seconds:.1f} | {row.peak_mb:.0f} |"
    yield ""
    for row in rows:
        yield from (f"- `{row.model}` {layer}: {message}" for layer, message in row.failures)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")
