"""The operations of one run, seen and named for the taps.

Hooks see layers only. A ``TorchFunctionMode`` sees every function that is given a tensor; hooks tell it which
layer's code is running. It is open while ``LayerActivations.run`` runs the model, or while somebody else
calls it or a layer of it, and only if an open block asks for operations, because it costs some microseconds
for every function.
"""

import contextlib
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from ..errors import EditError, UnsupportedModelError
from ..layer_names import called_function, calling_layer, listed, operation_name
from ..sentences import Sentence
from .attention import is_fused, unfused
from .blocks import open_taps, stopped, tapping
from .functional import Operation, computes, is_one_operation, plain_name, written_by
from .selectors import canonical_names, hookable, layers_of
from .taps import EDIT, EDIT_GRADIENT, Tap, Watcher
from .values.gradients import recomputing
from .values.structure import leaves

Function = Callable[..., Any]
Hooked = Callable[[nn.Module, Function, Function], contextlib.AbstractContextManager[None]]

# So many weights of fused attention are made for those who see every operation: a quarter of a gigabyte.
_MOST_WEIGHTS = 1 << 26


class OperationWatcher(Watcher):
    """Watcher of a run's operations, except those that return only numbers."""

    def after(self, name: str, output: Any) -> Any:
        """Show the operation."""
        return super().after(name, output) if has_axes(output) else output


@contextlib.contextmanager
def operations(model: nn.Module, taps: Iterable[Tap], hooked: Hooked) -> Iterator["_Mode | None"]:
    """Show a run's operations to the taps that want them.

    Without such taps it does nothing, and yields None.

    Args:
        model: what runs.
        taps: those that see the run.
        hooked: places two hooks on a layer for a while: before its calls, and after them, whatever happens.
    """
    wanted = _wanting(model, taps)
    if not wanted:
        yield None
        return
    for tap in wanted:
        tap.missing.clear()
    mode = _Mode(model, wanted)
    with contextlib.ExitStack() as around:
        for name, layer in _own_layers(model).items():
            around.enter_context(hooked(layer, mode.begun(name, layer), mode.ended(name)))
        token = _CURRENT.set(mode)
        around.callback(_CURRENT.reset, token)
        with mode:
            yield mode
    for tap in wanted:
        for place, name in tap.layers.items():
            if isinstance(place, Operation) and place.name and not mode.made(place.name):
                tap.missed(name, mode.instead(place.name))


@contextlib.contextmanager
def others_calls(model: nn.Module, taps: Iterable[Tap], hooked: Hooked) -> Iterator[None]:
    """Show taps the operations of calls that no run makes.

    Such calls are of the model, or of its layers. See ``operations`` for what is given.
    """
    wanted = _wanting(model, taps)
    if not wanted:
        yield
        return
    named = {"": model, **_own_layers(model)}
    calls = {layer: _OutermostCall(model, name, wanted, hooked) for name, layer in named.items()}
    with contextlib.ExitStack() as around:
        for layer, call in calls.items():
            around.enter_context(hooked(layer, call.begun, call.ended))
        try:
            yield
        finally:
            mode = _CURRENT.get()
            if mode is not None and mode.opener in calls.values():
                mode.opened.close()  # a call was interrupted: torch then tells no hook that it has ended


class _OutermostCall:
    """A call outside runs and other calls, whose operations are seen."""

    def __init__(self, model: nn.Module, name: str, taps: list[Tap], hooked: Hooked) -> None:
        self.name, self._model, self._taps, self._hooked = name, model, taps, hooked

    def begun(self, layer: nn.Module, args: Any) -> None:
        """Open the mode, or note that the layer has called itself."""
        mode, taps = _CURRENT.get(), open_taps()
        if mode is not None:
            mode.depth += mode.opener is self
        elif recomputing():
            return
        elif not _wanting(self._model, taps):
            for tap in self._taps:
                tap.ran_abroad()
        else:
            opened = contextlib.ExitStack()
            mode = opened.enter_context(operations(self._model, taps, self._hooked))
            if mode is not None:
                mode.opener, mode.depth, mode.opened = self, 1, opened
                if self.name:
                    mode.begun(self.name, layer)(layer, args)
            for tap in _wanting(self._model, taps):
                tap.called = True

    def ended(self, layer: nn.Module, args: Any, output: Any) -> None:
        """Close the mode, unless it is the end of a call inside."""
        del layer, args, output
        mode = _CURRENT.get()
        if mode is None or mode.opener is not self:
            return
        mode.depth -= 1
        if not mode.depth:
            mode.opened.close()


def unheard() -> contextlib.AbstractContextManager[None]:
    """Hide operations in this block from the run under way.

    Those of taps are not the model's.
    """
    mode = _CURRENT.get()
    return _AUDIBLE if mode is None or mode.quiet else _quiet(mode)


