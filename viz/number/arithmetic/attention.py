"""One number of attention: of its output or its softmax rows."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from ...findings.explanation import Explanation
from ...sentences import Sentence
from .bounds import BoundedValues, exact, softmax_row
from .explanation import bracketed, doubles, number, product_text, short

_SHOWN = 4  # numbers of a row in a line of text
_SLOTS = (
    *("query", "key", "value", "key_padding_mask", "need_weights", "attn_mask"),
    *("average_attn_weights", "is_causal"),
)


@dataclass(frozen=True, eq=False)
class _Head:
    """One query's attention in one head, with rounding errors.

    Scores and shares are (S); the values (S, D) are mixed to a context (D).
    """

    query: Tensor
    scores: BoundedValues
    shares: BoundedValues
    values: BoundedValues
    scale: float

    @property
    def context(self) -> BoundedValues:
        return self.shares @ self.values


@dataclass(frozen=True, eq=False)
class Look:
    """One query's attention in one head, in double precision.

    Attributes:
        head: which head.
        query: the place of the query.
        scores: of the keys (S); the shares (S) are their softmax.
        values: the factors of the shares (S); None if the shares are all that is returned.
        weight: the factor of their sum.
        rest: the sum that other numbers add, without the bias.
    """

    head: int
    query: int
    scores: Tensor
    shares: Tensor
    values: Tensor | None = None
    weight: float = 1.0
    rest: float = 0.0


def multihead(
    layer: nn.MultiheadAttention,
    inputs: Sequence[Any],
    keywords: Mapping[str, Any],
    leaf: str,
    cell: tuple[int, ...],
) -> Explanation:
    """Return the explanation of one cell of multi-head attention.

    The cell is one of the output, or of the softmax rows if the path ends with ``[1]``.

    Source: Vaswani et al., Attention is all you need (2017), section 3.2.
    """
    heads = _heads_of(layer, inputs, keywords, leaf, cell)[1]
    return _share(heads, cell[-1]) if leaf.endswith("[1]") else _projected(layer, heads, cell[-1])


def multihead_look(
    layer: nn.MultiheadAttention,
    inputs: Sequence[Any],
    keywords: Mapping[str, Any],
    leaf: str,
    cell: tuple[int, ...],
) -> Look | None:
    """Return one query's look in the head that counts most.

    A share is looked at in its own head. None for a share that is a mean over several heads.
    """
    query, heads = _heads_of(layer, inputs, keywords, leaf, cell)
    if leaf.endswith("[1]"):
        found = cell[-3] if len(cell) > 3 else 0  # noqa: PLR2004  (batch, head, query, key)
        return Look(found, query, heads[0].scores.values, heads[0].shares.values) if len(heads) == 1 else None
    contexts = torch.cat([head.context.values for head in heads])
    weights = doubles(layer.out_proj.weight[cell[-1]])
    products = contexts * weights
    most = int(products.abs().argmax())
    head, place = divmod(most, len(products) // len(heads))
    mixed = heads[head].values.values[:, place]
    rest = float(products.sum()) - float(products[most])
    one = heads[head]
    return Look(head, query, one.scores.values, one.shares.values, mixed, float(weights[most]), rest)


def _heads_of(
    layer: Any, inputs: Sequence[Any], keywords: Mapping[str, Any], leaf: str, cell: tuple[int, ...]
) -> tuple[int, list[_Head]]:
    """Return a cell's query, and the heads that it comes from."""
    given = {**dict(zip(_SLOTS, inputs, strict=False)), **keywords}
    alone = given["query"].ndim == 2  # noqa: PLR2004  (one sequence without a batch)
    if leaf.endswith("[1]"):
        averaged = given.get("average_attn_weights", True)
        row, query = (0 if alone else cell[0]), cell[-2]
        heads = _heads(layer, given, row, query)
        return query, heads if averaged else heads[cell[-3] : cell[-3] + 1]
    row, query = (0, cell[0]) if alone else cell[:2] if layer.batch_first else (cell[1], cell[0])
    return query, _heads(layer, given, row, query)


def dot_product_look(
    layer: Any, inputs: Sequence[Any], cell: tuple[int, ...], mask: Tensor | None = None
) -> Look:
    """Return one query's look in a layer that ``dot_product`` explains."""
    head = _dot_product_head(layer, inputs, cell, mask)
    found = cell[-3] if len(cell) > 3 else 0  # noqa: PLR2004  (batch, head, query, number)
    return Look(found, cell[-2], head.scores.values, head.shares.values, head.values.values[:, cell[-1]])


