"""Place of a model's weights in a file, by names and shapes."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from .state_finding import WRAPPERS, endings, likely_place

__all__ = ["fitting_places", "names_at"]


def fitting_places(held: Mapping[str, str], wanted: Mapping[str, str]) -> tuple[str, ...]:
    """Return the prefixes of a model's weights' names in a file.

    There are several if the weights are there again. The first is where most of the model's names are with
    the model's shapes, perhaps with wrappers of its parts inside them. Where none is, it is the file's
    largest state dict.

    Args:
        held: the shape of each of the file's tensors, in words, by its name.
        wanted: the same of the model.
    """
    longest, wrappers = max((name.count(".") for name in wanted), default=0), _foreign(wanted)
    votes = Counter(
        name[:start]
        for name, shape in held.items()
        for start, end in endings(name, longest + 1, wrappers)
        if wanted.get(end) == shape
    )
    if not votes:
        return (likely_place(held),)
    most = max(votes.values())
    return tuple(place for place, count in votes.items() if count == most)


def names_at(place: str, held: Iterable[str], wanted: Collection[str]) -> dict[str, str]:
    """Return a file's names in a place, by the model's names.

    A name that the model has not is taken without wrappers of the model's parts, if the model has it so, and
    the file not.
    """
    inside = {name.removeprefix(place): name for name in held if name.startswith(place)}
    wrappers, found = _foreign(wanted), dict[str, str]()
    for name, full in inside.items():
        plain = ".".join(part for part in name.split(".") if part not in wrappers)
        new = plain in wanted and plain not in inside and plain not in found
        found[plain if new else name] = full
    return found


def _foreign(wanted: Iterable[str]) -> frozenset[str]:
    """Return the wrappers that are no part of the model itself."""
    return frozenset(WRAPPERS).difference(*(name.split(".") for name in wanted))
