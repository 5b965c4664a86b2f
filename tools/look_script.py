"""The look's fields and the views for the browser: ``look/fields.js``.

They are as ``viz.request`` has them.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
from msgspec import inspect

from tools.type_texts import documented, type_text
from viz.request.look import Look, WrittenLook, choices
from viz.request.views import VIEWS, View

FILE = Path(__file__).parents[1] / "viz/ui/browser/look/fields.js"
HEAD = """\
// Fields of the look, and the views, as viz/request has them; `make answers` writes this file.

import { cell, number, text, word, yes } from "./forms.js";
"""
DEFAULTS = {field.name: field.default for field in msgspec.structs.fields(Look)}


def script() -> str:
    """Return the text of the browser's module.

    It has types, views, choices, the look at first, and the forms in an address.
    """
    views = {name: msgspec.to_builtins(view) for name, view in VIEWS.items()}
    return "\n".join(
        [
            HEAD,
            _typedef("View", " | ".join(map(json.dumps, VIEWS))),
            *_properties("ViewFacts", View, "[{}]", within="View"),
            *_properties("Fields", Look, "{}", view="View"),
            *_constant("VIEWS", "Readonly<Record<View, ViewFacts>>", views, "In the order of their buttons."),
            *_constant("FIRST", "Readonly<Fields>", DEFAULTS, "The look of an address that says nothing."),
            *_constant("CHOICES", _typed_choices(), choices(), "The values of fields that have a few."),
            *_forms(),
        ]
    )


def _typedef(name: str, text: str) -> str:
    return f"/** @typedef {{{text}}} {name} */"


def _properties(name: str, kind: type[msgspec.Struct], mark: str, **others: str) -> Iterator[str]:
    """Yield the lines of the type of a struct's fields.

    Each name is put into ``mark``; ``others`` have types of their own.
    """
    about, told = documented(kind.__doc__ or "")
    yield f"\n/**\n * {about}\n * @typedef {{Object}} {name}"
    for field, hint in get_type_hints(kind, include_extras=True).items():
        said, about = others.get(field) or type_text(hint), told.get(field, "likewise")
        yield f" * @property {{{said}}} {mark.format(field)} - {about}"
    yield " */"


def _constant(name: str, kind: str, values: dict[str, Any], about: str) -> Iterator[str]:
    yield f"\n/** {about} @type {{{kind}}} */\nexport const {name} = Object.freeze({{"
    for each, value in values.items():
        yield f"  {each}: {json.dumps(value)},"
    yield "});"


def _typed_choices() -> str:
    return f"{{[Name in {' | '.join(map(json.dumps, choices()))}]: readonly Fields[Name][]}}"


def _forms() -> Iterator[str]:
    yield '\n/** @type {{[Name in keyof Fields]: import("./forms.js").Form<any>}} */\nexport const FORMS = {'
    for name in DEFAULTS:
        yield f"  {name}: {_form(name)},"
    yield "};\n"


def _form(name: str) -> str:
    if name in choices():
        return f"word(CHOICES.{name})"
    kind, written = _plain(Look, name), _plain(WrittenLook, name)
    if isinstance(kind, inspect.IntType) and isinstance(written, inspect.IntType):
        ahead = (written.ge or 0) - (kind.ge or 0)
        return f"number({written.ge}, {written.le}{f', {ahead}' if ahead else ''})"
    if isinstance(kind, inspect.BoolType):
        return "yes"
    return "cell" if kind.pattern else f"text({kind.max_length})"  # type: ignore[attr-defined]


def _plain(struct: type[msgspec.Struct], name: str) -> inspect.Type:
    """Return the type of a field, without None."""
    kind = inspect.type_info(get_type_hints(struct, include_extras=True)[name])
    if isinstance(kind, inspect.UnionType):
        return next(each for each in kind.types if not isinstance(each, inspect.NoneType))
    return kind
