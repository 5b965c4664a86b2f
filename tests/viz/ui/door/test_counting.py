"""Counts of requests by visitor: how often, and how many at a time."""

from contextlib import suppress

from viz.ui.door.counting import KEYS_KEPT, Places, Rates


class Clock:
    """A clock that a test sets."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_is_let_in_and_the_rest_is_told_when() -> None:
    """Three come in at once; the next one is told to wait half a second."""
    rates = Rates(2.0, 3, Clock())
    assert [rates.take("ada") for _ in range(5)] == [0.0, 0.0, 0.0, 0.5, 0.5]


def test_an_allowance_fills_again_and_never_over_its_burst() -> None:
    """After one second there are two of two a second; after an hour there are three."""
    clock = Clock()
    rates = Rates(2.0, 3, clock)
    assert [rates.take("ada") for _ in range(3)] == [0.0] * 3
    clock.now += 1.0
    assert [rates.take("ada") for _ in range(3)] == [0.0, 0.0, 0.5]
    clock.now += 3600.0
    assert [rates.take("ada") for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]


def test_what_is_given_back_was_not_taken() -> None:
    """It is never more than a burst."""
    rates = Rates(2.0, 3, Clock())
    assert [rates.take("ada") for _ in range(2)] == [0.0, 0.0]
    for _ in range(5):
        rates.give_back("ada")
    assert [rates.take("ada") for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]


def test_one_visitor_takes_nothing_from_another() -> None:
    """Each has an allowance of its own."""
    rates = Rates(1.0, 1, Clock())
    assert rates.take("ada") == 0.0
    assert rates.take("ada") == 1.0
    assert rates.take("grace") == 0.0


def test_made_up_visitors_do_not_fill_the_memory() -> None:
    """The visitor who asked longest ago is forgotten."""
    rates = Rates(1.0, 1, Clock())
    for number in range(KEYS_KEPT + 500):
        rates.take(str(number))
    assert len(rates._left) == KEYS_KEPT


def test_places_are_free_again_once_they_are_left_also_by_an_error() -> None:
    """Nothing is kept for a key that nobody holds."""
    places = Places()
    with suppress(IndexError), places.held("ada", "all"):
        assert not places.free(("ada", 1))
        assert places.free(("ada", 2), ("all", 2))
        [].pop()
    assert places.free(("ada", 1), ("all", 1))
    assert not places._taken
