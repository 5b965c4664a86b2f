"""A camera's frame: its maps or layers, its picture and predictions."""

from .layer import LayerFacts
from .message import Answer, Png
from .model import Share, Thumb


class LiveFacts(LayerFacts, frozen=True, kw_only=True):
    """layer.live: a frame's maps.

    Attributes:
        png: the mosaic.
        large: the channel on screen with a pixel for each value, if the mosaic has fewer; else empty.
        seen: the picture that the model saw: JPEG in base64.
        top: the most probable classes, best first.
    """

    png: Png
    large: Png
    seen: str
    top: tuple[Share, ...]


class LiveLayersFacts(Answer, frozen=True, kw_only=True):
    """overview.live: all layers of a frame in small.

    Attributes:
        seen: the picture that the model saw: JPEG in base64.
        top: the most probable classes, best first.
    """

    layers: tuple[Thumb, ...]
    seen: str
    top: tuple[Share, ...]
