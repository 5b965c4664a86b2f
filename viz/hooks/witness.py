"""Evidence of a layer's uses in a pass besides plain calls.

It explains why a layer has no output. Hooks see a layer that is called in the thread that runs the model. A
``Witness`` sees also a ``forward`` or another method that was called directly, that another thread or a
backward pass ran, or that raised; and it sees which function of torch was given a layer's weight by other
code. For one pass it replaces the methods of the layers' classes. Those of single layers would miss
``nn.ReLU.forward(layer, x)``, and would go along when the model copies a layer. A method that somebody stored
before is seen by Python's profiler, in this thread. Layers of other models pass through all this as if it
were not there.
"""

import functools
import inspect
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any, Self

import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from .blocks import open_taps
from .functional import Place, plain_name
from .taps import Watcher
from .values.gradients import recomputing

FORWARD, CALL = "forward", "__call__"
_MARK = "_seen_by_witness"
_CONTAINERS = "torch.nn.modules.container"
# Functions that take of a tensor only its shape or type; some of them if it is not their first argument.
_SHAPE_ONLY = frozenset(
    {"zeros_like", "ones_like", "empty_like", "full_like", "rand_like", "randn_like", "requires_grad_"}
    | {"new_zeros", "new_ones", "new_empty", "new_full", "new_tensor"}
)
_SHAPE_OF_OTHERS = frozenset({"to", "type_as", "expand_as", "view_as", "reshape_as"})
_TO_PYTHON = frozenset({"tolist", "item", "numpy", "equal", "allclose"})


@dataclass(frozen=True)
class WeightRead:
    """A weight that was given to a function of torch.

    ``layer`` is the one in whose code that was.
    """

    weight: str
    function: str
    layer: nn.Module


@dataclass
class LayerUses:
    """Uses of one layer in one pass.

    Attributes:
        runs: how often its ``forward`` ran, by whatever way.
        methods: how often its other methods did, of those that were given or returned a tensor.
        called: how many calls began, its own hooks first, in whatever thread.
        ended: how many of these our hooks saw end.
        in_threads: how many of the runs, methods included, were in other threads.
        in_contexts: how many were in this thread, but in another context, such as an asyncio task.
        backward: how many were in a backward pass.
        raised: the class of the newest exception that left its ``forward``.
        read: the first use of one of its weights by other code; its shape and type are no use.
        watched: whether its ``forward`` can be seen at all.
    """

    runs: int = 0
    methods: Counter[str] = field(default_factory=Counter)
    called: int = 0
    ended: int = 0
    in_threads: int = 0
    in_contexts: int = 0
    backward: int = 0
    raised: str = ""
    read: WeightRead | None = None
    watched: bool = False

    @property
    def active(self) -> bool:
        """True if the layer's code ran in any way."""
        return bool(self.runs or self.called or self.methods)


