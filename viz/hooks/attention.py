"""The softmax inside fused attention, made again so that taps see it.

``F.scaled_dot_product_attention`` computes in one piece and keeps its softmax to itself, and so does
``F.multi_head_attention_forward``, which calls it. What they return stays theirs as long as the softmax is
only looked at; if it is edited or followed by gradients, the rest of the attention is computed from it.
"""

import functools
import inspect
import math
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeAlias

import torch
import torch.nn.functional as F  # noqa: N812  its usual name
from torch import Tensor

Function: TypeAlias = Callable[..., Any]
Softmax: TypeAlias = Callable[[Function, int, Callable[[], Tensor]], Tensor | None]
"""Is given a softmax, how many weights it makes, and what makes its scores; returns weights to go on with."""

_FUSED = (F.scaled_dot_product_attention, F.multi_head_attention_forward)


def is_fused(function: Function) -> bool:
    """Return whether a function of torch is attention in one piece."""
    return function in _FUSED


def unfused(function: Function, softmax: Softmax) -> Function:
    """Return the same fused attention as a function that shows its softmax."""
    if function is F.scaled_dot_product_attention:
        return functools.partial(_attended, softmax)
    return functools.partial(_multi_head, softmax)


def attention_scores(
    query: Tensor,
    key: Tensor,
    attn_mask: Tensor | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    """Return the scores of scaled dot-product attention, before the softmax.

    Their shape is (…, queries, keys).

    Source: Vaswani et al., "Attention is all you need", 2017, section 3.2.1.
    """
    factor = math.sqrt(1 / query.shape[-1]) if scale is None else scale
    scores = query * factor @ key.transpose(-2, -1)
    if is_causal:
        attn_mask = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril()
    if attn_mask is None:
        return scores
    return scores.masked_fill(~attn_mask, -torch.inf) if attn_mask.dtype == torch.bool else scores + attn_mask


def _attended(
    softmax: Softmax,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """Return what ``F.scaled_dot_product_attention`` does."""
    grouped = (query, key, value)
    if enable_gqa:  # several heads of queries share one of keys
        key, value = (each.repeat_interleave(query.shape[-3] // each.shape[-3], -3) for each in (key, value))
    count = query.shape[:-1].numel() * key.shape[-2]
    scores = functools.partial(attention_scores, query, key, attn_mask, is_causal=is_causal, scale=scale)
    weights = softmax(torch._safe_softmax, count, scores)  # noqa: SLF001  (whose row is 0 if all is hidden)
    if weights is not None:
        return F.dropout(weights, dropout_p) @ value
    return F.scaled_dot_product_attention(
        *grouped, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa
    )


def _multi_head(softmax: Softmax, *args: Any, **kwargs: Any) -> Any:
    """Run the code of ``F.multi_head_attention_forward`` with our softmax in it."""
    forward = F.multi_head_attention_forward
    heads = inspect.signature(forward).bind(*args, **kwargs).arguments["num_heads"]

    def by_head(scores: Tensor, dim: int) -> Tensor:
        apart = scores.unflatten(0, (-1, heads))
        weights = softmax(F.softmax, scores.numel(), lambda: apart)
        return F.softmax(scores, dim) if weights is None else weights.flatten(0, 1)

    names = forward.__globals__ | {
        "has_torch_function": lambda _: False,  # else it would ask the modes that are open, and so us, again
        "scaled_dot_product_attention": functools.partial(_attended, softmax),
        "softmax": by_head,
    }
    ours = FunctionType(forward.__code__, names, forward.__name__, forward.__defaults__)
    return ours(*args, **kwargs)
