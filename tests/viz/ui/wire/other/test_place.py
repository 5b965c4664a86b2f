"""Place of the other side while the first one shows a layer; the browser has the same cases."""

import json
from pathlib import Path
from typing import Any

import pytest

from viz.layer_names import is_operation
from viz.profile.rows import LayerRow
from viz.request.look import Look
from viz.ui.wire.other.place import call_beside, calls_offered, first_place, layer_beside

VECTORS = json.loads((Path(__file__).parents[4] / "beside_vectors.json").read_text(encoding="utf-8"))


def rows(name: str) -> tuple[LayerRow, ...]:
    """The rows of one of the two models."""
    return tuple(
        LayerRow(layer, "Layer", "", 0, 0, calls, (None,) * calls, (), None, (place,) * calls, children=False)
        for place, (layer, calls) in enumerate(VECTORS[name])
    )


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: str(case["look"]))
def test_the_other_side_is_where_python_and_the_browser_say(case: dict[str, Any]) -> None:
    """A chosen layer and call, else those of the first side, else where both were at last."""
    look = Look(**case["look"])
    row = layer_beside(rows("ours"), rows("theirs"), look, look.layer)
    assert (row.name, call_beside(row, look)) == (case["layer"], case["call"])


def test_only_a_chosen_layer_offers_calls() -> None:
    """The first one needs no choice."""
    relu = next(row for row in rows("ours") if row.name == "relu")
    assert calls_offered(relu, Look(with_layer="relu")) == ("2", "3")
    assert calls_offered(relu, Look(layer="relu")) == ()


def test_nobody_begins_at_an_operation() -> None:
    """It may not be listed."""
    theirs = rows("theirs")
    assert is_operation(theirs[0].name)
    assert first_place(theirs) == VECTORS["first"]
