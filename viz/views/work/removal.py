"""Ablation of a layer's channels, by a plan that is made once."""

from dataclasses import replace
from typing import Any

from ...engine.task import Bench
from ...findings.ablation_part import AblationPart
from ...findings.output_meaning import output_meaning
from ...passes.ablation import AblationPlan, plan_ablation, scores_without
from ...passes.loaded import LoadedModel
from ...request.arrangement import Arrangement, first_known
from ...request.inspection import Inspection
from ..removal import Ablate

AT_ONCE = 256 << 20  # bytes that one layer's output may take in a batch


def ablate(task: Ablate, bench: Bench) -> AblationPart:
    """The class scores without each of the task's channels.

    Only the first channels are removed if all are too many for one batch.
    """
    wanted = task.wanted.forward
    loaded = bench.loaded(wanted.model, wanted.weights)
    arguments = loaded.inputs.of(task.photo)
    known = first_known(loaded.known(task.photo), wanted.layer, wanted.call)
    with loaded.as_wanted(wanted, task.photo):
        plan: AblationPlan = bench.remembered(task.place, lambda: _plan(loaded, wanted, arguments, known))
        part = scores_without(loaded.layers, arguments, plan, task.channels[: loaded.at_once(AT_ONCE)])
    meaning = loaded.subject.output or output_meaning(part.baseline, loaded.rows)
    return replace(part, meaning=meaning)


def _plan(
    loaded: LoadedModel, wanted: Inspection, arguments: tuple[Any, ...], known: Arrangement | None
) -> AblationPlan:
    """Return the plan for ablating a layer.

    Noise for one picture, and training mode, rule out batches.
    """
    alone = wanted.training is not None or any(edit.kind == "noise" for edit in wanted.in_force)
    layer, call = wanted.layer, wanted.call
    return plan_ablation(loaded.layers, arguments, layer, call, batches=not alone, arrangement=known)
