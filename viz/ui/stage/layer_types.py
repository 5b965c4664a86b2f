"""What each type of layer does, in words: short explanations for where one looks at it."""

import re
from collections.abc import Sequence
from functools import lru_cache

from ...hooks.functional import is_operation
from ...profile.tree import LayerRow
from ..locale.words import in_language
from ..locale.words_layers import COMPOSED, LAYER_WORDS, OWN_LAYER, OWN_OPERATION, TRANSFORMER_INSIDE

BLOCKS = {"block", "encoderlayer", "vitblock", "parallelscalingblock", "layerscaleblock"}


def types_in_words(rows: Sequence[LayerRow], language: str) -> dict[str, str]:
    """What each type of layer among the rows does, by the type's name; in a language of the page.

    A type that is not known is told from what it has inside: the first row of the type stands for all.
    """
    found: dict[str, str] = {}
    for row in rows:
        if row.type not in found:
            found[row.type] = in_language(language, _explanation(row, rows))
    return found


def explanation(type_name: str) -> tuple[str, str] | None:
    """What a type of layer does, in each language; None if the type is not known."""
    known = bare_type(type_name)
    return next((texts for pattern, texts in _known() if pattern.fullmatch(known)), None)


def bare_type(type_name: str) -> str:
    """The name of a class or function as the explanations know it: ``conv`` for ``Conv2d`` and ``conv3d``."""
    return re.sub(r"(?<=[a-z])[123]d(?=[a-z]|$)", "", type_name.lower().replace("_", ""))


def _explanation(row: LayerRow, rows: Sequence[LayerRow]) -> tuple[str, str]:
    known = explanation(row.type)
    if known:
        return known
    if is_operation(row.name):
        return OWN_OPERATION
    if not row.children:
        return OWN_LAYER
    inside = {bare_type(other.type) for other in rows if other.name.startswith(f"{row.name}.")}
    attends = any("attention" in each for each in inside)
    return TRANSFORMER_INSIDE if attends and bare_type(row.type) in BLOCKS else COMPOSED


@lru_cache(maxsize=1)
def _known() -> tuple[tuple[re.Pattern[str], tuple[str, str]], ...]:
    return tuple((re.compile(pattern), (english, chinese)) for pattern, english, chinese in LAYER_WORDS)
