"""What pages keep together on a cluster: found by all of them, outliving each, and gone with its lease."""

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

pytest.importorskip("ray", reason="Ray is optional: pip install -r requirements-ray.txt")

import ray
from ray._private.internal_api import memory_summary

from tests.viz.on_ray import STORE
from viz.engine.engine_protocol import Shared
from viz.engine.ray import Cluster, RayEngine
from viz.engine.ray.common import SPACE, RayCommon
from viz.engine.ray.keeper import SHARE
from viz.errors import BusyError

pytestmark = [pytest.mark.usefixtures("ray_cluster"), pytest.mark.slow]

SOON = 30.0
JOINED: "Future[Any]" = Future()
JOINED.set_result(None)
OTHER = """
import os, ray
from concurrent.futures import Future
from viz.engine.ray.common import RayCommon
if __name__ == "__main__":
    ray.init(address="{address}", logging_level="error", log_to_driver=False)
    joined = Future()
    joined.set_result(None)
    common = RayCommon("{name}", joined)
    assert common.read(common.find("mine").places["mine"]) == b"of the first"
    assert common.keep("theirs", "large", b"0123456789" * 100_000, 60.0)
    assert common.keep("theirs", "small", b"of the second", 60.0)
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
    """Whether something comes to be."""
    until = time.monotonic() + SOON
    while not is_so():
        if time.monotonic() > until:
            return False
        time.sleep(0.2)
    return True


def used() -> int:
    """How many megabytes lie in the object store, as Ray itself says."""
    said = memory_summary(ray.get_runtime_context().gcs_address, stats_only=True)
    return int(re.findall(r"Plasma memory usage (\d+) MiB", said)[0])


def kept(name: str) -> tuple[int, int]:
    """Groups and bytes that a keeper has."""
    found: tuple[int, int] = ray.get(ray.get_actor(name, SPACE).kept.remote())
    return found


def test_what_a_process_has_sent_outlives_it(name: str) -> None:
    """Two processes find each other's things; one of them ends as if it was killed, and its own stay."""
    common = RayCommon(name, JOINED)
    assert common.keep("ours", "mine", b"of the first", 60.0)
    code = OTHER.format(address=ray.get_runtime_context().gcs_address, name=name)
    said = subprocess.run(
        [sys.executable, "-c", code],
        check=False,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[4],
        timeout=90,
    )
    assert said.stdout == "told\n", said.stderr
    found = common.find("large")
    assert found is not None
    assert set(found.places) == {"large", "small"}
    assert common.read(found.places["large"]) == b"0123456789" * 100_000
    assert common.read(found.places["small"]) == b"of the second"


def test_a_lease_that_nobody_renews_ends_though_nobody_asks(name: str) -> None:
    """The keeper looks every second; what is renewed stays."""
    common = RayCommon(name, JOINED)
    assert common.keep("left", "a", b"a" * 1000, 1.0)
    assert common.keep("stays", "b", b"b" * 1000, 60.0)
    assert kept(name) == (2, 2000)
    time.sleep(2.5)
    assert kept(name) == (1, 1000)
    assert common.renew(["left", "stays"], 60.0) == ["left"]
    common.end(["stays"])
    assert kept(name) == (0, 0)
    assert common.find("b") is None


def test_what_is_dropped_leaves_the_object_store(name: str) -> None:
    """Ray counts what lies there itself."""
    common, megabytes = RayCommon(name, JOINED), 50
    before = used()
    assert common.keep("ours", "large", bytes(megabytes << 20), 60.0)
    assert used() >= before + megabytes
    common.drop("ours", ["large"])
    assert kept(name) == (1, 0)
    assert soon(lambda: used() < before + megabytes)


def test_there_is_room_for_half_of_the_store(name: str) -> None:
    """What does not fit is not even sent."""
    common, quarter = RayCommon(name, JOINED), bytes(STORE // SHARE // 4)
    told = [common.keep("ours", f"part {number}", quarter, 60.0) for number in range(5)]
    assert told == [True, True, True, True, False]
    assert kept(name)[1] <= STORE // SHARE
    common.end(["ours"])
    assert common.keep("ours", "again", quarter, 60.0)


def test_a_keeper_that_has_ended_is_begun_again_with_nothing(name: str) -> None:
    """Whoever renews hears what has to be told again."""
    common = RayCommon(name, JOINED)
    assert common.keep("ours", "mine", b"mine", 60.0)
    ray.kill(ray.get_actor(name, SPACE))
    assert soon(lambda: common.find("mine") is None)
    assert common.renew(["ours"], 60.0) == ["ours"]
    assert common.keep("ours", "mine", b"again", 60.0)
    found = RayCommon(name, JOINED).find("mine")
    assert found is not None
    assert common.read(found.places["mine"]) == b"again"


def test_keepers_of_other_names_have_nothing_in_common(name: str) -> None:
    """Two installations may share a cluster."""
    assert RayCommon(name, JOINED).keep("ours", "mine", b"mine", 60.0)
    other = f"{name} of others"
    assert RayCommon(other, JOINED).find("mine") is None
    ray.kill(ray.get_actor(other, SPACE))


def test_without_a_cluster_there_is_one_sentence(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for ever, and nothing else is raised."""
    monkeypatch.setattr("viz.engine.ray.common.BEGINNING", 0.1)
    with pytest.raises(BusyError, match="does not answer"):
        RayCommon(name, Future()).find("mine")


def test_an_engine_on_a_cluster_offers_it(name: str) -> None:
    """Once it has joined; the page knows it by the protocol alone."""
    engine = RayEngine("tests.viz.engine.process.hazards:loader", device="cpu", cluster=Cluster())
    try:
        assert isinstance(engine, Shared)
        assert engine.common(name).keep("ours", "mine", b"mine", 60.0)
        assert kept(name) == (1, 4)
    finally:
        engine.close()