@contextlib.contextmanager
def _quiet(mode: "_Mode") -> Iterator[None]:
    mode.quiet = True
    try:
        yield
    finally:
        mode.quiet = False


_AUDIBLE = contextlib.nullcontext()


def check_called(tap: Tap) -> None:
    """Check that an edit was met, if its block had any calls.

    Raises:
        EditError: see ``check_met`` and ``Tap.check``; or all calls were made in another thread or asyncio
            task.
    """
    if tap.rank not in {EDIT, EDIT_GRADIENT}:
        return
    if tap.abroad and not tap.ran:
        raise EditError(
            "the edit of {layers} changed nothing: the model ran in another thread or asyncio task, and a "
            "block sees only what its own runs. Open the block there, or run the model there in "
            "this block's contextvars.copy_context().",
            layers=", ".join(map(repr, tap.layers.values())),
        )
    if tap.called and not tap.met:
        check_met(tap)
        tap.check()


def check_met(tap: Tap) -> None:
    """Check that a run which came to its end met an edit.

    Raises:
        EditError: the edit is of operations only, and the model's code made none of them.
    """
    if tap.rank in {EDIT, EDIT_GRADIENT} and tap.missing and set(tap.layers.values()) <= set(tap.missing):
        raise EditError(
            "the edit of {operations} changed nothing: {reason}",
            operations=", ".join(map(repr, tap.missing)),
            reason=next(iter(tap.missing.values())),
        )


@dataclass
class _Frame:
    """An unfinished call of a layer, with its counts of functions."""

    layer: str
    closed: bool = False  # a layer of torch's own: its output says it all
    turns: Counter[str] = field(default_factory=Counter)


