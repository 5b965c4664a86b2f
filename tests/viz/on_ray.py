"""The tiny nets in a replica of Ray Serve, on a cluster on this machine that all tests of a session share."""

import itertools
import tempfile
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.machine import patience
from tests.viz.distant import LOADER, DistantShelf
from viz.engine.engine import LocalEngine
from viz.engine.limits import Limits
from viz.engine.task import Bench, Question
from viz.pictures import own_donors

WAIT = patience(120)
STORE = 200 << 20  # bytes of the object store
PLACES = 32  # cores that the cluster believes to have: replicas of several tests stand side by side


@contextmanager
def cluster() -> Iterator[dict[str, str]]:
    """A cluster on this machine, to which this process is connected, as the settings of a server on it."""
    import ray

    ray.init(
        address="local",  # and none that somebody else has begun here
        num_cpus=PLACES,
        object_store_memory=STORE,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="error",
    )
    try:  # Ray reads its token at home
        yield {"RAY_ADDRESS": ray.get_runtime_context().gcs_address, "HOME": str(Path.home())}
    finally:
        ray.shutdown()


@dataclass(frozen=True)
class Anew(Question):
    """Makes the engine of a replica a new one, which has kept nothing; a new replica would take seconds."""

    limits: Limits
    number: int
    shelf = ""

    @property
    def key(self) -> Hashable:
        """Another one each time."""
        return "anew", self.number

    def ready(self, _: Bench) -> bool:
        """It waits behind no pass that a test has left."""
        return True

    def work(self, bench: Bench) -> bool:
        """See ``Task``."""
        engine: Any = bench.loaded.__self__  # type: ignore[attr-defined]
        engine._worker._closed = engine._drawer._closed = True
        LocalEngine.__init__(engine, engine._load, device="cpu", limits=self.limits, watched=engine._watched)
        return True


class OnRay:
    """An engine with one replica, and the shelf that its nets are on now."""

    def __init__(self) -> None:
        from viz.engine.ray import Cluster, RayEngine

        self.shelf: DistantShelf | None = None
        self._numbers = itertools.count()
        self.engine = RayEngine(
            LOADER,
            device="cpu",
            cluster=Cluster(cpus=2),
            holds={"shelf": lambda _: str(self.shelf.folder), "picture": own_donors.own_picture},
        )

    def renewed(self, folder: Path, limits: Limits) -> DistantShelf:
        """The shelf, in a new folder, of an engine with these limits that has kept nothing."""
        for _, marks in self.shelf.loaded if self.shelf else ():
            marks.gate.set()
        self.shelf = DistantShelf(Path(tempfile.mkdtemp(dir=folder)))
        self.engine.do(Anew(limits, next(self._numbers)), visitor="tests").result(WAIT)
        return self.shelf
