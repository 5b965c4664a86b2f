"""Streams of channels into and out of a layer, from one run."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from torch import Tensor, nn

from ...hooks.activations import LayerActivations
from ...hooks.functional import Place
from ...hooks.taps import Tap
from ...hooks.values.structure import leaves
from .found import PICTURE, Key, Stream, Streams
from .passing import StreamMode
from .weighted import input_axis, is_weighted

_AXES_OF_PICTURES = 4
Axis = Callable[[str, int, Tensor], int | None]
"""(layer, call, what it returned) → the axis of its channels; None if it has none."""


def streams(layers: LayerActivations, arguments: tuple[Any, ...], key: Key, axis_of: Axis) -> Streams:
    """Return the streams into and out of a layer's call.

    This costs about two forward passes.

    It depends on the model and the shapes of its input alone. What runs between layers counts as well:
    additions, concatenations, reshapes. A stream ends where weights mix channels. A picture's colours are a
    stream of ``PICTURE``.

    Args:
        layers: the model's layers.
        arguments: what the model is called with.
        key: the layer, and which of its calls.
        axis_of: where a layer's output has its channels.
    """
    passing = StreamMode()
    for picture in list(leaves(arguments).values())[:1]:
        if picture.ndim == _AXES_OF_PICTURES:
            passing.begin(PICTURE, picture, 1)
    with layers.trace(lambda places: _StreamTap(places, passing, key, axis_of)) as tap, passing:
        layers.run(*arguments)
    return Streams(tuple(reversed(tap.into)), tuple(tap.out))


class _StreamTap(Tap):
    """Tap that begins streams at weighted layers, and finds them there."""

    def __init__(self, places: Mapping[Place, str], passing: StreamMode, key: Key, axis_of: Axis) -> None:
        super().__init__(places)
        modules = {name: place for place, name in places.items() if isinstance(place, nn.Module)}
        self._weighted = {name: input_axis(each) for name, each in modules.items() if is_weighted(each)}
        self._leaves = {name for name, each in modules.items() if next(each.children(), None) is None}
        self._passing, self._key, self._axis_of = passing, key, axis_of
        self._running: list[str] = []
        self._begun: Counter[str] = Counter()
        self._ended: Counter[str] = Counter()
        self._past = False
        self.into: list[Stream] = []
        self.out: list[Stream] = []

    def before(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        """Look up a weighted layer's input streams, and pause during it."""
        key = name, self._begun[name]
        self._begun[name] += 1
        self._running.append(name)
        if name in self._weighted:
            if key == self._key or self._past:
                self._given(key, leaves((*args, *kwargs.values()), "inputs"))
            self._passing.inside += 1
        self._passing.step = name if name in self._leaves else ""
        return args, kwargs

    def after(self, name: str, output: Any) -> Any:
        """Begin streams at the channels of a layer's output."""
        key = name, self._ended[name]
        self._ended[name] += 1
        self._running.pop()
        self._passing.step = next((each for each in self._running[-1:] if each in self._leaves), "")
        if name in self._weighted:
            self._passing.inside -= 1
        tensor = next(iter(leaves(output).values()), None)
        if tensor is not None:
            self._returned(key, tensor)
        return output

    def _given(self, key: Key, tensors: Mapping[str, Tensor]) -> None:
        for tensor in list(tensors.values())[:1]:
            found = self._passing.found(tensor, self._weighted[key[0]])
            if not self._past:
                self.into = _streams(found)
            elif self._key in found:
                self.out.append(Stream(*key, *found[self._key]))

    def _returned(self, key: Key, tensor: Tensor) -> None:
        wanted = key == self._key
        if self._past or not (wanted or key[0] in self._weighted):
            return
        axis = self._axis_of(*key, tensor)
        if wanted:
            self._past = True
            if axis is not None and key[0] not in self._weighted:
                self.into = _streams(self._passing.found(tensor, axis))
            self._passing.end_all()
        if axis is not None:
            self._passing.begin(key, tensor, axis)


def _streams(found: Mapping[Key, tuple[tuple[int, ...], tuple[str, ...]]]) -> list[Stream]:
    return [Stream(*key, *each) for key, each in found.items()]
