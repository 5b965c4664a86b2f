"""Fate of a layer's value after its hook, by way of keeping.

The ways are reference, detach, cpu and clone.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch

from ..answers.hooks import Way
from ..errors import CallError, RequestError
from ..hooks.activations import LayerActivations
from ..hooks.functional import Place
from ..hooks.taps import Tap
from ..hooks.values.gradients import has_memory
from ..hooks.values.structure import leaves
from ..layer_names import is_operation

WAYS: Mapping[Way, Callable[[torch.Tensor], torch.Tensor]] = {
    "reference": lambda value: value,
    "detach": torch.Tensor.detach,
    "cpu": torch.Tensor.cpu,
    "clone": torch.clone,
}

MOST_MOMENTS = 4  # that are kept after the one at the hook; each is a copy


@dataclass(frozen=True, eq=False)
class KeptValue:
    """The value kept at the hook in one way, after the pass.

    Attributes:
        way: ``reference``, ``detach``, ``cpu`` or ``clone``.
        shares_memory: whether it is the layer's own memory, into which later layers may write.
        copied: the memory that it takes of its own, in bytes.
        wrong: the share of values that differ from those at the hook, 0 to 1.
        value: what it holds after the pass, in the output's shape.
    """

    way: Way
    shares_memory: bool
    copied: int
    wrong: float
    value: torch.Tensor


@dataclass(frozen=True, eq=False)
class Moment:
    """Content of a layer's memory from one hook of the pass on.

    Attributes:
        number: that hook's place among all module hooks of the pass, from 0: the layer's own, or the first
            one that fires after something has written; their number itself if none fires any more.
        writes: how many operations have written into the memory by then.
        value: what it holds, in the output's shape.
    """

    number: int
    writes: int
    value: torch.Tensor


@dataclass(frozen=True, eq=False)
class MemoryReport:
    """A layer's value at its hook, and its memory after the pass.

    Attributes:
        layer: the layer's name.
        call: which call, counted from 0.
        at_hook: the value as the layer returned it.
        after: the same memory after the pass.
        writes: how many operations wrote into that memory in between, by its version counter.
        kept: what each way of keeping it would have kept.
        moments: the memory at its hook, and each time something had written into it, the end included; of
            many such times the first ones and the last.

    >>> net = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.ReLU(inplace=True))
    >>> report = lg.memory_report(lg.wrap(net), "0", images)
    >>> report.writes, bool((report.at_hook < 0).any()), bool((report.after < 0).any())
    (1, True, False)
    """

    layer: str
    call: int
    at_hook: torch.Tensor
    after: torch.Tensor
    writes: int
    kept: tuple[KeptValue, ...]
    moments: tuple[Moment, ...]

    @property
    def overwritten(self) -> bool:
        """True if the memory holds other values after the pass."""
        return _wrong(self.after, self.at_hook) > 0


def memory_report(
    layers: LayerActivations, layer: str, *inputs: Any, call: int = 0, tensor: str = ""
) -> MemoryReport:
    """Return the fate of one layer's value in one forward pass.

    Args:
        layers: the model.
        layer: the layer's name.
        inputs: the model's inputs.
        call: which call of the layer, counted from 0.
        tensor: which tensor of the output, such as ``output[0]``; the first one when empty.

    Raises:
        CallError: the layer did not run that often.
        RequestError: it does not return such a tensor.
        UnknownLayerError: there is no such layer.

    >>> lg.memory_report(layers, "conv1", images).writes  # into its output, after it had returned
    0
    """
    seen: list[_HookedValue | None] = []

    with layers.trace(_Clock) as clock:

        def see(name: str, output: Any) -> None:
            value = _chosen(name, output, tensor) if len(seen) == call else None
            seen.append(None if value is None else _at_hook(value))
            if value is not None:
                clock.watch(value, layers=not is_operation(name))

        with layers.watch(see, layer), torch.inference_mode(mode=False):  # inference mode counts no writes
            layers.run(*inputs)
        clock.look()
    found = seen[call] if 0 <= call < len(seen) else None
    if found is None:
        raise _no_call(layer, call, len(seen))
    return _report(layer, call, found, clock)


def _no_call(layer: str, call: int, times: int) -> CallError:
    return CallError(
        "no call {number} of layer {name}: it ran {times} times for this input.",
        number=call,
        name=repr(layer),
        times=times,
    )


def written_layers(layers: LayerActivations, *inputs: Any) -> tuple[str, ...]:
    """Return the layers whose memory later operations write into.

    They are in the order in which they first end.

    Every layer's first tensor is held until the pass ends, which takes the memory of all outputs.

    Args:
        layers: the model.
        inputs: the model's inputs.
    """
    seen: list[tuple[str, torch.Tensor, int]] = []

    def see(name: str, output: Any) -> None:
        first = next(iter(leaves(output).values()), None)
        if first is not None:
            seen.append((name, first, first._version))  # noqa: SLF001  (only it counts the writes)

    with layers.watch(see), torch.inference_mode(mode=False):
        layers.run(*inputs)
    written = (name for name, value, version in seen if value._version > version)  # noqa: SLF001  (see above)
    return tuple(dict.fromkeys(written))


class _Clock(Tap):
    """Counter of a pass's hooks, which also watches one tensor's memory.

    At each hook it notes the content if something has written into it.
    """

    def __init__(self, layers: Mapping[Place, str]) -> None:
        super().__init__(layers)
        self.moments: list[Moment] = []
        self.begins = 0  # the number of the hook from which on the tensor is there
        self._fired = 0
        self._value: torch.Tensor | None = None
        self._begun = self._seen = 0  # the versions at the hook, and when it was looked at last

    def watch(self, value: torch.Tensor, *, layers: bool) -> None:
        """Look at this tensor, of a layer or of an operation.

        An operation returns it between two hooks.
        """
        self.begins = self._fired - 1 if layers else self._fired
        self._value, self._begun = value, value._version  # noqa: SLF001  (only it counts the writes)
        self._seen = self._begun

    def before(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        """Count a pre-hook."""
        del name
        self.look()
        self._fired += 1
        return args, kwargs

    def after(self, name: str, output: Any) -> Any:
        """Count a forward hook."""
        del name
        self.look()
        self._fired += 1
        return output

    def look(self) -> None:
        """Note the memory's content if it has changed since the last look."""
        version = self._begun if self._value is None else self._value._version  # noqa: SLF001  (see above)
        if self._value is None or version == self._seen:
            return
        self._seen = version
        moment = Moment(self._fired, version - self._begun, self._value.detach().clone())
        self.moments = [*self.moments[: MOST_MOMENTS - 1], moment]


