"""An array that grows by a picture at a time, stopped and killed at every place; zarr reads it."""

from pathlib import Path

import numpy as np
import pytest
import zarr

from tests.viz.exemplars.folders import contents
from viz.exemplars.rawmaps.array import GrowingArray
from viz.exemplars.rawmaps.form import array_metadata

PICTURES, SHARD = 11, 4
VALUES = np.random.default_rng(0).normal(size=(PICTURES, 2, 3, 3)).astype(np.float32)
WITHOUT = {3, 5}
"""Pictures of which nothing is kept; one of them is the last of its shard."""


def array(folder: Path) -> GrowingArray:
    """An array on its way in a folder."""
    metadata = array_metadata(VALUES.shape, SHARD, VALUES.dtype, {})
    return GrowingArray(folder / "unfinished", folder / "finished", SHARD, metadata)


def grow(growing: GrowingArray, begin: int, end: int, *, settled: int) -> None:
    """Add pictures, and settle after every few of them."""
    for number in range(begin, end):
        if number not in WITHOUT:
            growing.add(number, VALUES[number])
        if (number + 1) % settled == 0:
            growing.settle(number + 1)
            growing.publish(number + 1)


def whole(folder: Path) -> dict[str, bytes]:
    """The files of an array that was written in one go."""
    growing = array(folder)
    grow(growing, 0, PICTURES, settled=PICTURES)
    growing.settle(PICTURES)
    growing.finish(PICTURES, complete=True)
    return contents(folder / "finished")


@pytest.mark.parametrize("done", range(PICTURES + 1))
@pytest.mark.parametrize("further", [0, 1, 3, 6])
def test_wherever_it_is_killed_it_goes_on_with_the_same_bytes(
    tmp_path: Path, done: int, further: int
) -> None:
    """The rows that were written after the last count, also whole shards, are forgotten and written again."""
    expected = whole(tmp_path / "whole")
    first = array(tmp_path / "killed")
    grow(first, 0, done, settled=1)
    grow(first, done, min(PICTURES, done + further), settled=100)
    first.leave()
    second = array(tmp_path / "killed")
    second.take_up(done)
    grow(second, done, PICTURES, settled=2)
    second.settle(PICTURES)
    second.finish(PICTURES, complete=True)
    assert contents(tmp_path / "killed" / "finished") == expected


@pytest.mark.parametrize("done", range(1, PICTURES))
def test_a_stopped_one_can_be_read_and_goes_on(tmp_path: Path, done: int) -> None:
    """The pictures that are done have their numbers, and all else is NaN; at last the bytes are the same."""
    first = array(tmp_path / "stopped")
    grow(first, 0, done, settled=3)
    first.settle(done)
    first.finish(done, complete=False)
    first.leave()
    found = zarr.open_array(tmp_path / "stopped" / "finished", mode="r")[:]
    for number in range(PICTURES):
        if number < done and number not in WITHOUT:
            assert np.array_equal(found[number], VALUES[number])
        else:
            assert np.isnan(found[number]).all()
    second = array(tmp_path / "stopped")
    second.take_up(done)
    grow(second, done, PICTURES, settled=100)
    second.settle(PICTURES)
    second.finish(PICTURES, complete=True)
    assert contents(tmp_path / "stopped" / "finished") == whole(tmp_path / "whole")


def test_an_array_that_was_let_go_takes_no_more_of_its_shard(tmp_path: Path) -> None:
    """It would not reach the disk."""
    growing = array(tmp_path)
    growing.add(0, VALUES[0])
    growing.leave()
    with pytest.raises(ValueError, match="closed"):
        growing.add(1, VALUES[1])