class _Mode(TorchFunctionMode):
    """Mode that names each operation and calls its taps."""

    def __init__(self, model: nn.Module, taps: list[Tap]) -> None:
        super().__init__()
        self.quiet = False
        self._model, self._taps = model, taps
        self.opener: _OutermostCall | None = None  # if no run has opened it
        self.depth, self.opened = 0, contextlib.ExitStack()
        self._frames = [_Frame("")]
        self._made: dict[str, dict[str, bool]] = defaultdict(dict)
        self._ran: set[str] = set()  # layers within the model

    def __torch_function__(
        self, func: Function, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Call the function between its taps; no function is seen in here."""
        del types
        kwargs, frame, function = kwargs or {}, self._frames[-1], plain_name(func)
        if self.quiet or frame.closed or not computes(function) or recomputing() or stopped():
            return func(*args, **kwargs)
        if is_fused(func):
            func = self._unfused(func, frame)
        operation = self._next(function, frame)
        output, result = _called(func, args, kwargs, self._named(operation, Operation(self._model)))
        self._made[frame.layer][called_function(operation.name)] = has_axes(output)
        return result

    def _next(self, function: str, frame: _Frame) -> Operation:
        """Count a call of a function in a layer; return its operation."""
        frame.turns[function] += 1
        return Operation(self._model, operation_name(frame.layer, function, frame.turns[function]))

    def _named(self, operation: Operation, *others: Operation) -> list[tuple[Tap, str]]:
        """Return the taps that see an operation, with their names for it."""
        taps = tapping(operation, *others)
        _check_not_repeated(operation.name, taps)
        return [(tap, tap.layers.get(operation, operation.name)) for tap in taps]

    def _unfused(self, func: Function, frame: _Frame) -> Function:
        """Return fused attention with its softmax as an operation, if wanted."""
        operation = self._next("softmax", frame)
        self._made[frame.layer][called_function(operation.name)] = True
        if not tapping(operation, Operation(self._model)):
            return func

        def softmax(made: Function, count: int, scores: Callable[[], torch.Tensor]) -> torch.Tensor | None:
            others = [Operation(self._model)] if count <= _MOST_WEIGHTS else []
            taps = [(tap, name) for tap, name in self._named(operation, *others) if tap.inside_fused]
            if not taps:
                return None
            used = any(tap.rank in {EDIT, EDIT_GRADIENT} or tap.needs_graph for tap, _ in taps)
            with torch.set_grad_enabled(used and torch.is_grad_enabled()):
                weights = _called(made, (scores(),), {"dim": -1}, taps)[1]
            return weights if used else None

        return unfused(func, softmax)

    def made(self, operation: str) -> bool:
        """Return whether the model's code has made this operation."""
        return called_function(operation) in self._made[calling_layer(operation)]

    def instead(self, operation: str) -> Sentence:
        """Return the reason for a missing operation: those that were made."""
        layer = calling_layer(operation)
        others = [function for function, worth_a_look in self._made[layer].items() if worth_a_look]
        code = (
            Sentence("the code of {layer}", layer=repr(layer)) if layer else Sentence("the model's own code")
        )
        is_outside = bool(self.opener and self.opener.name)  # a layer was called, and not the model around it
        if layer not in self._ran if layer else is_outside:
            return Sentence(
                "hooks saw no call of {code} in this run: it did not run, or its forward, or another method, "
                "was called directly. Call the model, or the layer, itself.",
                code=code,
            )
        asked = {"code": code, "function": called_function(operation)}
        if not others:
            return Sentence("in this run {code} made no {function}, and no other operation.", **asked)
        return Sentence(
            "in this run {code} made no {function}; it made: {others}", **asked, others=listed(others)
        )

    def begun(self, name: str, layer: nn.Module) -> Callable[..., None]:
        """Return the pre-hook that notes that the layer's code runs."""
        closed = is_one_operation(layer)

        def begin(layer: nn.Module, args: Any) -> None:
            del layer, args
            if _CURRENT.get() is self:  # not another thread, which calls the model by itself
                self._ran.add(name)
                self._frames.append(_Frame(name, closed))

        return begin

    def ended(self, name: str) -> Callable[..., None]:
        """Return the hook that notes that the layer has ended, or raised."""

        def end(layer: nn.Module, args: Any, output: Any) -> None:
            del layer, args, output
            if _CURRENT.get() is self and self._frames[-1].layer == name:
                self._frames.pop()
                for tap in self._taps:
                    tap.left(name)

        return end


# The run under way in this thread: taps that work meanwhile must not be heard, nor must other threads' calls.
_CURRENT: ContextVar[_Mode | None] = ContextVar("operations", default=None)


def has_axes(output: Any) -> bool:
    """Return whether an operation returned a tensor with at least one axis."""
    return any(tensor.dim() for tensor in leaves(output).values())


def _wanting(model: nn.Module, taps: Iterable[Tap]) -> list[Tap]:
    return [tap for tap in taps if any(_is_of(place, model) for place in tap.layers)]


def _is_of(place: object, model: nn.Module) -> bool:
    return isinstance(place, Operation) and place.model is model


def _own_layers(model: nn.Module) -> dict[str, nn.Module]:
    """Return each layer that takes hooks, once."""
    layers = layers_of(model)
    return {name: layers[name] for name in hookable(canonical_names(layers), layers)}


def _called(
    function: Function, args: tuple[Any, ...], kwargs: dict[str, Any], taps: list[tuple[Tap, str]]
) -> tuple[Any, Any]:
    """Call a function between its taps.

    It returns the output as they see it, and its caller's result.

    A function that works in place does so on a clone if autograd records it, for it may keep what it wrote;
    what the taps made of it is then written into the memory that the caller meant.
    """
    target = written_by(function, args, kwargs) if taps else None
    for tap, name in taps:
        args, kwargs = tap.before(name, args, kwargs)
    if target is not None and torch.is_grad_enabled():
        clone = target.clone()
        args = tuple(clone if each is target else each for each in args)
        kwargs = {key: clone if each is target else each for key, each in kwargs.items()}
    result = function(*args, **kwargs)
    sets = getattr(function, "__name__", "") == "__setitem__"  # the only one that returns nothing
    output = args[0] if sets else result
    for tap, name in reversed(taps):
        tap.returned(name)
    for tap, name in taps:
        output = tap.after(name, output)
    if target is None:
        return output, result if sets else output
    _write(output, target, function)
    return target, None if sets else target


def _write(new: Any, target: torch.Tensor, function: Function) -> None:
    """Write an in-place operation's output into the memory that was meant."""
    if new is target:
        return
    if not isinstance(new, torch.Tensor) or new.shape != target.shape:
        raise EditError(
            "{function} writes into a tensor of shape {shape}: a new output of it must have this shape.",
            function=getattr(function, "__name__", ""),
            shape=tuple(target.shape),
        )
    target.copy_(new)


def _check_not_repeated(name: str, taps: Iterable[Tap]) -> None:
    """Check that checkpointing repeats no operation of gradients without its taps.

    Raises:
        UnsupportedModelError: it does: the mode is not open during a backward pass.
    """
    if not any(tap.needs_graph or tap.rank == EDIT for tap in taps):
        return
    if any(tap.needs_graph for tap in open_taps()) and _checkpointed():
        raise UnsupportedModelError(
            "The model repeats {operation} in its backward pass (activation checkpointing): its gradients "
            "cannot be captured, nor can it be edited when gradients are. Take a layer, or switch the "
            "checkpointing off.",
            operation=repr(name),
        )


def _checkpointed() -> bool:
    frame: FrameType | None = sys._getframe()  # noqa: SLF001  (what is called by what)
    while frame is not None and frame.f_globals.get("__name__") != "torch.utils.checkpoint":
        frame = frame.f_back
    return frame is not None
