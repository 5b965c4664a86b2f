"""A sweep looks at one model after another, and survives whatever they do."""

import pytest

from tests.viz.commands.shelf import LOADER
from viz.commands.sweep import chosen, sweep
from viz.commands.sweep_report import Bounds, Row
from viz.errors import RequestError

UNBOUNDED = "this system bounds no process's memory: a model may take all that there is"
NAMES = ("first", "second", "third")


@pytest.mark.parametrize(
    ("wanted", "limit", "expected"),
    [
        (None, None, NAMES),
        (None, 2, NAMES[:2]),
        ("third, first", None, ("third", "first")),
        ("third,first,third,", 1, ("third",)),
        (None, 99, NAMES),
    ],
)
def test_models_are_chosen_by_name_and_number(
    wanted: str | None, limit: int | None, expected: tuple[str, ...]
) -> None:
    """In the order in which they were named, each once."""
    assert chosen(NAMES, wanted, limit) == expected


@pytest.mark.parametrize(
    ("wanted", "limit"), [("fourth", None), ("first,fourth", None), (None, 0), (None, -1), (",", 1)]
)
def test_a_choice_that_leaves_nothing_is_refused(wanted: str | None, limit: int | None) -> None:
    """So is a choice of which one part does not exist."""
    with pytest.raises(RequestError):
        chosen(NAMES, wanted, limit)


def test_no_models_at_all_are_refused() -> None:
    """A family that is not installed has none."""
    with pytest.raises(RequestError, match="no model"):
        chosen((), None, None)


@pytest.mark.parametrize("there", [True, False])
def test_a_system_without_limits_is_warned_of_once(
    there: bool, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the process that somebody reads, before the first model, and not by those of the models."""
    if not there:
        monkeypatch.setattr("viz.system.limits._resource", None)
    assert list(sweep([], LOADER, Bounds())) == []
    assert [each.getMessage() for each in caplog.records] == [UNBOUNDED] * (not there)


def row(model: str, bounds: Bounds | None = None) -> Row:
    """The only row of a sweep over one model of the shelf."""
    [found] = sweep([model], LOADER, bounds or Bounds())
    return found


def test_rows_come_in_order_with_what_was_measured(capfd: pytest.CaptureFixture[str]) -> None:
    """A model that prints does not disturb the report."""
    fine, loud = sweep(["fine", "loud"], LOADER, Bounds())
    assert (fine.model, fine.layers, fine.drawn, fine.explained, fine.failed) == ("fine", 2, 2, 0, 0)
    assert (loud.model, loud.drawn, loud.failures) == ("loud", 2, ())
    assert 0 < fine.seconds < 60
    assert 50 < fine.peak_mb < 8192
    assert "talks" not in capfd.readouterr().out


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("killed", "its process was ended by SIGKILL"),
        ("leaving", "its process was ended with status 3"),
        ("broken", r"KeyError: 'no such\nweights'"),
        ("raising", "ZeroDivisionError: at run time, of 1"),
    ],
)
def test_a_model_that_fails_has_a_row_that_says_why(model: str, message: str) -> None:
    """Models that raise, leave and are killed are covered."""
    found = row(model)
    assert (found.model, found.drawn, found.failed, found.failures) == (model, 0, 1, (("", message),))


def test_a_model_that_never_ends_is_given_up() -> None:
    """It is ended after its time limit."""
    found = row("endless", Bounds(seconds=2))
    assert found.failures == (("", "it was not done after 2 seconds"),)
    assert found.seconds >= 2


def test_a_model_that_wants_too_much_memory_does_not_get_it() -> None:
    """Its allocation of 64 GB fails at once, and only this model fails."""
    huge, fine = sweep(["huge", "fine"], LOADER, Bounds(memory=4))
    assert huge.failed == 1
    assert "memory" in huge.failures[0][1]
    assert fine.drawn == 2
