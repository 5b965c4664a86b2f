"""Gradients that flow back into a value: stored, shown, or changed.

A hook must see what comes back through one value of one call, and nothing else; and looking must not change
what is computed, so no memory is copied, and what shared memory goes on sharing it. A tensor that its layer
made gets a node of its own in the autograd graph, in place. A tensor whose memory others know, such as a
layer's input, flows on as a view with a node of its own. When the model writes into such a view, autograd
takes the view's history over into that of the memory; ``HookedView`` then listens there too. If the layer
itself has written into what it was given, all who read that memory read its output: the memory gets the node.
"""

import contextlib
import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias
from weakref import ref

import torch
from torch.autograd.grad_mode import _unsafe_preserve_version_counter
from torch.utils import swap_tensors
from torch.utils.hooks import RemovableHandle

from ...errors import EditError
from .structure import Undo, exchange_tensors, tensors_in

_NUMBERS = itertools.count()
Hook = Callable[[int, torch.Tensor], torch.Tensor | None]
TensorHook = Callable[[torch.Tensor], torch.Tensor | None]
Given: TypeAlias = Mapping[int, int]
_Plain: TypeAlias = tuple[ref[torch.Tensor], int]  # a tensor without history, and its version


def recomputing() -> bool:
    """Return whether a backward pass is under way.

    Activation checkpointing repeats layers in it.
    """
    return _backward_pass() != -1


def memory_of(value: Any) -> set[int]:
    """Return a number for each memory that a value's tensors lie in."""
    return {tensor.untyped_storage()._cdata for tensor in tensors_in(value) if has_memory(tensor)}  # noqa: SLF001


def given_memory(value: Any) -> Given:
    """Return the memories that a layer is given, each with its version.

    Every write raises the version.
    """
    return {
        memory: -1 if tensor.is_inference() else tensor._version  # noqa: SLF001
        for tensor in tensors_in(value)
        for memory in memory_of(tensor)
    }


class GradientWatch:
    """Tensor hooks on layers' inputs or outputs, for one block.

    A hook sees only what comes back through this value, however else the tensor is used, and a later in-place
    operation changes nothing about it. (A full backward hook would forbid in-place operations after the
    layer.) If no graph exists yet, because the weights are frozen, it starts here.
    """

    def __init__(self) -> None:
        self.handles: list[RemovableHandle] = []
        self.views: list[HookedView] = []
        self._plain: list[_Plain] = []

    def show(
        self, value: Any, hook: Hook, known: Given, *, adds_up: bool = False, apart: bool = False
    ) -> tuple[Any, Undo]:
        """Return the value to pass on, and the undo for its containers.

        A repetition by activation checkpointing gets the same graph without the hooks.

        Args:
            value: a layer's inputs or output.
            hook: ``hook(position, gradient)`` may return another gradient; the position is that of
                ``structure.places``.
            known: the memory that others have tensors of: what the layer was given (see ``given_memory``).
            adds_up: a gradient that comes in two parts is shown as their sum, and not changed.
            apart: a tensor in two places has a gradient for each, as inputs have, instead of one.
        """
        if torch.is_inference_mode_enabled():
            return value, lambda: None
        before = tensors_in(value)  # an id means nothing once its value is gone
        positions = iter(range(len(before)))
        done: dict[int, torch.Tensor] = {}

        def shown(tensor: torch.Tensor) -> torch.Tensor:
            position = next(positions)
            if apart or id(tensor) not in done:
                new = self._shown(tensor, _at(position, hook), known, adds_up=adds_up)
                done[id(tensor)] = done[id(new)] = new  # a list in two places already holds the new one
            return done[id(tensor)]

        return exchange_tensors(value, shown)

    def end(self) -> None:
        """Remove all hooks, and nodes on what had no history."""
        self.views.clear()
        for handle in self.handles:
            handle.remove()
        self.handles.clear()
        alive = [(reference(), version) for reference, version in self._plain]
        self._plain.clear()
        for tensor, version in alive:
            if tensor is not None and tensor._version == version:  # noqa: SLF001  (not written by the model)
                without_history(tensor)

    def _shown(self, tensor: torch.Tensor, hook: TensorHook, known: Given, *, adds_up: bool) -> torch.Tensor:
        if not (tensor.is_floating_point() or tensor.is_complex()):
            return tensor
        written = _written(tensor, known)
        flowing = _with_a_node(tensor, known, self._plain, written=written)
        if recomputing() or not flowing.requires_grad:
            return flowing
        if written and flowing._base is not None:  # noqa: SLF001
            self.handles.append(flowing._base.register_hook(_if_any(_in_part(flowing, hook))))  # noqa: SLF001
            return flowing
        if flowing._base is None:  # noqa: SLF001  (a view alone can lose its node to a write)
            self.handles.append(flowing.register_hook(_if_any(hook)))
            return flowing
        view = HookedView(flowing, hook, adds_up=adds_up)
        self.handles.append(flowing.register_hook(_if_any(view.at_view)))
        self.views.append(view)
        return flowing