def dot_product(layer: Any, inputs: Sequence[Any], cell: tuple[int, ...], mask: Tensor | None) -> Explanation:
    """Return the explanation of one cell of attention without weights.

    The layer computes softmax(query · keys × scale) · values.

    Args:
        layer: its ``scale`` or ``temperature`` is used, if it has one; 1 ÷ √length of a key otherwise.
        inputs: queries (..., L, D), keys (..., S, D) and values (..., S, V).
        cell: the place in what it returned, (..., L, V).
        mask: what keys a query may look at: where it is not 0, or what is added to the scores.
    """
    head = _dot_product_head(layer, inputs, cell, mask)
    scale = _scale(layer, inputs[0].shape[-1])
    context = head.context[cell[-1]]
    total = float(context.values)
    return Explanation(
        "attention",
        Sentence("Σ over {count} keys: softmax(query · key × scale) × value", count=_keys([head])),
        f"{_row_text(head)}; {_mixed_text(head, cell[-1])}",
        total,
        float(context.errors),
        numbers=(("scale", scale),),
    )


def _dot_product_head(layer: Any, inputs: Sequence[Any], cell: tuple[int, ...], mask: Tensor | None) -> _Head:
    queries, keys, values = (each[cell[:-2]] for each in inputs[:3])
    scale = _scale(layer, queries.shape[-1])
    added = torch.zeros(len(keys), dtype=torch.float64)
    if mask is not None:
        around = mask.expand(*inputs[0].shape[:-1], len(keys))[cell[:-1]]
        added = doubles(around) if around.is_floating_point() else _hidden(around == 0)
    return _attended(exact(queries[cell[-2]]), exact(keys), exact(values), scale, added)


def _scale(layer: Any, length: int) -> float:
    for name, inverse in (("scale", False), ("temperature", True)):
        known = getattr(layer, name, None)
        if isinstance(known, int | float) and known:
            return 1 / known if inverse else float(known)
    return 1 / math.sqrt(length)


def _heads(layer: Any, given: Mapping[str, Any], row: int, query: int) -> list[_Head]:
    """Return every head of one query."""
    found = [_of_batch(layer, given[name], row) for name in ("query", "key", "value")]
    queries, keys, values = (
        exact(each).through(weight, bias)
        for each, (weight, bias) in zip(
            (found[0][query : query + 1], *found[1:]), _projections(layer), strict=True
        )
    )
    keys, values = _extended(keys, layer.bias_k), _extended(values, layer.bias_v)
    size, zero = layer.head_dim, torch.zeros(1, layer.head_dim)
    heads = []
    for head in range(layer.num_heads):
        part = slice(head * size, (head + 1) * size)
        own = [each[:, part] for each in (queries, keys, values)]
        if layer.add_zero_attn:
            own[1:] = [_extended(each, zero) for each in own[1:]]
        added = _masked(layer, given, (row, head, query), len(own[1].values))
        heads.append(_attended(own[0][0], own[1], own[2], 1 / math.sqrt(size), added))
    return heads


def _of_batch(layer: Any, sequence: Tensor, row: int) -> Tensor:
    """Return one sequence (L, E) of a batch."""
    if sequence.ndim == 2:  # noqa: PLR2004  (one sequence without a batch)
        return sequence
    return sequence[row] if layer.batch_first else sequence[:, row]


def _projections(layer: Any) -> list[tuple[Tensor, Tensor | None]]:
    """Return the weights and biases that make queries, keys and values."""
    if layer.in_proj_weight is not None:
        weights = layer.in_proj_weight.chunk(3)
    else:
        weights = (layer.q_proj_weight, layer.k_proj_weight, layer.v_proj_weight)
    biases = (None,) * 3 if layer.in_proj_bias is None else layer.in_proj_bias.chunk(3)
    return list(zip(weights, biases, strict=True))


def _extended(rows: BoundedValues, more: Tensor | None) -> BoundedValues:
    """Return the rows with one more at the end, if given."""
    if more is None:
        return rows
    last = exact(more.reshape(1, -1))
    return BoundedValues(torch.cat((rows.values, last.values)), torch.cat((rows.errors, last.errors)))


