"""viz/script/code_drawing.py: the drawn values, their places and their colours."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from numpy.typing import NDArray

from tests.viz.fresh import noise_photo, wanted_of
from viz.findings.values import LayerValues, Leaf
from viz.maps.colour.tables import colour_table
from viz.request.inspection import LayerView
from viz.script.code_drawing import draw_lines, map_lines, stretched_imports
from viz.views.drawing import draw_view


def view_of(array: NDArray[Any], **more: object) -> LayerView:
    """The view of an array that a layer returned."""
    values = LayerValues("a layer", "Conv2d", "cpu", ({"output": Leaf(array, str(array.dtype))},))
    return draw_view(values, wanted_of(noise_photo(), "lenet", "a layer", **more))


def drawn(array: NDArray[Any], folder: Path, **more: object) -> dict[str, Any]:
    """Return the variables that the lines of a view leave behind."""
    view = view_of(array, **more)
    lines = [*map_lines(view), *draw_lines(view, str(folder / "maps.png"))]
    known: dict[str, Any] = {"np": np, "Figure": Figure, "values": array}
    exec("\n".join([*stretched_imports(view.colormap), *lines]), known)
    assert (folder / "maps.png").exists()
    return known | {"view": view}


def cells(known: dict[str, Any], height: int, width: int) -> list[NDArray[Any]]:
    """The tiles of the mosaic, row by row, cut out of what matplotlib was given."""
    pixels, columns = known["drawn"].get_array().filled(np.nan), known["view"].geometry.columns
    rows = (pixels.shape[0] + 1) // (height + 1)
    assert pixels.shape == (rows * (height + 1) - 1, columns * (width + 1) - 1)
    return [
        pixels[down * (height + 1) :, right * (width + 1) :][:height, :width]
        for down in range(rows)
        for right in range(columns)
    ]


@pytest.mark.parametrize("kind", [np.float32, np.int32, np.bool_])
@pytest.mark.parametrize("count", [1, 2, 7, 16])
def test_every_map_stands_in_its_place(count: int, kind: type, tmp_path: Path) -> None:
    """Bit for bit, row by row; places without a map and the lines between maps have no value."""
    maps = (np.random.default_rng(count).normal(size=(1, count, 5, 4)) * 9).astype(kind)
    known = drawn(maps, tmp_path)
    found = cells(known, 5, 4)
    for tile, wanted in zip(found, maps[0], strict=False):
        np.testing.assert_array_equal(tile, wanted)
    assert all(np.isnan(tile).all() for tile in found[count:])
    assert np.isfinite(known["drawn"].get_array().filled(np.nan)).sum() == maps.size


def test_the_colours_end_where_those_of_the_view_do(tmp_path: Path) -> None:
    """One scale for the layer, cut off or not; and one of its own for each channel, from 0 to 1."""
    maps = np.random.default_rng(0).normal(size=(1, 6, 5, 4)).astype(np.float32)
    for scale in ("layer", "clipped"):
        known = drawn(maps, tmp_path, scale=scale)
        assert known["drawn"].get_clim() == (known["view"].vmin, known["view"].vmax)
    each = drawn(maps, tmp_path, scale="channel", order="mean")
    assert each["drawn"].get_clim() == (0, 1)
    first = maps[0, each["view"].geometry.order[0]]
    reach = np.abs(first).max()
    np.testing.assert_allclose(cells(each, 5, 4)[0], (first + reach) / (2 * reach), rtol=1e-6)


@pytest.mark.parametrize("colormap", ["auto_root", "viridis_root", "PuOr_root"])
def test_stretched_colours_are_those_of_the_view(colormap: str, tmp_path: Path) -> None:
    """The script makes the colormap itself, from matplotlib's."""
    maps = np.random.default_rng(0).normal(size=(1, 6, 5, 4)).astype(np.float32)
    known = drawn(maps, tmp_path, colormap=colormap)
    found = known["drawn"].get_cmap()
    table = found(np.arange(found.N), bytes=True)
    np.testing.assert_array_equal(table, colour_table(known["view"].colormap))


def test_complex_values_are_drawn_and_remain_themselves(tmp_path: Path) -> None:
    """As magnitudes or as phases; what is compared afterwards is the layer's own value."""
    waves = np.exp(1j * np.random.default_rng(0).normal(size=(1, 3, 5, 4))).astype(np.complex64) * 2
    for kind, wanted in (("auto", np.abs(waves)), ("phase", np.angle(waves))):
        known = drawn(waves, tmp_path, kind=kind)
        np.testing.assert_array_equal(cells(known, 5, 4)[1], wanted[0, 1])
        assert known["values"] is waves
