"""Inputs that many tests share."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
import torch

from tests.viz.distant import Distant, DistantShelf, distant
from tests.viz.on_ray import OnRay
from tests.viz.subjects import Counting, Shelf
from viz.engine.engine import Engine, LocalEngine
from viz.engine.limits import Limits

HERE, FAR, RAY = "in this process", "in another one", "on Ray"
NO_RAY = "Ray is optional: pip install -r requirements-ray.txt"
WITHOUT_RAY = pytest.mark.skipif(find_spec("ray") is None, reason=NO_RAY)
PLACES = (
    HERE,
    *((FAR,) if hasattr(os, "fork") else ()),
    pytest.param(RAY, marks=[WITHOUT_RAY, pytest.mark.ray]),
)


@pytest.fixture(autouse=True)
def _seeded() -> None:
    """Seed every test, so that it always draws the same weights and inputs."""
    torch.default_generator.manual_seed(0)  # torch.manual_seed formats three stacks, for cards that may come
    if torch.cuda.is_available():
        torch.cuda.manual_seed_all(0)


@pytest.fixture(autouse=True)
def _threads() -> Iterator[None]:
    """Give later tests as many threads: answers to exercises take one, and sums differ in their last bits."""
    before = torch.get_num_threads()
    yield
    if torch.get_num_threads() != before:
        torch.set_num_threads(before)


@pytest.fixture
def images() -> None:
    """Two small pictures (2, 3, 8, 8)."""
    return torch.rand(2, 3, 8, 8)


@pytest.fixture
def rows() -> None:
    """Two vectors (2, 4)."""
    return torch.randn(2, 4)


Start = Callable[[Limits], tuple[Engine, Shelf | DistantShelf]]


@pytest.fixture(scope="session")
def far() -> Iterator[Callable[[Limits], Distant]]:
    """Engines in other processes, one for all tests with the same limits."""
    with ExitStack() as opened:
        yield cache(lambda limits: opened.enter_context(distant(limits)))


@pytest.fixture(scope="session")
def on_ray(request: pytest.FixtureRequest) -> Iterator[OnRay]:
    """An engine on the cluster, for all tests that begin with a fresh one."""
    request.getfixturevalue("ray_cluster")
    found = OnRay()
    yield found
    found.engine.close()


@pytest.fixture(params=PLACES)
def start(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Start]:
    """Start an engine with limits that has kept nothing, and its shelf; in each place where models run."""
    with ExitStack() as opened:

        def started(limits: Limits) -> tuple[Engine, Shelf | DistantShelf]:
            if request.param == HERE:
                shelf = Shelf()
                return opened.enter_context(local(shelf, limits)), shelf
            if request.param == RAY:
                place: OnRay = request.getfixturevalue("on_ray")
                return place.engine, place.renewed(tmp_path, limits)
            found: Distant = request.getfixturevalue("far")(limits)
            return found.engine, found.renewed(tmp_path)

        yield started


@pytest.fixture
def both(start: Start) -> tuple[Engine, Shelf | DistantShelf]:
    """An engine and the shelf that it loads from."""
    return start(Limits())


@pytest.fixture
def shelf(both: tuple[Engine, Shelf | DistantShelf]) -> Shelf | DistantShelf:
    """Return the shelf that the engine loads from, as far as a test may see it."""
    return both[1]


@pytest.fixture
def engine(both: tuple[Engine, Shelf | DistantShelf]) -> Engine:
    """A fresh engine on the processor."""
    return both[0]


@pytest.fixture
def local_shelf() -> Shelf:
    """The loader that an engine in this process loads from."""
    return Shelf()


@pytest.fixture
def local_engine(local_shelf: Shelf) -> Iterator[LocalEngine]:
    """An engine in this process, for tests that look inside."""
    with local(local_shelf) as engine:
        yield engine


@contextmanager
def local(shelf: Shelf, limits: Limits | None = None) -> Iterator[LocalEngine]:
    """An engine that loads from a shelf; closed afterwards, with every gate open."""
    engine = LocalEngine(shelf, device="cpu", limits=limits)
    yield engine
    for _, net in shelf.loaded:
        if isinstance(net, Counting):
            net.gate.set()
    engine.close()
