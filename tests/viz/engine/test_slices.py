"""Work in slices, done step by step, or in a row."""

from collections.abc import Generator

import pytest

from viz.engine.slices import at_once, went_on


def counting(steps: list[int]) -> Generator[None, None, str]:
    """Three slices."""
    for number in range(3):
        steps.append(number)
        if number < 2:
            yield
    return "all"


def test_each_step_does_one_slice_and_the_last_has_the_answer() -> None:
    """Nothing is done ahead."""
    steps: list[int] = []
    slices = counting(steps)
    assert steps == []
    assert [went_on(slices) for _ in range(3)] == [(False, None), (False, None), (True, "all")]
    assert steps == [0, 1, 2]


def test_all_slices_can_be_done_in_a_row() -> None:
    """Work that comes in no slices is the answer itself."""
    steps: list[int] = []
    assert at_once(counting(steps)) == "all"
    assert steps == [0, 1, 2]
    assert at_once(7) == 7


def test_an_error_of_a_slice_is_raised() -> None:
    """At the step that meets it."""

    def slices() -> Generator[None, None, None]:
        yield
        raise KeyError("odd")

    going = slices()
    assert went_on(going) == (False, None)
    with pytest.raises(KeyError):
        went_on(going)
