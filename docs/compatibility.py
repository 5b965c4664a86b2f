"""Writes ``docs/compatibility.md`` from the reports in ``docs/compatibility/``: ``make compatibility``."""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from viz.commands.soundness import NO_GRAPH, TOO_LARGE, UNCHANGED  # noqa: E402  the path has to be known first
from viz.commands.sweep_report import Row, read_report, summary  # noqa: E402  the path has to be known first

PAGE = ROOT / "docs" / "compatibility.md"
REPORTS = ROOT / "docs" / "compatibility"
INTRODUCTION = """# Every layer of every model

Written by `make compatibility` from the reports in `docs/compatibility/`; do not edit it by hand.

Each model was loaded with untrained weights and shown one photograph, prepared as its card says. The outputs
of every layer were captured, every call and every tensor, and drawn.

- **exact**: layers whose captured tensors all equal, bit for bit, those that plain forward hooks clone
  (`tools/plain_hooks.py`). A layer that returns no tensor is not compared.
- **known**, **guessed**, **wrong**, **no place**: where the layer's maps are drawn, checked against where on
  the picture each value sits (`viz/receptive/places/placing.py`). *Known* follows from the pass. *Guessed*
  follows from the shape, and is not contradicted. *Wrong* is drawn elsewhere than its values sit. *No
  place* is for values that belong to no part of the picture, such as class scores.
- **unchanged**: in how many modes of capturing the model returns what it returns without: outputs, inputs,
  gradients, and inputs with gradients. A mode that would take too much memory is not tried, and said to be.
- **silent**: layers that had no output, or one with nothing to draw, such as the empty list of boxes of an
  untrained detector, by the kind of evidence that explains each; `python -m viz layers MODEL` says why, and
  `viz/profile/uncalled.py` names the kinds.
- **failed**: layers that were neither drawn nor explained.
- **opens on**: the layer that is shown first. **edit**: *unchanged* if setting that layer's first channel to
  zero gives the same output, bit for bit, as a plain hook that does it. **gradient**: *unchanged* if the
  gradients of the output's sum at that layer are those of plain tensor hooks, bit for bit. **output**: what
  the page says that the model returns, which is what its library documents.

Everything inexact, wrong, changed or failed is named below the table, and the sweep then ends with exit
status 1. A dash stands for what was not checked.

Seconds and megabytes are those of one process for one model, on two shared processor cores while other work
ran; they compare models, not machines. Versions: `constraints.txt`.
"""
PLACES = ("known", "guessed", "wrong", "no place")
NOT_TRIED = (TOO_LARGE, NO_GRAPH)
UNCHECKED = "–"
FAMILIES = {
    "torchvision": "Classification, quantised too, segmentation, detection, video and optical flow.",
    "timm": "The smallest architecture of each of timm's source files, which it calls modules.",
    "others": "Small untrained models of other libraries, as `tools/other_libraries.py` makes them. "
    "Versions: `requirements-others.txt`.",
}


def page() -> str:
    """The page's text."""
    parts = [INTRODUCTION]
    for family, words in FAMILIES.items():
        rows = read_report(REPORTS / f"{family}.jsonl")
        about = [f"{summary(rows)}.", *checks(rows), *evidence(rows)]
        parts.append("\n".join([f"## {family}", "", words, "", *about, "", *table(rows, looks_of(family))]))
    return "\n".join(parts)


def checks(rows: Sequence[Row]) -> Iterator[str]:
    """A line that counts what the checks found; none if no row has been checked."""
    checked = [row for row in rows if row.modes]
    if not checked:
        return
    exact, inexact, tensors = (
        sum(getattr(row, name) or 0 for row in checked) for name in ("exact", "inexact", "tensors")
    )
    places = sum((Counter(row.places) for row in checked), Counter[str]())
    modes = Counter(mode for row in checked for mode in row.modes.values())
    tried = modes.total() - sum(modes[mode] for mode in NOT_TRIED)
    skipped = "".join(f", {modes[mode]} {mode}" for mode in NOT_TRIED if modes[mode])
    yield ""
    yield (
        f"Checked: {len(checked):,} of {len(rows):,} models. Exact: {exact:,} of {exact + inexact:,} layers "
        f"({tensors:,} tensors). Places: {', '.join(f'{places[status]:,} {status}' for status in PLACES)}. "
        f"Outputs unchanged: {modes[UNCHANGED]:,} of {tried:,} modes{skipped}."
    )


def evidence(rows: Sequence[Row]) -> Iterator[str]:
    """A line that counts what explains layers, the most frequent first; none if no row says."""
    found = sum((Counter(row.evidence) for row in rows), Counter[str]())
    if found:
        counts = ", ".join(f"{kind} {count:,}" for kind, count in found.most_common())
        yield from ("", f"Explained by evidence: {counts}.")


def table(rows: Sequence[Row], looks: Mapping[str, Mapping[str, str]] | None = None) -> Iterator[str]:
    """The lines of one table, by name, and of the failures below it; ``looks`` has four columns more."""
    looks, statuses = looks or {}, " | ".join(PLACES)
    more = " | opens on | edit | gradient | output" if looks else ""
    yield f"| model | layers | exact | {statuses} | unchanged | silent | failed | seconds | peak MB{more} |"
    yield f"| --- |{' ---: |' * 7} --- |{' ---: |' * 3}{' --- |' * 4 if looks else ''}"
    for row in sorted(rows, key=lambda row: row.model):
        places = [str(row.places.get(status, UNCHECKED)) for status in PLACES]
        cells = [row.layers, exact(row), *places, unchanged(row), silent(row), row.failed]
        cells += [
            f"{row.seconds:.1f}",
            f"{row.peak_mb:.0f}",
            *_look(looks.get(row.model)),
        ]
        yield f"| `{row.model}` | {' | '.join(map(str, cells))} |"
    yield ""
    for row in rows:
        yield from (f"- `{row.model}` {layer}: {message}" for layer, message in (*row.failures, *row.faults))


def looks_of(family: str) -> Mapping[str, Mapping[str, str]]:
    """The layer that each model of a family shows first, and how an edit of it went, if that is known."""
    path = REPORTS / f"{family}-looks.json"
    found: dict[str, dict[str, str]] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return found


def _look(found: Mapping[str, str] | None) -> list[str]:
    return [f"`{found['opens']}`", found["edit"], found["gradient"], found["meaning"]] if found else []


def exact(row: Row) -> str:
    """How many layers are exact, and of how many that were compared where not all are."""
    if row.exact is None or not row.inexact:
        return UNCHECKED if row.exact is None else str(row.exact)
    return f"{row.exact} of {row.exact + row.inexact}"


def unchanged(row: Row) -> str:
    """In how many modes of capturing the output stays as it is, of those that were tried: ``4/4``."""
    modes = Counter(row.modes.values())
    tried = modes.total() - sum(modes[mode] for mode in NOT_TRIED)
    found = ", ".join([f"{modes[UNCHANGED]}/{tried}", *filter(modes.__getitem__, NOT_TRIED)])
    return found if modes else UNCHECKED


def silent(row: Row) -> str:
    """How many layers are silent, and the evidence that explains them, the most frequent first."""
    kinds = ", ".join(f"{kind} {count}" for kind, count in Counter(row.evidence).most_common())
    return f"{row.explained}: {kinds}" if kinds else str(row.explained)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")
