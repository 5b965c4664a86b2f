"""Things that pages keep together on a cluster: found by all, outliving each page, gone with their lease."""

import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest

from tests.machine import patience

pytest.importorskip("ray", reason="Ray is optional: pip install -r requirements-ray.txt")

import ray
from ray._private.internal_api import memory_summary

from tests.viz.on_ray import STORE
from viz.engine.engine_protocol import SharedEngine
from viz.engine.ray import Cluster, RayEngine
from viz.engine.ray.keeper import SHARE
from viz.engine.ray.keeping import SPACE, RayStore
from viz.errors import BusyError

pytestmark = [pytest.mark.usefixtures("ray_cluster"), pytest.mark.slow, pytest.mark.ray]

JOINED: "Future[Any]" = Future()
JOINED.set_result(None)
OTHER = """
import os, ray
from concurrent.futures import Future
from viz.engine.ray.keeping import RayStore
if __name__ == "__main__":
    ray.init(address="{address}", logging_level="error", log_to_driver=False)
    joined = Future()
    joined.set_result(None)
    keeping = RayStore("{name}", joined)
    assert keeping.read(keeping.find("mine").places["mine"]) == b"of the first"
    assert keeping.keep("theirs", "large", b"0123456789" * 100_000, 60.0)
    assert keeping.keep("theirs", "small", b"of the second", 60.0)
    print("told", flush=True)
    os._exit(1)
"""


@pytest.fixture
def name() -> Iterator[str]:
    """A keeper's name that nobody else has; the keeper is ended afterwards."""
    found = f"keeper {token_hex(4)}"
    yield found
    try:
        ray.kill(ray.get_actor(found, SPACE))
    except ValueError:  # the test had none, or has ended it
        return


def soon(is_so: Callable[[], bool]) -> bool:
    """Return whether a condition comes true in time."""
    until = time.monotonic() + patience(60)
    while not is_so():
        if time.monotonic() > until:
            return False
        time.sleep(0.2)
    return True


def used() -> int:
    """Return the megabytes in the object store, as Ray itself says."""
    said = memory_summary(ray.get_runtime_context().gcs_address, stats_only=True)
    return int(re.findall(r"Plasma memory usage (\d+) MiB", said)[0])


def kept(name: str) -> tuple[int, int]:
    """Groups and bytes that a keeper has."""
    found: tuple[int, int] = ray.get(ray.get_actor(name, SPACE).kept.remote())
    return found


def test_what_a_process_has_sent_outlives_it(name: str) -> None:
    """Two processes find each other's things; one of them ends as if it was killed, and its own stay."""
    keeping = RayStore(name, JOINED)
    assert keeping.keep("ours", "mine", b"of the first", 60.0)
    code = OTHER.format(address=ray.get_runtime_context().gcs_address, name=name)
    said = subprocess.run(
        [sys.executable, "-c", code],
        check=False,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[4],
        timeout=patience(90),
    )
    assert said.stdout == "told\n", said.stderr
    found = keeping.find("large")
    assert found is not None
    assert set(found.places) == {"large", "small"}
    assert keeping.read(found.places["large"]) == b"0123456789" * 100_000
    assert keeping.read(found.places["small"]) == b"of the second"


def test_a_lease_that_nobody_renews_ends_though_nobody_asks(name: str) -> None:
    """The keeper looks every second; what is renewed stays."""
    keeping = RayStore(name, JOINED)
    assert keeping.keep("left", "a", b"a" * 1000, patience(5.0))
    assert keeping.keep("stays", "b", b"b" * 1000, 60.0)
    assert kept(name) == (2, 2000)
    assert soon(lambda: kept(name) == (1, 1000))
    assert keeping.renew(["left", "stays"], 60.0) == ["left"]
    keeping.end(["stays"])
    assert kept(name) == (0, 0)
    assert keeping.find("b") is None


def test_what_is_dropped_leaves_the_object_store(name: str) -> None:
    """Ray counts what lies there itself."""
    keeping, megabytes = RayStore(name, JOINED), 50
    before = used()
    assert keeping.keep("ours", "large", bytes(megabytes << 20), 60.0)
    assert used() >= before + megabytes
    keeping.drop("ours", ["large"])
    assert kept(name) == (1, 0)
    assert soon(lambda: used() < before + megabytes)


def test_there_is_room_for_half_of_the_store(name: str) -> None:
    """A thing that does not fit is not even sent."""
    keeping, quarter = RayStore(name, JOINED), bytes(STORE // SHARE // 4)
    told = [keeping.keep("ours", f"part {number}", quarter, 60.0) for number in range(5)]
    assert told == [True, True, True, True, False]
    assert kept(name)[1] <= STORE // SHARE
    keeping.end(["ours"])
    assert keeping.keep("ours", "again", quarter, 60.0)


def test_a_keeper_that_has_ended_is_begun_again_with_nothing(name: str) -> None:
    """The page that renews hears which groups have to be told again."""
    keeping = RayStore(name, JOINED)
    assert keeping.keep("ours", "mine", b"mine", 60.0)
    ray.kill(ray.get_actor(name, SPACE))
    assert soon(lambda: keeping.find("mine") is None)
    assert keeping.renew(["ours"], 60.0) == ["ours"]
    assert keeping.keep("ours", "mine", b"again", 60.0)
    found = RayStore(name, JOINED).find("mine")
    assert found is not None
    assert keeping.read(found.places["mine"]) == b"again"


def test_keepers_of_other_names_have_nothing_in_keeping(name: str) -> None:
    """Two installations may share a cluster."""
    assert RayStore(name, JOINED).keep("ours", "mine", b"mine", 60.0)
    other = f"{name} of others"
    assert RayStore(other, JOINED).find("mine") is None
    ray.kill(ray.get_actor(other, SPACE))


def test_without_a_cluster_there_is_one_sentence(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for ever, and nothing else is raised."""
    monkeypatch.setattr("viz.engine.ray.keeping.BEGINNING", 0.1)
    with pytest.raises(BusyError, match="does not answer"):
        RayStore(name, Future()).find("mine")


def test_an_engine_on_a_cluster_offers_it(name: str) -> None:
    """Once it has joined; the page knows it by the protocol alone."""
    engine = RayEngine("tests.viz.engine.process.hazards:loader", device="cpu", cluster=Cluster())
    try:
        assert isinstance(engine, SharedEngine)
        assert engine.keeping(name).keep("ours", "mine", b"mine", 60.0)
        assert kept(name) == (1, 4)
    finally:
        engine.close()
