"""Timeline of one pass: every hook in the order of firing."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import torch
from torch import nn
from torch.utils.hooks import BackwardHook

from ..errors import RequestError
from ..hooks.activations import LayerActivations
from ..hooks.functional import Place
from ..hooks.selectors import Selector
from ..hooks.taps import Tap
from ..hooks.values.gradients import GradientWatch, recomputing
from ..hooks.values.structure import leaves, map_tensors, tensors_in
from .access import expression
from .event import Event, Shapes

Target = int | Callable[[Any], torch.Tensor]


def timeline(
    layers: LayerActivations, *inputs: Any, target: Target | None = None, only: tuple[Selector, ...] = ()
) -> tuple[Event, ...]:
    """Return the events of one forward pass, and maybe a backward pass.

    With a target, there is also the backward pass from it.

    A layer's hooks fire in this order: pre-hook, forward hook; on the way back full backward pre-hook, tensor
    hooks (as a forward hook would place them on the output), full backward hook. Layers that work in place
    are shown like others, although torch itself refuses full backward hooks next to them.

    Args:
        layers: the model.
        inputs: the model's inputs.
        target: where the backward pass starts: the number of a class (its scores, summed over the batch), or
            a function from what the model returns to one number.
        only: selectors of the layers to show; all of them when empty.

    Raises:
        RequestError: the target is not a class of this model, or not one number that depends on the layers.
        UnknownLayerError: a selector matches no layer.

    >>> events = lg.timeline(layers, images, target=3, only=("conv1",))
    >>> [event.kind for event in events]
    ['pre-hook', 'forward hook', 'full backward pre-hook', 'tensor hook', 'full backward hook']
    """

    def tap(by_layer: Mapping[Place, str]) -> Trace:
        return Trace(by_layer, backward=target is not None)

    with layers.trace(tap, *only) as trace:
        result = layers.run(*inputs)
        if target is not None:
            _score(result, target).backward()
        return tuple(_told(layers.model, trace))


def _told(model: nn.Module, trace: "Trace") -> Iterator[Event]:
    """Yield the events with the facts known after the pass."""
    refused = trace.refused()
    reached = {name: expression(model, name) for name in {event.layer for event in trace.events}}
    for number, event in enumerate(trace.events):
        full = event.kind.startswith("full backward") and (event.layer, event.call) in refused
        yield replace(event, number=number, reached=reached[event.layer], refused=full)


class _OpenCall(NamedTuple):
    """A call that has not ended.

    It has the clones that the layer took in place of its inputs.
    """

    name: str
    call: int
    given: Any
    taken: list[tuple[torch.Tensor, torch.Tensor]]
    hook: BackwardHook | None


class Trace(Tap):
    """Notes every hook that fires.

    The full backward hooks are torch's own, set around a call as ``nn.Module`` does it, but with a clone on
    both sides, so that layers may work in place on what they take and on what they returned.
    """

    def __init__(self, layers: Mapping[Place, str], *, backward: bool) -> None:
        super().__init__(layers)
        self.needs_graph = backward
        self.events: list[Event] = []
        self._modules = {name: layer for layer, name in self.layers.items()}
        self._calls: Counter[str] = Counter()
        self._begun: list[_OpenCall] = []
        self._refused: set[tuple[str, int]] = set()
        self._returned: list[tuple[str, int, torch.Tensor]] = []
        self._watch = GradientWatch()

    def before(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        """Note the pre-hook, and set the full backward hooks on the inputs."""
        if recomputing():
            return args, kwargs
        call, taken, hook = self._calls[name], args, None
        self._calls[name] += 1
        first = next(iter(leaves(args, "inputs")), "")
        self.events.append(Event("pre-hook", name, call, inputs=_shapes(args), first=first))
        if self.needs_graph:
            hook = self._backward_hook(name, call)
            taken = map_tensors(hook.setup_input_hook(map_tensors(args, _in_graph)), torch.clone)
            if hook.input_tensors_index is None:  # torch would fire it with the pre-hook, but warn about it
                hook.user_hooks = []
        instead = list(zip(tensors_in(args), tensors_in(taken), strict=True))
        self._begun.append(_OpenCall(name, call, args, instead, hook))
        return taken, kwargs

    def after(self, name: str, output: Any) -> Any:
        """Note the forward hook, and set the backward hooks on the output.

        They are the tensor hooks and the full backward hooks.
        """
        if recomputing():
            return output
        while self._begun[-1].name != name:  # calls that raised, and whose exception the model caught
            self._begun.pop()
        _, call, given, taken, hook = self._begun.pop()
        paths = list(leaves(output))
        first = next(iter(paths), "")
        self.events.append(
            Event("forward hook", name, call, inputs=_shapes(given), outputs=_shapes(output), first=first)
        )
        if hook is None:
            return output
        if _write_back(taken):
            self._refused.add((name, call))

        def note(position: int, gradient: torch.Tensor) -> None:
            gradients = _shapes(gradient)
            self.events.append(
                Event("tensor hook", name, call, output_gradients=gradients, tensor=paths[position])
            )

        shown, _ = self._watch.show(map_tensors(output, _in_graph), note, {})
        instead = map_tensors(hook.setup_output_hook(shown), torch.clone)
        self._returned += [(name, call, tensor) for tensor in tensors_in(instead)]
        return instead

    def refused(self) -> set[tuple[str, int]]:
        """Return the calls for which torch refuses full backward hooks.

        Their tensors are written into.
        """
        written = (found for found in self._returned if found[2]._version)  # noqa: SLF001  (see _write_back)
        return self._refused | {(name, call) for name, call, _ in written}

    def watches(self) -> list[GradientWatch]:
        """Return the tensor hooks."""
        return [self._watch]

    def finish(self) -> None:
        """Remove the tensor hooks, and let go of the tensors."""
        self._watch.end()
        self._returned.clear()

    def _backward_hook(self, name: str, call: int) -> BackwardHook:
        """Return torch's full backward hooks for one call, which record their firing."""

        def at_inputs(_: nn.Module, into: Any, out: Any) -> None:
            gradients = _gradients(into), _gradients(out)
            first = _first(into, "grad_input") or _first(out, "grad_output")
            self.events.append(Event("full backward hook", name, call, (), (), *gradients, first=first))

        def at_outputs(layer: nn.Module, out: Any) -> None:
            gradients, first = _gradients(out), _first(out, "grad_output")
            self.events.append(
                Event("full backward pre-hook", name, call, output_gradients=gradients, first=first)
            )
            if not hook.user_hooks:  # no input has a gradient
                at_inputs(layer, (None,) * hook.n_inputs, out)

        hook = BackwardHook(self._modules[name], [at_inputs], [at_outputs])
        return hook


