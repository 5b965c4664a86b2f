"""Known layouts of a model's layers, from one pass."""

import contextlib
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from torch import Tensor

from ...hooks.activations import LayerActivations
from ...hooks.functional import Place
from ...hooks.selectors import kind, layers_of
from ...hooks.taps import Tap
from ...hooks.values.structure import leaves
from ...request.arrangement import NOTHING_KNOWN, Arrangement, Arrangements
from ..boxes import Boxes, compact, no_boxes
from ..operations import Operation, Rule
from ..tracing import Tracing
from .place_rules import place_rule
from .placing import placing
from .settling import arrangement

PlaceBoxes: TypeAlias = dict[tuple[str, int], dict[str, Boxes]]


class PlaceTracing(Tracing):
    """Tracing of the places on the picture where values sit.

    It follows these rather than all that the values see.
    """

    tells_frames = True
    most_told_apart = 1 << 22

    def rule(self, ran: Operation) -> tuple[Rule | None, str]:
        """See ``Tracing``."""
        own = place_rule(ran)
        return (own, "") if own else super().rule(ran)

    def places(self, tensor: Tensor) -> Boxes:
        """Return the places of a tensor's values."""
        return self.lineage.get(tensor) or no_boxes(tensor.shape, self.planes)

    def kept(self, boxes: Boxes, read: Sequence[Boxes], cause: str) -> Boxes:
        """See ``Tracing``: places stay as their rule made them."""
        del read, cause
        return boxes


@contextlib.contextmanager
def following(layers: LayerActivations, images: Any) -> Iterator[PlaceBoxes]:
    """Follow runs inside a block; yield the places of all values.

    The runs are those on ``images``; the values are what layers take and return. The keys are those of
    ``Arrangements``; operations without a layer are included. Following every operation takes about as long
    as a pass.
    """
    tracing = PlaceTracing(images)
    with (
        layers.trace(lambda found: _Places(found, tracing)) as places,
        layers.watch_operations(places.after),
        tracing,
    ):
        yield places.found


def place_boxes(layers: LayerActivations, images: Any) -> PlaceBoxes:
    """Return the places of all layers' values, from one pass.

    See ``following``.
    """
    arguments = images if isinstance(images, tuple) else (images,)
    with following(layers, arguments) as found:
        layers.run(*arguments)
    return found


def made_arrangements(make: Callable[[], Mapping[str, Any]], picture: Tensor) -> dict[str, Arrangement]:
    """Return the arrangements of tensors that a function makes of a picture.

    The picture is (N, C, H, W); tensors without a known arrangement are left out.
    """
    tracing = PlaceTracing(picture)
    with tracing:
        made = make()
    height, width = picture.shape[-2:]
    found = {
        name: arrangement(tracing.places(value), (height, width))
        for name, value in made.items()
        if isinstance(value, Tensor)
    }
    return {name: each for name, each in found.items() if each is not None}


def known_arrangements(layers: LayerActivations, images: Any) -> Arrangements:
    """Return the known layout of every value.

    This costs about two forward passes.

    It depends on the model and on the shapes of ``images`` only. A model that cannot be followed, for
    whatever reason, is one of which nothing is known.
    """
    try:
        return settled(layers, place_boxes(layers, images), images)
    except Exception:  # noqa: BLE001  # a model may raise anything here; the pass that captures will say so
        return NOTHING_KNOWN


def settled(layers: LayerActivations, found: PlaceBoxes, images: Any) -> Arrangements:
    """Return the arrangements of all values found on these inputs.

    A layer of several names has them under each.
    """
    height, width = next(iter(leaves(images).values())).shape[-2:]
    known: dict[Hashable, Arrangement | None] = {}
    answer: dict[tuple[str, int], dict[str, Arrangement | None]] = {}
    modules = layers_of(layers.model)
    for key, values in found.items():
        layer_type = kind(key[0], layers.model, modules)
        for path, boxes in values.items():
            alike = (_contents(boxes), layer_type)
            if alike not in known:
                known[alike] = _settled(boxes, (height, width), layer_type)
            answer.setdefault(key, {})[path] = known[alike]
    names = _names(layers)
    return {
        (other, call): paths for (name, call), paths in answer.items() for other in names.get(name, [name])
    }


def _settled(boxes: Boxes, size: tuple[int, int], layer_type: str) -> Arrangement | None:
    """Return a value's arrangement; ``elsewhere`` if its places contradict its shape."""
    found = arrangement(boxes, size)
    if found is None:
        guessed = placing(boxes, size, layer_type)
        if guessed is not None and guessed.status == "wrong":
            return Arrangement(tuple(boxes.shape), elsewhere=True)
    return found


def _names(layers: LayerActivations) -> dict[str, list[str]]:
    """All names of each layer, by its first."""
    modules, names = layers_of(layers.model), defaultdict[str, list[str]](list)
    first = {modules[name]: name for name in reversed(modules)}
    for name, layer in modules.items():
        names[first[layer]].append(name)
    return names


def _contents(boxes: Boxes) -> Hashable:
    """Return a key that is equal for equal boxes.

    Most layers have the boxes of their neighbours.
    """
    thin = [compact(plane) for plane in boxes.planes]
    return (boxes.shape, boxes.cause, *((plane.shape, plane.numpy().tobytes()) for plane in thin))


class _Places(Tap):
    """Notes the places of every tensor that layers are given and return."""

    def __init__(self, layers: Mapping[Place, str], tracing: PlaceTracing) -> None:
        super().__init__(layers)
        self._tracing = tracing
        self._begun: Counter[str] = Counter()
        self._ended: Counter[str] = Counter()
        self.found: PlaceBoxes = {}

    def before(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        """Note the layer's inputs, before it can write into them."""
        self._note((name, self._begun[name]), leaves(args, "inputs") | leaves(kwargs, "inputs"))
        self._begun[name] += 1
        return args, kwargs

    def after(self, name: str, output: Any) -> Any:
        """Note the layer's output."""
        self._note((name, self._ended[name]), leaves(output))
        self._ended[name] += 1
        return output

    def _note(self, key: tuple[str, int], tensors: Mapping[str, Any]) -> None:
        for path, tensor in tensors.items():
            self.found.setdefault(key, {})[path] = self._tracing.places(tensor)
