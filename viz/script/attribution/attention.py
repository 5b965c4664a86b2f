"""Lines of Python that follow attention through all layers."""

from collections.abc import Sequence
from math import prod
from textwrap import fill, indent

from ...request.arrangement import Arrangement
from ..code_operations import SOFTMAX_OF

IMPORTS = ("from torch.overrides import TorchFunctionMode",)
_TABLES = """\
def attend(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, **options):
    \"\"\"Does what scaled_dot_product_attention does, and keeps its table.\"\"\"
    tables.append(softmax_of(query, key, value, attn_mask, 0.0, is_causal, **options))
    heads = query.shape[-3] // value.shape[-3]
    return torch.dropout(tables[-1], dropout_p, dropout_p > 0) @ value.repeat_interleave(heads, -3)


class Tables(TorchFunctionMode):
    \"\"\"Keeps each table of attention, (heads, queries, keys), also of attention in one piece.\"\"\"

    def __torch_function__(self, function, types, args=(), kwargs=None):
        name, kwargs = function.__name__, kwargs or {}
        if name == "scaled_dot_product_attention":
            return attend(*args, **kwargs)
        if name == "multi_head_attention_forward":  # its own code, with attention that is kept
            ours = {"scaled_dot_product_attention": attend, "softmax": keep}
            names = function.__globals__ | ours | {"has_torch_function": lambda _: False}
            return type(function)(function.__code__, names, name, function.__defaults__)(*args, **kwargs)
        return keep(*args, **kwargs) if name == "softmax" else function(*args, **kwargs)


def keep(values, dim=None, *others, **options):
    \"\"\"Is a softmax, and keeps what it returns.\"\"\"
    tables.append(torch.softmax(values, dim if dim is not None else -1))
    return tables[-1]


"""
_ROLLOUT = """\
for table, _ in pairs:
    mean = table.detach().double().flatten(0, -3).mean(0)  # of the heads
    beside = torch.eye(len(mean)).double()  # the path beside the attention
    found = ((mean + beside) / 2 if mean.shape[0] == mean.shape[1] else mean) @ found
"""
_RELEVANCE = """\
for table, slope in pairs:
    counts = (slope * table).detach().double().flatten(0, -3).clamp(min=0).mean(0)
    found = (found if counts.shape[0] == counts.shape[1] else 0) + counts @ found
"""


def rollout_lines(begin: Sequence[str], target: int, tokens: Arrangement, *, relevance: bool) -> list[str]:
    """Return the lines that compute ``values``, (rows, columns) of tokens.

    ``begin`` are lines before a run of the model. The methods are those of ``viz.passes.rollout``.
    """
    [count] = tokens.shape
    return [
        *["tables = []", "", ""],
        *SOFTMAX_OF.splitlines(),
        *["", ""],
        *_TABLES.splitlines(),
        "picture = arguments[0].requires_grad_()",
        *begin,
        "with Tables():",
        f"    score = model(picture.clone())[0, {target}]",
        f"tables = [table for table in tables if table.ndim in (3, 4) and table.shape[-1] == {count}]",
        "slopes = torch.autograd.grad(score, tables, allow_unused=True)",
        "pairs = zip(tables, slopes, strict=True)",
        "pairs = [pair for pair in pairs if pair[1] is not None and (pair[1] != 0).any()]  # read",
        "read = (pairs[-1][1].flatten(0, -3) != 0).any(2).any(0)  # the tokens that the score reads",
        f"found = torch.eye({count}).double()",
        *(_RELEVANCE if relevance else _ROLLOUT).splitlines(),
        *(["found = found - torch.eye(len(found)) if len(found) == found.shape[1] else found"] * relevance),
        "values = found[read].mean(0).float().numpy()",
        *_placed(tokens),
    ]


def _placed(tokens: Arrangement) -> list[str]:
    """Return the lines that put each token's number in its place."""
    _, rows, columns = tokens.grid
    order = tokens.order or tuple(range(prod(tokens.grid)))
    first = order[0]
    if order == tuple(range(first, first + len(order))):
        return [f"values = values[{first}:{first + len(order)}].reshape({rows}, {columns})"]
    return [
        "order = [",
        indent(fill(", ".join(map(str, order)), 100), "    "),
        "]",
        f"values = values[order].reshape({rows}, {columns})",
    ]
