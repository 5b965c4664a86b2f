"""The cluster, and the deployment of replicas on it."""

import hashlib
import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import ray
from ray import serve
from ray.serve.config import AutoscalingConfig, RequestRouterConfig
from ray.serve.schema import ApplicationStatus, LoggingConfig

from ..limits import Limits
from ..process.patience import Patience
from .routing import ModelRouter
from .seat import Seat

ONGOING = 200  # tasks at one replica; they queue in its engine, where visitors take turns
BUSY = 4.0  # tasks at each replica, on average, beyond which another one is begun
CHECK, NO_ANSWER = 2.0, 10.0  # seconds between questions for a replica's health, and for its answer
ENDING = 2.0  # seconds for a replica that is not needed any more
MODELS = 1000  # of which it is remembered how to ask for them


@dataclass(frozen=True)
class Cluster:
    """Place and number of the replicas.

    Attributes:
        address: ``ray://HOST:PORT``, or what else ``ray.init`` takes; empty for a cluster on this machine
            that ends with this process.
        least: replicas that are there when nobody asks.
        most: replicas when many ask.
        cpus: cores for each, which are also the threads of its models.
    """

    address: str = ""
    least: int = 1
    most: int = 1
    cpus: int = 2

    def join(self) -> bool:
        """Connect this process to the cluster; return whether that was needed."""
        if ray.is_initialized():
            return False
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # the page contacts nobody, nor does this
        if self.address:
            ray.init(self.address, logging_level=logging.ERROR)
        else:
            ray.init(include_dashboard=False, logging_level=logging.ERROR)
        return True

    def deploy(self, loader: str, device: str, limits: Limits, patience: Patience) -> "Deployment":
        """Return the replicas with these settings, and begin them if needed."""
        told = (loader, device, limits, patience)
        settings = repr((self.least, self.most, self.cpus, told)).encode()
        name = f"layerglass-{hashlib.sha256(settings).hexdigest()[:8]}"
        logging.getLogger("ray.serve").setLevel(logging.WARNING)
        serve.start(proxy_location="Disabled")  # only our own pages ask the replicas
        if _runs(name):
            return Deployment(name, serve.get_app_handle(name))
        made = serve.deployment(Seat, name="models", **self._options())
        return Deployment(name, serve.run(made.bind(*told), name=name, route_prefix=None))

    def _options(self) -> dict[str, Any]:
        """Return Serve's options for the replicas."""
        gpus = 1 if ray.cluster_resources().get("GPU", 0) else 0
        numbers: dict[str, Any] = {"num_replicas": self.least}
        if self.most > self.least:
            scaling = AutoscalingConfig(
                min_replicas=self.least, max_replicas=self.most, target_ongoing_requests=BUSY
            )
            numbers = {"autoscaling_config": scaling}
        return numbers | {
            "ray_actor_options": {"num_cpus": self.cpus, "num_gpus": gpus},
            "max_ongoing_requests": ONGOING,
            "health_check_period_s": CHECK,
            "health_check_timeout_s": NO_ANSWER,
            "graceful_shutdown_timeout_s": ENDING,
            "logging_config": LoggingConfig(log_level="WARNING", enable_access_log=False),
            "request_router_config": RequestRouterConfig(request_router_class=ModelRouter),
        }


class Deployment:
    """Replicas.

    Args:
        name: of their application on the cluster.
        handle: asks them; a ``DeploymentHandle``.
    """

    def __init__(self, name: str, handle: Any) -> None:
        self.name, self._handle = name, handle
        self.asking = lru_cache(MODELS)(self._asking)

    def _asking(self, model: str) -> Callable[..., Any]:
        """Return the call that asks the replica for a model."""
        asking: Callable[..., Any] = self._handle.options(multiplexed_model_id=model).answer.remote
        return asking

    def end(self) -> None:
        """End the replicas."""
        serve.delete(self.name)


def _runs(name: str) -> bool:
    found = serve.status().applications.get(name)
    return found is not None and found.status == ApplicationStatus.RUNNING
