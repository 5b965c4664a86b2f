"""All facts about this machine, as values and as lines of text."""

from collections.abc import Iterable, Iterator, Mapping

from ...home import version
from ...sentences import Sentence
from . import hardware, parts, reaching
from .facts import Diagnosis, Fact, Grade

_MARKS: Mapping[Grade, str] = {"good": "ok", "lacking": "less", "fatal": "no"}


def diagnosis(facts: Iterable[Fact | None] | None = None) -> Diagnosis:
    """Return the facts about this machine; by default all of them, which takes some seconds."""
    known = tuple(filter(None, _facts() if facts is None else facts))
    runs = all(each.grade != "fatal" for each in known)
    return Diagnosis(layerglass=version(), page_runs=runs, facts=known)


def diagnosis_lines(found: Diagnosis) -> Iterator[str]:
    """Yield a line for each fact, with what to do about it, and what follows from all of them."""
    for fact in found.facts:
        yield f"{_MARKS[fact.grade]:<4} {'. '.join(filter(None, (fact.said, fact.advice)))}"
    if found.page_runs:
        yield Sentence("Layerglass {version}: the page can run here.", version=found.layerglass)
    else:
        yield Sentence(
            "Layerglass {version}: the page cannot run here until what begins with 'no' is mended.",
            version=found.layerglass,
        )


def _facts() -> Iterator[Fact | None]:
    weights = hardware.weights_folder()
    yield from (parts.python(), parts.packages(), parts.pytorch())
    yield from (hardware.memory(), hardware.processor(), hardware.card(), hardware.engine())
    yield from (hardware.folder("weights", weights, "TORCH_HOME"), hardware.disk(weights))
    yield hardware.folder("results", hardware.results_folder(), "LAYERGLASS_FOLDERS")
    yield from (reaching.port(), reaching.network(), reaching.browser())
