"""The engine in this process, as in a notebook, and no model left in the catalogue."""

from collections.abc import Iterator

import pytest

import models
from tests.models_here import models_here

__all__ = ["models_here", "taken_back"]


@pytest.fixture(autouse=True)
def taken_back() -> Iterator[None]:
    """Take back what a test has handed over; later tests in this process list the models."""
    before = set(models.names("handed"))
    yield
    for name in set(models.names("handed")) - before:
        models.own.take_back(name)
