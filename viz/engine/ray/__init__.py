"""An engine on any number of machines: the same tasks, answered by replicas of a deployment of Ray Serve.

The page holds a ``RayEngine``, which runs no model. Each replica runs a ``LocalEngine``; which replica answers
for a model is decided in ``routing``. Needs the extra ``layerglass[ray]``.
"""

from .cluster import Cluster
from .ray_engine import RayEngine

__all__ = ["Cluster", "RayEngine"]
