"""What each channel of a layer does for the class scores, computed in parts."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from ..engine.task import Bench, OnePicture
from ..findings.ablation_part import AblationPart
from ..passes.ablation import AblationPlan, plan_ablation, scores_without
from ..passes.loaded import Loaded
from ..request.arrangement import Arrangement, first_known
from ..request.inspection import Inspection

AT_ONCE = 256 << 20  # bytes that one layer's output may take in a batch


@dataclass(frozen=True)
class Ablate(OnePicture):
    """The class scores with each of these channels of one layer removed in turn, in one batch.

    Edits of gradients have no effect on it.
    """

    channels: range = range(0)
    behind = True

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return (*self._place, self.channels)

    def work(self, bench: Bench) -> AblationPart:
        """See ``Task``."""
        wanted = self.wanted.forward
        loaded = bench.loaded(wanted.model, wanted.weights)
        arguments = loaded.subject.arguments(self.photo.image)
        known = first_known(loaded.known(self.photo), wanted.layer, wanted.call)
        with loaded.as_wanted(wanted, self.photo):
            plan: AblationPlan = bench.remembered(
                self._place, lambda: _plan(loaded, wanted, arguments, known)
            )
            return scores_without(loaded.layers, arguments, plan, self.channels[: loaded.at_once(AT_ONCE)])

    @property
    def _place(self) -> tuple[Hashable, ...]:
        wanted = self.wanted.forward
        return ("ablation", *wanted.run, wanted.layer, wanted.call)


def _plan(
    loaded: Loaded, wanted: Inspection, arguments: tuple[Any, ...], known: Arrangement | None
) -> AblationPlan:
    """How the layer of a request is ablated; noise for one picture, and training mode, rule out batches."""
    alone = wanted.training is not None or any(edit.kind == "noise" for edit in wanted.in_force)
    layer, call = wanted.layer, wanted.call
    return plan_ablation(loaded.layers, arguments, layer, call, batches=not alone, arrangement=known)
