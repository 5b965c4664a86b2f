"""Which replica answers for a model: always the same one, unless more wait for it than for another."""

import hashlib
import math

from ray.serve.request_router import PendingRequest, ReplicaID, RequestRouter, RunningReplica

SPILL = 8  # tasks fewer than at a model's first replica that make it worth loading the model at its second


class ByModel(RequestRouter):  # type: ignore[misc, unused-ignore]  # ray may not be installed
    """Orders the replicas for each (model, weights) by a hash of both.

    Every web process comes to the same order without talking to the others, nobody waits for news about who
    has loaded what, and if a replica comes or goes, only the models move for which it is the first.

    Source: Thaler, Ravishankar, A Name-Based Mapping Scheme for Rendezvous (1996).
    """

    async def choose_replicas(
        self, candidate_replicas: list[RunningReplica], pending_request: PendingRequest | None = None
    ) -> list[list[RunningReplica]]:
        """The replicas to try, one after the other."""
        model = pending_request.metadata.multiplexed_model_id if pending_request else ""
        waiting = {each.replica_id: self._waiting(each.replica_id) for each in candidate_replicas}
        by_id = {each.replica_id.unique_id: each for each in candidate_replicas}
        lengths = {name: waiting[each.replica_id] for name, each in by_id.items()}
        return [[by_id[name]] for name in order(model, lengths)]

    def _waiting(self, replica: ReplicaID) -> int:
        """How many tasks of this page wait or run there, as far as is known."""
        return self.replica_queue_len_cache.get(replica) or 0


def order(model: str, waiting: dict[str, int]) -> list[str]:
    """Replicas in the order in which they are tried for a model; ``waiting`` says how many tasks each has.

    The first by the hash is tried first, until the second has ``SPILL`` tasks fewer, or the fourth twice as
    many fewer, or the eighth three times: so a model that a whole class looks at spreads out. Where
    all replicas have equally much to do, models stay where they are loaded.
    """
    by_hash = sorted(waiting, key=lambda name: _weight(model, name))
    distance = {name: SPILL * math.log2(1 + place) for place, name in enumerate(by_hash)}
    return sorted(by_hash, key=lambda name: waiting[name] + distance[name])


def _weight(model: str, replica: str) -> bytes:
    return hashlib.blake2b(f"{model}\n{replica}".encode(), digest_size=8).digest()
