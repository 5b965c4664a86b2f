"""Place in the queue: others go before, each once, in the order of coming, and urgent ones first."""

from viz.engine.place import WaitingVisitor, before


def queue(names: str) -> list[WaitingVisitor]:
    """Return a waiting visitor for each letter, urgent if it is a capital."""
    return [WaitingVisitor(each.lower(), each.isupper()) for each in names]


def test_each_other_counts_once_because_visitors_take_turns() -> None:
    """However much they have asked for."""
    assert before(queue("AABAC"), "c") == 2


def test_who_comes_later_does_not_count() -> None:
    """Nor what the visitor has asked for as well."""
    assert before(queue("AABBC"), "a") == 0
    assert before(queue("BABBC"), "a") == 1


def test_urgent_ones_go_before_all_who_are_not() -> None:
    """Also if they have come later; and whoever waits urgently waits for none of the others."""
    assert before(queue("abC"), "b") == 2
    assert before(queue("abC"), "c") == 0


def test_the_visitors_first_turn_counts() -> None:
    """An urgent question comes sooner than an earlier one that is not."""
    assert before(queue("bcBA"), "b") == 0


def test_who_does_not_wait_has_no_place() -> None:
    """As if nobody were there."""
    assert before(queue("AB"), "c") is None
    assert before([], "c") is None
