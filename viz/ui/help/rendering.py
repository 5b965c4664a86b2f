"""Documents as HTML: headings with places, tables, links among the pages."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import urldefrag

from markdown_it import MarkdownIt
from markdown_it.token import Token

_MARKDOWN = MarkdownIt("commonmark").enable("table")
_ELSEWHERE = re.compile(r"[a-z]+:")
Address = Callable[[str], str | None]


class Heading(NamedTuple):
    """A heading in a document: its depth, address and text.

    The depth is counted from 1; ``place`` is its part of an address.
    """

    depth: int
    place: str
    text: str


class Passage(NamedTuple):
    """The text below one heading, without code, for a search."""

    heading: Heading
    text: str


def html_of(text: str, address: Address) -> str:
    """Return a document as HTML.

    Args:
        text: Markdown; HTML in it is kept, as the documents are the project's own.
        address: gives the address for a file as a document links to it, and None for one that the site lacks:
            its link is plain text then.
    """
    tokens = _MARKDOWN.parse(text)
    for heading, token in _headings(tokens):
        token.attrSet("id", heading.place)
    for token in tokens:
        if token.children:
            token.children = list(_linked(token.children, address))
    return str(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))


@lru_cache(maxsize=256)
def passages(text: str) -> tuple[Passage, ...]:
    """Return a document's passages in order, each with its heading."""
    tokens = _MARKDOWN.parse(text)
    heads = {id(token): heading for heading, token in _headings(tokens)}
    found: list[tuple[Heading, list[str]]] = []
    inside = False
    for token in tokens:
        inside = token.type == "heading_open" or (inside and token.type != "heading_close")
        if id(token) in heads:
            found.append((heads[id(token)], []))
        elif token.type == "inline" and found and not inside:
            found[-1][1].append(_plain(token))
    return tuple(Passage(heading, " ".join(said)) for heading, said in found)


def place_of(heading: str) -> str:
    """Return a heading's place for links, as public forges make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _headings(tokens: list[Token]) -> Iterator[tuple[Heading, Token]]:
    known: dict[str, int] = {}
    for token, inline in pairwise(tokens):
        if token.type != "heading_open":
            continue
        said = _plain(inline)
        place = place_of(said)
        known[place] = known.get(place, 0) + 1
        again = f"-{known[place] - 1}" if known[place] > 1 else ""
        yield Heading(int(token.tag[1:]), place + again, said), token


def _plain(inline: Token) -> str:
    parts = inline.children or []
    return "".join(
        " " if part.type in {"softbreak", "hardbreak"} else part.content
        for part in parts
        if part.type in {"text", "code_inline", "softbreak", "hardbreak"}
    )


def _linked(parts: list[Token], address: Address) -> Iterator[Token]:
    """Yield a paragraph's parts, with the site's addresses in their links.

    Other links lose theirs.
    """
    lost = False
    for part in parts:
        if part.type == "link_open":
            found = _address(str(part.attrGet("href")), address)
            lost = found is None
            part.attrSet("href", found or "")
        elif part.type == "image":
            part.attrSet("src", _address(str(part.attrGet("src")), address) or "")
            part.attrSet("loading", "lazy")
        if not (lost and part.type in {"link_open", "link_close"}):
            yield part
        lost = lost and part.type != "link_close"


def _address(link: str, address: Address) -> str | None:
    if _ELSEWHERE.match(link):
        return link
    file, place = urldefrag(link)
    found = address(file) if file else ""
    return None if found is None else f"{found}#{place}" if place else found