def settle(watches: list[GradientWatch]) -> None:
    """Hook the writes that a run has made into watched views.

    What was placed last meets the gradient first.
    """
    waiting = [(view, watch) for watch in watches for view in watch.views]
    for view, watch in sorted(waiting, key=lambda each: each[0].number, reverse=True):
        watch.handles.extend(view.settled())
    for watch in watches:
        watch.views.clear()


class HookedView:
    """View with a gradient hook that survives a write into its memory."""

    def __init__(self, view: torch.Tensor, hook: TensorHook, *, adds_up: bool) -> None:
        self.number = next(_NUMBERS)
        self._view, self._hook, self._adds_up = view, hook, adds_up
        self._base: torch.Tensor = view._base  # type: ignore[assignment]  # noqa: SLF001
        self._node = (view.grad_fn, self._base.grad_fn)
        self._part = _Part(view)
        self._written: tuple[int, torch.Tensor] | None = None  # the backward pass, and what it brought

    def at_view(self, gradient: torch.Tensor) -> torch.Tensor | None:
        """Take the gradient of the view's readers, after the first write's."""
        if self._written is None or self._written[0] != _backward_pass():
            return self._hook(gradient)
        if not self._adds_up:
            raise EditError(
                "the gradient cannot be edited here: the model first reads this value and then overwrites "
                "it, so it comes back in two parts. Edit that of the layer before."
            )
        self._hook(gradient + self._written[1])
        return None

    def settled(self) -> Iterator[RemovableHandle]:
        """Listen to the first write into the memory, if there was one."""
        view, base = self._view, self._base
        del self._view, self._base
        before, history = self._node
        if view.grad_fn is before or history is None:
            return
        node, place = _next_after(base.grad_fn, history)
        if node is not None:
            yield node.register_hook(lambda into, _: self._at_write(into, place))

    def _at_write(self, into: Any, place: int) -> Any:
        if into[place] is None:
            return None
        whole, part = self._part.of(into[place])
        new = self._hook(part)
        self._written = (_backward_pass(), part.clone())
        if new is None:
            return None
        part.copy_(new)
        return (*into[:place], whole, *into[place + 1 :])


