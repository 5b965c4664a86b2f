"""All modules as two files, for a fast first visit.

A first visit loads one of them, not eighty modules one after the other. Each module becomes a function that
returns its exports; the functions stand in an order in which each finds what it imports. What is only reached
by ``await import("...")`` comes in the second file. Line follows line, so that the maps to the sources are
short.
"""

import json
import re
from collections.abc import Iterable, Mapping
from graphlib import TopologicalSorter
from posixpath import dirname, join, normpath

_IMPORT = re.compile(r'^import (\{[^}]*\}) from "(\.{1,2}/[^"]+)";$', re.MULTILINE)
_AWAITED = re.compile(r'\bawait import\("(\.{1,2}/[^"]+)"\)')
_EXPORT = re.compile(r"^export ((?:async function|function|class|const) (\w+))", re.MULTILINE)
_DEFAULT = re.compile(r"^export default function ", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*)$", re.MULTILINE)
# Comments behind code. Where both have quotation marks they stay, as they may be within a text.
_ASIDE = re.compile(r"(?<=[;{,}]) // [^\"'`\n]*$", re.MULTILINE)
_BEHIND = re.compile(r"^([^\"'`\n]*[;{,:}]) // .*$", re.MULTILINE)
_INSTEAD = re.compile(r"\{ /\*[^*\n]*\*/ \}")  # of code
_CAST = re.compile(r"/\*\* @type \{[^`\n]*?\} \*/ ?")  # a type in front of a value, for tsc alone
_BEGUN = re.compile(r"\$\{[^}`]*`[^`]*$")  # a text within a text, whose end another line has
_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
BUNDLE, LATER = "bundle.js", "later.js"  # they import each other by these names
MAP = ".map"  # is added to the name
# A browser may remember of an address that nothing came from it.
_FETCH = """
let fetched = null, tried = 0;
async function __later(path) {{
  fetched ??= import("./{later}" + (tried ? `?${{tried}}` : ""));
  try {{
    return (await fetched).modules[path];
  }} catch (error) {{
    [fetched, tried] = [null, tried + 1];
    throw error;
  }}
}}
""".lstrip()


def bundles(modules: Mapping[str, str]) -> dict[str, str]:
    """The two files of all modules and their source maps, by name.

    Each of the two exports ``modules``, which has the exports of each of its modules by the module's path.

    Args:
        modules: sources by paths, by which they import each other.

    Raises:
        ValueError: a module imports or exports in a way that is not known here, or two import each other.
    """
    first = _first(modules)
    second = {path: text for path, text in modules.items() if path not in first}
    begun, rest = _joined(first, second), _joined(second, first)
    if second:
        begun += _FETCH.format(later=LATER)
        rest += f'import {{ modules as __first }} from "./{BUNDLE}";\n'
    return {
        BUNDLE: begun + _end(first, BUNDLE),
        BUNDLE + MAP: _source_map(first),
        LATER: rest + _end(second, LATER),
        LATER + MAP: _source_map(second),
    }


def script(modules: Mapping[str, str], entry: str) -> str:
    """One script that runs a module and needs no other file.

    Of ``modules`` it has those that are reached. What is reached by ``await import("...")`` is in it too, and
    has run before it is asked for.

    Raises:
        ValueError: as for ``bundles``.
    """
    return _joined(_reached(modules, [entry], ever=True))


def _first(modules: Mapping[str, str]) -> dict[str, str]:
    """Return the first file's modules: the entries and all static imports."""
    later = {_named(path, name) for path, text in modules.items() for name in _AWAITED.findall(text)}
    imported = {name for path, text in modules.items() for name in _imported(path, text)}
    begin = [path for path in modules if path not in imported | later]
    return _reached(modules, begin)


def _reached(modules: Mapping[str, str], entries: Iterable[str], *, ever: bool = False) -> dict[str, str]:
    """The modules that entries import, with ``ever`` also by ``await import``."""
    reached, waiting = dict[str, str](), list(entries)
    while waiting:
        path = waiting.pop()
        reached[path] = modules[path]
        waiting += [name for name in _imported(path, modules[path], ever=ever) if name not in reached]
    return reached


def _end(modules: Mapping[str, str], name: str) -> str:
    listed = ", ".join(f"{json.dumps(path)}: m{place}" for place, path in enumerate(_ordered(modules)))
    return f"export const modules = {{ {listed} }};\n//# sourceMappingURL={name}{MAP}\n"


def _source_map(modules: Mapping[str, str]) -> str:
    """The map from a file's lines to those of its sources.

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


def _joined(modules: Mapping[str, str], beside: Mapping[str, str] | None = None) -> str:
    """The modules as functions, without those ``beside`` in another file.

    None means that there is no other file.
    """
    places = {path: place for place, path in enumerate(_ordered(modules))}
    return "".join(_function(path, modules[path], places, beside) for path in places)


def _ordered(modules: Mapping[str, str]) -> list[str]:
    """Paths, each after all that it imports; ``graphlib.CycleError`` is a ``ValueError``."""
    graph = {
        path: [name for name in _imported(path, text) if name in modules] for path, text in modules.items()
    }
    return list(TopologicalSorter(graph).static_order())


def _imported(path: str, text: str, *, ever: bool = False) -> list[str]:
    named = [name for _, name in _IMPORT.findall(text)]
    return [_named(path, name) for name in (*named, *(_AWAITED.findall(text) if ever else ()))]


def _function(path: str, text: str, places: Mapping[str, int], beside: Mapping[str, str] | None) -> str:
    exported = [name for _, name in _EXPORT.findall(text)]

    def imported(found: re.Match[str]) -> str:
        name = _named(path, found[2])
        whence = f"__first[{json.dumps(name)}]" if name in (beside or ()) else f"m{places[name]}"
        return f"const {found[1].replace(' as ', ': ')} = {whence};"

    def fetched(found: re.Match[str]) -> str:
        name = _named(path, found[1])
        if beside is None:
            return f"await Promise.resolve().then(() => m{places[name]})"  # it may stand further below
        if name not in beside:
            raise ValueError(f"{path}: cannot bundle {found[0]!r}, which is not in the second file")
        return f"await __later({json.dumps(name)})"

    body = _AWAITED.sub(fetched, _EXPORT.sub(r"\1", _IMPORT.sub(imported, text)))
    if _DEFAULT.search(body):
        body = _DEFAULT.sub("const standard = function ", body)
        exported.append("default: standard")
    if left := _OTHER.search(body):
        raise ValueError(f"{path}: cannot bundle {left[0]!r}")
    lines = "\n".join(_flush(_uncommented(body).splitlines()))
    return f"const m{places[path]} = (() => {{\n{lines}\nreturn {{ {', '.join(exported)} }}; }})();\n"


def _uncommented(text: str) -> str:
    """Return a text without comments, line by line.

    They are a third of it.
    """
    text = _INSTEAD.sub("{ }", _BEHIND.sub(r"\1", _ASIDE.sub("", text)))
    return _CAST.sub("", _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), text))


def _flush(lines: list[str]) -> list[str]:
    """Return lines without indentation, unless a text may span several."""
    if any(line.count("`") % 2 or _BEGUN.search(line) for line in lines):
        return lines
    return [line.lstrip(" \t") for line in lines]


def _named(path: str, name: str) -> str:
    return normpath(join(dirname(path), name))


def _digits(value: int) -> str:
    """A number as a source map writes it, in five-bit digits."""
    left, said = (-value << 1 | 1) if value < 0 else value << 1, ""
    while True:
        left, bits = left >> 5, left & 31
        said += _DIGITS[bits | (32 if left else 0)]
        if not left:
            return said