class Witness(Watcher):
    """A watcher that sees uses that hooks miss: see the module."""

    needs_inputs = True  # it counts at the pre-hooks how often the layers were called

    def __init__(
        self, model: nn.Module, layers: Mapping[Place, str], see: Callable[[str, Any], None]
    ) -> None:
        super().__init__(layers, see)
        modules = {layer: name for layer, name in layers.items() if isinstance(layer, nn.Module)}
        self._seen = {layer: LayerUses() for layer in (model, *modules)}
        self._by_name = {name: self._seen[layer] for layer, name in modules.items()}
        self._weights = _owners(modules)
        self._codes: dict[CodeType, str] = {}
        self._lock = threading.Lock()
        self._threads = threading.local()  # in each thread, the layers whose code runs
        self._thread = threading.get_ident()

    def __deepcopy__(self, memo: object) -> Self:
        """Return itself: hooks go along when a model copies a layer."""
        return self

    def seen(self, layer: nn.Module) -> LayerUses:
        """Return the pass's uses of a layer, or of the model."""
        return self._seen.get(layer) or LayerUses()

    def around(self) -> AbstractContextManager[Any]:
        """Replace the layer classes' methods and listen to torch for one run."""
        self._thread = threading.get_ident()
        return self._witnessing()

    @contextmanager
    def _witnessing(self) -> Iterator[None]:
        with ExitStack() as stack:
            for cls in {each for layer in self._seen for each in _classes(layer)}:
                for name, function in _own_functions(cls):
                    self._codes[function.__code__] = name
                    stack.callback(setattr, cls, name, function)
                    setattr(cls, name, self._watched(name, function))
            for layer, seen in self._seen.items():
                own = callable(vars(layer).get(FORWARD))
                if own:
                    watched = functools.partial(self._watched, FORWARD, only=layer)
                    stack.enter_context(_replaced(vars(layer), FORWARD, watched))
                hooks = layer._forward_pre_hooks  # noqa: SLF001  # one that the model brings may end a call
                for first in list(hooks)[:1]:
                    counted = functools.partial(self._counted, layer)
                    stack.enter_context(_replaced(hooks, first, counted))
                main = CALL if type(layer).forward is nn.Module.forward and not own else FORWARD
                seen.watched = hasattr(getattr(layer, main, None), _MARK)
            stack.enter_context(_FunctionListener(self))
            if sys.getprofile() is None:  # if it is taken, a method that was stored earlier goes unseen
                stack.callback(sys.setprofile, None)
                sys.setprofile(self._entered)
            yield

    def after(self, name: str, output: Any) -> Any:
        """Note that a call ended, and show it."""
        self._by_name[name].ended += 1
        return super().after(name, output)

    def _entered(self, frame: FrameType, event: str, _: object) -> None:
        """Note a method that this thread enters past its class: ``self.step = self.layer.forward``."""
        name = self._codes.get(frame.f_code) if event == "call" else None
        if name is None or name == CALL or not frame.f_code.co_argcount:
            return
        layer = frame.f_locals.get(frame.f_code.co_varnames[0])
        if not isinstance(layer, nn.Module) or layer not in self._seen:
            return
        if layer not in self._threads.__dict__.get("running", []):
            given = frame.f_locals.values()
            if name == FORWARD or _holds_tensor(each for each in given if each is not layer):
                self._note(layer, name)

    def _counted(self, layer: nn.Module, hook: Callable[..., Any]) -> Callable[..., Any]:
        """Return the same hook, which also counts calls of the layer.

        A copy of the layer has the hook too.
        """

        def counted(*args: Any) -> Any:
            if args[0] is layer:
                with self._lock:
                    self._seen[layer].called += 1
            return hook(*args)

        return counted

    def _watched(
        self, name: str, function: Callable[..., Any], only: nn.Module | None = None
    ) -> Callable[..., Any]:
        """Return the same function, which this witness sees run.

        ``only`` is the one layer that has it.
        """

        @functools.wraps(function)
        def watched(*args: Any, **kwargs: Any) -> Any:
            layer = only if only is not None else args[0] if args else None
            if not isinstance(layer, nn.Module) or layer not in self._seen:
                return function(*args, **kwargs)
            return self._run(layer, name, function, args, kwargs)

        setattr(watched, _MARK, True)
        return watched

    def _run(self, layer: nn.Module, name: str, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """Call the function, and note its run unless the layer made it."""
        running: list[nn.Module] = self._threads.__dict__.setdefault("running", [])
        if layer in running:
            return function(*args, **kwargs)
        abroad = not running and threading.get_ident() != self._thread
        if name != CALL:  # what a layer does in ``__call__`` is to be seen; so is its ``forward`` from there
            running.append(layer)
        try:
            with _FunctionListener(self) if abroad else nullcontext():
                output = function(*args, **kwargs)
        except BaseException as error:
            if name == FORWARD:
                # checkpointing ends its repetitions with an exception
                self._note(layer, name, raised="" if recomputing() else type(error).__name__)
            raise
        finally:
            if name != CALL:
                running.pop()
        if name == FORWARD or _holds_tensor((*args, *kwargs.values(), output)):
            self._note(layer, name)
        return output

    def _note(self, layer: nn.Module, name: str, *, raised: str = "") -> None:
        with self._lock:
            seen = self._seen[layer]
            seen.raised = raised or seen.raised
            if name == FORWARD:
                seen.runs += 1
            else:
                seen.methods[name] += 1
            if threading.get_ident() != self._thread:
                seen.in_threads += 1
            elif not any(tap is self for tap in open_taps()):
                seen.in_contexts += 1
            elif recomputing():
                seen.backward += 1

    def used(self, function: Callable[..., Any], args: Any, kwargs: Mapping[str, Any], output: Any) -> None:
        """Note layers' weights that others' code gave to a function of torch."""
        name = _function_name(function)
        if name in _SHAPE_ONLY or not (name in _TO_PYTHON or _holds_tensor((output,))):
            return
        given = args[:1] if name in _SHAPE_OF_OTHERS else (*args, *kwargs.values())
        running = self._threads.__dict__.get("running", [])
        for tensor in _tensors(given):
            for layer, weight in self._weights.get(id(tensor), ((), ()))[1]:
                if running and layer not in running and self._seen[layer].read is None:
                    self._seen[layer].read = WeightRead(weight, name, running[-1])


class _FunctionListener(TorchFunctionMode):
    """Tells a witness about every function of torch that this thread calls."""

    def __init__(self, witness: Witness) -> None:
        super().__init__()
        self._witness = witness

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Call the function, then report it."""
        del types
        output = func(*args, **(kwargs or {}))
        self._witness.used(func, args, kwargs or {}, output)
        return output


@contextmanager
def _replaced(
    table: MutableMapping[Any, Any], key: Any, change: Callable[[Callable[..., Any]], Callable[..., Any]]
) -> Iterator[None]:
    """Change one function of a table, and restore it unless changed again."""
    before, new = table[key], change(table[key])
    table[key] = new
    try:
        yield
    finally:
        if table.get(key) is new:
            table[key] = before


def _classes(layer: nn.Module) -> list[type]:
    """Return a layer's class and its bases, but ``nn.Module`` and Python's."""
    return [
        cls
        for cls in type(layer).__mro__
        if cls is not nn.Module and cls.__module__.partition(".")[0] not in sys.stdlib_module_names
    ]


def _own_functions(cls: type) -> list[tuple[str, Callable[..., Any]]]:
    """Return a class's own functions, except those irrelevant to a pass.

    These are the functions that every layer has, such as ``train``, and those of torch's containers, such as
    ``ModuleList.append``.
    """
    functions = [(name, each) for name, each in vars(cls).items() if inspect.isfunction(each)]
    container = cls.__module__ == _CONTAINERS
    return [
        (name, function)
        for name, function in functions
        if name in {FORWARD, CALL} or not (container or hasattr(nn.Module, name))
    ]


def _owners(
    layers: Mapping[nn.Module, str],
) -> dict[int, tuple[torch.Tensor, list[tuple[nn.Module, str]]]]:
    """Return every weight and buffer by id, with itself and its layers.

    It is held so that its id stays its own.
    """
    found: dict[int, tuple[torch.Tensor, list[tuple[nn.Module, str]]]] = {}
    for layer in layers:
        own = (*layer.named_parameters(recurse=False), *layer.named_buffers(recurse=False))
        for name, weight in own:
            found.setdefault(id(weight), (weight, []))[1].append((layer, name))
    return found


def _function_name(function: Callable[..., Any]) -> str:
    """Return a function's name, or that of an attribute (``weight.T``)."""
    name = plain_name(function)
    return str(getattr(getattr(function, "__self__", None), "__name__", name)) if name == "get" else name


def _tensors(values: Any, depth: int = 3) -> Iterator[torch.Tensor]:
    """Yield the tensors among values, and in their tuples, lists and dicts."""
    for value in values:
        if isinstance(value, torch.Tensor):
            yield value
        elif depth and isinstance(value, tuple | list):
            yield from _tensors(value, depth - 1)
        elif depth and isinstance(value, dict):
            yield from _tensors(value.values(), depth - 1)


def _holds_tensor(values: Any) -> bool:
    return next(_tensors(values), None) is not None


def own_hooks(layers: Iterable[nn.Module]) -> list[list[Any]]:
    """Return each layer's hooks that are not ours."""
    hooks = [(*layer._forward_pre_hooks.values(), *layer._forward_hooks.values()) for layer in layers]  # noqa: SLF001
    return [[hook for hook in each if not _module_of(hook).startswith(f"{__package__}.")] for each in hooks]


def _module_of(hook: Any) -> str:
    return str(getattr(getattr(hook, "func", hook), "__module__", ""))
