"""TypeScript texts of types, structs and docstrings.

A struct becomes an interface, and a docstring comments.
"""

import inspect
import json
import re
import textwrap
import types
from collections.abc import Sequence
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct, UnsetType

from viz.answers.message import Message

WIDTH = 116
NAMES = {str: "string", int: "number", float: "number", bool: "boolean", types.NoneType: "null"}


def type_text(kind: Any) -> str:
    """A type as TypeScript says it.

    Raises:
        TypeError: it has no such text yet.
    """
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return title(kind) or type_text(inside[0])
    if isinstance(kind, type) and issubclass(kind, Message):
        return kind.__name__
    found = NAMES.get(kind) or _composed(origin, inside)
    if not found:
        raise TypeError(f"{kind} has no text in TypeScript yet")
    return found


def _composed(origin: Any, inside: tuple[Any, ...]) -> str:
    """The text of a composed type; empty if there is none."""
    if origin in (Union, types.UnionType):
        return " | ".join(dict.fromkeys(type_text(each) for each in inside if each is not UnsetType))
    if origin is Literal:
        return " | ".join(json.dumps(each, ensure_ascii=False) for each in inside)
    if origin is dict and inside[0] is str:
        return f"Readonly<Record<string, {type_text(inside[1])}>>"
    if origin is Sequence or (origin is tuple and inside[1:] == (...,)):
        each = type_text(inside[0])
        return f"readonly ({each})[]" if re.search("[ |]", each) else f"readonly {each}[]"
    return ""


def interface(kind: type[Struct]) -> str:
    """The declaration of a struct, with comments from its docstring."""
    about, of_fields = documented(kind.__doc__ or "")
    base = kind.__base__
    above = f" extends {base.__name__}" if base not in (None, Message, Struct) else ""
    hints = get_type_hints(kind, include_extras=True)
    sent = dict(zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True))
    lines = []
    for name in kind.__annotations__:
        mark = "?" if UnsetType in get_args(hints[name]) else ""
        lines.append(comment(of_fields.get(name, ""), "  "))
        lines.append(f"  {sent[name]}{mark}: {type_text(hints[name])};\n")
    return f"{comment(about)}interface {kind.__name__}{above} {{\n{''.join(lines)}}}\n"


def documented(text: str) -> tuple[str, dict[str, str]]:
    """Return a docstring's text, and its text about each attribute."""
    about, _, attributes = inspect.cleandoc(text).replace("``", "`").partition("Attributes:\n")
    entries = re.findall(r"^ *(\w+): ((?:.|\n(?! *\w+: ))*)", attributes, re.MULTILINE)
    return " ".join(about.split()), {name: " ".join(said.split()) for name, said in entries}


def comment(text: str, indent: str = "") -> str:
    """Return a text as a comment; nothing for none."""
    if not text:
        return ""
    lines = textwrap.wrap(text, WIDTH)
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    return f"{indent}/**\n" + "".join(f"{indent} * {line}\n" for line in lines) + f"{indent} */\n"


def title(kind: Any) -> str:
    """Return the name that a named type has; empty for others."""
    return meta(kind).title or "" if get_origin(kind) is Annotated else ""


def meta(kind: Any) -> Meta:
    """Return what an annotated type has beside it."""
    return next(each for each in get_args(kind)[1:] if isinstance(each, Meta))
