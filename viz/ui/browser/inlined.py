"""Modules of the browser's half as text, for a page that is one file and has no server to ask for them."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from posixpath import dirname, join, normpath
from types import MappingProxyType

from .modules import files

# The name in an import or export statement; in comments, imports of types are expressions.
_IMPORTED = re.compile(r"""^((?:import|export)\b(?:[^"'`;]*\bfrom)?\s*)"(\.{1,2}/[^"]+)\"""", re.MULTILINE)


@cache
def inlined(entry: str) -> Mapping[str, str]:
    """A module and all that it reaches, itself first: sources by path, importing each other by these paths.

    Args:
        entry: a path below ``viz/ui/browser``, such as ``"offline/offline.js"``.
    """
    return MappingProxyType(dict(_reached(entry, set())))


def _reached(path: str, known: set[str]) -> Iterator[tuple[str, str]]:
    known.add(path)
    text, folder = files()[path].decode(), dirname(path)

    def named(name: str) -> str:
        return normpath(join(folder, name))

    yield path, _IMPORTED.sub(lambda found: f'{found[1]}"{named(found[2])}"', text)
    for name in (named(found[2]) for found in _IMPORTED.finditer(text)):
        if name not in known:
            yield from _reached(name, known)
