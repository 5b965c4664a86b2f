"""The cache: bounded in bytes, oldest out first."""

from concurrent.futures import ThreadPoolExecutor

from viz.cache import ByteCache


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
    """What comes later is kept again."""
    cache = ByteCache[bytes](10, len)
    cache.keep("a", b"1234")
    cache.clear()
    assert cache.get("a") is None
    assert cache.bytes == 0
    cache.keep("a", b"12")
    assert cache.get("a") == b"12"
