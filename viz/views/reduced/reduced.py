"""A layer's values as one picture, with its facts."""

import base64
from dataclasses import asdict, replace

import numpy as np
from numpy.typing import NDArray

from ...answers.views.reduced import ReducedFacts
from ...errors import LayoutError
from ...findings.values import LayerValues
from ...maps.colour.wanted import colouring
from ...maps.layout import Layout
from ...maps.mosaic import render_mosaic
from ...maps.reduction.definitions import DEFINITIONS
from ...maps.reduction.drawing import reduced_png
from ...maps.reduction.reduce import Reduced, ReductionRequest, reduce_maps
from ...request.inspection import Inspection
from ..drawing import arranged, view_of


def reduced(values: LayerValues, layout: Layout, reducing: ReductionRequest) -> Reduced:
    """Reduce the maps of one call of a layer; see ``reduce_maps``.

    Raises:
        LayoutError: the layer's maps are not one for each channel.
        RequestError: see ``reduce_maps``.
    """
    if not layout.has_channels:
        raise LayoutError(
            "{layer} has no maps of channels to reduce to one picture: it is {note}",
            layer=values.layer,
            note=layout.description,
        )
    return reduce_maps(layout.maps, **asdict(reducing))


def reduced_values(
    values: LayerValues, wanted: Inspection, reducing: ReductionRequest
) -> NDArray[np.float32]:
    """Return the numbers of a layer as one picture; errors as ``reduced``."""
    return reduced(values, arranged(values, wanted), reducing).values


def reduced_facts(values: LayerValues, wanted: Inspection, reducing: ReductionRequest) -> ReducedFacts:
    """Return the picture with its numbers, its colours and its place.

    The place is on the photo. Errors are those of ``reduced``.
    """
    layout = arranged(values, wanted)
    found = reduced(values, layout, reducing)
    wanted = replace(wanted, scale="layer", order="index")
    one = replace(layout, maps=_planes(found), plain=False)
    colormap, scale = colouring(one.maps[:1], wanted, None)
    mosaic = render_mosaic(one.maps[:1], colormap=colormap, scale=scale)
    view = replace(view_of(values, wanted, one, mosaic), png=reduced_png(found, colormap))
    return ReducedFacts(
        view=view.facts(),
        picture=base64.b64encode(view.png).decode(),
        channels=found.channels,
        of=len(layout.maps),
        explained=found.explained,
        formula=DEFINITIONS[reducing.how].sentence,
        source=DEFINITIONS[reducing.how].source,
        at=found.at or (),
    )


def _planes(found: Reduced) -> NDArray[np.float32]:
    """Return the values as maps (1 or 3, height, width).

    Of principal components each has one.
    """
    return np.moveaxis(np.atleast_3d(found.values), -1, 0)
