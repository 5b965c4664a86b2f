"""Engine on any number of machines, with replicas of Ray Serve.

The page holds a ``RayEngine``, which runs no model. Each replica runs a ``LocalEngine``; ``routing`` decides
which replica answers for a model. Needs the extra ``layerglass[ray]``.
"""

from .cluster import Cluster
from .ray_engine import RayEngine
from .settings import cluster_from

__all__ = ["Cluster", "RayEngine", "cluster_from"]
