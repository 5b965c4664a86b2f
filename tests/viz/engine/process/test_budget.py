"""One budget for what all processes keep: who needs it has it, and together they never have more."""

import os
import random
import time
from dataclasses import replace

import numpy as np
import pytest

from tests.machine import patience
from tests.viz.subjects import by_hand, photo, wanted
from viz.engine.engine_state import CacheState
from viz.engine.limits import Limits
from viz.engine.process import ProcessEngine
from viz.engine.process.budget import HostUsage, shares
from viz.views.one_layer import Values

TOTAL = 16_000
WAIT = patience(120)
ROOM = 14  # captured values of a photo have room so often in a budget of which each host had a third


def test_a_host_that_works_alone_has_everything_that_resting_ones_do_not_keep() -> None:
    """A class at one model, while three others were looked at before."""
    alone = [HostUsage(4000), HostUsage(0, idle=True), HostUsage(500, idle=True), HostUsage(1500, idle=True)]
    assert shares(TOTAL, alone) == [14_000, 0, 500, 1500]


def test_what_resting_hosts_keep_goes_by_halves_to_one_that_is_full() -> None:
    """Their values are of use as long as nobody needs the room."""
    full, resting = HostUsage(12_000), [HostUsage(3000, idle=True), HostUsage(1000, idle=True)]
    assert shares(TOTAL, [full, *resting]) == [14_000, 1500, 500]


def test_two_that_are_full_have_a_half_each_and_one_that_needs_little_gets_it() -> None:
    """The second has just begun: it gets what it may need until the next sharing, and in the end a half."""
    assert shares(TOTAL, [HostUsage(9000), HostUsage(8000)]) == [8000, 8000]
    assert shares(TOTAL, [HostUsage(16_000), HostUsage(1000)]) == [13_500, 2500]


def test_any_hosts_share_at_most_the_budget_and_each_at_work_has_its_part() -> None:
    """Five hundred draws: who is at work and needs no more than an equal part has that."""
    chance = random.Random(0)
    for _ in range(500):
        kept = [
            HostUsage(chance.randrange(TOTAL // 2), idle=chance.random() < 0.5)
            for _ in range(chance.randrange(1, 6))
        ]
        given = shares(TOTAL, kept)
        assert sum(given) <= TOTAL
        assert all(share >= 0 for share in given)
        for share, each in zip(given, kept, strict=True):
            assert each.idle or share >= min(each.bytes, TOTAL // len(kept))


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="hosts are copies of a nursery")
def test_one_process_of_four_keeps_what_the_whole_budget_holds() -> None:
    """The values of the first photos are still there, beyond a quarter of the budget."""
    picture = photo(0)
    task = Values(wanted(picture, "second"), picture)
    engine = engine_with(Limits())
    size = engine.do(task, visitor="ann").result(WAIT).bytes
    engine.close()
    engine = engine_with(replace(Limits(), kept=size * ROOM))
    try:
        engine.do(task, visitor="ann").result(WAIT)
        until = time.monotonic() + patience(20)
        while values_of(engine).limit < size * (ROOM - 1) and time.monotonic() < until:
            engine.do(task, visitor="ann").result(WAIT)
            time.sleep(0.1)
        photos = [photo(seed) for seed in range(ROOM - 1)]
        for each in photos:
            found = engine.do(Values(wanted(each, "second"), each), visitor="ann").result(WAIT)
            np.testing.assert_allclose(
                found.call(0)["output"].array, by_hand(each)["second"][0], rtol=1e-4, atol=1e-6
            )
        assert values_of(engine).bytes >= size * (ROOM - 1)
    finally:
        engine.close()


def engine_with(limits: Limits) -> ProcessEngine:
    """An engine with up to four processes."""
    modules = ("viz.views.one_layer", "viz.views.whole_model")
    loader = "tests.viz.engine.process.hazards:loader"
    return ProcessEngine(loader, device="cpu", limits=limits, hosts=4, modules=modules)


def values_of(engine: ProcessEngine) -> CacheState:
    """Return the state of the cache of captured values in the engine's one process."""
    [process] = engine.state().processes
    return next(each for each in process.caches if each.cache == "values")
