"""Drawing of a layer's values as the view of a page."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..answers.layer import CoveredPart
from ..findings.leaves import chosen_leaf, leaf_paths
from ..findings.values import LayerValues, Leaf
from ..maps.colour.scaling import Scale
from ..maps.colour.wanted import OWN_LIMITS, Range, colouring
from ..maps.facts import colour_facts, geometry_facts, number_facts
from ..maps.layout import Layout, arrange, kinds
from ..maps.mosaic import Mosaic, render_mosaic
from ..maps.ordering import channel_order
from ..maps.viewport import Viewport
from ..request.inspection import Inspection, LayerView
from ..sentences import Sentence
from .differences import joint_range

_OF_LAYER = ("layer", "clipped")


def draw_view(
    values: LayerValues, wanted: Inspection, limits: Range | None = None, order: Sequence[int] | None = None
) -> LayerView:
    """The view of one call of one layer.

    Pass ``limits`` and ``order`` if other values decide them.

    Raises:
        CallError: the layer has no such call.
        LayoutError: the value cannot be drawn as maps.
        RequestError: the request names a tensor, layout, colormap or scale that does not exist.
    """
    layout = arranged(values, wanted)
    order = order or channel_order(layout.maps, wanted.order)
    mosaic = _mosaic(values, layout, wanted, limits, order)
    own = wanted.scale in OWN_LIMITS and limits is None
    return view_of(values, wanted, layout, mosaic, sorted_channels=order is not None, own=own)


def view_of(
    values: LayerValues,
    wanted: Inspection,
    layout: Layout,
    mosaic: Mosaic,
    *,
    sorted_channels: bool = False,
    own: bool = True,
) -> LayerView:
    """The view of maps that are drawn already.

    ``own`` if the limits of the colours are those of the maps.
    """
    path, leaf = chosen_leaf(values, wanted)
    return LayerView(
        layer=values.layer,
        type=values.type,
        call=wanted.call,
        calls=len(values.calls),
        shape=leaf.array.shape,
        dtype=leaf.dtype,
        device=values.device,
        png=mosaic.png,
        geometry=geometry_facts(mosaic, sorted_channels=sorted_channels),
        **number_facts(layout.maps),
        **colour_facts(mosaic, layout.maps, own=own),
        axes=layout.axes,
        **_in_words(values, path, layout, wanted),
        leaf=path,
        leaves=leaf_paths(values, wanted),
        kind=layout.kind,
        kinds=kinds(leaf.array.shape, values.type, values.image_size, leaf.dtype, leaf.arrangement),
        **_places(layout, leaf, values.image_size),
        index=wanted.index,
        slices=layout.slices,
        row=wanted.row,
        rows=layout.rows,
        scale=wanted.scale,
    )


def _places(layout: Layout, leaf: Leaf, size: tuple[int, int] | None) -> dict[str, Any]:
    """Return the known facts of the values' places on the picture."""
    return {
        "known": layout.known,
        "on_picture": layout.leads_across and leaf.arrangement is not None,
        "arrangement": leaf.arrangement,
        "covers": _covered(layout, size),
    }


def _covered(layout: Layout, size: tuple[int, int] | None) -> CoveredPart | None:
    """The part of the picture under the maps, if known."""
    if layout.lattice is None or size is None:
        return None
    _, height, width = layout.maps.shape
    return CoveredPart(*layout.lattice.covered((height, width), size))


def _in_words(values: LayerValues, path: str, layout: Layout, wanted: Inspection) -> dict[str, Any]:
    """Return the note on the maps' origin, and whether it suffices."""
    plain = layout.plain and not values.score_of and wanted.training is None
    return {"note": _in_mode(_note(values, path, layout), wanted), "plain": plain}


def _note(values: LayerValues, path: str, layout: Layout) -> str:
    """Return the note on the maps' origin, and a gradient's score."""
    if not values.score_of:
        return layout.description
    if layout.plain and path.startswith("inputs"):
        return Sentence("gradient of {score} with respect to this layer's input", score=values.score_of)
    if layout.plain:
        return Sentence("gradient of {score} with respect to this layer's output", score=values.score_of)
    of = {"score": values.score_of, "note": layout.description}
    if path.startswith("inputs"):
        return Sentence("gradient of {score} with respect to this layer's input: {note}", **of)
    return Sentence("gradient of {score} with respect to this layer's output: {note}", **of)


def _in_mode(note: str, wanted: Inspection) -> str:
    """Return the note, with the training mode if there was one."""
    if wanted.training is None:
        return note
    return Sentence("{note} · in training mode, seed {seed}", note=note, seed=wanted.training)


def arranged(values: LayerValues, wanted: Inspection) -> Layout:
    """The maps of one call of one layer; see ``draw_view`` for errors."""
    _, leaf = chosen_leaf(values, wanted)
    return arrange(
        leaf.array,
        kind=wanted.kind,
        row=wanted.row,
        index=wanted.index,
        layer_type=values.type,
        image_size=values.image_size,
        arrangement=leaf.arrangement,
    )


def coloured(
    values: LayerValues, wanted: Inspection, layout: Layout, limits: Range | None = None
) -> tuple[str, Scale]:
    """The colormap and the scale of maps, within limits if given.

    A scale of the layer is one for all of its rows and slices, also those that are not drawn.

    Raises:
        RequestError: see ``colouring``.
    """
    if limits is None and wanted.scale in _OF_LAYER and layout.rows * layout.slices > 1:
        limits = joint_range(*_all_maps(values, wanted, layout), clipped=wanted.scale == "clipped")
    return colouring(layout.maps, wanted, limits)


def _all_maps(values: LayerValues, wanted: Inspection, layout: Layout) -> Iterator[NDArray[np.generic]]:
    for row, index in product(range(layout.rows), range(layout.slices)):
        yield arranged(values, replace(wanted, row=row, index=index)).maps


def _mosaic(
    values: LayerValues,
    layout: Layout,
    wanted: Inspection,
    limits: Range | None,
    order: Sequence[int] | None,
) -> Mosaic:
    colormap, scale = coloured(values, wanted, layout, limits)
    # The page draws signals taller than wide, so their channels need not shrink together with their length.
    viewport = Viewport(*wanted.viewport, uneven=layout.kind == "signals") if all(wanted.viewport) else None
    return render_mosaic(
        layout.maps,
        colormap=colormap,
        scale=scale,
        order=order,
        columns=wanted.columns or None,
        viewport=viewport,
    )


def channel_png(values: LayerValues, wanted: Inspection, channel: int, limits: Range | None = None) -> bytes:
    """One map as PNG, in its colours among the others.

    There is one pixel for each value.

    Raises:
        RequestError: there is no such channel; see ``draw_view`` for the rest.
    """
    layout = arranged(values, wanted)
    colormap, scale = coloured(values, wanted, layout, limits)
    return render_mosaic(layout.maps, colormap=colormap, scale=scale, order=[channel]).png
