"""Report of ``open``, for programs as JSON and for people as lines."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from math import prod
from typing import Any

from ...catalogue import models
from ...profile.rows import LayerRow
from ...sentences import Sentence
from ..layers import shape_text
from .opened_file import ModelRun, OpenedFile

MOST_NAMES, MOST_ROWS, MOST_FITS = 8, 400, 5
LONGEST = 120  # characters of a name from the file
DEEPEST = 20  # levels that lines move to the right


def opening_json(opened: OpenedFile, run: ModelRun | None) -> str:
    """Return one JSON object: its fields are in docs/open-a-file.md."""
    report = opened.fits[0].report if opened.fits else None
    said = {
        "kind": opened.outline.kind,
        "model": opened.best.report.model if opened.best else None,
        "fits": [_fit(each) for each in opened.fits],
        "missing": report.missing if report else [],
        "unexpected": report.unexpected if report else [],
        "wrong_shape": [asdict(each) for each in report.misshapen] if report else [],
        "classes": _classes(opened),
        "class_names": opened.outline.classes,
        "prefix": report.place if report else "",
        "elsewhere": _elsewhere(opened),
        "tensors": len(opened.outline.table.tensors),
        "numbers": _numbers(opened),
        "tree": [row._asdict() for row in opened.outline.tree],
        "library": asdict(opened.library) if opened.library else None,
        "extra": opened.outline.settings,
        "files": opened.outline.files,
        "problem": opened.problem or None,
    }
    return json.dumps(said | (_run(run) if run else {}), allow_nan=False)


def opening_lines(name: str, opened: OpenedFile, run: ModelRun | None) -> Iterator[str]:
    """Yield lines for people, about a file and the models it fits."""
    count = len(opened.outline.table.tensors)
    what = f"{name}: {opened.outline.kind}"
    if opened.problem:
        yield what
        return
    yield f"{what}, {count:,} tensors, {_numbers(opened):,} numbers"
    yield from _fit_lines(opened)
    if opened.library and (opened.best is None or _elsewhere(opened)):
        yield library_sentence(opened.library)
    if opened.best is None:
        yield from _tree_lines(opened)
    if run:
        yield from _run_lines(run)


def library_sentence(library: models.own.Library) -> str:
    """Return a sentence on the model's library, and how to install it."""
    if library.package and not library.installed:
        return Sentence(
            "Its classes come from {name}, which is not installed here: pip install {package}",
            name=library.name,
            package=library.package,
        )
    if library.package:
        return Sentence("Its classes come from {name}, which is installed here.", name=library.name)
    return Sentence("Its classes come from code of somebody's own ({name}).", name=library.name)


def _fit(each: models.own.ModelFit) -> dict[str, Any]:
    report = each.report
    return {
        "model": report.model,
        "share": round(each.share, 4),
        "fitting": len(report.fitting),
        "exact": report.fits,
        "classes": each.classes,
        "prefix": report.place,
    }


def _classes(opened: OpenedFile) -> int | None:
    """Return the number of classes of the best fit, or the file."""
    found = opened.best.classes if opened.best else None
    return found or len(opened.outline.classes) or None


def _numbers(opened: OpenedFile) -> int:
    return sum(prod(each.shape) for each in opened.outline.table.tensors)


def _elsewhere(opened: OpenedFile) -> int:
    """Return how many tensors are not under the best fit's prefix."""
    return opened.fits[0].report.elsewhere if opened.fits else len(opened.outline.table.tensors)


def _run(run: ModelRun) -> dict[str, Any]:
    top = zip(run.prediction.top, run.prediction.classes, strict=True)
    classes = [{"class": name, "index": index, "probability": share} for (name, share), index in top]
    layers = [{"name": row.name, "type": row.type, "shapes": row.shapes} for row in run.rows]
    why = {"problem_of_classes": run.prediction.problem or run.prediction.reason or None}
    return {"predictions": classes, **why} if classes else {"predictions": [], **why, "layers": layers}


def _fit_lines(opened: OpenedFile) -> Iterator[str]:
    if opened.best is None:
        yield Sentence("No model of the catalogue fits.")
    for each in opened.fits[:MOST_FITS]:
        report, classes = each.report, f", {each.classes:,} classes" if each.classes else ""
        of = len(report.fitting) + len(report.missing) + len(report.unexpected) + len(report.misshapen)
        under = f", under {_shown(report.place)}" if report.place else ""
        yield f"  {report.model}: {len(report.fitting)} of {of} tensors{classes}{under}"
    if len(opened.fits) > MOST_FITS:
        yield f"  … ({len(opened.fits) - MOST_FITS} more)"
    if opened.fits:
        report = opened.fits[0].report
        strange = [f"{each.name} ({each.found}, not {each.wanted})" for each in report.misshapen]
        for what, found in (("missing", report.missing), ("unexpected", report.unexpected)):
            yield from _names(what, found)
        yield from _names("of another shape", strange)
        if report.elsewhere:
            yield f"elsewhere in the file: {report.elsewhere:,} tensors"


def _names(what: str, found: Sequence[str]) -> Iterator[str]:
    if found:
        more = f", … ({len(found) - MOST_NAMES} more)" if len(found) > MOST_NAMES else ""
        yield f"{what}: {', '.join(map(_shown, found[:MOST_NAMES]))}{more}"


def _tree_lines(opened: OpenedFile) -> Iterator[str]:
    rows = opened.outline.tree
    for row in rows[:MOST_ROWS]:
        if opened.outline.kind == "ONNX":  # names of operations, which are no paths of dots
            yield f"    {_shown(row.name) or '-'}  {_shown(row.type)}"
            continue
        depth = min(row.name.count(".") + 1, DEEPEST) if row.name else 0
        name, kind = row.name.rpartition(".")[2] or "-", row.type.rpartition(".")[2]
        yield f"  {'  ' * depth}{_shown(name)}  {_shown(kind)}"
    if len(rows) > MOST_ROWS:
        yield f"  … ({len(rows) - MOST_ROWS} more)"


def _run_lines(run: ModelRun) -> Iterator[str]:
    for name, share in run.prediction.top:
        yield f"{share:8.1%}  {_shown(name)}"
    if said := run.prediction.problem or run.prediction.reason:
        yield said
    for row in run.rows if not run.prediction.top else ():
        yield f"  {row.name}  {row.type}  {_shapes(row)}"


def _shapes(row: LayerRow) -> str:
    return ", ".join(dict.fromkeys(map(shape_text, row.shapes))) or str(row.reason)


def _shown(name: str) -> str:
    return "".join(filter(str.isprintable, name[:LONGEST]))
