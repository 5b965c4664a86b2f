"""Attention of all layers as one map: rollout and relevance.

Both multiply the layers' tables of attention, (heads, queries, keys), from the first to the last, so that a
row tells which tokens of the picture went into one of the last. The rows that are read are those of the
tokens that the class score depends on, such as the class token; of several, their mean.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from contextvars import Context
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
from ..layer_names import called_function, calling_layer, is_operation
from ..pictures.photo import Photo
from ..profile.rows import LayerCall, LayerRow
from ..request.arrangement import Arrangement, Arrangements, first_known
from ..request.inspection import Inspection
from ..request.method import Method
from ..sentences import Sentence
from .attribution import NOT_REACHED, class_score
from .forward import survey_with_layouts
from .integrated_gradients import check_one
from .loaded import LoadedModel

_SOFTMAX, _AXES = "softmax", (3, 4)  # of a table (heads, queries, keys) or (1, heads, queries, keys)
_ROUNDED = 1e-2  # a row's distance from 1, in half precision
NOT_FINITE = Sentence("attention has values here that are not finite; choose another picture or method.")
UNKNOWN = Sentence("it is not known where this model's tokens lie on the picture; choose another method.")
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
    """Map the places that attention leads to a score, (rows, columns).

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
        RequestError: there are several inputs, or the model does not end in one score per class, or has no
            such class.

    >>> transformer = lg.LayerActivations(lg.models.load("patchformer"), device="cpu")
    >>> lg.attention_map(transformer, images, target=3).shape
    (8, 8)
    """
    check_one(inputs)
    with torch.inference_mode(mode=False):
        inputs = inputs.detach().clone()
        # Edits would hide places of what they replace, so they stay in this context, where they were opened.
        rows, known = Context().run(survey_with_layouts, layers, (inputs,), operations=True)
        return _mapped(layers, (inputs,), rows, known, target, relevance=relevance).values


def token_map(loaded: LoadedModel, wanted: Inspection, photo: Photo, method: Method) -> TokenMap:
    """Return the map of a method of attention, for the class ``wanted.gradient``.

    It raises the errors of ``attention_map``.
    """
    known, target = loaded.known(photo), wanted.gradient or 0
    loaded.check_looking(inputs=False, gradients=True)
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
    if not known:
        raise LayoutError(UNKNOWN)
    places = attention_tables(rows, known)
    with layers.capture(*{each.layer for each in places}, gradients=True) as record:
        score = class_score(layers.run(*arguments), target)
        if score.requires_grad:
            score.backward()
    calls = [call for each in places if _is_read(call := record[each.layer][each.call])]
    if not calls:
        raise LayoutError("attention leads to no score: {reason}", reason=NOT_REACHED)
    count, tables = calls[0].output.shape[-1], (_table(call) for call in calls)
    slopes = (_by_head(call.gradient) for call in calls)  # one at a time, as each is twice as large here
    found = relevant(tables, slopes, count) if relevance else rolled_out(tables, count)
    if not found.isfinite().all():
        raise LayoutError(NOT_FINITE)
    tokens, read = _tokens(known, count), (_by_head(calls[-1].gradient) != 0).any(2).any(0)
    values = found[read].mean(0).float().numpy()[list(tokens.order) or range(prod(tokens.grid))]
    return TokenMap(values.reshape(tokens.grid[1:]), tokens)


def rolled_out(tables: Iterable[Tensor], tokens: int) -> Tensor:
    """Return the attention rollout of tables, (queries, tokens).

    The queries are those of the last table, the tokens those of the first. Each table is (heads, queries,
    keys), from the first layer to the last; its heads' mean and the path beside it count half each. A table
    of other queries than keys, such as a pooling's, has no such path.

    Source: Abnar and Zuidema, "Quantifying Attention Flow in Transformers", 2020, section 3.
    """
    alone = torch.eye(tokens, dtype=torch.double)
    found = alone
    for table in tables:
        mean = table.mean(0)
        found = ((mean + alone) / 2 if _is_square(mean) else mean) @ found
    return found


def relevant(tables: Iterable[Tensor], slopes: Iterable[Tensor], tokens: int) -> Tensor:
    """Return the relevance of tokens to a class, (queries, tokens).

    The queries are those of the last table, the tokens those of the first. ``slopes`` are the gradients of a
    class score with respect to ``tables``. Of each table the mean over the heads of gradient × attention
    counts where it is above 0, and adds to the relevance so far. What each token has of itself from the
    beginning is left out: where all tokens are read, it would be as large at every place. A table of other
    queries than keys ends the product, without the paper's normalisation.

    Source: Chefer et al., "Generic Attention-model Explainability for Interpreting Bi-Modal and
    Encoder-Decoder Transformers", 2021, section 3, equations 5 and 6.
    """
    alone = torch.eye(tokens, dtype=torch.double)
    found = alone
    for table, slope in zip(tables, slopes, strict=True):
        weight = (slope * table).clamp(min=0).mean(0)
        found = found + weight @ found if _is_square(weight) else weight @ found
    return found - alone if _is_square(found) else found


def attention_tables(rows: Iterable[LayerRow], known: Arrangements) -> list[LayerCall]:
    """Return the calls that return attention among all places, in execution order.

    Each returns (1, heads, tokens, tokens), or (1, tokens, tokens), with as many tokens in all; the last may
    have other queries.

    Raises:
        LayoutError: there are none, or attention in windows or among several sets of places.
    """
    rows = tuple(rows)
    layers = {row.name for row in rows if row.type.lower() == _SOFTMAX and not is_operation(row.name)}
    found = [
        (end, shape, LayerCall(row.name, call))
        for row in rows
        if row.name in layers or _is_softmax(row.name, layers)
        for call, (end, shape) in enumerate(zip(row.ends, row.shapes, strict=True))
        if shape and len(shape) in _AXES and _is_of_places(first_known(known, row.name, call))
    ]
    found.sort(key=lambda each: each[0])
    shapes = [shape for _, shape, _ in found]
    if not shapes or any(len(shape) == max(_AXES) and shape[0] != 1 for shape in shapes):
        raise LayoutError(NO_ATTENTION)
    if any(shape[-1] != shapes[0][-1] for shape in shapes) or any(s[-2] != s[-1] for s in shapes[:-1]):
        raise LayoutError(NO_ATTENTION)
    _check_in_turn(each for _, _, each in found)
    return [each for _, _, each in found]


def _is_softmax(name: str, layers: Collection[str]) -> bool:
    """Return whether an operation is a softmax outside a softmax layer."""
    if not is_operation(name) or calling_layer(name) in layers:
        return False
    return called_function(name).partition(" ")[0] == _SOFTMAX


def _check_in_turn(places: Iterable[LayerCall]) -> None:
    """Refuse several tables in one layer: their order is unknown."""
    names: dict[str, str] = {}
    for name, _ in places:
        if is_operation(name) and names.setdefault(calling_layer(name), name) != name:
            raise LayoutError(
                "{layer} has several tables of attention, and it is not known how they follow each other; "
                "choose another method.",
                layer=repr(calling_layer(name) or "the model"),
            )


def _is_of_places(sits: Arrangement | None) -> bool:
    """Return whether keys are places, and queries too, or one."""
    if sits is None or sits.pairs:
        return sits is not None
    *others, last = sits.places or (-1,)
    return last == len(sits.shape) - 1 and prod(sits.shape[axis] for axis in others) == 1


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


def _is_read(call: Call) -> bool:
    """Return whether the class score depends on a table."""
    return call.gradient is not None and bool((call.gradient != 0).any())


def _table(call: Call) -> Tensor:
    """Return a call's table (heads, queries, keys), whose rows are shares.

    Raises:
        LayoutError: its columns are: the softmax goes along the queries.
    """
    table = _by_head(call.output)
    rows, columns = ((table.sum(axis) - 1).abs().amax() < _ROUNDED for axis in (2, 1))
    if columns and not rows:
        raise LayoutError(NO_ATTENTION)
    return table


def _by_head(value: Tensor) -> Tensor:
    """Return a table (heads, queries, keys) in double precision."""
    return value.reshape(-1, *value.shape[-2:]).cpu().double()


def _is_square(table: Tensor) -> bool:
    return table.shape[0] == table.shape[1]
