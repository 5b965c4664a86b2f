"""Masks: matrix entries that the model keeps at zero or very low.

A mask is a plane as those of boxes are: ``ZERO`` for an entry that adds nothing to a product, and ``LOW`` for
a score that a softmax makes zero. It is kept beside the boxes, for as long as the memory of the matrix is not
written again.
"""

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from .boxes import EMPTY, compact, slim
from .move_rules import PUTTING, put
from .operations import Operation

LOW, ZERO = 1.0, 2.0
HIDES = -50.0
"""The largest addend to a score after which its pair counts for nothing: its share is below e⁻⁵⁰."""
_MOST = 1 << 24  # pairs of keys and queries for all columns; telling more apart would take seconds


def mask_after(ran: Operation) -> Tensor | None:
    """Return the mask of an operation's output.

    None if nothing is masked as far as is known.
    """
    if ran.name in _LOWERING:
        return _plane(_LOWERING[ran.name](ran), ran, LOW)
    if ran.name in _WRITING:
        return _rewritten(_written(ran), ran)
    if ran.name == "mul":
        return _plane(_times_zero(ran), ran, ZERO)
    if ran.name in {"_softmax", "_safe_softmax"}:
        return _plane(hidden_by_softmax(ran), ran, ZERO)
    if ran.name in {"tril", "triu"}:
        ones = torch.ones(ran.shape[-2:])
        kept = torch.tril if ran.name == "tril" else torch.triu
        return _plane(kept(ones, ran.arguments["diagonal"]) == 0, ran, ZERO)
    return None


def hidden_by_softmax(ran: Operation) -> Tensor | None:
    """Return which entries a softmax makes zero, if any are known."""
    mask = ran.masked(ran.arguments["self"])
    return None if mask is None else _beside_others(hidden_entries(mask, LOW), ran.arguments["dim"])


def _beside_others(low: Tensor, axis: int) -> Tensor:
    """Return the low entries along an axis that has others.

    Where all are equally low, a softmax hides none of them.
    """
    return low & ~low.all(axis, keepdim=True)


def _added(ran: Operation) -> Tensor | None:
    """Return the mask of a sum that makes scores very small."""
    product = ran.name == "baddbmm"
    factor = ran.get("beta" if product else "alpha")
    if factor is None:  # quantised
        return None
    signed = -factor if ran.name == "sub" else factor
    addends = [("self", factor)] if product else [("self", 1), ("other", signed)]
    for name, times in addends:
        part = ran.arguments[name]
        if isinstance(part, Tensor) and not part.is_complex() and is_constant(ran, part):
            low: Tensor = part * times <= HIDES
            return low
    return None


def _written(ran: Operation) -> Tensor | None:
    """Return the constants that are written to a tensor, NaN elsewhere."""
    value = ran.get("value", "values", "src")
    value = value if isinstance(value, Tensor) else torch.tensor(value)
    if ran.others() or value.is_complex():
        return None
    number, blank = value.cpu().float(), torch.tensor(torch.nan)
    if ran.name == "masked_fill":
        return torch.where(ran.arguments["mask"].bool().cpu(), number, blank)
    return put(ran, blank.repeat(ran.shape), number) if ran.name in PUTTING else value


def _rewritten(values: Tensor | None, ran: Operation) -> Tensor | None:
    """Return the mask of a tensor after constants were written to it."""
    if values is None:
        return None
    kinds = torch.where(values <= HIDES, LOW, torch.where(values == 0, ZERO, EMPTY)).cpu()
    before = ran.masked(ran.arguments["self"])
    if before is not None:
        kinds = torch.where(values.isnan().cpu(), before, kinds)
    return kinds.expand(ran.shape) if bool((kinds > EMPTY).any()) else None


def _chosen(ran: Operation) -> Tensor | None:
    """Return the mask of a choice between scores and very small constants."""
    first: Tensor = ran.arguments["condition"]
    if not is_constant(ran, first):
        return None
    sides = ((first, ran.arguments["self"]), (~first, ran.arguments["other"]))
    return next((where & (value <= HIDES) for where, value in sides if is_constant(ran, value)), None)


def _times_zero(ran: Operation) -> Tensor | None:
    """Return where a product's constant factor is zero."""
    factors = (ran.arguments["self"], ran.arguments["other"])
    constant = next((each for each in factors if isinstance(each, Tensor) and is_constant(ran, each)), None)
    return None if constant is None else constant == 0


_LOWERING = {**dict.fromkeys(("add", "sub", "baddbmm"), _added), "where": _chosen}
_WRITING = PUTTING | {"masked_fill", "fill", "copy"}


def _plane(hidden: Tensor | None, ran: Operation, kind: float) -> Tensor | None:
    if hidden is None or not hidden.any():
        return None
    return torch.where(hidden.cpu(), kind, EMPTY).expand(ran.shape)


def of_attention(arguments: Mapping[str, Any], ran: Operation) -> Tensor | None:
    """Return the mask of an attention in one operation, if any.

    Its shape is (…, queries, keys), and True lets nothing through.
    """
    mask = arguments.get("attn_mask", arguments.get("attn_bias"))
    pairs = (arguments["query"].shape[-2], arguments["key"].shape[-2])
    if arguments.get("is_causal"):
        return torch.ones(pairs).triu(1) > 0
    if not isinstance(mask, Tensor) or not is_constant(ran, mask):
        return None
    return (~mask if mask.dtype == torch.bool else _beside_others(mask <= HIDES, -1)).cpu()


def is_constant(ran: Operation, tensor: Tensor) -> bool:
    """Return whether a tensor has no known dependence on the picture."""
    boxes = ran.known(tensor)
    return boxes is None or boxes.nowhere


def seen_through(plane: Tensor, hidden: Tensor) -> Tensor:
    """Return the union over the keys that are not hidden.

    ``plane`` is (…, keys, columns), ``hidden`` (…, queries, keys), and the result (…, queries, columns).
    """
    if plane.shape[-2] == 1:  # all keys see the same
        blind = hidden.all(-1, keepdim=True)
        return torch.where(blind, EMPTY, plane) if blind.any() else plane
    if plane.shape[-1] * hidden.numel() > _MOST:  # keys and columns one after the other: too large, if at all
        by_key = torch.where(hidden, EMPTY, plane.amax(-1).unsqueeze(-2)).amax(-1, keepdim=True)
        return torch.minimum(by_key, plane.amax(-2, keepdim=True))
    lines = [torch.where(hidden, EMPTY, line.unsqueeze(-2)).amax(-1) for line in plane.unbind(-1)]
    return torch.stack(lines, -1)


def zeros(matrix: Tensor) -> Tensor | None:
    """Return a mask of a constant matrix's zeros; None without any."""
    found = (matrix == 0).cpu()
    return found if bool(found.any()) else None


def hidden_entries(plane: Tensor, kind: float) -> Tensor:
    """Return a mask's entries of one kind, without copies along unchanging axes."""
    return compact(slim(plane)) == kind
