"""Contents of a page to take home, which needs no server."""

from .layer import Geometry, LayerFigures
from .message import Found, Message, Png, Shape
from .model import Share


class TileFigures(Message, frozen=True, kw_only=True):
    """Each map of a sheet in numbers, in columns.

    Attributes:
        zeros: the share of zeros, 0 to 1.
    """

    minimum: tuple[Found, ...]
    maximum: tuple[Found, ...]
    mean: tuple[Found, ...]
    zeros: tuple[float, ...]


class OfflineSheet(Message, frozen=True, kw_only=True):
    """One call of one layer.

    Attributes:
        type: the layer's class.
        shape: as the layer returned it, with its batch.
        dtype: the value's own, such as ``float32``.
        channels: how many there are, of which not all need have a map.
        problem: why there are no maps; empty if there are.
    """

    name: str
    type: str
    shape: Shape
    dtype: str
    channels: int
    problem: str


class DrawnSheet(OfflineSheet, frozen=True, kw_only=True):
    """One call of one layer with its maps.

    Figures and limits are in the order of the maps.

    Attributes:
        png: the mosaic.
        geometry: its channels are the maps, counted by their places.
        order: the channel of each map.
        low: what the darkest colour stands for.
        high: what the brightest colour stands for.
        figures: of all values.
        each: of each map.
        values: float32 in base64, map by map; empty where the file has no room.
    """

    png: Png
    geometry: Geometry
    order: tuple[int, ...]
    colormap: str
    low: tuple[Found, ...]
    high: tuple[Found, ...]
    figures: LayerFigures
    each: TileFigures
    values: str


class OfflineFile(Message, frozen=True, kw_only=True):
    """All of the page.

    Attributes:
        sheets: those that have maps are ``DrawnSheet``.
        tables: the colours of each colormap: six hexadecimal digits for each level.
        first: the place of the sheet that is shown first.
        channel: the channel of it that is shown large; null for its first map.
        seen: the picture as the model saw it; empty if there is none.
        top: the most probable classes, best first; empty for a model that names none.
        untrained: whether the weights are random, so that these mean nothing.
        kinds: what each type of layer does, by its name.
    """

    title: str
    words: dict[str, str]
    sheets: tuple[OfflineSheet, ...]
    tables: dict[str, str]
    first: int
    channel: int | None
    seen: Png
    top: tuple[Share, ...]
    untrained: bool
    kinds: dict[str, str]