class _HookedValue(NamedTuple):
    """A value at the hook: copy, version, and each way's value."""

    copy: torch.Tensor
    version: int
    kept: dict[Way, torch.Tensor]


def _at_hook(value: torch.Tensor) -> _HookedValue:
    kept = {way: keep(value) for way, keep in WAYS.items()}
    return _HookedValue(value.detach().clone(), value._version, kept)  # noqa: SLF001  (only it counts the writes)


def _report(layer: str, call: int, found: _HookedValue, clock: _Clock) -> MemoryReport:
    after = found.kept["reference"]
    kept = tuple(_kept(way, value, after, found.copy) for way, value in found.kept.items())
    writes = after._version - found.version  # noqa: SLF001  (see above)
    moments = (Moment(clock.begins, 0, found.copy), *clock.moments)
    return MemoryReport(layer, call, found.copy, after, writes, kept, moments)


def _kept(way: Way, value: torch.Tensor, original: torch.Tensor, at_hook: torch.Tensor) -> KeptValue:
    shared = value.untyped_storage().data_ptr() == original.untyped_storage().data_ptr()
    return KeptValue(way, shared, 0 if shared else value.nbytes, _wrong(value, at_hook), value)


def different(value: torch.Tensor, at_hook: torch.Tensor) -> torch.Tensor:
    """Return which values differ, in their shape; two NaNs count as equal."""
    expected = at_hook.to(value.device)
    return (value != expected) & ~(value.isnan() & expected.isnan())


def _wrong(value: torch.Tensor, at_hook: torch.Tensor) -> float:
    """Return the share of values that differ."""
    differs = different(value, at_hook)
    return differs.float().mean().item() if differs.numel() else 0.0


def _chosen(layer: str, output: Any, path: str) -> torch.Tensor:
    """Return the tensor that is wanted."""
    tensors = leaves(output)
    if not tensors or (path and path not in tensors):
        there = ", ".join(tensors) or "no tensor at all"
        raise RequestError(
            "layer {layer} returns {paths}: no {path} to look at.",
            layer=repr(layer),
            paths=there,
            path=path or "value",
        )
    found = tensors[path] if path else next(iter(tensors.values()))
    if not has_memory(found):
        raise RequestError(
            "what layer {layer} returns has no memory to look at: it is sparse, nested or quantised; choose "
            "another layer.",
            layer=repr(layer),
        )
    return found
