"""A layer in the browser's boxes and tree, and its cost."""

from ...answers.subject import LinkFacts, RowFacts
from ...layer_names import is_operation
from ...profile.chain import Link
from ...profile.cost import layer_cost
from ...profile.rows import LayerRow, Shape
from ..locale.translated import translated


def row_facts(row: LayerRow, language: str) -> RowFacts:
    """Return a layer's facts for the browser, which come before any maps."""
    return RowFacts(
        name=row.name,
        type=row.type,
        detail=row.detail,
        shape=_shape_text(next((shape for shape in row.shapes if shape), None)),
        calls=row.calls,
        ends=row.ends,
        reason=row.reason and translated(row.reason, language),
        operation=is_operation(row.name),
        cost=layer_cost(row),
    )


def link_facts(link: Link) -> LinkFacts:
    """Return a link of the model's chain as facts."""
    return LinkFacts(layer=link.last, layers=link.layers, main=link.main, shape=_shape_text(link.shape))


def _shape_text(shape: Shape) -> str:
    if not shape:
        return ""
    # a batch of one picture is not mentioned, as in browser/maps/shape.js
    return " × ".join(map(str, shape[1:] if shape[0] == 1 else shape))
