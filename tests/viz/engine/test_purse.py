"""Time that visitors have used of the models: forgotten with time, shared, and why to come back later."""

import time

import pytest

from viz.engine.purse import NOBODY, Purses, Rates, meter
from viz.errors import RateError

RATES = Rates(regained=0.5, light=1.0, most=10.0, kept=20.0, heavy=0.2)


class Clock:
    """A clock that the test sets."""

    now = 100.0

    def __call__(self) -> float:
        """The time."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """Time stands still unless a test says otherwise."""
    return Clock()


@pytest.fixture
def purses(clock: Clock) -> Purses:
    """Nobody has used anything, and two kinds of tasks are known."""
    purses = Purses(RATES, clock)
    purses.took("film", 3.0)
    purses.took("view", 0.02)
    return purses


def test_what_was_used_is_forgotten_at_a_steady_rate(purses: Purses, clock: Clock) -> None:
    """Half a second each second, and never below nothing."""
    purses.spend(["ann"], 2.0)
    assert purses.owed("ann") == 2.0
    clock.now += 3
    assert purses.owed("ann") == 0.5
    clock.now += 3
    assert purses.owed("ann") == purses.owed("bob") == 0


def test_those_who_waited_for_the_same_share_its_cost(purses: Purses) -> None:
    """A class that asks for one thing pays for it once."""
    purses.spend(["ann", "bob"], 3.0)
    assert purses.owed("ann") == purses.owed("bob") == 1.5


def test_work_that_nobody_waits_for_any_more_costs_nobody(purses: Purses) -> None:
    """Visitors who left may come back at once."""
    purses.spend([], 3.0)
    assert not purses.is_heavy("ann")


def test_what_all_visitors_share_costs_nobody(purses: Purses) -> None:
    """Others who waited for the same pay for all of it."""
    purses.spend([NOBODY], 1000.0)
    purses.check(NOBODY, "film")
    purses.spend([NOBODY, "ann"], 3.0)
    assert (purses.owed(NOBODY), purses.owed("ann")) == (0, 3.0)


def test_who_has_used_much_is_heavy_until_it_is_forgotten(purses: Purses, clock: Clock) -> None:
    """Two seconds later half of the surplus would remain; three later none does."""
    purses.spend(["eve"], 2.0)
    assert purses.is_heavy("eve")
    clock.now += 2
    assert not purses.is_heavy("eve")


def test_who_has_used_too_much_comes_back_when_the_sentence_says(purses: Purses, clock: Clock) -> None:
    """Not a second earlier; then it works."""
    purses.spend(["eve"], 13.0)
    with pytest.raises(RateError, match="in 6 seconds"):
        purses.check("eve", "film")
    clock.now += 5
    with pytest.raises(RateError, match="in 1 seconds"):
        purses.check("eve", "film")
    clock.now += 1
    purses.check("eve", "film")


def test_others_and_light_tasks_are_never_sent_away(purses: Purses) -> None:
    """Nor a kind of task of which nobody knows how long it takes."""
    purses.spend(["eve"], 1000.0)
    purses.check("ann", "film")
    purses.check("eve", "view")
    purses.check("eve", "unknown")


def test_nobody_is_sent_away_for_long(purses: Purses) -> None:
    """However much was used: for as long as the surplus that is remembered lasts."""
    purses.spend(["eve"], 1000.0)
    with pytest.raises(RateError, match="in 20 seconds"):
        purses.check("eve", "film")


def test_what_a_kind_takes_follows_what_it_took(purses: Purses) -> None:
    """The mean moves half of the way each time: a first run that loaded a model is soon outweighed."""
    purses.spend(["eve"], 1000.0)
    for _ in range(4):
        purses.took("film", 0.01)
    purses.check("eve", "film")


def test_waiting_costs_nothing_and_computing_what_it_takes() -> None:
    """However long a busy processor lets it wait."""
    waited = meter()
    time.sleep(0.2)
    assert waited() < 0.1
    computed, until = meter(), time.process_time() + 0.1
    while time.process_time() < until:
        pass
    assert computed() == pytest.approx(0.1, abs=0.05)


def test_what_is_excused_is_charged_to_nobody_once(purses: Purses) -> None:
    """Loading a model: of five seconds three are; the next work is charged as it is."""
    purses.excuse(3.0)
    assert [purses.due(5.0), purses.due(5.0)] == [2.0, 5.0]
    purses.excuse(3.0)
    assert purses.due(1.0) == 0.0
