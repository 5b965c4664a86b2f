"""Caches: bounded in bytes, what is cheapest to make again out first, and of that the oldest."""

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from viz.cache import ByteCache, Pool


def test_the_least_recently_used_goes_first() -> None:
    """A look counts as a use."""
    cache = ByteCache[bytes](10, len)
    cache.keep("a", b"1234")
    cache.keep("b", b"1234")
    assert cache.get("a") == b"1234"
    cache.keep("c", b"1234")
    assert [cache.get(key) for key in "abc"] == [b"1234", None, b"1234"]
    assert cache.bytes == 8


def test_what_is_larger_than_all_of_it_pushes_nothing_out() -> None:
    """It comes back, and is not kept."""
    cache = ByteCache[bytes](10, len)
    cache.keep("a", b"1234")
    assert cache.keep("large", b"12345678901") == b"12345678901"
    assert cache.get("large") is None
    assert cache.get("a") == b"1234"


def test_it_says_how_often_it_had_what_was_asked_for() -> None:
    """A value that is kept, one that never was, and one that had to go."""
    cache = ByteCache[bytes](10, len)
    cache.keep("a", b"123456")
    for key in "aab":
        cache.get(key)
    cache.keep("b", b"123456")
    cache.get("a")
    assert (cache.hits, cache.misses, cache.limit) == (2, 2, 10)


def test_many_threads_never_exceed_the_limit() -> None:
    """Eight at once, with values of different sizes under the same few names."""
    cache = ByteCache[bytes](1000, len)

    def use(number: int) -> bool:
        cache.keep(number % 13, bytes(number % 200))
        return cache.bytes <= 1000

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(use, range(2000)))


def test_a_cleared_cache_keeps_nothing_and_goes_on() -> None:
    """Later entries are kept again."""
    cache = ByteCache[bytes](10, len)
    cache.keep("a", b"1234")
    cache.clear()
    assert cache.get("a") is None
    assert cache.bytes == 0
    cache.keep("a", b"12")
    assert cache.get("a") == b"12"


def test_what_is_cheapest_to_make_again_for_its_size_goes_first() -> None:
    """A large value of a second goes before a small one of a tenth, though it was used last."""
    cache = ByteCache[bytes](10, len)
    cache.keep("small", b"1", seconds=0.2)
    cache.keep("large", b"12345678", seconds=1.0)
    cache.get("large")
    cache.keep("new", b"12", seconds=1.0)
    assert [cache.peek(key) for key in ("small", "large", "new")] == [b"1", None, b"12"]


def test_caches_of_one_pool_push_out_each_other_and_have_its_limit_together() -> None:
    """Whichever keeps what is cheapest gives way; what remains fills the pool."""
    pool = Pool(10)
    dear, cheap = ByteCache[bytes](pool, len), ByteCache[bytes](pool, len)
    for key in range(5):
        cheap.keep(key, b"12", seconds=0.1)
    for key in range(4):
        dear.keep(key, b"12", seconds=1.0)
        assert dear.bytes + cheap.bytes == pool.bytes == 10
    assert (dear.bytes, cheap.bytes, dear.limit, cheap.limit) == (8, 2, 10, 10)
    pool.resize(4)
    assert (dear.bytes, cheap.bytes) == (4, 0)


def test_memory_that_values_share_counts_once_until_the_last_of_them_has_gone() -> None:
    """A use of one of them is a use of both: the third goes."""
    cache = ByteCache[dict[str, int]](10, lambda parts: parts)
    for key in ("block", "last layer"):
        cache.keep(key, {"tensor": 6})
    assert cache.bytes == 6
    cache.keep("other", {"another": 4})
    cache.get("block")
    cache.keep("new", {"one more": 4})
    assert [cache.peek(key) is not None for key in ("block", "last layer", "other")] == [True, True, False]
    cache.drop("block")
    assert cache.bytes == 10
    cache.drop("last layer")
    assert cache.bytes == 4


@given(
    steps=st.lists(
        st.tuples(
            st.sampled_from("kkgd"),
            st.integers(0, 5),
            st.integers(0, 4),
            st.sampled_from([1, 2, 4]),  # so that what is added up has no rounding
            st.integers(0, 3),
        ),
        max_size=60,
    ),
    limit=st.integers(1, 12),
)
def test_any_life_goes_as_a_list_that_is_searched_each_time(
    steps: list[tuple[str, int, int, int, int]], limit: int
) -> None:
    """The oracle has no queue and no counts: it adds up, and looks for the least, as the paper says."""
    cache = ByteCache[tuple[int, int]](limit, lambda value: {value[0]: value[1]})
    oracle = Oracle(limit)
    for act, key, piece, size, seconds in steps:
        if act == "k":
            value = (piece * 10 + size, size)  # the same piece of memory has the same size
            cache.keep(key, value, float(seconds))
            oracle.keep(key, value, float(seconds))
        elif act == "g":
            assert cache.get(key) == oracle.get(key)
        else:
            cache.drop(key)
            oracle.kept.pop(key, None)
        assert {each: cache.peek(each) for each in range(6)} == {each: oracle.peek(each) for each in range(6)}
        assert cache.bytes == oracle.bytes <= limit


class Oracle:
    """GreedyDual-Size by the letter, with memory that several values may share."""

    def __init__(self, limit: int) -> None:
        self.limit, self.age, self.turn = limit, Fraction(0), 0
        self.kept: dict[int, tuple[tuple[int, int], Fraction, Fraction, int]] = {}

    @property
    def bytes(self) -> int:
        """Each piece once."""
        return sum(dict(value for value, *_ in self.kept.values()).values())

    def peek(self, key: int) -> tuple[int, int] | None:
        """The value, if it is kept."""
        return self.kept[key][0] if key in self.kept else None

    def get(self, key: int) -> tuple[int, int] | None:
        """The value; it is worth as much as if it had just come, with all in the same memory."""
        if key in self.kept:
            self.touch(self.kept[key][0])
        return self.peek(key)

    def touch(self, value: tuple[int, int]) -> None:
        """Count a use; those in the same memory have the same turn."""
        self.turn += 1
        for each, (other, price, *_) in self.kept.items():
            if other == value:
                self.kept[each] = other, price, self.age + price, self.turn

    def keep(self, key: int, value: tuple[int, int], seconds: float) -> None:
        """Keep it, and let the least go while there is too much."""
        if value[1] > self.limit:
            return
        price = Fraction(seconds) / value[1]
        self.turn += 1
        self.kept.pop(key, None)
        self.kept[key] = value, price, self.age + price, self.turn
        while self.bytes > self.limit:
            least = min(self.kept, key=lambda each: self.kept[each][2:])
            self.age = self.kept.pop(least)[2]
