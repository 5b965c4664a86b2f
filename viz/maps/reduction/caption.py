"""Caption of a reduced picture, complete enough to make it again."""

from collections.abc import Iterable

import numpy as np

from ...sentences import Sentence, counted
from .components import COMPONENTS
from .definitions import DEFINITIONS
from .drawing import OPAQUE, finite_range, there
from .over_photo import Backdrop
from .reduce import Reduced


def caption(found: Reduced, channels: int, backdrop: Backdrop | None = None) -> tuple[Sentence, ...]:
    """Return sentences on a reduced picture: formula, channels, range, source.

    ``channels`` is the number that the layer has.
    """
    definition = DEFINITIONS[found.how]
    said = [definition.sentence, _used(found, channels), *_numbers(found)]
    if found.at:
        said.insert(
            1, Sentence("compared with row {row}, column {column}", row=found.at[0], column=found.at[1])
        )
    if gone := int(np.count_nonzero(~there(found))):
        said.append(
            counted("1 place is not finite: magenta", "{count} places are not finite: magenta", count=gone)
        )
    if backdrop is not None:
        said.append(_placed(backdrop))
    if definition.source:
        said.append(Sentence("source: {source}", source=definition.source))
    return tuple(said)


def _used(found: Reduced, channels: int) -> Sentence:
    used = found.channels
    names = ", ".join(map(str, used))
    if found.how == "top":
        return Sentence("channels {names}, strongest first, of {channels}", names=names, channels=channels)
    if len(used) == channels:
        return counted("its only channel", "all {count} channels", count=channels)
    return Sentence("channels {names} of {channels}", names=names, channels=channels)


def _numbers(found: Reduced) -> list[Sentence]:
    height, width = found.values.shape[:2]
    cells = {"height": height, "width": width}
    if found.how != "pca":
        low, high = map(number, finite_range(found.values))
        return [Sentence("{height} × {width} values from {low} to {high}", **cells, low=low, high=high)]
    ranges = [
        " … ".join(map(number, finite_range(found.values[..., component]))) for component in range(COMPONENTS)
    ]
    shares = ", ".join(f"{100 * share:.1f} %" for share in found.explained)
    return [
        Sentence(
            "{height} × {width} places; components explain {shares} of the variance", **cells, shares=shares
        ),
        Sentence("red {red}, green {green}, blue {blue}", red=ranges[0], green=ranges[1], blue=ranges[2]),
    ]


def _placed(backdrop: Backdrop) -> Sentence:
    width, height = backdrop.image.size
    return Sentence(
        "over the whole photo of {width} × {height} pixels, {percent} % opaque, not interpolated: each value "
        "is the cell that its receptive field is centred on; the frame is what the model saw",
        width=width,
        height=height,
        percent=round(100 * OPAQUE),
    )


def paragraph(said: Iterable[str]) -> str:
    """Return a caption's parts as sentences, one behind the other."""
    return " ".join(f"{each[0].upper()}{each[1:]}." for each in said)


def number(value: float) -> str:
    """Return a number in four digits, with a minus sign."""
    return f"{value:.4g}".replace("-", "−")
