"""Streamlit's scripts in two packs, for the sake of slow lines.

A slow line needs a moment for each of a hundred files. The first pack has what the page and our parts of it
need; the boxes beside the maps come in the second. The scripts are as Streamlit ships them:
``viz/ui/browser/page/shell.js`` makes modules of them. What no pack has, such as a chart, is fetched as a
file.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from streamlit import file_util

FIRST = ("BidiComponent",)  # named as Streamlit names its files, without the hash of their content
LATER = ("Html", "Selectbox", "ButtonGroup", "FileUploader", "Checkbox")
ENTRY = re.compile(r'<script type="module" crossorigin src="\./static/js/([\w.-]+\.js)"></script>')
_IMPORT = re.compile(r'\b(?:from|import)"\./([\w.-]+\.js)"')


@dataclass(frozen=True)
class Packs:
    """The names of the two packs; ``entry`` is the first script."""

    entry: str
    first: str
    later: str


@cache
def packs() -> Packs | None:
    """Return the packs of Streamlit; None if its page lacks an entry."""
    static = Path(file_util.get_static_dir())
    found = ENTRY.search((static / "index.html").read_text("utf-8"))
    if not found:
        return None
    return Packs(found[1], _name("first", found[1]), _name("later", found[1]))


@cache
def pack_texts() -> dict[str, bytes]:
    """Return the packs as JSON texts by their names.

    Reading the scripts takes a quarter of a second.
    """
    made = packs()
    if not made:
        return {}
    scripts = _Scripts(Path(file_util.get_static_dir()) / "static/js")
    first = _reached(scripts, [made.entry, *_named(scripts, FIRST)])
    later = _reached(scripts, _named(scripts, LATER)) - first
    address = {"address": f"./static/{made.later}", "names": sorted(later)}
    begin = {
        "entry": made.entry,
        "later": address,
        "scripts": {name: scripts[name] for name in sorted(first)},
    }
    return {made.first: _text(begin), made.later: _text({name: scripts[name] for name in sorted(later)})}


class _Scripts(Mapping[str, str]):
    """The scripts of a folder by name, each read on demand."""

    def __init__(self, folder: Path) -> None:
        self._paths, self._read = {path.name: path for path in folder.glob("*.js")}, dict[str, str]()

    def __getitem__(self, name: str) -> str:
        if name not in self._read:
            self._read[name] = self._paths[name].read_text("utf-8")
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


def _named(scripts: Iterable[str], names: tuple[str, ...]) -> list[str]:
    return [script for script in scripts if script.split(".")[0] in names]


def _reached(scripts: Mapping[str, str], names: Iterable[str]) -> set[str]:
    reached, waiting = set[str](), list(names)
    while waiting:
        name = waiting.pop()
        if name not in reached and name in scripts:
            reached.add(name)
            waiting += _IMPORT.findall(scripts[name])
    return reached


def _text(said: object) -> bytes:
    return json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode()


def _name(pack: str, entry: str) -> str:
    """Return a pack's name, hashed from all that decides its content."""
    decides = f"{pack} {entry} {FIRST} {LATER} {version('streamlit')}"
    return f"shell-{sha256(decides.encode()).hexdigest()[:16]}.json"
