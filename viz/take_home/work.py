"""An engine's work for an album."""

from collections.abc import Iterator, Sequence

from ..engine.limits import check_cost
from ..engine.slices import Sliced
from ..engine.task import Bench, needed
from ..maps.colour.wanted import Range
from ..passes.loaded import LoadedModel, several
from ..profile.cost import GRAPH, pass_cost
from ..views.model_range import ModelRange
from .album import MOST_SHEETS, MOST_VALUES, Album, Sheet, chosen_rows, level, maps_size, sheets_of


def album(task: Album, bench: Bench) -> Sliced[tuple[Sheet, ...]]:
    """Every call of every layer that is wanted, drawn.

    Raises:
        RequestError: no layer of the block runs.
        TooLargeError: it would take more memory than one request may.
    """
    wanted, loaded = task.wanted, bench.loaded(task.wanted.model, task.wanted.weights)
    rows = chosen_rows(loaded.rows, task.block)
    graph = 0 if wanted.gradient is None else GRAPH * loaded.output_bytes
    check_cost("all layers", graph + pass_cost(rows, bench.limits.whole_pass), bench.limits)
    yield
    limits = (yield from needed(ModelRange(wanted, task.photo), bench)) if wanted.scale == "model" else None
    most = level([maps_size(shape) for row in rows for shape in row.shapes], MOST_VALUES)
    names = {row.name for row in rows}
    sheets: list[Sheet] = []
    for group in loaded.in_passes(bench.limits.whole_pass):
        for sheet in _sheets(task, loaded, [name for name in group if name in names], most, limits):
            sheets.append(sheet)
            yield
    return tuple(sheets[:MOST_SHEETS])


def _sheets(
    task: Album, loaded: LoadedModel, names: Sequence[str], most: int, limits: Range | None
) -> Iterator[Sheet]:
    """The sheets from one pass."""
    if not names:
        return
    found = several(loaded, task.wanted, task.photo, names)
    for name in names:
        yield from sheets_of(found.pop(name), task.wanted, most, limits)
