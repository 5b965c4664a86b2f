"""Inputs that many tests share."""

from collections.abc import Iterator

import pytest
import torch

from tests.viz.subjects import Counting, Shelf
from viz.engine.engine import LocalEngine


@pytest.fixture(autouse=True)
def _seeded() -> None:
    """Seed every test, so that it always draws the same weights and inputs."""
    torch.manual_seed(0)


@pytest.fixture
def images() -> None:
    """Two small pictures (2, 3, 8, 8)."""
    return torch.rand(2, 3, 8, 8)


@pytest.fixture
def rows() -> None:
    """Two vectors (2, 4)."""
    return torch.randn(2, 4)


@pytest.fixture
def shelf() -> Shelf:
    """The loader that the engine loads from."""
    return Shelf()


@pytest.fixture
def engine(shelf: Shelf) -> Iterator[LocalEngine]:
    """A fresh engine on the processor; closed after the test, whatever its nets still wait for."""
    engine = LocalEngine(shelf, device="cpu")
    yield engine
    for _, net in shelf.loaded:
        if isinstance(net, Counting):
            net.gate.set()
    engine.close()
