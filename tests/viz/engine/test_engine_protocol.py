"""The choice of an engine by the environment, on systems that have all kinds and on those that have not."""

import pytest

from viz.engine import engine_protocol
from viz.engine.engine_protocol import CHOICE, USUAL, chosen
from viz.errors import RequestError


@pytest.mark.parametrize(
    ("choice", "copies", "kind", "warnings"),
    [
        ("process", True, "process", 0),
        ("process", False, "local", 1),
        ("local", False, "local", 0),
        ("ray://head:10001", False, "ray", 0),
    ],
)
def test_processes_that_no_system_can_make_are_said_to_be_missing(
    choice: str,
    copies: bool,
    kind: str,
    warnings: int,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Once, however often it is asked; whoever has chosen another kind has nothing to read."""
    monkeypatch.setattr(engine_protocol, "COPIES", copies)
    engine_protocol._warn.cache_clear()
    assert {chosen({CHOICE: choice}), chosen({CHOICE: choice})} == {kind}
    said = [each.getMessage() for each in caplog.records]
    assert len(said) == warnings
    assert all("models run in the page's own process" in each for each in said)
    engine_protocol._warn.cache_clear()


@pytest.mark.parametrize("choice", ["rya", "Process", "ray:head", "ray://", "local "])
def test_an_engine_that_there_is_not_is_refused_with_those_that_there_are(choice: str) -> None:
    """In place of another one that nobody has chosen."""
    with pytest.raises(RequestError, match="choose local, process, ray or ray://HOST:PORT"):
        chosen({CHOICE: choice})


def test_an_empty_choice_of_an_engine_is_none() -> None:
    """As files for containers pass on a setting that nobody has made."""
    assert chosen({CHOICE: ""}) == chosen({}) == USUAL
