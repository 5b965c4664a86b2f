"""The engine's caches: bounded in bytes, and never the reason why an answer is missing."""

import sys

import numpy as np
from msgspec.structs import astuple

from tests.machine import patience
from tests.viz.conftest import Start, local
from tests.viz.distant import DistantShelf
from tests.viz.subjects import Shelf, photo, wanted
from viz.engine.engine import Engine, Limits, answer_bytes
from viz.findings.values import LayerValues, Leaf
from viz.views.drawing import draw_view
from viz.views.one_layer import View
from viz.views.whole_model import Survey

WAIT = patience(120)
FIRST = 4 * 4 * 6 * 6  # bytes of the first layer's output (1, 4, 6, 6) as float32


def passes_for(engine: Engine, shelf: Shelf | DistantShelf, seeds: list[int], layer: str = "first") -> int:
    """Return the number of forward passes that these pictures took, looked at one after the other."""
    engine.do(Survey("counting", "random"), visitor="ann").result(WAIT)
    before = shelf.net.passes
    for seed in seeds:
        engine.do(View(wanted(photo(seed), layer), photo(seed)), visitor="ann").result(WAIT)
    return shelf.net.passes - before


def test_what_is_kept_is_not_computed_again(start: Start) -> None:
    """The caches have room for everything here."""
    assert passes_for(*start(Limits()), [1, 2, 3, 1, 2, 3]) == 3


def test_values_beyond_the_limit_are_forgotten_oldest_first(start: Start) -> None:
    """There is room for two pictures' values and no answers, which take more: what was used last stays."""
    two = Limits(kept=2 * FIRST)
    assert passes_for(*start(two), [1, 2, 1, 2, 1, 2]) == 2
    assert passes_for(*start(two), [1, 2, 3, 3, 2, 1]) == 4


def test_answers_larger_than_the_whole_cache_are_given_all_the_same(start: Start) -> None:
    """Nothing is kept, everything is answered."""
    engine, shelf = start(Limits(models=0, kept=0))
    assert passes_for(engine, shelf, [1]) > 0
    assert [name for name, _ in shelf.loaded] == ["counting"] * 2


def test_models_beyond_the_limit_are_loaded_again(start: Start) -> None:
    """Room for one net: the one that was used last stays."""
    engine, shelf = start(Limits(models=1500, kept=0))
    for model in ("one", "one", "two", "two", "one"):
        engine.do(Survey(model, "random"), visitor="ann").result(WAIT)
    assert [name for name, _ in shelf.loaded] == ["one", "two", "one"]


def test_a_prefetch_of_a_pass_that_is_too_large_records_one_layer(start: Start) -> None:
    """The other layers would fill the cache and push out what somebody looks at."""
    engine, shelf = start(Limits(whole_pass=100))
    picture = photo(1)
    engine.do(View(wanted(picture, "relu"), picture, whole=True), visitor="ann", urgent=False).result(WAIT)
    passes = shelf.net.passes
    engine.do(View(wanted(picture, "second"), picture), visitor="ann").result(WAIT)
    assert shelf.net.passes == passes + 1


def test_a_long_visit_stays_within_the_limits(local_shelf: Shelf) -> None:
    """A hundred pictures, and what is kept is no more than was allowed."""
    limits = Limits(kept=10 * FIRST + 20_000)
    with local(local_shelf, limits) as engine:
        for seed in range(100):
            engine.do(View(wanted(photo(seed)), photo(seed)), visitor="ann").result(WAIT)
        assert engine._values.bytes > 0
        assert engine._answers.bytes > 0
        assert engine._values.bytes + engine._answers.bytes <= limits.kept


def test_a_view_of_many_channels_counts_all_of_its_numbers() -> None:
    """Two thousand channels of one value each have a tiny picture and many statistics."""
    maps = np.random.default_rng(0).normal(size=(1, 2000, 1, 1)).astype(np.float32)
    values = LayerValues("pool", "AdaptiveAvgPool2d", "cpu", ({"output": Leaf(maps, "float32")},))
    view = draw_view(values, wanted(photo(1), "pool", scale="channel", order="mean"))
    numbers = [*astuple(view.channels), view.vmin, view.vmax, view.histogram, view.geometry.order]
    size = sum(sys.getsizeof(each) + sum(map(sys.getsizeof, each)) for each in numbers)
    assert answer_bytes(view) >= size + len(view.png)
