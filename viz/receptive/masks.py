"""Masks: matrix entries that the model itself keeps at zero.

A mask is a plane as those of boxes are, above 0 for an entry that lets nothing through. It is kept beside the
boxes, for as long as the memory of the matrix is not written again.
"""

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from .boxes import EMPTY, compact, slim
from .operations import Operation

HIDES = -50.0
"""The largest addend to a score after which its pair counts for nothing: its share is below e⁻⁵⁰."""


def mask_after(ran: Operation) -> Tensor | None:
    """Return the mask of an operation's output.

    None if nothing is masked as far as is known.
    """
    if ran.name in {"add", "masked_fill"}:
        return _plane(_added(ran) if ran.name == "add" else _filled(ran), ran)
    if ran.name in {"_softmax", "_safe_softmax"}:
        return ran.masked(ran.arguments["self"])
    if ran.name in {"tril", "triu"}:
        ones = torch.ones(ran.shape[-2:])
        kept = torch.tril if ran.name == "tril" else torch.triu
        return _plane(kept(ones, ran.arguments["diagonal"]) == 0, ran)
    return None


def _added(ran: Operation) -> Tensor | None:
    """Return the mask of an addition that makes scores very small."""
    parts = (ran.arguments["self"], ran.arguments["other"])
    constant = next((part for part in parts if isinstance(part, Tensor) and is_constant(ran, part)), None)
    if constant is None or not constant.is_floating_point() or ran.get("alpha") != 1:
        return None
    return constant <= HIDES


def _filled(ran: Operation) -> Tensor | None:
    value, where = ran.arguments["value"], ran.arguments["mask"]
    if isinstance(value, Tensor) or value > HIDES or not is_constant(ran, where):
        return None
    chosen: Tensor = where.bool()
    return chosen


def _plane(hidden: Tensor | None, ran: Operation) -> Tensor | None:
    if hidden is None or not hidden.any():
        return None
    return torch.where(hidden.cpu(), 1.0, EMPTY).expand(ran.shape)


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
    return (~mask if mask.dtype == torch.bool else mask <= HIDES).cpu()


def is_constant(ran: Operation, tensor: Tensor) -> bool:
    """Return whether a tensor has no known dependence on the picture."""
    boxes = ran.known(tensor)
    return boxes is None or boxes.nowhere


def seen_through(plane: Tensor, hidden: Tensor) -> Tensor:
    """Return the union over the keys that are not hidden.

    ``plane`` is (…, keys, 1), ``hidden`` (…, queries, keys), and the result (…, queries, 1).
    """
    return torch.where(hidden, EMPTY, plane.transpose(-1, -2)).amax(-1, keepdim=True)


def zeros(matrix: Tensor) -> Tensor | None:
    """Return a mask of a constant matrix's zeros; None without any."""
    found = (matrix == 0).cpu()
    return found if bool(found.any()) else None


def hidden_entries(plane: Tensor) -> Tensor:
    """Return a mask as booleans, without copies along unchanging axes."""
    return compact(slim(plane)) > 0