def _score(result: Any, target: Target) -> torch.Tensor:
    """Return the one number from which the backward pass starts."""
    score = target(result) if callable(target) else _class_score(result, target)
    if not isinstance(score, torch.Tensor) or score.numel() != 1:
        raise RequestError(
            "a target must give one number: sum, or choose one entry, of what the model returns."
        )
    if not score.requires_grad:
        raise RequestError("this target does not depend on any layer: no gradient flows back from it.")
    return score


def _class_score(result: Any, index: int) -> torch.Tensor:
    """Return the sum over the batch of one class's scores."""
    if not isinstance(result, torch.Tensor) or result.ndim < 2:  # noqa: PLR2004  (N, classes)
        raise RequestError("the model returns no scores (N, classes): give the target as a function.")
    if not -result.shape[1] <= index < result.shape[1]:
        raise RequestError(
            "there is no class {index}: the model has {count}, from 0.", index=index, count=result.shape[1]
        )
    return result[:, index].sum()


def _in_graph(tensor: torch.Tensor) -> torch.Tensor:
    """Return the tensor itself, or a stand-in that begins a graph."""
    if tensor.requires_grad or not (tensor.is_floating_point() or tensor.is_complex()):
        return tensor
    return tensor.detach().requires_grad_()


def _write_back(instead: list[tuple[torch.Tensor, torch.Tensor]]) -> bool:
    """Copy a layer's writes from the clones back to its inputs.

    It returns whether there were any.
    """
    written = False
    for original, clone in instead:
        if clone is not original and clone._version:  # noqa: SLF001  (only the version counter knows)
            written = True
            with torch.enable_grad():
                original.copy_(clone)
    return written


def _shapes(value: Any) -> Shapes:
    return tuple(tuple(tensor.shape) for tensor in leaves(value).values())


def _gradients(values: tuple[Any, ...]) -> Shapes:
    return tuple(None if value is None else tuple(value.shape) for value in values)


def _first(values: tuple[Any, ...], name: str) -> str:
    """The first gradient that a hook has, as its code calls it."""
    places = (place for place, value in enumerate(values) if value is not None)
    return next((f"{name}[{place}]" for place in places), "")
