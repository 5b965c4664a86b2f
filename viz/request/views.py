"""The only list of the page's views, with facts for other parts.

``make answers`` writes it for the browser, into ``viz/ui/browser/look/fields.js``.
"""

from types import MappingProxyType
from typing import Literal

import msgspec


class View(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A way of looking at a model.

    Attributes:
        within: the view whose button stands for it; empty for one with a button of its own.
        of_layer: true if it is about the look's layer.
        maps: true if it draws maps, so that colours, scale and order of the channels matter.
        single: true if it draws one map, for which scale and order of channels do not matter.
        gradient: true if the layer's gradients are its values.
        weighs: true if visitors are asked first about a layer of much memory.
        passes: the cost that visitors are asked about first: a run of ``"all"`` layers, or one ``"back"``
            from a class, which they can choose; empty if a look at one layer costs no less.
        waits: true if it tells by itself when it is drawn, and not as soon as it is opened.
        ribbon: true if the model's stages stand above it.
        invites: true if visitors are asked for a picture of their own above it.
        help: the document about it, of those below ``docs``.
    """

    within: str = ""
    of_layer: bool = False
    maps: bool = False
    single: bool = False
    gradient: bool = False
    weighs: bool = False
    passes: Literal["", "all", "back"] = ""
    waits: bool = False
    ribbon: bool = False
    invites: bool = False
    help: str = ""


# By their names in the address, in the order of their buttons.
VIEWS = MappingProxyType(
    {
        "layer": View(
            of_layer=True, maps=True, weighs=True, waits=True, ribbon=True, invites=True, help="colours"
        ),
        "layers": View(maps=True, passes="all", ribbon=True, invites=True, help="find-a-layer"),
        "gradients": View(
            of_layer=True,
            maps=True,
            gradient=True,
            weighs=True,
            passes="back",
            waits=True,
            ribbon=True,
            help="why-this-class",
        ),
        "compare": View(of_layer=True, maps=True, ribbon=True, help="compare"),
        "hooks": View(of_layer=True, maps=True, passes="back", help="hooks"),
        "lens": View(of_layer=True, help="pictures-folder"),
        "course": View(help="learn"),
        "quiz": View(help="learn"),
        "reduced": View(
            within="layer",
            of_layer=True,
            maps=True,
            single=True,
            weighs=True,
            ribbon=True,
            help="one-picture",
        ),
        "unit": View(within="layer", of_layer=True, maps=True, weighs=True, help="numbers"),
        "figure": View(within="layer", of_layer=True, maps=True, single=True, help="save-and-share"),
    }
)
