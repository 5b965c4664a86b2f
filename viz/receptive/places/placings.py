"""Check of every layer's drawn maps: see ``placing``."""

from typing import Any

from ...hooks.activations import LayerActivations
from ...hooks.selectors import layers_of
from ...hooks.values.structure import leaves
from .known import following, settled
from .placing import PlacingResult, placing


def placings(layers: LayerActivations, images: Any) -> dict[tuple[str, int], PlacingResult]:
    """Return each layer's placing by (layer, call), from one pass.

    It is that of the first tensor that the call returned. Layers that return nothing that can be drawn are
    left out. ``images`` is what the model is called with.
    """
    arguments = images if isinstance(images, tuple) else (images,)
    with following(layers, arguments) as found:
        layers.run(*arguments)
    known, size = settled(layers, found, arguments), next(iter(leaves(arguments).values())).shape[-2:]
    modules = layers_of(layers.model)
    answer: dict[tuple[str, int], PlacingResult] = {}
    for (name, call), values in found.items():
        path = next((path for path in values if path.startswith("output")), None)
        if path is None or name not in modules:
            continue
        layer_type = type(modules[name]).__name__
        one = placing(values[path], (size[0], size[1]), layer_type, known[name, call][path])
        if one is not None:
            answer[name, call] = one
    return answer
