"""A net with compiled parts as a side of a comparison.

Hooks see nothing inside compiled code, and other passes here run it as it was written. Compared with that, it
would agree with itself. So it runs here as it is, and each compiled part is seen by what it returns.
"""

import contextlib
import functools
import inspect
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import FunctionType
from typing import Any, TypeAlias

import torch
from torch import nn

from ..hooks.activations import LayerActivations, between, wrap
from ..hooks.records import Call
from ..hooks.values.structure import map_tensors
from ..sentences import Sentence
from .events import Event, EventTap
from .sides import NetSide, See

_Begun: TypeAlias = Callable[[str, tuple[Any, ...], dict[str, Any]], object]
_Ended: TypeAlias = Callable[[str, Any], object]


def has_compiled_parts(net: object) -> bool:
    """Return whether hooks would miss some of what a net runs.

    That is compiled code, or the copies that DataParallel makes for several devices.
    """
    model = net.model if isinstance(net, LayerActivations) else net
    return isinstance(model, nn.Module) and bool(_sealed(model))


class CompiledSide(NetSide):
    """A net, of which compiled parts are seen only from outside."""

    def show(self, names: Iterable[str], see: See) -> None:
        """Run the net once."""
        wanted, calls = set(names), Counter[str]()

        def ended(name: str, output: Any) -> None:
            if name in wanted:
                see(name, calls[name], output)
                calls[name] += 1

        self._watched(lambda *_: None, ended)

    def keep(self, names: Iterable[str]) -> dict[tuple[str, int], Call]:
        """Run the net once, and copy what is kept."""
        wanted, calls = set(names), Counter[str]()
        given: dict[str, list[Any]] = defaultdict(list)
        found: dict[tuple[str, int], Call] = {}

        def begun(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
            if name in wanted:
                given[name].append(map_tensors((args, kwargs), torch.clone))

        def ended(name: str, output: Any) -> None:
            if name in wanted:
                found[name, calls[name]] = Call(map_tensors(output, torch.clone), *given[name].pop())
                calls[name] += 1

        self._watched(begun, ended)
        return found

    def lack(self, name: str) -> Sentence:
        """Return the reason: it is in a sealed part, or unlike all."""
        if any(not part or name.startswith(f"{part}.") for part in self._shell.closed):
            return Sentence("inside a layer that is compiled, at least in part, or copied to several devices")
        return super().lack(name)

    def _layers_of(self, net: nn.Module | LayerActivations) -> LayerActivations:
        self._shell = _Shell(_unspread(net.model if isinstance(net, LayerActivations) else net))
        return wrap(self._shell, repeatable=True)

    def _listed(self) -> tuple[Event, ...]:
        tap = EventTap({layer: name for name, layer in self._shell.parts.items()})
        self._watched(tap.before, tap.after)
        return tuple(tap.events)

    def _alone(self, name: str) -> LayerActivations:
        return wrap(_Shell(self._shell.parts[name]), repeatable=True)

    def _watched(self, begun: _Begun, ended: _Ended) -> None:
        """Run the net once, and report each call that can be seen."""
        with self._mode(self.layers), _watching(self._shell.parts, begun, ended):
            self._run(self.layers, self.arguments)


class _Shell(nn.Module):
    """Holds a net that is compiled, so that nobody unwraps it."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net
        self.parts = _exposed(net)
        sealed = _sealed(net)
        self.closed = [name for name, layer in self.parts.items() if layer in sealed]

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Run the net with what is compiled in it."""
        with torch.compiler.set_stance("default"):
            return self.net(*args, **kwargs)


def _exposed(net: nn.Module) -> dict[str, nn.Module]:
    """Return the layers whose calls can be seen, by name."""
    sealed = _sealed(net)
    inside = {each for layer in sealed for each in layer.modules() if each is not layer}
    return {
        name: layer
        for name, layer in net.named_modules()
        if layer not in inside and not isinstance(layer, torch.jit.ScriptModule)
    }


def _unspread(net: nn.Module) -> nn.Module:
    """Return the net inside DataParallel, where it has no copies."""
    while type(net).__name__ in {"DataParallel", "DistributedDataParallel"} and net not in _sealed(net):
        net = net.module  # type: ignore[assignment]
    return net


def _sealed(net: nn.Module) -> set[nn.Module]:
    """Return the layers inside of which hooks see nothing of what runs."""
    layers: set[nn.Module] = set(net.modules())
    spread: set[nn.Module] = {
        each for each in layers if isinstance(each, nn.DataParallel) and len(each.device_ids) > 1
    }
    if "torch._dynamo" not in sys.modules:  # otherwise nothing is compiled
        return spread
    kinds = {kind for kind in set(map(type, layers)) if any(map(_compiled, _named_in(kind)))}
    return spread | {each for each in layers if type(each) in kinds or _is_compiled(each)}


def _is_compiled(layer: nn.Module) -> bool:
    """Return whether a layer is compiled, or holds a compiled function."""
    whole = type(layer).__name__ == "OptimizedModule" or layer._compiled_call_impl is not None  # noqa: SLF001
    return whole or any(map(_compiled, vars(layer).values()))


def _named_in(kind: type[nn.Module]) -> Iterator[object]:
    """Yield a class's methods, and what their code names outside."""
    own = [each for each in kind.__mro__ if not each.__module__.startswith("torch.")]
    for value in (value for each in own for value in vars(each).values()):
        method = getattr(value, "__func__", value)
        yield method
        if isinstance(method, FunctionType):
            with contextlib.suppress(ValueError):  # a name that has no value yet
                named = inspect.getclosurevars(method)
                yield from (*named.globals.values(), *named.nonlocals.values())


def _compiled(value: object) -> bool:
    return (
        isinstance(value, FunctionType)
        and hasattr(value, "_torchdynamo_orig_callable")
        and not getattr(value, "_torchdynamo_disable", False)
    )


@contextlib.contextmanager
def _watching(parts: Mapping[str, nn.Module], begun: _Begun, ended: _Ended) -> Iterator[None]:
    """Report the beginnings and ends of these layers' calls."""
    with contextlib.ExitStack() as undo:
        for name, layer in parts.items():
            compiled = layer._compiled_call_impl  # noqa: SLF001
            if compiled is not None:  # hooks of its own would be compiled too
                layer._compiled_call_impl = functools.partial(_called, name, compiled, begun, ended)  # noqa: SLF001
                undo.callback(setattr, layer, "_compiled_call_impl", compiled)
                continue
            before, after = functools.partial(_before, name, begun), functools.partial(_after, name, ended)
            undo.enter_context(between(layer, before, after, keywords=True))
        yield


def _called(
    name: str, code: Callable[..., Any], begun: _Begun, ended: _Ended, *args: Any, **kwargs: Any
) -> Any:
    begun(name, args, kwargs)
    output = code(*args, **kwargs)
    ended(name, output)
    return output


def _before(name: str, begun: _Begun, _layer: nn.Module, args: Any, kwargs: Any) -> None:
    begun(name, args, kwargs)


def _after(name: str, ended: _Ended, _layer: nn.Module, _args: Any, output: Any) -> None:
    if output is not None:  # else it has raised, or it returns nothing
        ended(name, output)
