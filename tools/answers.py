"""Types of messages to the browser, for tsc: ``viz/ui/browser/answers.d.ts``, made from ``viz.answers``.

``python -m tools.answers`` checks: it fails if the file is not what the structs say. ``--update`` writes it.
"""

import argparse
import functools
import importlib
import inspect
import json
import operator
import pkgutil
import re
import sys
import textwrap
import types
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct, UnsetType
from starlette.responses import Response
from starlette.routing import Route

import viz.answers
from viz.answers.message import Message
from viz.ui.classroom.routes_classroom import classroom_routes
from viz.ui.wire.answers import ABOUT
from viz.ui.wire.routes.routes import routes

FILE = Path(__file__).parents[1] / "viz/ui/browser/answers.d.ts"
HEAD = """\
// What the server says, for tsc, as viz/answers has it; `make answers` writes this file. Nothing of it is
// served, and every script knows these types by name.
"""
FIRST = Message.__module__
# page/page.d.ts has it, and leaves it to `filled` which texts have plural forms.
BY_HAND = {"Words"}
ANSWERS = "What each question about a subject is answered with; files are left out."
WIDTH = 116
NAMES = {str: "string", int: "number", float: "number", bool: "boolean", types.NoneType: "null"}


def declarations() -> str:
    """Every type that the rooms' structs and named types make, module by module."""
    found: dict[str, str] = {}
    for module in _modules():
        for name, text in _declared_in(module).items():
            found.setdefault(name, text)
    return "\n".join([HEAD, *found.values(), _questions()])


def all_routes() -> list[Route]:
    """Every route that answers a page."""
    return [*routes(), *classroom_routes()]


def answered(asked: Iterable[Route]) -> dict[str, Any]:
    """Return the answer's type for each question about a subject, from its handler; files are left out."""
    said = {
        route.path.removeprefix(ABOUT): get_type_hints(inspect.unwrap(route.endpoint))["return"]
        for route in asked
    }
    return {path: _without_files(kind) for path, kind in said.items() if kind is not Response}


def _without_files(kind: Any) -> Any:
    """A type without the responses that a handler may return instead."""
    if get_origin(kind) not in (Union, types.UnionType):
        return kind
    return functools.reduce(operator.or_, (each for each in get_args(kind) if each is not Response))


def _questions() -> str:
    """Return the declaration of the answers' types to all questions about a subject."""
    told = sorted(answered(all_routes()).items())
    lines = (f'  "{name}": {type_text(kind)}{_or_refusal(kind)};\n' for name, kind in told)
    return f"{_comment(ANSWERS)}interface Answers {{\n{''.join(lines)}}}\n"


def _or_refusal(kind: Any) -> str:
    """Structs of answers may be refusals; a list cannot be one."""
    return " | Answer" if get_origin(kind) is Sequence else ""


def type_text(kind: Any) -> str:
    """A type as TypeScript says it.

    Raises:
        TypeError: it has no such text yet.
    """
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _title(kind) or type_text(inside[0])
    if isinstance(kind, type) and issubclass(kind, Message):
        return kind.__name__
    found = NAMES.get(kind) or _composed(origin, inside)
    if not found:
        raise TypeError(f"{kind} has no text in TypeScript yet")
    return found


def _composed(origin: Any, inside: tuple[Any, ...]) -> str:
    """The text of a type that is made of others; empty if there is none."""
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


def main() -> int:
    """Check the file, or write it; the exit status is 1 if it is not up to date."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--update", action="store_true", help="write the file")
    if parser.parse_args().update:
        FILE.write_text(declarations(), "utf-8")
    if FILE.read_text("utf-8") == declarations():
        return 0
    print(f"{FILE.name} is not what viz/answers says: run make answers", file=sys.stderr)
    return 1


def _modules() -> list[types.ModuleType]:
    """The room's modules, first the one with the types that all others name."""
    names = [found.name for found in pkgutil.walk_packages(viz.answers.__path__, f"{viz.answers.__name__}.")]
    return [importlib.import_module(name) for name in sorted(names, key=lambda name: (name != FIRST, name))]


def _declared_in(module: types.ModuleType) -> dict[str, str]:
    """The declarations of a module's structs and named types, by name; of what it imports as well."""
    found = {}
    for name, kind in vars(module).items():
        if _title(kind) == name and name not in BY_HAND:
            text = type_text(get_args(kind)[0])
            found[name] = f"{_comment(_meta(kind).description or '')}type {name} = {text};\n"
        elif isinstance(kind, type) and issubclass(kind, Message) and kind is not Message:
            found[name] = interface(kind)
    return found


def interface(kind: type[Struct]) -> str:
    """The declaration of a struct, with comments from its docstring."""
    about, of_fields = _documented(kind.__doc__ or "")
    base = kind.__base__
    above = f" extends {base.__name__}" if base not in (None, Message, Struct) else ""
    hints = get_type_hints(kind, include_extras=True)
    lines = []
    for name in kind.__annotations__:
        mark = "?" if UnsetType in get_args(hints[name]) else ""
        lines.append(_comment(of_fields.get(name, ""), "  "))
        lines.append(f"  {name}{mark}: {type_text(hints[name])};\n")
    return f"{_comment(about)}interface {kind.__name__}{above} {{\n{''.join(lines)}}}\n"


def _documented(text: str) -> tuple[str, dict[str, str]]:
    """Return a docstring's text, and its text about each attribute."""
    about, _, attributes = inspect.cleandoc(text).replace("``", "`").partition("Attributes:\n")
    entries = re.findall(r"^ *(\w+): ((?:.|\n(?! *\w+: ))*)", attributes, re.MULTILINE)
    return " ".join(about.split()), {name: " ".join(said.split()) for name, said in entries}


def _comment(text: str, indent: str = "") -> str:
    if not text:
        return ""
    lines = textwrap.wrap(text, WIDTH)
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    return f"{indent}/**\n" + "".join(f"{indent} * {line}\n" for line in lines) + f"{indent} */\n"


def _title(kind: Any) -> str:
    return _meta(kind).title or "" if get_origin(kind) is Annotated else ""


def _meta(kind: Any) -> Meta:
    return next(each for each in get_args(kind)[1:] if isinstance(each, Meta))


if __name__ == "__main__":
    sys.exit(main())
