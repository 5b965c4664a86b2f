"""Inputs that many tests share."""

import pytest
import torch


@pytest.fixture(autouse=True)
def _seeded() -> None:
    """Every test draws the same weights and inputs."""
    torch.manual_seed(0)


@pytest.fixture
def images() -> None:
    """Two small pictures (2, 3, 8, 8)."""
    return torch.rand(2, 3, 8, 8)


@pytest.fixture
def rows() -> None:
    """Two vectors (2, 4)."""
    return torch.randn(2, 4)
