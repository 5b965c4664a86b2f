"""``LayerActivations``: capture and edit a model's layers, and run the model.

Hooks are registered here and live as long as their block.
"""

import contextlib
import functools
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any, TypeVar

import torch
from torch import nn
from torch.optim import Optimizer
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook
from torch.utils.hooks import RemovableHandle

from ..displayed import DisplayedValue
from ..errors import EditError, UnknownLayerError
from .blocks import OpenTap, close_blocks, in_turn, is_open, open_blocks, open_taps
from .functional import Operation, Place
from .gradient_taps import GradientEdit, InputGradientEdit
from .hookable import device_for, hookable_model, moved, placed, with_ordinary_weights
from .operations import OperationWatcher, check_called, check_met, operations, others_calls, unheard
from .recorder import Options, Record, Recorder
from .running import Mode, followable_checkpoints, frozen_weights, running, uncompiled
from .selectors import Selector, canonical_names, hookable, kind, layers_of, place, selected
from .taps import EDIT, EDIT_GRADIENT, Edit, Stop, Tap, Watcher
from .values.gradients import recomputing, settle
from .values.norms import right_norms
from .values.pages import keep_freed_pages
from .values.remembered import Memory, Repeating
from .values.summaries import calls_text, table, top

TapType = TypeVar("TapType", bound=Tap)

# Eval mode, frozen weights and the attention switch affect every thread, and layers can be shared between
# models. So runs, and placing or removing hooks, happen one at a time in a process.
_ONE_AT_A_TIME = threading.RLock()

# By the id of a model: the mode of its runs in this thread or task, if it is not eval mode.
_MODES: ContextVar[Mapping[int, Mode]] = ContextVar("modes", default=MappingProxyType({}))


