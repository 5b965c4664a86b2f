"""An engine's work for a step, on a copy of the net.

So nothing of the run stays in the net.
"""

import copy
import io
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812  # as everybody calls it, the code of lessons too
from torch import nn

from ..engine.limits import check_cost
from ..engine.task import Bench
from ..hooks.values.norms import right_norms
from ..profile.cost import GRAPH
from .found import StepResult
from .running import found_in, ran
from .tasks import StepTask

SEED = 0
PASSES = 3  # a step may run the net a few times, and keep what it gets


def step_found(task: StepTask, bench: Bench) -> StepResult:
    """Run a step on a copy of the net; return its result.

    Raises:
        TooLargeError: it would take more memory than one request may.
    """
    loaded = bench.loaded(task.model, task.weights)
    cost = 2 * loaded.bytes + PASSES * GRAPH * loaded.output_bytes
    check_cost("this step of the lesson", cost, bench.limits)
    subject = loaded.subject
    net = copy.deepcopy(subject.module).cpu().eval().requires_grad_(True)
    picture = subject.arguments(task.photo.image)[0]

    def seen() -> bytes:
        buffer = io.BytesIO()
        subject.as_seen(picture).save(buffer, "PNG", compress_level=1)
        return buffer.getvalue()

    names: dict[str, Any] = {"torch": torch, "nn": nn, "F": F}
    names |= {"net": net, "picture": picture, "classes": subject.classes}
    with torch.random.fork_rng(devices=[]), torch.enable_grad(), right_norms():
        torch.manual_seed(SEED)
        return found_in(names, task.run, ran(task.run.code, names), seen)
