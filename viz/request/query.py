"""Parsing of a query's text into a struct's fields, for all addresses."""

import re
from functools import cache
from typing import Any
from urllib.parse import parse_qsl, quote_plus

import msgspec
from msgspec import inspect

Pairs = list[tuple[str, str]]


class VainField(msgspec.Struct, frozen=True):
    """A part of a query that cannot be."""

    name: str
    value: str


def pairs_in(text: str) -> Pairs:
    """Return a query's names and values in order, like ``URLSearchParams`` in browsers."""
    return parse_qsl(text, keep_blank_values=True, errors="replace")


def query_of(pairs: Pairs) -> str:
    """Return a query's text, exactly as ``URLSearchParams`` writes it in browsers."""
    return "&".join(f"{_escaped(name)}={_escaped(value)}" for name, value in pairs)


def fields_in(pairs: Pairs, kind: type[msgspec.Struct]) -> tuple[dict[str, Any], tuple[VainField, ...]]:
    """Return a query's fields by name, and the impossible parts.

    Impossible parts are in the order of fields. Names that the struct does not have are ignored; of a name
    that is said twice, the first counts.
    """
    said = dict(reversed(pairs))
    found: dict[str, Any] = {}
    vain = []
    for name, field in _types(kind).items():
        if name in said:
            try:
                found[field.name] = msgspec.convert(_plain(said[name], field), field.type)
            except msgspec.ValidationError:
                vain.append(VainField(name, said[name]))
    return found, tuple(vain)


class _Field(msgspec.Struct, frozen=True):
    """A field's name in Python and its type.

    ``digits``: the most digits of a number; 0 for other types.
    """

    name: str
    type: Any
    digits: int
    is_yes_or_no: bool


@cache
def _types(kind: type[msgspec.Struct]) -> dict[str, _Field]:
    """The fields by the names that a query has for them."""
    found = {}
    for field in msgspec.structs.fields(kind):
        described = inspect.type_info(field.type)
        found[field.encode_name] = _Field(
            field.name, field.type, _digits(described), isinstance(described, inspect.BoolType)
        )
    return found


def _digits(kind: inspect.Type) -> int:
    """Return the most digits of a number; 0 for other types."""
    if isinstance(kind, inspect.UnionType):
        return max(map(_digits, kind.types))
    return len(str(kind.le)) if isinstance(kind, inspect.IntType) else 0


def _plain(value: str, field: _Field) -> object:
    """Return a value as the struct has it, or the text itself."""
    if field.is_yes_or_no:
        return {"1": True, "0": False}.get(value, value)
    is_number = field.digits and re.fullmatch(f"[0-9]{{1,{field.digits}}}", value)
    return int(value) if is_number else value


def _escaped(text: str) -> str:
    return quote_plus(text, safe="*").replace("~", "%7E")
