"""The document of the Python names of ``layerglass``.

It has their signatures and docstrings.
"""

import inspect
import re
from typing import Any

import models
import viz
from tools.pages.markdown import fenced, table

WIDTH = 100
HEAD = """\
# Python

Every name of `import layerglass as lg`, with its shapes, units and errors. The [gallery](gallery.md) has
programs that use them; errors stand under [messages](messages.md).

The same names are offered by `viz` in a checkout. `lg.models` is the catalogue, at the end of this page.
"""
SECTION = re.compile(
    r"^(Args|Attributes|Raises|Returns|Yields):\n((?:[ \t]+.*\n?|\n(?=[ \t]))*)", re.MULTILINE
)
ENTRY = re.compile(r"^ {4}([\w*, .]+): ((?:.|\n(?! {4}\S))*)", re.MULTILINE)
EXAMPLE = re.compile(r"^(>>> (?:.*\n?)+?)(?=\n|\Z)", re.MULTILINE)


def page() -> str:
    """Return the document."""
    offered = [name for name in viz.__all__ if not _is_error(getattr(viz, name))]
    catalogue = [
        name
        for name in models.__all__
        if callable(getattr(models, name)) and not _is_error(getattr(models, name))
    ]
    lines = [(f"[`lg.{name}`](#lg{name.lower()})", _first(getattr(viz, name))) for name in offered]
    parts = [HEAD.rstrip(), table(("Name", "What it does"), lines)]
    parts += [_entry(f"lg.{name}", getattr(viz, name)) for name in offered]
    parts += [_entry(f"lg.models.{name}", getattr(models, name)) for name in catalogue]
    return "\n\n".join(parts)


def _is_error(thing: Any) -> bool:
    return inspect.isclass(thing) and issubclass(thing, Exception)


def _first(thing: Any) -> str:
    return _plain((inspect.getdoc(thing) or "").partition("\n")[0])


def _entry(name: str, thing: Any) -> str:
    parts = [f"## {name}", _signature(name, thing), _described(inspect.getdoc(thing) or "")]
    for method, function in _methods(thing):
        parts += [
            f"### {name.rpartition('.')[2]}.{method}",
            _signature(method, function),
            _described(inspect.getdoc(function) or ""),
        ]
    return "\n\n".join(filter(None, parts))


def _methods(thing: Any) -> list[tuple[str, Any]]:
    """Return a class's own public methods.

    A property has no signature, and stands among the attributes.
    """
    if not inspect.isclass(thing):
        return []
    own = [
        (name, getattr(value, "__func__", value))
        for name, value in vars(thing).items()
        if not name.startswith("_")
    ]
    return [(name, value) for name, value in own if inspect.isfunction(value)]


def _signature(name: str, thing: Any) -> str:
    if not callable(thing):
        return ""
    try:
        signature = inspect.signature(thing)
    except ValueError:
        return ""
    said = [
        re.sub(r"'([^']*)'", r"\1", str(each)) if isinstance(each.annotation, str) else str(each)
        for each in signature.parameters.values()
        if each.name != "self"
    ]
    returned = (
        ""
        if signature.return_annotation in (inspect.Signature.empty, None)
        else f" -> {_type(signature.return_annotation)}"
    )
    one = f"{name}({', '.join(map(_short, said))}){returned}"
    if len(one) > WIDTH:
        one = f"{name}(\n" + "".join(f"    {_short(each)},\n" for each in said) + f"){returned}"
    return fenced(one, "py")


def _type(annotation: Any) -> str:
    return _short(annotation if isinstance(annotation, str) else inspect.formatannotation(annotation))


def _short(said: str) -> str:
    """Return a part of a signature without modules and addresses."""
    said = re.sub(r"<object object at 0x[0-9a-f]+>", "...", said)
    return re.sub(r"\b(?:[a-z_]\w*\.)+(?=[A-Z])", "", said)


def _described(docstring: str) -> str:
    """Return a docstring as Markdown, with lists and code.

    Its sections become lists, and its examples code.
    """
    text = SECTION.sub(lambda found: f"{found[1]}:\n\n{_entries(found[2])}\n", docstring)
    return _plain(EXAMPLE.sub(lambda found: fenced(found[1], "pycon"), text)).strip()


def _entries(section: str) -> str:
    listed = ENTRY.findall(section)
    if not listed:
        return " ".join(section.split())
    return "\n".join(f"- `{name}`: {' '.join(said.split())}" for name, said in listed)


def _plain(said: str) -> str:
    return re.sub(r"``([^`]+)``", r"`\1`", said)
