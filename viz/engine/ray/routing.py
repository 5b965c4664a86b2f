"""Choice of a model's replica: the same one, unless it is busy."""

import hashlib
import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from cachetools import LRUCache
from ray.serve.request_router import PendingRequest, ReplicaID, RequestRouter, RunningReplica

SPILL = 8  # tasks fewer than at a model's first replica that make it worth loading the model at its second
MODELS = 200  # those asked for last, which count when another one gets its replica


class ModelRouter(RequestRouter):  # type: ignore[misc, unused-ignore]  # ray may not be installed
    """Router that sends tasks about a (model, weights) to its replica.

    They go to the next one if very many wait there. Nobody waits for news about who has loaded what, and if a
    replica comes or goes, the models of the others stay where they are.
    """

    def initialize_state(self) -> None:
        """Serve calls this once, before the first choice."""
        self._homes = Homes()

    async def choose_replicas(
        self, candidate_replicas: list[RunningReplica], pending_request: PendingRequest | None = None
    ) -> list[list[RunningReplica]]:
        """The replicas to try, one after the other."""
        model = pending_request.metadata.multiplexed_model_id if pending_request else ""
        by_id = {each.replica_id.unique_id: each for each in candidate_replicas}
        waiting = {name: self._waiting(each.replica_id) for name, each in by_id.items()}
        return [[by_id[name]] for name in order(self._homes.of(model, waiting), waiting)]

    def _waiting(self, replica: ReplicaID) -> int:
        """Return the known number of this page's tasks at a replica."""
        return self.replica_queue_len_cache.get(replica) or 0


class Homes:
    """Home replica of each model, chosen from two by a hash.

    Of the two that the hash gives, it is the one with fewer models. Pages come to nearly the same without
    talking to each other, and no replica gets many more models than another.

    Source: Thaler, Ravishankar, A Name-Based Mapping Scheme for Rendezvous (1996), for the hash;
    Azar, Broder, Karlin, Upfal, Balanced Allocations (1999), for the two.
    """

    def __init__(self) -> None:
        self._homes: LRUCache[str, str] = LRUCache(MODELS)

    def of(self, model: str, replicas: Collection[str]) -> list[str]:
        """Return the replicas for a model: its own first, then by hash."""
        by_hash = sorted(replicas, key=lambda name: _weight(model, name))
        home = self._homes.get(model, "")
        if home not in replicas:
            models = Counter(self._homes.values())
            home = min(by_hash[:2], key=models.__getitem__, default="")
            self._homes[model] = home
        return sorted(by_hash, key=lambda name: name != home)


def order(near: Sequence[str], waiting: Mapping[str, int]) -> list[str]:
    """Return replicas in the order in which to try them.

    ``waiting`` has the number of tasks of each. The nearest is tried first, until the second has ``SPILL``
    tasks fewer, or the fourth twice as many fewer, or the eighth three times: so a model that a whole class
    looks at spreads out. Where all replicas have equally much to do, models stay where they are loaded.
    """
    distance = {name: SPILL * math.log2(1 + place) for place, name in enumerate(near)}
    return sorted(near, key=lambda name: waiting[name] + distance[name])


def _weight(model: str, replica: str) -> bytes:
    return hashlib.blake2b(f"{model}\n{replica}".encode(), digest_size=8).digest()