class LayerActivations(DisplayedValue):
    """The layers of a model, to be captured, edited and run.

        layers = LayerActivations(model)
        with layers.capture("layer1.1.conv2") as record:
            layers.run(images, until="layer1.1.conv2")  # images: (N, 3, H, W)
        record["layer1.1.conv2"].output  # (N, 64, H/4, W/4)

    A name may also be that of an operation in a layer's code, such as ``layer1.0 › add``, or the empty name,
    which the model itself has. ``survey(operations=True)`` lists operations by name. They are seen while
    ``run`` runs the model, and while you call it or one of its layers yourself, as ``generate()`` does.

    The model is moved to ``device`` (as ``nn.Module.to`` does), and is in eval mode while it runs, but for
    ``training`` and ``as_it_is`` blocks. Weights made in inference mode become ordinary ones.
    DataParallel and torch.compile are unwrapped. Many threads may use it at once: a block sees only what its
    own thread, or asyncio task, runs. On a CPU, glibc is told to keep freed memory, so that
    captures are fast.

    Args:
        model: any ``nn.Module`` that runs as Python code.
        device: ``"auto"`` (CUDA, then MPS, then CPU) or a torch device.
        repeatable: whether ``run`` puts back what the model remembers from it: buffers, weights and
            attributes that it has written, also in its own objects. Otherwise a model with a state goes on
            from it, as when you call it yourself.

    Raises:
        UnsupportedModelError: the model cannot be hooked; the message says why.

    >>> layers = lg.LayerActivations(model)
    >>> with layers.capture("conv1") as record:
    ...     scores = layers.run(images)
    >>> record["conv1"].output.shape
    torch.Size([1, 6, 28, 28])
    """

    def __init__(
        self, model: nn.Module, device: str | torch.device = "auto", *, repeatable: bool = False
    ) -> None:
        plain = hookable_model(model)
        self.device = device_for(plain, device)
        self.model = with_ordinary_weights(moved(plain, self.device))
        self._repeating = Repeating(self.model) if repeatable else None
        self._newest: Callable[[], Record | None] = lambda: None
        if self.device.type == "cpu":
            keep_freed_pages()

    @property
    def names(self) -> tuple[str, ...]:
        """Every layer's dotted name, in definition order.

        A layer with two names is listed under both.
        """
        return tuple(layers_of(self.model))

    @property
    def parameter_bytes(self) -> int:
        """The memory that weights and buffers take, in bytes."""
        return sum(weight.nbytes for weight in (*self.model.parameters(), *self.model.buffers()))

    def __repr__(self) -> str:
        rows = self.rows()
        shown = {name: rows[name] for name in top(list(rows))}
        head = f"LayerActivations of {type(self.model).__name__} on {self.device}: {len(rows)} layers"
        return f"{head}\n{table(shown, len(rows))}" if rows else head

    def rows(self) -> dict[str, tuple[str, str]]:
        """Return each layer's name with its class and, if recorded, its shapes.

        The shapes come from the newest record; they are empty if it is no longer held.
        """
        layers, record = layers_of(self.model), self._newest()
        seen = {name: calls_text(found) for name, found in record.items() if found} if record else {}
        return {name: (type(layer).__name__, seen.get(name, "")) for name, layer in layers.items()}

    def module(self, name: str) -> nn.Module:
        """Return the ``nn.Module`` behind a layer's name.

        Raises:
            UnknownLayerError: there is no such layer.
        """
        layers = layers_of(self.model)
        found = place(selected(name, self.model, layers)[0], self.model, layers)
        if isinstance(found, Operation):
            raise UnknownLayerError(
                "{name} is an operation, not a layer: no module is behind it.", name=repr(name)
            )
        return found

    def kind(self, name: str) -> str:
        """Return a layer's class (``Conv2d``) or an operation's function (``add``).

        Raises:
            UnknownLayerError: there is no such layer.
        """
        layers = layers_of(self.model)
        return kind(selected(name, self.model, layers)[0], self.model, layers)

    def select(self, *selectors: Selector) -> tuple[str, ...]:
        """Return the names that the selectors mean, each layer once.

        Without selectors, they are those of every layer, except within TorchScript. A selector is a name, a
        layer class, a predicate ``(name, layer) -> bool``, an index into a model that is a ``Sequential``, or
        a layer itself. Only a name means an operation, or the model (``""``). Which operations there are
        shows when the model runs; here the layer in an operation's name must exist.

        Raises:
            UnknownLayerError: a selector matches no layer.
        """
        return tuple(self._selected(layers_of(self.model), selectors).values())

    @contextlib.contextmanager
    def capture(
        self,
        *selectors: Selector,
        inputs: bool = False,
        gradients: bool = False,
        keep: Callable[[torch.Tensor], Any] | None = None,
        budget: int | None = None,
        create_graph: bool = False,
    ) -> Iterator[Record]:
        """Record this thread's calls of the selected layers in the block.

        Outputs are kept as they were when the layer returned; edits of the same layer are in them. The memory
        of a tensor is copied only if somebody writes into it later. Several runs in one block add up: a layer
        that each run calls once has as many calls as there were runs.

        Args:
            selectors: see ``select``.
            inputs: also record what the layers were given.
            gradients: also record the gradients that ``backward``, called inside the block, brings to
                outputs, and to inputs if they are recorded. The weights are frozen in the block.
            keep: what to keep of each tensor, such as ``lambda tensor: tensor.mean((2, 3))``; by default all
                of it.
            budget: how many bytes the record may grow to.
            create_graph: keep the graph of the gradients, for gradients of gradients. Call
                ``torch.autograd.grad`` with ``create_graph=True`` too.

        Raises:
            CaptureError: raised when a layer runs: the record outgrows its budget.
            UnknownLayerError: a selector matches no layer.
        """
        layers = layers_of(self.model)
        seen = self._selected(layers, selectors)
        keys = layers | {name: found for found, name in seen.items()}
        options = Options(inputs, gradients, keep, budget, create_graph)
        recorder = Recorder(seen, record := Record(tuple(seen.values()), keys, self.select), options)
        self._newest = weakref.ref(record)
        with self._hooked(recorder):
            yield record

    @contextlib.contextmanager
    def edit(
        self,
        selector: Selector,
        *others: Selector,
        output: Callable[[Any], Any] | None = None,
        inputs: Callable[[tuple[Any, ...]], Any] | None = None,
        keywords: Callable[[dict[str, Any]], Any] | None = None,
        gradient: Callable[[torch.Tensor], Any] | None = None,
        input_gradient: Callable[[torch.Tensor], Any] | None = None,
        call: int | None = None,
    ) -> Iterator[None]:
        """Change the selected layers' outputs, inputs or gradients in this thread.

        Args:
            selector: see ``select``.
            others: more selectors.
            output: gets the layer's output and returns the new one.
            inputs: gets the tuple of positional inputs; returns the new tuple, or one value for one input.
            keywords: gets the dict of keyword inputs and returns the new one.
            gradient: gets the gradient with respect to each output tensor and returns the new one.
            input_gradient: gets the gradient with respect to each positional input tensor, through this layer
                alone, and returns the new one, which flows on to where the input came from.
            call: edit only this call of a run, counted from 0.

        Raises:
            EditError: there is nothing to edit, an edit returned None, or no call of the model met it.
            UnknownLayerError: a selector matches no layer.
        """
        if (output, inputs, keywords, gradient, input_gradient) == (None,) * 5:
            raise EditError(
                "an edit needs at least one of output=, inputs=, keywords=, gradient= and input_gradient=."
            )
        layers = self._selected(layers_of(self.model), (selector, *others))
        taps: list[Tap] = [Edit(layers, output=output, inputs=inputs, keywords=keywords, call=call)]
        if gradient is not None:
            taps.append(GradientEdit(layers, gradient, call))
        if input_gradient is not None:
            taps.append(InputGradientEdit(layers, input_gradient, call))
        with self._hooked(*taps):
            yield

    @contextlib.contextmanager
    def training(self, seed: int = 0) -> Iterator[None]:
        """Run the model in training mode in this block.

        Dropout drops, and norms take the batch's own mean. Every run draws the same random numbers, and
        leaves buffers, such as running means, as they were.
        """
        with self._in_mode(Mode(seed)):
            yield

    @contextlib.contextmanager
    def as_it_is(self, seed: int = 0) -> Iterator[None]:
        """Run each layer in its own mode in this block.

        Every run draws the same random numbers, and leaves buffers, such as running means, as they were.
        """
        with self._in_mode(Mode(seed, each_its_own=True)):
            yield

    @contextlib.contextmanager
    def _in_mode(self, mode: Mode) -> Iterator[None]:
        token = _MODES.set({**_MODES.get(), id(self.model): mode})
        try:
            yield
        finally:
            _MODES.reset(token)

    @contextlib.contextmanager
    def watch(self, see: Callable[[str, Any], None], *selectors: Selector) -> Iterator[None]:
        """Call ``see(name, output)`` as each call of the selected layers ends.

        Nothing is copied.
        """
        with self._hooked(Watcher(self._selected(layers_of(self.model), selectors), see)):
            yield

    @contextlib.contextmanager
    def watch_operations(self, see: Callable[[str, Any], None]) -> Iterator[None]:
        """Call ``see(name, output)`` as each operation outside layers ends, such as ``layer1.0 › add``.

        ``survey(operations=True)`` has their names; those that return only a number are left out.
        Nothing is copied or kept.
        """
        with self._hooked(OperationWatcher({Operation(self.model): ""}, see)):
            yield

    @contextlib.contextmanager
    def trace(self, tap: Callable[[Mapping[Place, str]], TapType], *selectors: Selector) -> Iterator[TapType]:
        """Yield the caller's own tap, which sees the selected layers' calls."""
        found = tap(self._selected(layers_of(self.model), selectors))
        with self._hooked(found):
            yield found

    @contextlib.contextmanager
    def updates(self, before: Callable[[], None], after: Callable[[], None]) -> Iterator[None]:
        """Call functions before and after each optimiser step on the model's weights."""
        weights = {id(weight): weight for weight in self.model.parameters()}

        def ours(optimiser: Optimizer) -> bool:
            groups = (group["params"] for group in optimiser.param_groups)
            return any(id(weight) in weights for group in groups for weight in group)

        def begun(optimiser: Optimizer, *_: Any) -> None:
            if ours(optimiser):
                before()

        def ended(optimiser: Optimizer, *_: Any) -> None:
            if ours(optimiser):
                after()

        with register_optimizer_step_pre_hook(begun), register_optimizer_step_post_hook(ended):
            yield

    def run(self, *args: Any, until: Selector | tuple[Selector, int] | None = None, **kwargs: Any) -> Any:
        """Run the model and return its output, or that of ``until``.

        Tensors among the inputs are copied to the model's device. No autograd graph is built, unless an open
        block captures or edits gradients. An exception of the model's own comes through as it is. With
        ``until``, an edit whose layer or call would come later changes nothing, and nothing is raised.

        Args:
            args: the model's inputs.
            until: a selector of one layer, to stop after its first call, or (selector, call), counted from 0.
            kwargs: the model's keyword inputs.

        Raises:
            CallError: the model ended without that call of ``until``.
            EditError: the model ran to its end, and an open block's edit met none of its calls.
            UnknownLayerError: ``until`` does not mean exactly one layer.
        """
        stop = self._stop(until)
        taps = [tap for tap in open_taps() if self._mine(tap)]
        graph = any(tap.needs_graph for tap in taps)
        mode = _MODES.get().get(id(self.model))
        memory: contextlib.AbstractContextManager[Memory | None] = (
            self._repeating.remembered(whole=stop is None) if self._repeating else contextlib.nullcontext()
        )
        with _ONE_AT_A_TIME, running(self.model, graph=graph, mode=mode), memory as before:
            result = self._pass(taps, stop, args, kwargs)
            return result if before is None else before.apart(result)

    def __call__(self, *args: Any, **kwargs: Any) -> Record:
        """Run the model and return a record of every layer.

        The record of the model itself is ``record[""]``.

        Args:
            args: the model's inputs.
            kwargs: the model's keyword inputs.
        """
        with self.capture("", *self.select()) as record:
            self.run(*args, **kwargs)
        return record

    def _pass(self, taps: list[Tap], stop: Stop | None, args: Any, kwargs: Any) -> Any:
        """Return what ``run`` returns; the caller holds the lock."""
        with contextlib.ExitStack() as around:
            for tap in taps:
                tap.start()
                tap.ran = tap.running = True
                around.callback(setattr, tap, "running", False)
                around.enter_context(tap.around())
            if stop is not None:
                around.enter_context(self._hooked(stop))
            around.callback(settle, [watch for tap in taps for watch in tap.watches()])
            args, kwargs = placed((args, kwargs), self.device)
            with operations(self.model, [*taps, stop] if stop else taps, between):
                result = _result(stop, lambda: self.model(*args, **kwargs))
            for tap in taps if stop is None else [stop]:
                check_met(tap)
                tap.check()
            return result

    def _stop(self, until: Selector | tuple[Selector, int] | None) -> Stop | None:
        if until is None:
            return None
        selector, call = until if isinstance(until, tuple) else (until, 0)
        found = self._selected(layers_of(self.model), (selector,))
        if len(found) != 1:
            raise UnknownLayerError(
                "until must mean one layer, and {selector} means {count}: give a name.",
                selector=repr(selector),
                count=len(found),
            )
        return Stop(*next(iter(found.items())), call)

    def _mine(self, tap: Tap) -> bool:
        ours = set(self.model.modules())
        return any((each.model if isinstance(each, Operation) else each) in ours for each in tap.layers)

    def _selected(self, layers: Mapping[str, nn.Module], selectors: Sequence[Selector]) -> dict[Place, str]:
        """Return the selected layers and operations, each with its first name.

        ``layers`` are the model's: the caller walks over them once.
        """
        names = [name for selector in selectors for name in selected(selector, self.model, layers)]
        if not selectors:
            names = [*hookable(canonical_names(layers), layers)]
        first: dict[Place, str] = {}
        for name in names:
            first.setdefault(place(name, self.model, layers), name)
        return first

    @contextlib.contextmanager
    def _hooked(self, *taps: Tap) -> Iterator[None]:
        """Let taps see this thread's calls of their layers in a block."""
        hooks, blocks = contextlib.ExitStack(), [OpenTap(tap) for tap in taps]
        try:
            with _ONE_AT_A_TIME:
                for block in blocks:
                    _register(block, hooks)
                if any(tap.needs_graph for tap in taps):
                    hooks.enter_context(frozen_weights(self.model))
                    hooks.enter_context(right_norms())
                    hooks.enter_context(self.model.register_forward_hook(_settled))
                if edits := [tap for tap in taps if tap.rank in {EDIT, EDIT_GRADIENT}]:
                    called = functools.partial(_called, edits)
                    hooks.enter_context(self.model.register_forward_hook(called))
                hooks.enter_context(followable_checkpoints())
                hooks.enter_context(uncompiled())
                hooks.enter_context(others_calls(self.model, taps, between))
            open_blocks(blocks)
            yield
            for tap in taps:
                check_called(tap)
        finally:
            close_blocks(blocks)
            with _ONE_AT_A_TIME:
                hooks.close()
            for tap in taps:
                tap.finish()


