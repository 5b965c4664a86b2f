"""The state of model and process around one forward pass: set before it, and always restored after it."""

import contextlib
from collections import Counter
from collections.abc import Iterator

import torch
from torch import nn

_HELD: Counter[int] = Counter()  # by id: how many open blocks need a weight frozen


@contextlib.contextmanager
def running(model: nn.Module, *, graph: bool) -> Iterator[None]:
    """Put ``model`` and torch into the state for one run, and restore them afterwards.

    Every layer is in eval mode, by its own flag: ``eval()`` would call overrides that merge or freeze
    weights. The fused attention path is off, because it skips the layers that it fuses. Compiled layers
    run as they were written, because compiled code does not see new hooks. Without ``graph`` nothing is
    recorded for autograd; with it the weights are frozen, so that a backward pass leaves their ``grad``
    alone.

    These switches affect the whole process, so the caller must hold the lock.
    """
    with contextlib.ExitStack() as stack:
        stack.enter_context(_in_eval_mode(model))
        stack.enter_context(_without_fast_path())
        if _is_compiled(model):
            stack.enter_context(torch.compiler.set_stance("force_eager"))
        if graph:
            stack.enter_context(torch.inference_mode(mode=False))
            stack.enter_context(_without_fused_recurrence(model))
        stack.enter_context(torch.set_grad_enabled(graph))
        yield


@contextlib.contextmanager
def frozen_weights(model: nn.Module) -> Iterator[None]:
    """Take the weights out of autograd for a while, so that a backward pass leaves their ``grad`` alone.

    This covers more than the forward pass: activation checkpointing repeats it during the backward pass, in
    the same state. Several blocks may freeze a weight; it stays frozen until the last one ends. The caller
    holds the lock on entry and exit.
    """
    weights = [weight for weight in model.parameters() if weight.requires_grad or id(weight) in _HELD]
    for weight in weights:
        _HELD[id(weight)] += 1
        weight.requires_grad = False
    try:
        yield
    finally:
        for weight in weights:
            _HELD[id(weight)] -= 1
            if not _HELD[id(weight)]:
                del _HELD[id(weight)]
                weight.requires_grad = True


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
def _without_fast_path() -> Iterator[None]:
    before = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(value=False)
    try:
        yield
    finally:
        torch.backends.mha.set_fastpath_enabled(value=before)


def _without_fused_recurrence(model: nn.Module) -> contextlib.AbstractContextManager[object]:
    """Return a context without cuDNN for recurrent models: cuDNN has no backward pass in eval mode."""
    if any(isinstance(layer, nn.RNNBase) for layer in model.modules()):
        off: contextlib.AbstractContextManager[object] = torch.backends.cudnn.flags(enabled=False)
        return off
    return contextlib.nullcontext()


def _is_compiled(model: nn.Module) -> bool:
    """Return whether any layer was compiled, by ``torch.compile`` or by its own ``compile()``."""
    return any(
        type(layer).__name__ == "OptimizedModule" or getattr(layer, "_compiled_call_impl", None) is not None
        for layer in model.modules()
    )
