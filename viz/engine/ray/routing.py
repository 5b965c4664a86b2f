"""Which replica answers for a model: always the same one, unless more wait for it than for another."""

import hashlib

from ray.serve.request_router import PendingRequest, ReplicaID, RequestRouter, RunningReplica

SPILL = 8  # tasks that wait at a model's first replica before another one loads the model as well


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
    """Replicas in the order in which they are tried for a model; ``waiting`` says how many tasks each has."""
    return sorted(waiting, key=lambda name: (waiting[name] // SPILL, _weight(model, name)))


def _weight(model: str, replica: str) -> bytes:
    return hashlib.blake2b(f"{model}\n{replica}".encode(), digest_size=8).digest()