def wrap(model: nn.Module, *, repeatable: bool = False) -> LayerActivations:
    """Return a model's layers; the model stays on its device.

        net = wrap(model)
        record = net(images)
        record["conv1"].output

    Raises:
        UnsupportedModelError: the model cannot be hooked; the message says why.

    >>> record = lg.wrap(model)(images)
    >>> record["conv2"].output.shape
    torch.Size([1, 16, 10, 10])
    """
    plain = hookable_model(model)
    weights = (*plain.parameters(), *plain.buffers())
    return LayerActivations(plain, weights[0].device if weights else "cpu", repeatable=repeatable)


def _register(block: OpenTap, hooks: contextlib.ExitStack) -> None:
    handles: list[RemovableHandle] = []
    hooks.callback(_remove, handles)
    before, after = functools.partial(_before, block), functools.partial(_after, block)
    for layer in block.tap.layers:
        if isinstance(layer, Operation):
            continue
        if block.tap.needs_inputs:
            handles.append(layer.register_forward_pre_hook(before, with_kwargs=True))
        handles.append(layer.register_forward_hook(after))


def _remove(handles: list[RemovableHandle]) -> None:
    for handle in reversed(handles):
        handle.remove()


@contextlib.contextmanager
def between(
    layer: nn.Module, begun: Callable[..., None], ended: Callable[..., None], *, keywords: bool = False
) -> Iterator[None]:
    """Call two functions before and after each call of a layer.

    The first is given its inputs, with ``keywords`` also those by name; the second is called even if the
    layer raises, with None in place of its output.
    """
    with (
        layer.register_forward_pre_hook(begun, with_kwargs=keywords),
        layer.register_forward_hook(ended, always_call=True),
    ):
        yield