def _masked(layer: Any, given: Mapping[str, Any], place: tuple[int, int, int], keys: int) -> Tensor:
    """Return the masks' addends to one query's scores in one head."""
    row, head, query = place
    added = torch.zeros(keys, dtype=torch.float64)
    mask, padding = given.get("attn_mask"), given.get("key_padding_mask")
    if mask is not None:
        own = mask[query] if mask.ndim == 2 else mask[row * layer.num_heads + head, query]  # noqa: PLR2004
        added[: len(own)] += _hidden(own) if own.dtype == torch.bool else doubles(own)
    if padding is not None:
        own = padding if padding.ndim == 1 else padding[row]
        added[: len(own)] += _hidden(own) if own.dtype == torch.bool else doubles(own)
    return added


def _hidden(where: Tensor) -> Tensor:
    return torch.zeros(len(where), dtype=torch.float64).masked_fill(where.cpu(), -math.inf)


def _attended(
    query: BoundedValues, keys: BoundedValues, values: BoundedValues, scale: float, added: Tensor
) -> _Head:
    scores = (keys @ query).scaled(scale).plus(added)
    return _Head(query.values, scores, softmax_row(scores), values, scale)


def _projected(layer: Any, heads: Sequence[_Head], out: int) -> Explanation:
    """Return the explanation of one number of the projected output."""
    contexts = [head.context for head in heads]
    context = BoundedValues(
        *(torch.cat([getattr(each, name) for each in contexts]) for name in ("values", "errors"))
    )
    weights = doubles(layer.out_proj.weight[out])
    bias = None if layer.out_proj.bias is None else layer.out_proj.bias[out : out + 1]
    result = context.through(layer.out_proj.weight[out : out + 1], bias)
    products = context.values * weights
    most = int(products.abs().argmax())
    head, place = divmod(most, len(contexts[0].values))
    shift, total = 0.0 if bias is None else number(bias), float(result.values)
    rest = total - shift - float(products[most])
    text = (
        f"head {head}, number {place}: {_row_text(heads[head])}; {_mixed_text(heads[head], place)}; "
        f"{product_text(float(context.values[most]), float(weights[most]))} + "
        f"{bracketed(rest)} (the other {len(products) - 1}) + {bracketed(shift)} (bias) = {short(total)}"
    )
    formula = Sentence(
        "Σ over {heads} heads of {size} numbers: (Σ over {keys} keys: softmax(query · key ÷ √{size}) × value)"
        " × weight, + bias",
        heads=len(heads),
        size=len(contexts[0].values),
        keys=len(heads[0].shares.values),
    )
    numbers = (("head", float(head)), ("number", float(place)), ("bias", shift))
    return Explanation("attention", formula, text, total, float(result.errors), numbers=numbers)


def _share(heads: Sequence[_Head], key: int) -> Explanation:
    """Return the explanation of one share, or of its mean over heads."""
    shares = [float(head.shares.values[key]) for head in heads]
    total = sum(shares) / len(shares)
    magnitude = sum(float(head.shares.errors[key]) for head in heads) / len(shares)
    if len(heads) == 1:
        formula = Sentence(
            "softmax(query · key × scale), the share of one key among {count}", count=_keys(heads)
        )
        return Explanation("attention", formula, _row_text(heads[0], key), total, magnitude)
    listed = " + ".join(short(share) for share in shares)
    return Explanation(
        "attention",
        Sentence("the mean over {count} heads: softmax(query · key × scale)", count=len(heads)),
        f"({listed}) ÷ {len(shares)} = {short(total)}",
        total,
        magnitude + total,
    )


def _keys(heads: Sequence[_Head]) -> int:
    return len(heads[0].shares.values)


def _row_text(head: _Head, key: int | None = None) -> str:
    """Return a query's scores and their softmax as a text."""
    order = head.shares.values.argsort(descending=True, stable=True)[:_SHOWN].tolist()
    places = order if key is None else [key]
    more = " …" if len(places) < len(head.shares.values) else ""
    scores = ", ".join(f"{short(float(head.scores.values[at]))} (key {at})" for at in places)
    shares = ", ".join(short(float(head.shares.values[at])) for at in places)
    return f"query · key × {short(head.scale)} = {scores}{more}; softmax = {shares}{more}"


def _mixed_text(head: _Head, place: int) -> str:
    """Return the sum of shares times values, from the largest share down."""
    order = head.shares.values.argsort(descending=True, stable=True)[:_SHOWN].tolist()
    values = head.values.values[:, place]
    terms = [product_text(float(head.shares.values[at]), float(values[at])) for at in order]
    more = [f"… ({len(values) - _SHOWN} more)"] if len(values) > _SHOWN else []
    return f"{' + '.join([*terms, *more])} = {short(float(head.context.values[place]))}"
