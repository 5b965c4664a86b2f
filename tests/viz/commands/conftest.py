"""Commands as on a machine whose ports are all free, and in a process that ends with them."""

import os
from collections.abc import Iterator
from unittest.mock import patch

import pytest


@pytest.fixture(autouse=True)
def _any_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let ``serve`` have every address; ``tests/viz/reach/test_listening.py`` has the real check.

    That one binds the port: beside a page on 8501, or for a user who may not have port 9, it would refuse.
    """
    monkeypatch.setattr("viz.commands.line.serve.check_address", lambda _host, _port: None)


@pytest.fixture(autouse=True)
def _environment() -> Iterator[None]:
    """Put back the settings that a command makes for the processes it starts: its own would end with it."""
    with patch.dict(os.environ):
        yield
