"""Python and the packages: which are missing, and which too old."""

import platform
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from ...home import INSTALLED, PAGE
from ...sentences import Sentence
from .facts import Fact
from .pasting import to_paste

TESTED = (3, 11), (3, 14)  # the first and the last version of Python on which the tests run
_NAME = re.compile(r"[\w.-]+")
_LOWEST = re.compile(r"[>=~]=\s*([\d.]+)")  # anywhere: metadata of a wheel have it behind ``<2``


class Requirement(NamedTuple):
    """A package that is needed, and its lowest version."""

    name: str
    lowest: tuple[int, ...]


def python(version: tuple[int, ...] = sys.version_info[:2]) -> Fact:
    """Return whether the tests run on this version of Python."""
    first, last = (".".join(map(str, each)) for each in TESTED)
    said = Sentence(
        "Python {version}; the tests run on {first} to {last}",
        version=platform.python_version(),
        first=first,
        last=last,
    )
    if version <= TESTED[1]:  # one before the first cannot even import this module
        return Fact(name="python", grade="good", said=said)
    return Fact(name="python", grade="lacking", said=said, advice=Sentence("Install one of these."))


def packages(needed: Iterable[Requirement] | None = None) -> Fact:
    """Return whether the page's packages are installed and new enough."""
    needed = list(requirements() if needed is None else needed)
    wanting = [each.name for each in needed if not _is_there(each)]
    if not wanting:
        said = Sentence("{count} packages that the page needs", count=len(needed))
        return Fact(name="packages", grade="good", said=said)
    return Fact(
        name="packages",
        grade="fatal",
        said=Sentence("missing, or too old: {names}", names=", ".join(wanting)),
        advice=Sentence("Install what is needed: {command}", command=_installing()),
    )


def _installing() -> str:
    needed, tested = (str(PAGE.with_name(f"{name}.txt")) for name in ("requirements", "constraints"))
    wanted = ["layerglass"] if INSTALLED else ["-r", needed, "-c", tested]
    return to_paste(sys.executable, "-m", "pip", "install", "--upgrade", *wanted)


def requirements() -> Iterator[Requirement]:
    """Yield the packages that the page needs, from its own metadata."""
    if INSTALLED:
        said = [each for each in metadata.requires("layerglass") or () if "extra ==" not in each]
    else:
        project = Path(PAGE).with_name("pyproject.toml").read_text(encoding="utf-8")
        said = tomllib.loads(project)["project"]["dependencies"]
    yield from map(requirement, said)


def requirement(text: str) -> Requirement:
    """Return the package of a requirement and its lowest version.

    Of ``streamlit<2,>=1.67`` these are ``streamlit`` and (1, 67).
    """
    specifier, _, _marker = text.partition(";")
    name, lowest = _NAME.match(specifier.strip()), _LOWEST.search(specifier)
    return Requirement(name[0] if name else text, numbers_of(lowest[1] if lowest else ""))


def numbers_of(version: str) -> tuple[int, ...]:
    """Return the numbers with which a version begins.

    Of ``2.10.0+cpu`` these are 2, 10 and 0.
    """
    return tuple(int(each) for each in re.findall(r"\d+", re.split(r"[^\d.]", version)[0]))


def _is_there(needed: Requirement) -> bool:
    try:
        version: str | None = metadata.version(needed.name)  # None of a half installed package
    except metadata.PackageNotFoundError:
        return False
    return version is not None and numbers_of(version) >= needed.lowest
