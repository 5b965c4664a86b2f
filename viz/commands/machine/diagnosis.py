"""All facts about this machine, as values and as lines of text."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache

from ...home import version
from ...sentences import Sentence
from . import hardware, parts, pytorch, reaching
from .facts import Diagnosis, Fact, Grade

_MARKS: Mapping[Grade, str] = {"good": "ok", "lacking": "warn", "fatal": "fail"}


def diagnosis(facts: Iterable[Fact | None] | None = None) -> Diagnosis:
    """Return the facts about this machine, by default all of them.

    To find out all of them takes some seconds.
    """
    known = tuple(filter(None, _facts() if facts is None else facts))
    runs = all(each.grade != "fatal" for each in known)
    return Diagnosis(layerglass=version(), page_runs=runs, facts=known)


def diagnosis_lines(found: Diagnosis) -> Iterator[str]:
    """Yield a line for each fact, and one for all of them."""
    for fact in found.facts:
        yield f"{_MARKS[fact.grade]:<4} {'. '.join(filter(None, (fact.said, fact.advice)))}"
    if found.page_runs:
        yield Sentence("Layerglass {version}: the page can run here.", version=found.layerglass)
    else:
        yield Sentence(
            "Layerglass {version}: the page cannot run here until what begins with 'fail' is mended.",
            version=found.layerglass,
        )


def found_out(name: str, source: Callable[[], Fact | None]) -> Fact | None:
    """Return a fact, or the error of finding it out as one.

    So all other facts are still said.
    """
    try:
        return source()
    except Exception as error:  # noqa: BLE001  # of a machine that is none of ours
        said = f"{type(error).__name__}: {error}"
        return Fact(
            name=name,
            grade="lacking",
            said=Sentence("{name}: cannot be found out: {error}", name=name, error=" ".join(said.split())),
            advice=Sentence("If these words do not say why, report them."),
        )


def _facts() -> Iterator[Fact | None]:
    probe = cache(pytorch.probe)
    sources: Mapping[str, Callable[[], Fact | None]] = {
        "python": parts.python,
        "packages": parts.packages,
        "pytorch": lambda: pytorch.library(probe()),
        "memory": hardware.memory,
        "processor": hardware.processor,
        "card": lambda: pytorch.card(probe()),
        "engine": hardware.engine,
        "weights": lambda: hardware.folder("weights", hardware.weights_folder(), "TORCH_HOME"),
        "disk": lambda: hardware.disk(hardware.weights_folder()),
        "results": lambda: hardware.folder("results", hardware.results_folder(), "LAYERGLASS_FOLDERS"),
        "port": reaching.port,
        "network": reaching.network,
        "chromium": reaching.browser,
    }
    return (found_out(name, source) for name, source in sources.items())
