"""Things go with their group: at its end, or when nobody has renewed its lease; and they are bounded."""

import random

import pytest

pytest.importorskip("ray", reason="Ray is optional: pip install -r requirements-ray.txt")

from viz.engine.ray.leases import MOST_THINGS, Leases

pytestmark = pytest.mark.ray


class Clock:
    """Seconds that a test sets."""

    now = 100.0

    def __call__(self) -> float:
        """The time."""
        return self.now


def test_a_thing_is_found_with_all_of_its_group_until_the_lease_is_over() -> None:
    """A renewal puts that off; afterwards nothing is left, and whoever renews hears so."""
    clock = Clock()
    leases = Leases(1000, clock)
    assert leases.keep("ann", "a", "place a", 10, 5.0)
    assert leases.keep("ann", "b", "place b", 20, 5.0)
    assert leases.keep("bob", "c", "place c", 30, 50.0)
    clock.now += 4
    assert leases.renew(["ann"], 5.0) == []
    clock.now += 4
    found = leases.find("a")
    assert found is not None
    assert (found.group, found.places, found.silent) == ("ann", {"a": "place a", "b": "place b"}, 4.0)
    clock.now += 1
    assert leases.find("a") is leases.find("b") is None
    assert leases.renew(["ann", "bob"], 5.0) == ["ann"]
    assert (leases.bytes, len(leases)) == (30, 1)


def test_who_knows_the_version_is_told_no_places() -> None:
    """Each change has another version, also what is dropped."""
    leases = Leases(1000)
    leases.keep("ann", "a", 1, 10, 50.0)
    first = leases.find("a")
    assert first is not None
    known = leases.find("a", first.version)
    assert known is not None
    assert known.places == {}
    leases.keep("ann", "b", 2, 10, None)
    second = leases.find("a", first.version)
    assert second is not None
    assert second.places == {"a": 1, "b": 2}
    leases.drop("ann", ["b", "never there"])
    third = leases.find("a", second.version)
    assert third is not None
    assert third.places == {"a": 1}


def test_only_the_page_of_a_group_begins_it() -> None:
    """Another one adds to it while it is there, renews nothing, and takes no name of another group."""
    clock = Clock()
    leases = Leases(1000, clock)
    assert not leases.keep("ann", "a", 1, 10, None)
    leases.keep("ann", "a", 1, 10, 5.0)
    clock.now += 4
    assert leases.keep("ann", "b", 2, 10, None)
    assert not leases.keep("bob", "a", 3, 10, 5.0)
    clock.now += 2
    assert leases.find("b") is None
    assert not leases.keep("ann", "b", 2, 10, None)


def test_there_is_never_more_than_may_be() -> None:
    """Things are kept, replaced, dropped and ended by chance: the sum is right, and within the bound."""
    chance, leases = random.Random(3), Leases(500)
    sizes: dict[tuple[str, str], int] = {}
    refused = 0
    for _ in range(3000):
        group, number, size = chance.choice("abc"), chance.randrange(9), chance.randrange(120)
        name, act = f"{group}{number}", chance.random()
        if act < 0.7:
            kept = leases.keep(group, name, object(), size, 1000.0)
            fits = sum(sizes.values()) - sizes.get((group, name), 0) + size <= 500
            assert kept == fits
            refused += not kept
            sizes |= {(group, name): size} if kept else {}
        elif act < 0.9:
            leases.drop(group, [name])
            sizes.pop((group, name), None)
        else:
            leases.end([group])
            sizes = {key: each for key, each in sizes.items() if key[0] != group}
        assert leases.bytes == sum(sizes.values()) <= 500
    assert refused > 100


def test_a_group_has_so_many_things_and_no_more() -> None:
    """A visitor who holds a token can make a process add subjects to its visit."""
    leases = Leases(1 << 30)
    kept = [leases.keep("ann", f"thing {number}", number, 1, 5.0) for number in range(MOST_THINGS + 2)]
    assert kept == [True] * MOST_THINGS + [False] * 2
    assert leases.keep("ann", "thing 0", "again", 1, 5.0)
