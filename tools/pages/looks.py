"""The document of the address: every parameter of a look.

It has their values and meanings.
"""

import inspect
import re
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from tools.pages.markdown import table
from viz.request.look import Look, WrittenLook
from viz.request.views import VIEWS

HEAD = """\
# Address of a look

What the views draw is in the address, so a link, undo and a script mean the same look. Not in it are
pictures that a visitor brought, and what moves with the hand: how far a map is zoomed, which explanation is
open, where the page is scrolled to.

`/?model=lenet&weights=pretrained&sample=cat&layer=conv2&channel=3` names the subject first and the look
after it. A parameter that is left out has its usual value. [Show
me](/?model=lenet&weights=pretrained&sample=cat&layer=conv2&channel=3)

## The subject
"""
SUBJECT = (
    ("model", "a name of the [models](models-table.md)"),
    ("weights", "`pretrained` or `random`"),
    ("sample", "a sample picture by its name; an uploaded picture has no name in an address"),
    ("crop", "the part of the picture that the model sees: left, top, width and height in pixels"),
    ("lang", "`en` or `zh`"),
)
# Where the fields of an address mean something else than those in Python, or have no words there.
LIKEWISE = {
    "call": "the number of one of its calls, from 1",
    "with_sample": "of a comparison, the other side's picture: a name, `same`, `none` or a number",
    "with_model": "the other side's model",
    "with_weights": "the other side's weights",
    "with_layer": "the other side's layer",
    "with_call": "the other side's call",
    "with_edits": "the other side's edits",
}
BEFORE_VIEWS = "## The look\n\nThe views are {views}.\n"
ENTRY = re.compile(r"^ {4}(\w+): ((?:.|\n(?! {4}\w+:))*)", re.MULTILINE)


def addresses() -> str:
    """Return the document."""
    said = dict(ENTRY.findall((inspect.getdoc(Look) or "").partition("Attributes:\n")[2])) | LIKEWISE
    hints = get_type_hints(WrittenLook, include_extras=True)
    views = ", ".join(f"`{name}`" for name in VIEWS)
    rows = [
        (
            f"`{field.encode_name}`",
            _values(field.name, hints[field.name]),
            _usual(field),
            _plain(said[field.name]),
        )
        for field in msgspec.structs.fields(Look)
        if field.name in said
    ]
    return "\n".join(
        [
            HEAD,
            table(("Parameter", "Meaning"), [(f"`{name}`", means) for name, means in SUBJECT]),
            "",
            BEFORE_VIEWS.format(views=views),
            table(("Parameter", "Values", "Usual", "Meaning"), rows),
        ]
    )


def _plain(said: str) -> str:
    """Return a docstring's text without the names of modules.

    The modules are those that hold lists of values.
    """
    said = re.sub(r" \(``\w+(?:\.\w+)+``\)|, of ``\w+(?:\.\w+)+``", "", said)
    said = re.sub(r"; None (?:for|in|as) ", r"; without it ", said)
    return re.sub(r"``\"?([^`\"]+)\"?``", r"`\1`", said).rstrip(".")


def _usual(field: msgspec.structs.FieldInfo) -> str:
    value = "1" if field.default is True else field.default
    return "" if value in ("", None, False, msgspec.NODEFAULT) else f"`{value}`"


def _values(name: str, hint: Any) -> str:
    """Return the values that a parameter takes, in words."""
    if name == "view":
        return "a view"
    if get_origin(hint) is Annotated:
        return _bounds(hint)
    if get_origin(hint) is Literal:
        return ", ".join(f"`{each}`" for each in get_args(hint) if each)
    if get_origin(hint) in (Union, type(int | None)):
        return _values(name, next(each for each in get_args(hint) if each is not type(None)))
    return {bool: "`0`, `1`", int: "a number", str: "text"}.get(hint, "text")


def _bounds(hint: Any) -> str:
    kind, *metas = get_args(hint)
    meta = next((each for each in metas if isinstance(each, msgspec.Meta)), None)
    if kind is str or meta is None:
        return "text"
    if meta.ge is not None and meta.le is not None:
        return f"{meta.ge} to {meta.le:,}"
    return "a number"
