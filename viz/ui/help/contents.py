"""Documents and their order: Markdown files beside the package, listed in ``index.md``."""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parents[3] / "docs"
INDEX, LLMS = "index", "llms.txt"
# What readers of a document may fetch beside it; scripts and their pictures stand in folders of their own.
SERVED = {
    ".ipynb": "application/x-ipynb+json",
    ".png": "image/png",
    ".py": "text/x-python",
    ".webp": "image/webp",
}
_SECTION = re.compile(r"^## (.+)$|^- \[(?P<title>[^\]]+)\]\((?P<file>[^)]+)\.md\)", re.MULTILINE)
_LINKED = re.compile(r"\]\(([^)]+)\.md\)")


class Document(NamedTuple):
    """A document: its name in addresses, title, section and file."""

    name: str
    title: str
    section: str
    path: Path

    @property
    def text(self) -> str:
        """Its Markdown."""
        return self.path.read_text(encoding="utf-8")


def documents(folder: Path = FOLDER) -> dict[str, Document]:
    """Return every document by its name, in the contents' order.

    The contents come first. Documents of the project's top folder, such as ``../CHANGELOG.md``, may be listed
    too: an installation has them in ``folder`` itself.

    Raises:
        FileNotFoundError: a document is listed and not there.
    """
    index = folder / f"{INDEX}.md"
    return _documents(index, index.stat().st_mtime_ns)


def neighbours(document: Document, among: dict[str, Document]) -> tuple[Document | None, Document | None]:
    """Return the documents before and after one; None at the ends."""
    order = list(among.values())
    at = order.index(document)
    return order[at - 1] if at else None, order[at + 1] if at + 1 < len(order) else None


def for_programs(folder: Path = FOLDER) -> dict[str, str]:
    """Return the documents as plain text by file name, and ``llms.txt``.

    That one lists them for language models, by https://llmstxt.org: a title, a summary, and links.
    """
    known = documents(folder)
    title, summary, rest = known[INDEX].text.split("\n\n", 2)
    listed = _LINKED.sub(lambda link: f"]({Path(link[1]).name.lower()}.md)", rest)
    texts = {f"{each.name}.md": each.text for each in known.values() if each.name != INDEX}
    return {LLMS: f"{title}\n\n> {summary}\n\n{listed}", **texts}


def file_beside(name: str, folder: Path = FOLDER) -> Path | None:
    """Return the path of a linked picture or program; otherwise None."""
    path = folder / name
    try:
        inside = folder.resolve() in path.resolve().parents and len(path.relative_to(folder).parts) > 1
        return path if inside and path.suffix in SERVED and path.is_file() else None
    except (OSError, ValueError):  # too long, or a name that no system takes
        return None


@lru_cache(maxsize=4)
def _documents(index: Path, _changed: int) -> dict[str, Document]:
    listed = [Document(INDEX, "Contents", "", index), *_listed(index)]
    return {document.name: document for document in listed}


def _listed(index: Path) -> Iterator[Document]:
    section = ""
    for found in _SECTION.finditer(index.read_text(encoding="utf-8")):
        if found[1]:
            section = found[1]
            continue
        path = _file(index.parent, found["file"])
        yield Document(path.stem.lower(), found["title"], section, path)


def _file(folder: Path, named: str) -> Path:
    path = folder / f"{named}.md"
    beside = folder / path.name
    if not path.is_file() and not beside.is_file():
        raise FileNotFoundError(f"{folder / INDEX}.md lists {named}.md, which is not there")
    return path if path.is_file() else beside
