"""A run on a cluster has the files of a run in one process; an actor that is killed costs nothing."""

import importlib.util
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.viz.conftest import NO_RAY
from tests.viz.exemplars.folders import Small, capture_of, contents, noise, search_of
from tests.viz.exemplars.spread.hazards import MARK
from viz.errors import RequestError
from viz.exemplars.card import Request
from viz.exemplars.search import Search, exemplars, wanted_of
from viz.exemplars.spread import cluster
from viz.exemplars.spread.cluster import Actors, check_installed, on_cluster
from viz.exemplars.spread.errand import Errand

LOADER = "tests.viz.exemplars.spread.hazards:load"
with_ray = pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason=NO_RAY)


def errand_of(search: Search, request: Request, *settings: tuple[str, str]) -> Errand:
    """Return the errand of the actors for this run."""
    wanted = wanted_of(search, request)
    return Errand(LOADER, request, search.folder, wanted, settings=settings)


def runs(tmp_path: Path, count: int) -> tuple[tuple[Search, Request], tuple[Search, Request]]:
    """The same run twice, into two folders; some of the pictures cannot be read."""
    folder = noise(tmp_path / "pictures", count)
    (folder / "0004.jpg").touch()
    (folder / "below" / "text.png").write_text("no picture")
    here, there = (search_of(folder, tmp_path / name, Small(), "first") for name in ("here", "there"))
    return capture_of(here, "relu"), capture_of(there, "relu")


def test_without_ray_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before any work."""
    monkeypatch.setattr(cluster, "find_spec", lambda _: None)
    with pytest.raises(RequestError, match=r"install layerglass\[ray\], or leave out --ray"):
        check_installed()


@pytest.mark.ray
@with_ray
@pytest.mark.slow
@pytest.mark.usefixtures("ray_cluster")
def test_two_actors_find_the_same_bit_for_bit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file, raw maps and the card too; stopped in the middle, and gone on with on the cluster."""
    monkeypatch.setattr(cluster, "_SMALL", 4)
    (here, request), (there, same) = runs(tmp_path, 40)
    exemplars(here, request)
    looks = on_cluster(Actors(count=2), errand_of(there, same))
    done: list[int] = []
    outcome = exemplars(there, same, looks=looks, advance=done.append, stopping=lambda: done[-1] >= 11)
    assert (outcome.done, outcome.complete) == (11, False)
    assert exemplars(there, same, looks=looks, resume=True).complete
    assert contents(there.out) == contents(here.out)


@pytest.mark.ray
@with_ray
@pytest.mark.slow
@pytest.mark.usefixtures("ray_cluster")
def test_an_actor_that_is_killed_loses_no_picture_and_counts_none_twice(tmp_path: Path) -> None:
    """In the midst of a block, of which some pictures are done; the files are the same bit for bit."""
    mark = tmp_path / "killed"
    (here, request), (there, same) = runs(tmp_path, 40)
    exemplars(here, request)
    deadly = errand_of(there, replace(same, model="deadly"), (MARK, str(mark)))
    outcome = exemplars(there, same, looks=on_cluster(Actors(count=2), deadly))
    assert mark.exists()
    assert outcome.complete
    rows = pq.read_table(there.out / "pictures.parquet")
    assert rows["number"].to_pylist() == list(range(42))
    assert contents(there.out) == contents(here.out)


@pytest.mark.ray
@with_ray
@pytest.mark.slow
@pytest.mark.usefixtures("ray_cluster")
def test_what_a_cluster_cannot_do_is_said(tmp_path: Path) -> None:
    """Too many models, and a machine with other weights; what was done before is kept, here nothing."""
    (search, request), _ = runs(tmp_path, 3)
    with pytest.raises(RequestError, match="there is no room for 999 models on cpu"):
        exemplars(search, request, looks=on_cluster(Actors(count=999), errand_of(search, request)))
    other = errand_of(search, replace(request, weights_sha256="ab"))
    looks = on_cluster(Actors(count=1), other)
    with pytest.raises(RequestError, match=r"the cluster has failed, and --resume goes on: .*ab here"):
        exemplars(search, request, looks=looks, resume=True)
