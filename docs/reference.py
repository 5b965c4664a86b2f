"""Builds the reference of the packages from their docstrings: ``make reference``, ``site/reference/``.

It ends with status 1 and one line for each reference that leads nowhere: a dotted name of ours that is not
there, an error that is raised and not described, a link. So a rename that forgot a docstring is found.
"""

import argparse
import builtins
import importlib
import pkgutil
import re
import sys
import warnings
from collections.abc import Container, Iterator
from pathlib import Path
from types import ModuleType
from urllib.parse import urldefrag

import pdoc
from pdoc.doc import Doc, Module, Namespace

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

# What the two packages offer, and beside it what they raise, return and expect.
OFFERED = ("viz", "viz.errors", "viz.hooks.recorder", "models", "models.cards")
NAME_OF_OURS = re.compile(r"`((?:viz|models)(?:\.\w+)+)`")
RAISED = re.compile(r"^ *Raises:\n((?: +.*\n?)+)", re.MULTILINE)
ERROR = re.compile(r"^ *(\w+):", re.MULTILINE)
LINK, PLACE = re.compile(r'href="(?!\w+:|\$)([^"]+)"'), re.compile(r'id="([^"]+)"')


def loaded(name: str) -> ModuleType:
    """A module with all that it offers: ours import a thing when it is first used, and pdoc uses none."""
    module = importlib.import_module(name)
    for offered in getattr(module, "__all__", ()):
        getattr(module, offered)
    return module


def described(doc: Doc) -> Iterator[Doc]:
    """A module, class or function with all that is in it, and the modules below it that have a page."""
    yield doc
    if isinstance(doc, Namespace):
        for member in doc.members.values():
            yield from described(member)
    if isinstance(doc, Module):
        for below in doc.submodules:
            yield from described(below)


def is_inherited(doc: Doc) -> bool:
    """Whether it comes from a class of Python's own."""
    return doc.taken_from[0] == "builtins"


def broken_names(docs: list[Doc]) -> Iterator[str]:
    """What the docstrings name that is not there: dotted names of ours, and errors without a description."""
    known = {doc.name for doc in docs} | set(dir(builtins))
    for doc in docs:
        for name in NAME_OF_OURS.findall(doc.docstring):
            try:
                pkgutil.resolve_name(name)
            except (ImportError, AttributeError):
                yield f"{doc.fullname}: there is no {name}"
        for error in ERROR.findall("".join(RAISED.findall(doc.docstring))):
            if error not in known:
                yield f"{doc.fullname}: nothing describes {error}"


def broken_links(site: Path, inherited: Container[str] = ()) -> Iterator[str]:
    """The links between the pages, or within one, that lead nowhere.

    pdoc also links what a class has ``inherited`` from Python's own, which no page shows.
    """
    pages = {path: path.read_text(encoding="utf-8") for path in sorted(site.rglob("*.html"))}
    places = {path: set(PLACE.findall(text)) for path, text in pages.items()}
    for path, text in pages.items():
        for link in LINK.findall(text):
            file, place = urldefrag(link)
            target = (path.parent / file).resolve() if file else path
            lost = place and target in pages and place not in places[target] and place not in inherited
            if not target.is_file() or lost:
                yield f"{path.relative_to(site)}: {link} leads nowhere"


def main() -> int:
    """Build the pages; 1 if a reference in them is broken."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "site", nargs="?", type=Path, default=ROOT / "site/reference", help="the folder (site/reference/)"
    )
    site = parser.parse_args().site.resolve()
    modules = [loaded(name) for name in OFFERED]
    pdoc.render.configure(docformat="google", footer_text="Layerglass")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pdoc.pdoc(*OFFERED, output_directory=site)
        docs = [doc for module in modules for doc in described(Module(module))]
    broken = [*broken_names(docs), *broken_links(site, {doc.qualname for doc in docs if is_inherited(doc)})]
    print("\n".join(broken) or f"{site / 'index.html'}", file=sys.stderr if broken else sys.stdout)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
