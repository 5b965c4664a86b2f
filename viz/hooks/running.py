"""State of model and process around a pass: set, and always restored."""

import contextlib
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.utils import checkpoint

from .blocks import open_taps, with_open_blocks
from .values.containers import EVERY_LAYERS_OWN
from .values.copies import TensorState, copy_of
from .values.gradients import has_history, without_history

_REENTRANT = checkpoint.CheckpointFunction
_FRAME = checkpoint._CheckpointFrame  # noqa: SLF001  (it holds what will be repeated; models import the rest)
_EAGER = contextlib.ExitStack()  # holds what switches compiled code off, while a block is open
_HELD: Counter[int] = Counter()  # by id: how many open blocks need a weight frozen, or a switch set


@dataclass(frozen=True)
class Mode:
    """Mode of a run in which layers may train.

    Random numbers begin with the seed. With ``each_its_own`` every layer is in its own mode; otherwise all of
    them train.
    """

    seed: int
    each_its_own: bool = False


@contextlib.contextmanager
def running(model: nn.Module, *, graph: bool, mode: Mode | None = None) -> Iterator[None]:
    """Set ``model`` and torch up for one run, and restore them afterwards.

    Every layer is in eval mode, by its own flag: ``eval()`` would call overrides that merge or freeze
    weights. With a ``mode`` it is in that one instead: see ``_in_mode``. The fused attention
    path is off, because it skips the layers that it fuses; so is compiled code. Without ``graph`` nothing is
    recorded for autograd; with it the weights are frozen, so that a backward pass leaves their ``grad``
    alone.

    These switches affect the whole process, so the caller must hold the lock.
    """
    with contextlib.ExitStack() as stack:
        stack.enter_context(_in_eval_mode(model) if mode is None else _in_mode(model, mode))
        stack.enter_context(_without_fast_path())
        if "torch._dynamo" in sys.modules:  # otherwise nothing is compiled, and importing it takes seconds
            stack.enter_context(torch.compiler.set_stance("force_eager"))
        if graph:
            stack.enter_context(torch.inference_mode(mode=False))
            stack.enter_context(_without_fused_recurrence(model))
            stack.enter_context(_safe_from_writes())
            stack.enter_context(_plain_afterwards(model))
        stack.enter_context(torch.set_grad_enabled(graph))
        yield


@contextlib.contextmanager
def frozen_weights(model: nn.Module) -> Iterator[None]:
    """Take the weights out of autograd for a while.

    So a backward pass leaves their ``grad`` alone. This covers more than the forward pass: activation
    checkpointing repeats it during the backward pass, in the same state. Several blocks may freeze a weight;
    it stays frozen until the last one ends. The caller holds the lock on entry and exit.
    """
    plain = [tensor for tensor in _tensors_of(model) if not has_history(tensor)]
    weights = [weight for weight in model.parameters() if weight.requires_grad or id(weight) in _HELD]
    for weight in weights:
        _HELD[id(weight)] += 1
        weight.requires_grad = False
    try:
        with _plain_afterwards(model):
            yield
    finally:
        for tensor in plain:
            without_history(tensor)
        for weight in weights:
            _HELD[id(weight)] -= 1
            if not _HELD[id(weight)]:
                del _HELD[id(weight)]
                weight.requires_grad = True


@contextlib.contextmanager
def uncompiled() -> Iterator[None]:
    """Let compiled layers and functions run as they were written.

    Compiled code does not see new hooks. The caller holds the lock on entry and exit.
    """
    if "torch._dynamo" not in sys.modules:  # nothing is compiled, and importing it takes seconds
        yield
        return
    if not _HELD[id(_EAGER)]:
        _EAGER.enter_context(torch.compiler.set_stance("force_eager"))
    _HELD[id(_EAGER)] += 1
    try:
        yield
    finally:
        _HELD[id(_EAGER)] -= 1
        if not _HELD[id(_EAGER)]:
            _EAGER.close()


@contextlib.contextmanager
def followable_checkpoints() -> Iterator[None]:
    """Let activation checkpointing build a graph of its repeats, with edits.

    A repeat sees the blocks that its forward pass saw, for CUDA's backward pass has threads of its own. In
    threads that need gradients it builds a graph: the reentrant way hides its layers from the graph, and
    gives none at all to inputs without a gradient, such as a picture behind frozen weights. The caller holds
    the lock on entry and exit.
    """
    _HELD[id(_REENTRANT)] += 1
    checkpoint.CheckpointFunction = _FollowableCheckpoint  # type: ignore[assignment,misc]
    checkpoint._CheckpointFrame = _SeeingFrame  # type: ignore[assignment,misc]  # noqa: SLF001
    try:
        yield
    finally:
        _HELD[id(_REENTRANT)] -= 1
        if not _HELD[id(_REENTRANT)]:
            checkpoint.CheckpointFunction = _REENTRANT  # type: ignore[misc]
            checkpoint._CheckpointFrame = _FRAME  # type: ignore[misc]  # noqa: SLF001


