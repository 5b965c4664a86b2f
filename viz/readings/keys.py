"""Keys of one attention query, or the values behind a softmax's shares."""

import math

import torch
from torch import nn

from ..answers.number import Keys
from ..findings.explanation import Explanation
from ..number.arithmetic.activations import softmax_row
from ..number.arithmetic.attention import Look, dot_product_look, multihead_look
from ..number.breakdown_facts import json_number
from ..number.taken import LayerCall

_MOST = 2048  # keys that are shown
_EXACT = 1e-9  # two sums of the same numbers in double precision differ by less


def keys(taken: LayerCall, cell: tuple[int, ...], found: Explanation) -> Keys | None:
    """Return the scores, shares and values behind one number.

    None if it is not made of them alone, or if they are too many.
    """
    if found.kind == "softmax":
        return _row(taken, cell)
    look = _look(taken, cell) if found.kind == "attention" else None
    if look is None or len(look.scores) > _MOST:
        return None
    share = taken.leaf.endswith("[1]")
    if not share and not _adds_up(look, found):
        return None
    return _keys(look, cell[-1] if share else None)


def _look(taken: LayerCall, cell: tuple[int, ...]) -> Look | None:
    if isinstance(taken.layer, nn.MultiheadAttention):
        return multihead_look(taken.layer, taken.inputs, taken.keywords, taken.leaf, cell)
    return dot_product_look(taken.layer, taken.inputs, cell) if taken.layer is not None else None


def _adds_up(look: Look, found: Explanation) -> bool:
    """Check whether the mix equals the number.

    A mask that is not known here would make another number.
    """
    values = look.shares if look.values is None else look.values
    bias = dict(found.numbers).get("bias", 0.0)
    total = float((look.shares * values).nansum()) * look.weight + look.rest + bias
    return math.isclose(total, found.total, rel_tol=_EXACT, abs_tol=_EXACT * max(1.0, found.magnitude))


def _keys(look: Look, key: int | None) -> Keys:
    return Keys(
        head=look.head,
        query=look.query,
        key=key,
        scores=tuple(map(json_number, look.scores.tolist())),
        shares=tuple(map(json_number, look.shares.tolist())),
        values=() if look.values is None else tuple(map(json_number, look.values.tolist())),
        weight=json_number(look.weight),
        rest=json_number(look.rest),
    )


def _row(taken: LayerCall, cell: tuple[int, ...]) -> Keys | None:
    layer, given = taken.alike, taken.given
    if layer is None or given is None or given.shape != taken.value.shape:
        return None
    row, place = softmax_row(layer, given, cell)
    if len(row) > _MOST:
        return None
    square = taken.value.ndim > 3 and cell[-1] == place  # noqa: PLR2004  (batch, heads, queries, keys)
    scores, shares = (tuple(map(json_number, each.tolist())) for each in (row, torch.softmax(row, 0)))
    return Keys(
        head=cell[1] if square else 0,
        query=cell[-2] if square else None,
        key=place,
        scores=scores,
        shares=shares,
        values=(),
        weight=1.0,
        rest=0.0,
    )
