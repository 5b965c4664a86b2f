"""Shelf of stages: bounded in bytes, and what saves least for its size goes first."""

import random

import torch

from viz.passes.resumed.shelf import StageShelf

NAMES = ("a", "b", "c", "early", "late")


def output(values: int) -> torch.Tensor:
    """An output of so many values, four bytes each."""
    return torch.zeros(values)


def kept(shelf: StageShelf) -> dict[object, list[str]]:
    """The stages of each photo."""
    found = {photo: sorted(shelf.of(photo, NAMES)) for photo in range(100)}
    return {photo: names for photo, names in found.items() if names}


def test_late_and_small_stages_stay_where_not_all_have_room() -> None:
    """Every photo keeps its late one."""
    shelf = StageShelf(4 * 130)
    for photo in range(10):
        shelf.keep(photo, "early", output(80), saves=0.2)
        shelf.keep(photo, "late", output(5), saves=0.9)
    assert all("late" in stages for stages in kept(shelf).values())
    assert len(kept(shelf)) == 10
    assert shelf.bytes == 4 * (10 * 5 + 80)


def test_of_equal_stages_the_one_used_last_stays() -> None:
    """A use counts as much as coming."""
    shelf = StageShelf(4 * 2)
    for photo in (1, 2):
        shelf.keep(photo, "a", output(1), saves=0.5)
    shelf.keep(3, "a", output(1), saves=0.5)  # whoever came first goes
    shelf.use(2, "a")
    shelf.keep(4, "a", output(1), saves=0.5)
    assert sorted(kept(shelf)) == [2, 4]


def test_what_nobody_has_used_for_long_goes_however_much_it_saves() -> None:
    """Those who come later are worth more, the more have come and gone."""
    shelf = StageShelf(4 * 3)
    shelf.keep(0, "a", output(1), saves=1.0)
    for photo in range(1, 50):
        shelf.keep(photo, "a", output(1), saves=0.2)
    assert 0 not in kept(shelf)


def test_one_that_is_too_large_or_empty_is_not_kept() -> None:
    """And pushes out nobody."""
    shelf = StageShelf(4 * 2)
    shelf.keep(1, "a", output(2), saves=0.1)
    shelf.keep(2, "a", output(3), saves=1.0)
    shelf.keep(3, "a", output(0), saves=1.0)
    assert kept(shelf) == {1: ["a"]}


def test_a_stage_that_comes_again_takes_its_own_place() -> None:
    """It is counted once."""
    shelf = StageShelf(4 * 10)
    for _ in range(3):
        shelf.keep(1, "a", output(4), saves=0.5)
    assert (shelf.bytes, kept(shelf)) == (16, {1: ["a"]})


def test_a_long_life_stays_within_the_limit_and_the_count_is_right() -> None:
    """A use of what is not kept changes nothing."""
    chance, shelf = random.Random(0), StageShelf(4 * 50)
    for _ in range(3000):
        photo, name = chance.randrange(20), chance.choice("abc")
        if chance.random() < 0.5:
            shelf.use(photo, name if name in shelf.of(photo, NAMES) else None)
        else:
            shelf.keep(photo, name, output(chance.randrange(1, 9)), chance.random())
    entries = [tensor for photo in range(20) for tensor in shelf.of(photo, NAMES).values()]
    assert sum(tensor.nbytes for tensor in entries) == shelf.bytes <= shelf.limit
    assert shelf.hits + shelf.misses > 1000
    shelf.clear()
    assert (shelf.bytes, kept(shelf)) == (0, {})