class _FollowableCheckpoint:
    """Stands for torch's function of reentrant checkpointing."""

    @staticmethod
    def apply(function: Callable[..., Any], preserve: bool, *args: Any) -> Any:
        if not any(tap.needs_graph for tap in open_taps()):
            return _REENTRANT.apply(with_open_blocks(function), preserve, *args)
        return checkpoint.checkpoint(function, *args, use_reentrant=False, preserve_rng_state=preserve)


class _SeeingFrame(_FRAME):
    """Checkpoint whose repeat sees the blocks that are open now."""

    def __init__(self, repeat: Callable[..., Any], *args: Any) -> None:
        super().__init__(with_open_blocks(repeat), *args)


@contextlib.contextmanager
def _in_eval_mode(model: nn.Module) -> Iterator[None]:
    training = [layer for layer in model.modules() if layer.training]
    try:
        for layer in training:
            layer.training = False
        yield
    finally:
        for layer in training:
            layer.training = True


@contextlib.contextmanager
def _in_mode(model: nn.Module, mode: Mode) -> Iterator[None]:
    """Train for one run, with the same random numbers and buffers restored."""
    evaluating = [layer for layer in model.modules() if not (layer.training or mode.each_its_own)]
    buffers = [
        (layer._buffers, name, buffer, None if buffer is None else TensorState(buffer))  # noqa: SLF001
        for layer in model.modules()
        for name, buffer in layer._buffers.items()  # noqa: SLF001  (named_buffers() leaves out shared ones)
    ]
    with torch.random.fork_rng():
        torch.manual_seed(mode.seed)
        try:
            for layer in evaluating:
                layer.training = True
            yield
        finally:
            for layer in evaluating:
                layer.training = False
            with torch.no_grad(), contextlib.ExitStack() as each:  # also when another one fails
                for buffer in reversed(buffers):
                    each.callback(_put_back, *buffer)


def _put_back(
    buffers: dict[str, torch.Tensor | None],
    name: str,
    buffer: torch.Tensor | None,
    state: TensorState | None,
) -> None:
    """Put a layer's buffer back, and its values if they have changed."""
    buffers[name] = buffer
    if state is not None and state.is_changed:
        state.put_back()


@contextlib.contextmanager
def _without_fast_path() -> Iterator[None]:
    before = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(value=False)
    try:
        yield
    finally:
        torch.backends.mha.set_fastpath_enabled(value=before)


def _safe_from_writes() -> contextlib.AbstractContextManager[object]:
    """Return a context in which autograd's saved tensors survive in-place operations.

    Many a model that is only ever run forward overwrites what its own backward pass would need.
    """
    return torch.autograd.graph.saved_tensors_hooks(_packed, lambda tensor: tensor)


def _packed(tensor: torch.Tensor) -> torch.Tensor:
    return tensor if isinstance(tensor, nn.Parameter) or tensor.is_sparse else copy_of(tensor)


@contextlib.contextmanager
def _plain_afterwards(model: nn.Module) -> Iterator[None]:
    """Take returned weights and buffers out of the autograd graph again."""
    try:
        yield
    finally:
        for weight in (*model.parameters(), *model.buffers()):
            if weight.grad_fn is not None and weight._base is None:  # noqa: SLF001
                weight.detach_()


def _tensors_of(model: nn.Module) -> Iterator[torch.Tensor]:
    """Yield the tensors in layers' attributes, and in lists and dicts there."""
    waiting: list[Any] = []
    for layer in model.modules():
        own = vars(layer)
        waiting += layer._parameters.values()  # noqa: SLF001  (parameters() leaves out shared ones)
        waiting += layer._buffers.values()  # noqa: SLF001
        waiting += [own[name] for name in own.keys() - EVERY_LAYERS_OWN]
    seen = set()
    while waiting:
        value = waiting.pop()
        if isinstance(value, torch.Tensor):
            yield value
        elif isinstance(value, dict | list | tuple) and id(value) not in seen:
            seen.add(id(value))
            waiting += value.values() if isinstance(value, dict) else value


def _without_fused_recurrence(model: nn.Module) -> contextlib.AbstractContextManager[object]:
    """Return a context without cuDNN if the model has recurrent layers.

    cuDNN has no backward pass in eval mode.
    """
    if any(isinstance(layer, nn.RNNBase) for layer in model.modules()):
        off: contextlib.AbstractContextManager[object] = torch.backends.cudnn.flags(enabled=False)
        return off
    return contextlib.nullcontext()
