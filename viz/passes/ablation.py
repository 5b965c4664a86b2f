"""Ablation: the effect of each channel of a layer on class scores.

Many channels are removed in one pass, each in a row of its own. The cheapest way is to run the model on one
picture up to the layer, repeat the layer's output once for each row, each without its channel, and go on from
there; what comes before the layer then runs once. Not every model accepts a batch that begins in its middle,
so a way is used only after a trial in which it gave the scores of separate passes, also beside rows of other
sizes: this way, else a batch of equal pictures from the start, else one pass for each channel. A model whose
code asks what a tensor holds, or what a batch holds as a whole, goes one way with a whole batch: it always
gets one pass for each channel.

Source: Morcos et al., "On the importance of single directions for generalization", 2018, section 2.2.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from threading import Event
from time import perf_counter
from typing import Any

import numpy as np
import torch

from ..errors import EditError, RequestError
from ..findings.ablation_part import AblationPart, Scores, next_size
from ..findings.edit_checks import batch_second, channel_axis
from ..hooks.activations import LayerActivations
from ..hooks.records import leaves, to_array
from ..hooks.values.structure import map_tensors
from ..request.arrangement import Arrangement
from .applied_edits import on_first_tensor
from .class_scores import class_rows
from .questions import Questions

FORK, BATCH, SINGLE = "fork", "batch", "single"
STRANGERS = (10.0, -10.0)  # what a layer's output is multiplied by in the rows beside a trial's
# What models raise that do not accept a batch, or one that begins in the middle.
_UNFIT = (RuntimeError, ValueError, IndexError, TypeError, AssertionError)


@dataclass(frozen=True, eq=False)
class AblationPlan:
    """Plan for ablating a layer on one picture.

    Attributes:
        layer: its name.
        call: the one of its calls that loses a channel, from 0.
        shape: of that call's output for the picture.
        axis: that of its channels, counted from the end.
        batch_second: whether the sequence axis comes before the batch axis.
        silent: channels that are zero everywhere already: removing them changes nothing and needs no pass.
        baseline: scores (classes,) with every channel.
        seconds: that the first pass took.
        way: ``"fork"``, ``"batch"`` or ``"single"``: see above.
    """

    layer: str
    call: int
    shape: tuple[int, ...]
    axis: int
    batch_second: bool
    silent: frozenset[int]
    baseline: Scores
    seconds: float
    way: str = SINGLE

    @property
    def channels(self) -> int:
        """Number of channels of the layer."""
        return self.shape[self.axis]


def ablate(
    layers: LayerActivations,
    *arguments: Any,
    layer: str,
    call: int = 0,
    progress: Callable[[int, int], None] | None = None,
    stopped: Event | None = None,
) -> AblationPart:
    """Return the effect of every channel on one picture's class scores.

    Args:
        layers: the layers of a model that returns scores (1, classes).
        arguments: the model's arguments: one picture.
        layer: its name.
        call: the one of its calls that loses a channel, counted from 0.
        progress: called after each batch with the number of channels done and their total.
        stopped: once it is set, the results so far are returned within about a second.

    Raises:
        CallError: the layer has no such call.
        EditError: its output has no channels.
        RequestError: the model does not return one finite score per class.
    """
    plan, parts, size = plan_ablation(layers, arguments, layer, call), [], 1
    nothing = AblationPart(range(0), plan.baseline[None][:0], plan.baseline, 0, plan.channels, 0.0)
    done = 0
    while done < plan.channels and not (stopped and stopped.is_set()):
        part = scores_without(layers, arguments, plan, range(done, min(done + size, plan.channels)))
        parts.append(part)
        done, size = part.channels.stop, next_size(part)
        if progress:
            progress(done, plan.channels)
    return replace(
        nothing,
        channels=range(done),
        scores=np.concatenate([nothing.scores, *(part.scores for part in parts)]),
        passed=sum(part.passed for part in parts),
        seconds=sum(part.seconds for part in parts),
    )


def plan_ablation(
    layers: LayerActivations,
    arguments: tuple[Any, ...],
    layer: str,
    call: int = 0,
    *,
    batches: bool = True,
    arrangement: Arrangement | None = None,
) -> AblationPlan:
    """Plan the ablation of a layer, from one pass and a trial.

    See ``ablate`` for errors.

    Args:
        layers: the model's layers.
        arguments: the model's arguments: one picture.
        layer: its name.
        call: which of its calls.
        batches: whether rows may share a pass at all.
        arrangement: the place of the layer's output on the picture, if that is known.
    """
    begun = perf_counter()
    with layers.trace(Questions, "", layer) as questions, layers.capture(layer) as record:
        baseline = _class_scores(layers.run(*arguments), 1)[0]
    seconds = perf_counter() - begun
    value = next(iter(leaves(record[layer][call].output).values()), None)
    if value is None or not (value.is_floating_point() or value.is_complex()):
        raise EditError(
            "{layer} returns no tensor of real numbers, so it has no channels to remove.", layer=layer
        )
    about = (value.shape, type(layers.module(layer)).__name__, _image_size(arguments), arrangement)
    axis = channel_axis(*about)
    sizes = value.abs().movedim(axis, 0).flatten(1).sum(1)
    silent = frozenset(torch.nonzero(sizes == 0).flatten().tolist())
    shape, second = tuple(value.shape), batch_second(*about)
    plan = AblationPlan(layer, call, shape, axis, second, silent, baseline, seconds)
    trial = sizes.argsort(descending=True)[:2].tolist()
    together = batches and not questions.asked
    return replace(plan, way=_way(layers, arguments, plan, trial) if together else SINGLE)


def scores_without(
    layers: LayerActivations, arguments: tuple[Any, ...], plan: AblationPlan, channels: range
) -> AblationPart:
    """The class scores with each of these channels removed in turn.

    They come from one batch if the model allows it.

    Raises:
        EditError: there is no such channel.
    """
    channels = range(channels.start, min(channels.stop, plan.channels))
    if not channels or channels[0] < 0:
        raise EditError(
            "{layer} has {count} channels, from 0; there are none {channels}.",
            layer=plan.layer,
            count=plan.channels,
            channels=channels,
        )
    begun, scores = perf_counter(), np.repeat(plan.baseline[None], len(channels), axis=0)
    loud = [place for place, channel in enumerate(channels) if channel not in plan.silent]
    if loud:
        scores[loud] = _scores(layers, arguments, plan, [channels[place] for place in loud])
    seconds = perf_counter() - begun
    return AblationPart(channels, scores, plan.baseline, len(loud), plan.channels, seconds, plan.seconds)


def _way(layers: LayerActivations, arguments: tuple[Any, ...], plan: AblationPlan, trial: list[int]) -> str:
    """The cheapest way that gives two channels the scores of single passes.

    Beside them are rows as no channel's removal makes them: where rows of a batch can meet, these show it.
    """
    honest = _scores(layers, arguments, plan, trial)
    near = 1e-4 * float(np.abs(honest).max())  # allows for a different order of additions
    for way in (FORK, BATCH) if len(trial) > 1 else ():
        try:
            found = _scores(layers, arguments, replace(plan, way=way), trial, strangers=STRANGERS)
        except _UNFIT:
            continue
        if np.allclose(found, honest, rtol=1e-4, atol=near):
            return way
    return SINGLE


def _scores(
    layers: LayerActivations,
    arguments: tuple[Any, ...],
    plan: AblationPlan,
    channels: Sequence[int],
    strangers: Sequence[float] = (),
) -> Scores:
    """Scores (len(channels), classes), each row without its channel.

    With ``strangers`` there are rows behind them whose values are all multiplied by these.
    """
    if plan.way == SINGLE and len(channels) > 1:
        return np.concatenate([_scores(layers, arguments, plan, [channel]) for channel in channels])
    count = len(channels) + len(strangers)
    given = map_tensors(arguments, lambda t: _repeated(t, count)) if plan.way == BATCH else arguments

    def edit(value: Any) -> Any:
        return on_first_tensor(value, lambda tensor: _rows_without(tensor, plan, channels, strangers))

    with layers.edit(plan.layer, output=edit, call=plan.call):
        output = layers.run(*given)
    if strangers and isinstance(output, torch.Tensor) and len(output) == count:
        output = output[: len(channels)]
    return _class_scores(output, len(channels))


def _rows_without(
    tensor: torch.Tensor, plan: AblationPlan, channels: Sequence[int], strangers: Sequence[float]
) -> torch.Tensor:
    """A row without each channel in turn, then one for each stranger."""
    count = len(channels) + len(strangers)
    order = (1, 0, *range(2, len(plan.shape))) if plan.batch_second else tuple(range(len(plan.shape)))
    one, given = [plan.shape[axis] for axis in order], tensor.permute(order)
    if plan.way == BATCH:
        rows = given.reshape(count, *one).clone()  # fails if a picture's values are not side by side
    else:
        rows = given.reshape(1, *one).repeat(count, *(1 for _ in one))
    for row, channel in zip(rows, channels, strict=False):
        row.select(plan.axis, channel).zero_()
    for row, factor in zip(rows[len(channels) :], strangers, strict=True):
        row.mul_(factor)
    return rows.flatten(0, 1).permute(order)


def _repeated(tensor: torch.Tensor, rows: int) -> torch.Tensor:
    return tensor.repeat(rows, *(1 for _ in tensor.shape[1:]))


def _class_scores(output: Any, rows: int) -> Scores:
    """The scores (rows, classes) that a model returned.

    Raises:
        RequestError: it returned something else.
    """
    found = class_rows(output, rows)
    if found is None:
        raise RequestError(
            "this model does not return one score per class, by which a channel could be judged."
        )
    scores = to_array(found)
    if not np.isfinite(scores).all():
        raise RequestError("this model's class scores are not finite for this picture: nothing to compare.")
    return scores


def _image_size(arguments: tuple[Any, ...]) -> tuple[int, int]:
    height, width = next(iter(leaves(arguments).values())).shape[-2:]
    return height, width
