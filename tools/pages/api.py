"""The document of the Python names of ``layerglass``.

It has their signatures and docstrings.
"""

import inspect
import operator
import re
from typing import Any

import layerglass
import models
import viz
from tools.pages.markdown import fenced, table

WIDTH = 100
HEAD = """\
# Python

Every name of `import layerglass as lg`, with its shapes, units and errors. The [gallery](gallery.md) has
programs that use them; errors stand under [messages](messages.md).

The same names are offered by `viz` in a checkout. `lg.models` is the catalogue, at the end of this page.
Examples begin with these lines:

```python
import numpy as np
import torch

import layerglass as lg

model = lg.models.load("lenet")
layers = lg.LayerActivations(model)
images = lg.models.describe("lenet").preprocessing(lg.sample("cat"))  # (1, 3, 32, 32)
```
"""
SECTION = re.compile(
    r"^(Args|Attributes|Raises|Returns|Yields):\n((?:[ \t]+.*\n?|\n(?=[ \t]))*)", re.MULTILINE
)
ENTRY = re.compile(r"^ {4}([\w*, .]+): ((?:.|\n(?! {4}\S))*)", re.MULTILINE)
EXAMPLE = re.compile(r"^(>>> (?:.*\n?)+?)(?=\n|\Z)", re.MULTILINE)


def page() -> str:
    """Return the document."""
    names = offered()
    lines = [(f"[`lg.{name}`](#lg{name.lower()})", _first(thing(name))) for name in names if "." not in name]
    parts = [HEAD.rstrip(), table(("Name", "What it does"), lines)]
    return "\n\n".join([*parts, *(_entry(f"lg.{name}", thing(name)) for name in names)])


def offered() -> list[str]:
    """Return the names of ``viz``, then those of ``models``.

    Errors have a document of their own.
    """
    ours = [name for name in viz.__all__ if not _is_error(getattr(viz, name))]
    catalogue = [f"models.{name}" for name in models.__all__ if callable(getattr(models, name))]
    return [*ours, *(name for name in catalogue if not _is_error(thing(name)))]


def thing(name: str) -> Any:
    """Return what a name of ``offered`` stands for."""
    return operator.attrgetter(name)(layerglass)


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
    text = SECTION.sub(lambda found: f"{found[1]}:\n\n{_entries(found[2])}\n", _plain(docstring))
    return EXAMPLE.sub(lambda found: f"{fenced(found[1], 'pycon')}\n", text).strip()


def _entries(section: str) -> str:
    listed = ENTRY.findall(section)
    if not listed:
        return " ".join(section.split())
    return "\n".join(f"- `{name}`: {' '.join(said.split())}" for name, said in listed)


def _plain(said: str) -> str:
    return re.sub(r"``([^`]+)``", r"`\1`", said)
