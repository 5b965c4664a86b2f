"""Attention of all layers as one map: rollout and relevance.

Both multiply the layers' tables of attention, (heads, queries, keys), from the first to the last, so that a
row tells which tokens of the picture went into one of the last. The rows that are read are those of the
tokens that the class score depends on, such as the class token; of several, their mean.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ..errors import LayoutError
from ..hooks.activations import LayerActivations
from ..hooks.records import Call
from ..layer_names import called_function
from ..pictures.photo import Photo
from ..profile.rows import LayerCall, LayerRow
from ..request.arrangement import Arrangement, Arrangements, first_known
from ..request.inspection import Inspection
from ..request.method import Method
from ..sentences import Sentence
from .attribution import NOT_REACHED, class_score
from .forward import survey_with_layouts
from .loaded import LoadedModel

_SOFTMAX, _AXES = "softmax", (3, 4)  # of a table (1, queries, keys) or (1, heads, queries, keys)
NO_ATTENTION = Sentence(
    "the model has no attention among all places of its picture, as a vision transformer has; choose another "
    "method."
)


@dataclass(frozen=True)
class TokenMap:
    """A number for each place of the picture's tokens.

    Attributes:
        values: (rows, columns).
        tokens: the arrangement of one number a token, (tokens,).
    """

    values: NDArray[np.float32] = field(repr=False)
    tokens: Arrangement


def attention_map(
    layers: LayerActivations, inputs: Tensor, target: int, *, relevance: bool = False
) -> NDArray[np.float32]:
    """Return each place's share in a class score by attention, (rows, columns).

    The tables of all layers are multiplied. Of the product, the rows of the tokens that the score depends on
    are read, such as the class token's; of several, their mean.

    Args:
        layers: the model with its edits.
        inputs: one picture (1, colours, height, width), as the model takes it.
        target: the class, counted from 0.
        relevance: weigh each number of a table by its gradient, and leave out what speaks against the class;
            else heads and the path beside each attention count alike, whatever the class.

    Source: ``relevance=False``: Abnar and Zuidema, "Quantifying Attention Flow in Transformers", 2020,
    section 3; ``relevance=True``: Chefer et al., "Generic Attention-model Explainability for Interpreting
    Bi-Modal and Encoder-Decoder Transformers", 2021, section 3.

    Raises:
        LayoutError: no attention among all places of the picture leads to the score.
        RequestError: the model does not end in one score per class, or has no such class.

    >>> transformer = lg.LayerActivations(lg.models.load("patchformer"), device="cpu")
    >>> lg.attention_map(transformer, images, target=3).shape
    (8, 8)
    """
    rows, known = survey_with_layouts(layers, (inputs,), operations=True)
    return _mapped(layers, (inputs,), rows, known, target, relevance=relevance).values


def token_map(loaded: LoadedModel, wanted: Inspection, photo: Photo, method: Method) -> TokenMap:
    """Return the map of a method of attention, for the class ``wanted.gradient``.

    It raises the errors of ``attention_map``.
    """
    known, target = loaded.known(photo), wanted.gradient or 0
    with loaded.as_wanted(wanted, photo):
        return _mapped(
            *(loaded.layers, loaded.inputs.of(photo), loaded.rows, known, target),
            relevance=method.name == "attention-relevance",
        )


def _mapped(
    layers: LayerActivations,
    arguments: tuple[Any, ...],
    rows: Iterable[LayerRow],
    known: Arrangements,
    target: int,
    *,
    relevance: bool,
) -> TokenMap:
    places = attention_tables(rows, known)
    with layers.capture(*{each.layer for each in places}, gradients=True) as record:
        score = class_score(layers.run(*arguments), target)
        if score.requires_grad:
            score.backward()
        calls = [record[each.layer][each.call] for each in places]
        tables = [_by_head(call.output) for call in calls]
        slopes = [_slope(call, table) for call, table in zip(calls, tables, strict=True)]
    read = slopes[-1].abs().sum((0, 2)) > 0
    if not read.any():
        raise LayoutError("attention leads to no score: {reason}", reason=NOT_REACHED)
    tokens = _tokens(known, tables[0].shape[-1])
    found = relevant(tables, slopes) if relevance else rolled_out(tables)
    values = found[read].mean(0).float().numpy()[list(tokens.order) or range(prod(tokens.grid))]
    return TokenMap(values.reshape(tokens.grid[1:]), tokens)


def rolled_out(tables: Sequence[Tensor]) -> Tensor:
    """Return the attention rollout of tables, (queries, tokens).

    The queries are those of the last table, the tokens those of the first.

    Each of ``tables`` is (heads, queries, keys), from the first layer to the last; its heads' mean and the
    path beside it count half each. A last table with other queries, such as a pooling's, has no such path.

    Source: Abnar and Zuidema, "Quantifying Attention Flow in Transformers", 2020, section 3.
    """
    found = torch.eye(tables[0].shape[-1], dtype=torch.double)
    for table in tables:
        mean = table.mean(0)
        mixed = (mean + torch.eye(len(mean), dtype=torch.double)) / 2 if _is_square(mean) else mean
        found = mixed @ found
    return found


def relevant(tables: Sequence[Tensor], slopes: Sequence[Tensor]) -> Tensor:
    """Return the relevance of tokens to a class, (queries, tokens).

    The queries are those of the last table, the tokens those of the first.

    ``slopes`` are the gradients of a class score with respect to ``tables``. Of each table the mean over the
    heads of gradient × attention counts where it is above 0, and the tokens' own relevance stays.

    Source: Chefer et al., "Generic Attention-model Explainability for Interpreting Bi-Modal and
    Encoder-Decoder Transformers", 2021, section 3, equations 5 and 6.
    """
    found = torch.eye(tables[0].shape[-1], dtype=torch.double)
    for table, slope in zip(tables, slopes, strict=True):
        weight = (slope * table).clamp(min=0).mean(0)
        found = found + weight @ found if _is_square(weight) else weight @ found
    return found


def attention_tables(rows: Iterable[LayerRow], known: Arrangements) -> list[LayerCall]:
    """Return the calls that return attention among all places, in execution order.

    Each returns (1, heads, tokens, tokens), or (1, tokens, tokens), with as many tokens in all; the last may
    have other queries.

    Raises:
        LayoutError: there are none, or attention in windows or among several sets of places.
    """
    found = [
        (end, shape, LayerCall(row.name, call))
        for row in rows
        if _SOFTMAX in (row.type.lower(), called_function(row.name).partition(" ")[0])
        for call, (end, shape) in enumerate(zip(row.ends, row.shapes, strict=True))
        if shape and len(shape) in _AXES and _is_of_places(first_known(known, row.name, call))
    ]
    found.sort(key=lambda each: each[0])
    shapes = [shape for _, shape, _ in found]
    if not shapes or any(shape[0] != 1 or shape[-1] != shapes[0][-1] for shape in shapes):
        raise LayoutError(NO_ATTENTION)
    if any(shape[-2] != shape[-1] for shape in shapes[:-1]):
        raise LayoutError(NO_ATTENTION)
    return [each for _, _, each in found]


def _is_of_places(sits: Arrangement | None) -> bool:
    """Return whether a table's keys, its last axis, are places."""
    return sits is not None and (sits.pairs or sits.places == (len(sits.shape) - 1,))


def _tokens(known: Arrangements, count: int) -> Arrangement:
    """Return the arrangement that most values with so many tokens have."""
    found = Counter(
        (each.grid, each.order, each.lattice)
        for leaves in known.values()
        for each in leaves.values()
        if each and len(each.places) == 1 and each.shape[each.places[0]] == count and each.grid[0] == 1
    )
    if not found:
        raise LayoutError(NO_ATTENTION)
    (grid, order, lattice), _ = found.most_common(1)[0]
    return Arrangement((count,), (0,), grid, order, lattice=lattice)


def _by_head(value: Tensor) -> Tensor:
    """Return a table (heads, queries, keys) in double precision."""
    return value[0].reshape(-1, *value.shape[-2:]).cpu().double()


def _slope(call: Call, table: Tensor) -> Tensor:
    return torch.zeros_like(table) if call.gradient is None else _by_head(call.gradient)


def _is_square(table: Tensor) -> bool:
    return table.shape[0] == table.shape[1]
