"""Pictures through copies of the model in other processes: the same numbers, with one thread each."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from tests.viz.exemplars.folders import Small, exemplars, noise, request_of, rows, search_of
from viz.exemplars.ahead import with_threads
from viz.exemplars.listing import pictures
from viz.exemplars.search import here
from viz.exemplars.sources.bucket import Bucket


class Telling(nn.Module):
    """Returns how many threads PyTorch has, and in which process it is."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Identity()

    def forward(self, images: Tensor) -> Tensor:
        """Return two channels (N, 2, 1, 1) of images (N, 3, H, W)."""
        told = torch.tensor([torch.get_num_threads(), os.getpid()], dtype=torch.float32)
        found: Tensor = self.layer(told.expand(len(images), 2)[:, :, None, None])
        return found


@pytest.mark.parametrize(("workers", "processes"), [(0, 1), (1, 1), (2, 2)])
def test_every_model_has_one_thread_and_a_process(tmp_path: Path, workers: int, processes: int) -> None:
    """However many threads this process has, which it still has behind the run."""
    search = search_of(noise(tmp_path / "in", 8), tmp_path / "out", Telling(), "layer", workers=workers)
    with with_threads(2):
        exemplars(search, request_of(search))
        assert torch.get_num_threads() == 2
    found = rows(tmp_path / "out" / "maxima.parquet")
    assert {row["maximum"] for row in found if row["channel"] == 0} == {1}
    there = {row["maximum"] for row in found if row["channel"] == 1}
    assert len(there) == processes
    assert (float(os.getpid()) in there) == (not workers)


@pytest.mark.parametrize("has_address", [False, True])
def test_copies_find_what_this_process_finds(tmp_path: Path, *, has_address: bool) -> None:
    """Number by number, raw maps too, in the order of the pictures; one cannot be read, and says why."""
    folder = noise(tmp_path / "in", 12)
    (folder / "0004.png").write_bytes(b"text")
    place = Bucket(f"file://{folder}") if has_address else folder
    found = []
    for workers in (0, 2):
        search = search_of(folder, tmp_path / "out", Small(), workers=workers)
        search = type(search)(**{**vars(search), "folder": place, "maps": search.chosen})
        with here(search, request_of(search))(enumerate(pictures(place))) as looks:
            found.append(list(looks))
    alone, copied = found
    assert [each.number for each in copied] == [*range(12)]
    assert [each.picture for each in copied if each.problem] == ["0004.png"]
    for one, other in zip(alone, copied, strict=True):
        assert one._replace(peaks=None, maps=()) == other._replace(peaks=None, maps=())
        _assert_same(one.peaks, other.peaks)
        assert len(one.maps) == len(other.maps)
        for mine, theirs in zip(one.maps, other.maps, strict=True):
            assert mine[:2] == theirs[:2]
            np.testing.assert_array_equal(mine.values, theirs.values)


def _assert_same(one: Any, other: Any) -> None:
    assert (one is None) == (other is None)
    if one is not None:
        assert one.calls == other.calls
        for name in ("maximum", "mean", "row", "column"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
