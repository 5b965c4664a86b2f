"""Settings of an operator for the cluster, in environment variables."""

import os
import re
from collections.abc import Mapping

from ..engine_protocol import CHOICE
from .cluster import Cluster

ADDRESS = "RAY_ADDRESS"
REPLICAS, CPUS = "LAYERGLASS_REPLICAS", "LAYERGLASS_REPLICA_CPUS"
_RANGE = re.compile(r"([1-9]\d{0,3})(?:-([1-9]\d{0,3}))?", re.ASCII)
_NUMBER = re.compile(r"[1-9]\d{0,3}", re.ASCII)


def cluster_from(environment: Mapping[str, str] = os.environ, cores: int | None = None) -> Cluster:
    """Read the cluster's settings from the environment.

    Those that should be numbers and are not are ignored.

    ``LAYERGLASS_ENGINE`` has the address, as in ``ray://HOST:PORT``; ``ray`` is a cluster on this machine, or
    the one in ``RAY_ADDRESS`` (Ray's own variable), of which this machine must be a part.
    ``LAYERGLASS_REPLICAS`` is the number of replicas, as ``3``, or ``1-8`` for as many as it takes.
    ``LAYERGLASS_REPLICA_CPUS`` is the number of cores of each, by default two.

    Args:
        environment: settings by name.
        cores: of this machine; a replica that needs more would never begin on it.
    """
    _, separator, place = environment.get(CHOICE, "").partition("://")
    found = _RANGE.fullmatch(environment.get(REPLICAS, ""))
    least, most = (found[1], found[2] or found[1]) if found else (1, 1)
    cpus = environment.get(CPUS, "")
    usual = Cluster.cpus if separator else min(Cluster.cpus, cores or os.cpu_count() or 1)
    return Cluster(
        address=f"ray://{place}" if separator else environment.get(ADDRESS, ""),
        least=min(int(least), int(most)),
        most=int(most),
        cpus=int(cpus) if _NUMBER.fullmatch(cpus) else usual,
    )