def _before(block: OpenTap, layer: nn.Module, args: Any, kwargs: Any) -> tuple[Any, Any] | None:
    """Return the inputs after all taps of this thread; None: no change."""
    taps = in_turn(block, layer, inputs=True)
    with unheard():
        for tap in taps:
            args, kwargs = tap.before(tap.layers[layer], args, kwargs)
    return (args, kwargs) if taps else None


def _after(block: OpenTap, layer: nn.Module, args: Any, output: Any) -> Any:
    """Return the output after all taps of this thread; None: no change."""
    del args
    taps = in_turn(block, layer)
    with unheard():
        for tap in reversed(taps):
            if tap.needs_inputs:
                tap.returned(tap.layers[layer])
        for tap in taps:
            output = tap.after(tap.layers[layer], output)
    if not taps and layer in block.tap.layers and not (is_open(block) or recomputing()):
        block.tap.ran_abroad()
    return output if taps else None


def _called(taps: list[Tap], *_: Any) -> None:
    """Note a call of the model that no run makes."""
    for tap in open_taps():
        tap.called |= tap in taps and not (tap.running or recomputing())


def _settled(*_: Any) -> None:
    """Settle the open gradient watches after a run: see ``settle``."""
    settle([watch for tap in open_taps() for watch in tap.watches()])


def _result(stop: Stop | None, forward: Callable[[], Any]) -> Any:
    """Return the forward pass's result, or the output of the stop."""
    try:
        result = forward()
    except BaseException as problem:  # also what a model's own handler turned the stop into
        if stop is None or not stop.caused(problem):
            raise
    return result if stop is None else stop.output
