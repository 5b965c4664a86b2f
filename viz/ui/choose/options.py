"""Choices for a subject and their defaults, for address and widgets."""

from collections.abc import Sequence

from ...pictures.samples import sample_names
from ..visit.catalogue.known import names
from ..visit.service import DEFAULT_MODEL

FIRST = {"model": DEFAULT_MODEL, "weights": "pretrained", "sample": "cat"}


def options(name: str) -> Sequence[str]:
    """Every value that a choice can have, by language-neutral id."""
    return {
        "model": names,
        "sample": sample_names,
        "weights": lambda: ("pretrained", "random"),
    }[name]()