class _Part:
    """Position of a view in its base tensor."""

    def __init__(self, view: torch.Tensor) -> None:
        base: torch.Tensor = view._base  # type: ignore[assignment]  # noqa: SLF001
        self._base = base.size(), base.stride()
        self._slice = view.size(), view.stride(), view.storage_offset() - base.storage_offset()

    def of(self, gradient: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return a copy of the base's gradient, and the view's part."""
        whole = gradient.new_empty_strided(*self._base).copy_(gradient)
        return whole, whole.as_strided(*self._slice)


def _in_part(view: torch.Tensor, hook: TensorHook) -> TensorHook:
    """Return the same hook for the gradient of a view's base."""
    place = _Part(view)

    def at_memory(gradient: torch.Tensor) -> torch.Tensor | None:
        whole, part = place.of(gradient)
        new = hook(part)
        if new is None:
            return None
        part.copy_(new)
        return whole

    return at_memory


class _Mark(torch.autograd.Function):
    """The identity, in place: the same tensor with its own node.

    The second input begins a graph.
    """

    @staticmethod
    def forward(ctx: Any, tensor: torch.Tensor, beginning: torch.Tensor) -> torch.Tensor:  # noqa: ARG004
        ctx.mark_dirty(tensor)
        return tensor

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> Any:  # noqa: ARG004
        return gradients[0], None


def marked(tensor: torch.Tensor, view: torch.Tensor | None = None) -> torch.Tensor:
    """Give a tensor its own node in the autograd graph, in place.

    Its values are the same, so whoever keeps it for the backward pass may go on doing so. That is why
    autograd is not told of a write; a ``view`` of it that is known follows all the same.
    """
    with torch.enable_grad(), _unsafe_preserve_version_counter(tensor):
        _Mark.apply(tensor, torch.empty(0, requires_grad=True))
        if view is not None:
            with contextlib.suppress(RuntimeError):  # one of several views at once, a chunk, stays as it is
                _ = view.grad_fn  # read now, it is found anew
    return tensor


def has_history(tensor: torch.Tensor) -> bool:
    """Return whether autograd follows a tensor, or the memory that it views."""
    return tensor.requires_grad or _viewed(tensor).requires_grad


def without_history(tensor: torch.Tensor) -> None:
    """Take a tensor and what it views out of the graph."""
    base = _viewed(tensor)
    if base.grad_fn is not None:
        base.detach_()
    plain = tensor.detach()
    if tensor.grad_fn is not None and type(plain) is type(tensor):  # a view, which refuses to be detached
        vars(plain).update(vars(tensor))
        with contextlib.suppress(RuntimeError):  # a graph that is still there may hold it
            swap_tensors(tensor, plain)


def _written(tensor: torch.Tensor, known: Given) -> bool:
    """Return whether a layer returned given memory that it has written into."""
    before = {known[memory] for memory in memory_of(tensor) if memory in known}
    if tensor.is_inference() or before <= {tensor._version}:  # noqa: SLF001
        return False
    base = _viewed(tensor)
    return base.requires_grad == tensor.requires_grad and not _is_own_leaf(base)


def _with_a_node(tensor: torch.Tensor, known: Given, plain: list[_Plain], *, written: bool) -> torch.Tensor:
    """Return the same values with their own node, without copying if possible.

    What others have a tensor of, and had no history, is noted in ``plain``.
    """
    if written:
        marked(_viewed(tensor), tensor)
        return tensor
    if not has_memory(tensor) or tensor.is_inference():
        with torch.enable_grad():
            return (tensor if tensor.requires_grad else tensor.detach().requires_grad_()).clone()
    if memory_of(tensor) & known.keys() or _is_shared(tensor):
        return _parted(tensor, plain)
    return marked(tensor)


def _parted(tensor: torch.Tensor, plain: list[_Plain]) -> torch.Tensor:
    """Return the same memory as a view with its own node."""
    base = _viewed(tensor)
    if base.requires_grad and not tensor.requires_grad:  # a view that the model took without gradients
        return marked(tensor.detach())
    if not base.requires_grad:
        plain += [(ref(each), each._version) for each in (base, tensor)]  # noqa: SLF001
        marked(base, tensor)
    with torch.enable_grad():
        alias: torch.Tensor = torch.ops.aten.alias(tensor)  # ``view_as`` would choose strides of its own
    return alias


def _is_shared(tensor: torch.Tensor) -> bool:
    """Return whether a tensor is a view, or a leaf with gradients.

    Neither takes a node in place.
    """
    return tensor._base is not None or _is_own_leaf(tensor)  # noqa: SLF001


def _is_own_leaf(tensor: torch.Tensor) -> bool:
    return tensor.is_leaf and tensor.requires_grad


def _viewed(tensor: torch.Tensor) -> torch.Tensor:
    return tensor if tensor._base is None else tensor._base  # noqa: SLF001


def has_memory(tensor: torch.Tensor) -> bool:
    """Return whether a tensor's values lie in one memory, in strides."""
    return tensor.layout is torch.strided and not tensor.is_nested and not tensor.is_quantized


def _next_after(node: Any, history: Any) -> tuple[Any, int]:
    """Return the node after ``history`` in one memory, and its input's place."""
    while node is not None and node is not history:
        followers = [(follower, place) for place, (follower, _) in enumerate(node.next_functions)]
        for follower, place in followers:
            if follower is history:
                return node, place
        node = followers[0][0] if followers else None
    return None, 0


def _if_any(hook: TensorHook) -> Callable[[torch.Tensor | None], torch.Tensor | None]:
    """Return the hook without calls for None, which steps without derivative bring."""
    return lambda gradient: None if gradient is None else hook(gradient)


def _at(position: int, hook: Hook) -> TensorHook:
    return lambda gradient: hook(position, gradient)


def _backward_pass() -> int:
    """Return the number of the current backward pass, or -1."""
    return int(torch._C._current_graph_task_id())  # noqa: SLF001  (there is no other way to ask)
