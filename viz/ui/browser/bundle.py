"""All modules as one, so that a first visit asks for one file and not for eighty, one after the other.

Each module becomes a function that returns its exports; the functions stand in an order in which each finds
what it imports. Line follows line, so that the map to the sources is short.
"""

import json
import re
from collections.abc import Mapping
from graphlib import TopologicalSorter
from posixpath import dirname, join, normpath

_IMPORT = re.compile(r'^import (\{[^}]*\}) from "(\.{1,2}/[^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async function|function|class|const) (\w+))", re.MULTILINE)
_DEFAULT = re.compile(r"^export default function ", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*)$", re.MULTILINE)
_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
SOURCE_MAP = "bundle.js.map"


def bundle(modules: Mapping[str, str]) -> str:
    """One module whose export ``modules`` has the exports of each module, by its path.

    Args:
        modules: sources by paths, by which they import each other.

    Raises:
        ValueError: a module imports or exports in a way that is not known here, or two import each other.
    """
    listed = ", ".join(f"{json.dumps(path)}: m{place}" for place, path in enumerate(_ordered(modules)))
    end = f"export const modules = {{ {listed} }};\n//# sourceMappingURL={SOURCE_MAP}\n"
    return _joined(modules) + end


def script(modules: Mapping[str, str], entry: str) -> str:
    """One script that runs a module and needs no other file; of ``modules`` it has those that are reached.

    Raises:
        ValueError: as for ``bundle``.
    """
    reached, waiting = dict[str, str](), [entry]
    while waiting:
        path = waiting.pop()
        reached[path] = modules[path]
        waiting += [name for name in _imported(path, modules[path]) if name not in reached]
    return _joined(reached)


def source_map(modules: Mapping[str, str]) -> str:
    """The map from the lines of ``bundle`` to those of its sources.

    Source: ECMA-426, source map format.
    """
    order, lines = _ordered(modules), list[str]()
    before = (0, 0)
    for place, path in enumerate(order):
        lines.append("")  # the line that opens the function
        for line in range(len(modules[path].splitlines())):
            lines.append(_digits(0) + _digits(place - before[0]) + _digits(line - before[1]) + _digits(0))
            before = (place, line)
        lines.append("")
    return json.dumps({"version": 3, "sources": order, "names": [], "mappings": ";".join(lines)})


def _joined(modules: Mapping[str, str]) -> str:
    places = {path: place for place, path in enumerate(_ordered(modules))}
    return "".join(_function(path, modules[path], places) for path in places)


def _ordered(modules: Mapping[str, str]) -> list[str]:
    """Paths, each after all that it imports; ``graphlib.CycleError`` is a ``ValueError``."""
    graph = {path: _imported(path, text) for path, text in modules.items()}
    return list(TopologicalSorter(graph).static_order())


def _imported(path: str, text: str) -> list[str]:
    return [_named(path, name) for _, name in _IMPORT.findall(text)]


def _function(path: str, text: str, places: Mapping[str, int]) -> str:
    exported = [name for _, name in _EXPORT.findall(text)]

    def imported(found: re.Match[str]) -> str:
        return f"const {found[1].replace(' as ', ': ')} = m{places[_named(path, found[2])]};"

    body = _EXPORT.sub(r"\1", _IMPORT.sub(imported, text))
    if _DEFAULT.search(body):
        body = _DEFAULT.sub("const standard = function ", body)
        exported.append("default: standard")
    if left := _OTHER.search(body):
        raise ValueError(f"{path}: cannot bundle {left[0]!r}")
    lines = "\n".join(_COMMENT.sub(_emptied, body).splitlines())
    return f"const m{places[path]} = (() => {{\n{lines}\nreturn {{ {', '.join(exported)} }}; }})();\n"


def _emptied(comment: re.Match[str]) -> str:
    """As many lines without a word: a third of what a first visit would fetch."""
    return "\n" * comment[0].count("\n")


def _named(path: str, name: str) -> str:
    return normpath(join(dirname(path), name))


def _digits(value: int) -> str:
    """A number as a source map writes it: five bits a digit, the sign in the lowest."""
    left, said = (-value << 1 | 1) if value < 0 else value << 1, ""
    while True:
        left, bits = left >> 5, left & 31
        said += _DIGITS[bits | (32 if left else 0)]
        if not left:
            return said
