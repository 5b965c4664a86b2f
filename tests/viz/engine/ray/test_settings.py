"""Settings of the operator about the cluster come first."""

import pytest

pytest.importorskip("ray", reason="Ray is optional: pip install -r requirements-ray.txt")

from viz.engine.engine_protocol import CHOICE
from viz.engine.ray import Cluster, cluster_from
from viz.engine.ray.settings import ADDRESS, CPUS, REPLICAS

pytestmark = pytest.mark.ray


def test_the_address_is_that_of_the_engine() -> None:
    """Without one, the cluster is on this machine, and a replica needs no more cores than it has."""
    assert cluster_from({CHOICE: "ray://head:10001"}, 1) == Cluster("ray://head:10001", cpus=2)
    assert cluster_from({CHOICE: "ray"}, 1) == Cluster("", cpus=1)
    assert cluster_from({CHOICE: "ray"}, 64) == Cluster("", cpus=2)
    assert cluster_from({CHOICE: "ray", ADDRESS: "head:6379"}, 64) == Cluster("head:6379", cpus=2)


def test_replicas_are_a_number_or_a_range() -> None:
    """Of which the first is never more than the second."""
    said = {"3": (3, 3), "1-8": (1, 8), "8-1": (1, 1)}
    for text, (least, most) in said.items():
        found = cluster_from({CHOICE: "ray", REPLICAS: text, CPUS: "4"}, 2)
        assert found == Cluster("", least, most, 4)


@pytest.mark.parametrize("text", ["", "0", "-3", "many", "1e3", "٣", "1-", "0-4"])
def test_a_setting_that_is_no_number_is_ignored(text: str) -> None:
    """Then there is one replica."""
    assert cluster_from({CHOICE: "ray", REPLICAS: text, CPUS: text}, 2) == Cluster()
