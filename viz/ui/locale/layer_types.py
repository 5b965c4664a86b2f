"""Explanations of layer types: short texts, shown beside the layer."""

import re
from collections.abc import Sequence
from functools import lru_cache

from ...layer_names import is_operation
from ...profile.rows import LayerRow
from ...sentences import Sentence
from .english.layers import COMPOSED, LAYER_WORDS, OWN_LAYER, OWN_OPERATION, TRANSFORMER_INSIDE
from .translated import translated

BLOCKS = {"block", "encoderlayer", "vitblock", "parallelscalingblock", "layerscaleblock"}


def types_in_words(rows: Sequence[LayerRow], language: str) -> dict[str, str]:
    """Return an explanation of each layer type among the rows, by name.

    An unknown type is explained by what it contains, as the first row of that type shows it.
    """
    found: dict[str, str] = {}
    for row in rows:
        if row.type not in found:
            found[row.type] = translated(_explanation(row, rows), language)
    return found


def explanation(type_name: str) -> Sentence | None:
    """Return the explanation of a layer type; None for an unknown type."""
    known = bare_type(type_name)
    return next((text for pattern, text in _known() if pattern.fullmatch(known)), None)


def bare_type(type_name: str) -> str:
    """The name by which a class or function is explained.

    It is ``conv`` for ``Conv2d`` and ``conv3d``.
    """
    return re.sub(r"(?<=[a-z])[123]d(?=[a-z]|$)", "", type_name.lower().replace("_", ""))


def _explanation(row: LayerRow, rows: Sequence[LayerRow]) -> Sentence:
    known = explanation(row.type)
    misnamed = bare_type(row.type) == "conv" and not (row.convolves or is_operation(row.name))
    if known and not misnamed:
        return known
    if is_operation(row.name):
        return OWN_OPERATION
    if not row.children:
        return OWN_LAYER
    inside = {bare_type(other.type) for other in rows if other.name.startswith(f"{row.name}.")}
    attends = any("attention" in each for each in inside)
    return TRANSFORMER_INSIDE if attends and bare_type(row.type) in BLOCKS else COMPOSED


@lru_cache(maxsize=1)
def _known() -> tuple[tuple[re.Pattern[str], Sentence], ...]:
    return tuple((re.compile(pattern), text) for pattern, text in LAYER_WORDS)
