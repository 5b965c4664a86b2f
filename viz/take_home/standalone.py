"""Layers as one HTML file, which needs no network and no server."""

import base64
import html
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..answers.message import as_plain
from ..answers.model import Share
from ..answers.offline import DrawnSheet, OfflineFile, OfflineSheet, TileFigures
from ..maps.colour.scaling import Limit
from ..maps.colour.tables import colour_table
from ..maps.digits import rounded, rounded_shares
from ..maps.facts import geometry_facts, layer_figures
from ..maps.statistics import channel_statistics
from .album import Sheet

MOST_EXACT = (
    2_000_000  # values that are written in full, four bytes each; the others are read from their colour
)
# Wherever it is opened, the file may use only what is in it.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
_STYLE = Path(__file__).with_suffix(".css")


@dataclass(frozen=True)
class SideFacts:
    """Facts to show beside the maps, and the maps to show first.

    Attributes:
        seen: the picture as the model saw it, a PNG; empty if there is none.
        top: the most probable classes with their probabilities, best first.
        untrained: whether the weights are random.
        kinds: what each type of layer does, by its name.
        layer: the layer that is shown first, if it is among the sheets.
        call: which call of it, counted from 0.
        channel: which of its channels is shown large; None for its first map.
    """

    seen: bytes = b""
    top: Sequence[tuple[str, float]] = ()
    untrained: bool = False
    kinds: Mapping[str, str] = field(default_factory=dict)
    layer: str = ""
    call: int = 0
    channel: int | None = None


def standalone_page(
    sheets: Sequence[Sheet],
    *,
    title: str,
    words: Mapping[str, str],
    script: str,
    language: str = "en",
    beside: SideFacts = SideFacts(),
) -> bytes:
    """The file, in UTF-8.

    Args:
        sheets: the layers, in the order of flipping through them.
        title: what is written above them: the model, its weights, the picture.
        words: what the file says, by the keys that its script uses.
        script: what shows all this; it imports nothing.
        language: the language of the words, as HTML names it.
        beside: what stands beside the maps, and which of them are shown first.
    """
    data = as_plain(_file(sheets, title, words, beside))
    name = html.escape(title)
    return f"""<!doctype html>
<html lang="{html.escape(language)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>{name}</title>
<style>
{_STYLE.read_text("utf-8")}</style>
<main id="page"></main>
<script type="application/json" id="data">{_json(data)}</script>
<script type="module">
{script}</script>
</html>
""".encode()


def _file(sheets: Sequence[Sheet], title: str, words: Mapping[str, str], beside: SideFacts) -> OfflineFile:
    exact = smallest_first(sheets, MOST_EXACT)
    return OfflineFile(
        title=title,
        words=dict(words),
        sheets=tuple(_facts(sheet, exact=place in exact) for place, sheet in enumerate(sheets)),
        tables={name: _hex(colour_table(name)) for name in sorted(_colormaps(sheets))},
        first=_first(sheets, beside),
        channel=beside.channel,
        seen=_text(beside.seen),
        top=tuple(Share(label=label, share=share) for label, share in beside.top),
        untrained=beside.untrained,
        kinds={sheet.type: beside.kinds[sheet.type] for sheet in sheets if sheet.type in beside.kinds},
    )


def _first(sheets: Sequence[Sheet], beside: SideFacts) -> int:
    wanted = (beside.layer, beside.call)
    return next((n for n, sheet in enumerate(sheets) if (sheet.layer, sheet.call) == wanted), 0)


def smallest_first(sheets: Sequence[Sheet], most: int) -> set[int]:
    """Return the places of the smallest sheets, at most ``most`` values together.

    Their values are written in full.
    """
    chosen: set[int] = set()
    for place in sorted(range(len(sheets)), key=lambda place: sheets[place].maps.size):
        most -= sheets[place].maps.size
        if most < 0:
            break
        chosen.add(place)
    return chosen


def _facts(sheet: Sheet, *, exact: bool) -> OfflineSheet:
    about: dict[str, Any] = {
        "name": sheet.title,
        "type": sheet.type,
        "shape": sheet.shape,
        "dtype": sheet.dtype,
        "channels": sheet.channels,
        "problem": sheet.problem,
    }
    if sheet.mosaic is None or sheet.figures is None:
        return OfflineSheet(**about)
    place, order = sheet.mosaic, tuple(sheet.mosaic.order)
    return DrawnSheet(
        png=_text(place.png),
        geometry=geometry_facts(place, sorted_channels=False),
        order=order,
        colormap=place.colormap,
        low=_limits(place.vmin, order),
        high=_limits(place.vmax, order),
        figures=layer_figures(sheet.figures),
        each=_each(sheet.maps),
        values=_text(sheet.maps.astype("<f4").tobytes()) if exact else "",
        **about,
    )


def _each(maps: NDArray[np.generic]) -> TileFigures:
    found = channel_statistics(maps)
    return TileFigures(
        minimum=rounded(found.minimum),
        maximum=rounded(found.maximum),
        mean=rounded(found.mean),
        zeros=rounded_shares(found.zeros),
    )


def _limits(limit: Limit, order: Sequence[int]) -> tuple[float | None, ...]:
    """Return the limit of each tile; a mosaic's go by channel number."""
    return rounded(limit[list(order)] if isinstance(limit, np.ndarray) else [limit] * len(order))


def _hex(table: NDArray[np.uint8]) -> str:
    return table[:, :3].tobytes().hex()


def _colormaps(sheets: Sequence[Sheet]) -> set[str]:
    return {sheet.mosaic.colormap for sheet in sheets if sheet.mosaic}


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _json(value: object) -> str:
    """Return JSON that is safe inside an element of HTML.

    Every "<" is escaped, so that no name can close the element around it.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")
