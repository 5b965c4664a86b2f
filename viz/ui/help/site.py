"""Pages of the documents, with contents at the side and a search."""

import html
import re
from functools import lru_cache
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from ..browser.modules import help_page
from .contents import FOLDER, INDEX, SERVED, Document, documents, file_beside, neighbours
from .rendering import html_of, passages

CHINESE = ".zh"  # ends the name of a document in Chinese
# Tables and lists in which a search would find everything; one looks them up themselves.
UNSEARCHED = re.compile("index|changelog|compatibility|models-table|rooms|decisions.*")
ASIDE = {"Reference", "Understand", "Contribute"}  # sections that answer few readers' questions
_LIVE = "/?"  # how a document links to a look at a running page
_TOC_DEPTH = 2
_SHORT_TOC, _LONG_TOC = 3, 9  # headings: fewer need no list, and beside more those below them are left out


class Place(NamedTuple):
    """Whereabouts of the pages: on a server, or as files.

    Attributes:
        script: the tags that bring the search.
        live: the address of a running page of the product.
        ending: of the pages' addresses, such as ``".html"`` where they are files.
        first: the address of the contents.
        folder: of the documents.
    """

    script: str
    live: str = "../"
    ending: str = ""
    first: str = "./"
    folder: Path = FOLDER

    def href(self, name: str) -> str:
        """Return the address of a document."""
        return self.first if name == INDEX else f"./{name}{self.ending}"


def page(name: str, place: Place) -> str | None:
    """Return a document as a whole HTML page; None if unknown."""
    among = documents(place.folder)
    document = among.get(name)
    if document is None:
        return None
    parts = {
        "script": place.script,
        "language": "zh" if name.endswith(CHINESE) else "en",
        "title": html.escape(document.title),
        "contents": _contents(document, among, place),
        "document": _rendered(document.text, place),
        "here": _here(document, place.href(name)),
        "around": _around(document, among, place),
        "first": place.first,
        "live": html.escape(place.live),
    }
    return re.sub(r"<!-- (\w+) -->", lambda found: parts[found[1]], help_page())


def searched(place: Place) -> list[dict[str, str | bool]]:
    """Return the searched passages, with their addresses and titles."""
    return [
        {
            "page": document.title,
            "heading": "" if passage.heading.depth == 1 else passage.heading.text,
            "address": place.href(document.name)
            + ("" if passage.heading.depth == 1 else f"#{passage.heading.place}"),
            "text": passage.text,
            "aside": document.section in ASIDE or document.name.startswith("hooks"),
        }
        for document in documents(place.folder).values()
        if not UNSEARCHED.fullmatch(document.name)
        for passage in passages(document.text)
    ]


@lru_cache(maxsize=256)
def _rendered(text: str, place: Place) -> str:
    return html_of(text, lambda link: _address(link, place))


def _address(link: str, place: Place) -> str | None:
    """Return a document link's address on the site; None without one."""
    if link.startswith(_LIVE):
        return place.live + link.removeprefix("/")
    path = PurePosixPath(link)
    if path.suffix == ".md":
        name = path.stem.lower()
        return place.href(name) if name in documents(place.folder) else None
    return f"./{link}" if path.suffix in SERVED and file_beside(link, place.folder) else None


def _contents(document: Document, among: dict[str, Document], place: Place) -> str:
    listed = (each for each in among.values() if each.section)
    return "".join(
        f"<h2>{html.escape(section)}</h2><ul>"
        + "".join(f"<li>{_link(each, place, current=each is document)}</li>" for each in inside)
        + "</ul>"
        for section, inside in groupby(listed, lambda each: each.section)
    )


def _here(document: Document, at: str) -> str:
    heads = [each.heading for each in passages(document.text) if each.heading.depth > 1]
    if sum(head.depth == _TOC_DEPTH for head in heads) > _LONG_TOC:
        heads = [head for head in heads if head.depth == _TOC_DEPTH]
    if len(heads) < _SHORT_TOC:
        return ""
    lines = (
        f'<li class="d{head.depth}"><a href="{at}#{head.place}">{html.escape(head.text)}</a></li>'
        for head in heads
    )
    return f'<nav class="here" aria-label="On this page"><h2>On this page</h2><ul>{"".join(lines)}</ul></nav>'


def _around(document: Document, among: dict[str, Document], place: Place) -> str:
    return "".join(
        f'<a rel="{rel}" href="{place.href(each.name)}">{html.escape(each.title)}</a>'
        for rel, each in zip(("prev", "next"), neighbours(document, among), strict=True)
        if each
    )


def _link(document: Document, place: Place, *, current: bool) -> str:
    here = ' aria-current="page"' if current else ""
    return f'<a href="{place.href(document.name)}"{here}>{html.escape(document.title)}</a>'
