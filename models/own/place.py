"""Place of a model's weights in a file, by names and shapes."""

from collections import Counter
from collections.abc import Iterator, Mapping

from .state_finding import likely_place

__all__ = ["fitting_places"]


def fitting_places(held: Mapping[str, str], wanted: Mapping[str, str]) -> tuple[str, ...]:
    """Return the prefixes of a model's weights' names in a file.

    There are several if the weights are there again. The first is where most of the model's names are with
    the model's shapes. Where none is, it is the file's largest state dict.

    Args:
        held: the shape of each of the file's tensors, in words, by its name.
        wanted: the same of the model.
    """
    longest = max((name.count(".") for name in wanted), default=0)
    votes = Counter(
        name[:start]
        for name, shape in held.items()
        for start in _starts(name, longest)
        if wanted.get(name[start:]) == shape
    )
    if not votes:
        return (likely_place(held),)
    most = max(votes.values())
    return tuple(place for place, count in votes.items() if count == most)


def _starts(name: str, dots: int) -> Iterator[int]:
    """Yield the places in a name with at most ``dots`` dots behind."""
    start = len(name)
    for _ in range(dots + 1):
        start = max(name.rfind(".", 0, start), name.rfind("/", 0, start))
        yield start + 1
        if start < 0:
            return
