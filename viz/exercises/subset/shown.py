"""A value as short text, as an answer prints it."""

from typing import Any

from torch import Tensor

from .bounds import LONGEST_TEXT
from .values import Function, Handle, IndexedValues, Layer, NativeFunction

_FEW, _ITEMS, _DEEP = 8, 16, 2
_DIGITS = 5


def shown(value: Any, depth: int = 0) -> str:
    """Return a short text of a value, with nothing but its contents."""
    if isinstance(value, str):
        return whole_characters(value[:LONGEST_TEXT]) if depth == 0 else repr(value[:60])
    if type(value) is float:
        return f"{value:.{_DIGITS}g}"
    if isinstance(value, int) or value is None or value is ...:
        return str(value)
    if type(value) is Tensor:
        return _tensor(value)
    if isinstance(value, list | tuple | range | dict):
        return _items(value, depth)
    return _other(value)


def whole_characters(text: str) -> str:
    r"""Return a text with escapes for halves of characters.

    No answer can hold one, such as "\ud800".
    """
    return text.encode(errors="backslashreplace").decode()


def _tensor(value: Tensor) -> str:
    if value.numel() <= _FEW:
        return f"tensor({shown(value.tolist(), 1)})"
    plain = value.detach().float()
    ends = f"{float(plain.min()):.4g} … {float(plain.max()):.4g}"
    return f"tensor of shape {tuple(value.shape)}, values {ends}"


def _items(value: Any, depth: int) -> str:
    if depth > _DEEP:
        return "…"
    if isinstance(value, dict):
        pairs = [
            f"{shown(key, depth + 1)}: {shown(each, depth + 1)}" for key, each in list(value.items())[:_ITEMS]
        ]
        return "{" + ", ".join(pairs + ["…"] * (len(value) > _ITEMS)) + "}"
    texts = [shown(each, depth + 1) for each in list(value[:_ITEMS])]
    inside = ", ".join(texts + ["…"] * (len(value) > _ITEMS))
    if isinstance(value, tuple | IndexedValues):
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    return f"[{inside}]"


def _other(value: Any) -> str:
    if isinstance(value, Layer):
        return f"{value.name} ({value.type})"
    if isinstance(value, Handle):
        return f"handle of a {value.kind} hook"
    if isinstance(value, Function | NativeFunction):
        return f"function {value.name}"
    return "…"
