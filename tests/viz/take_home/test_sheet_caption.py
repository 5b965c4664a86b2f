"""viz/take_home/sheet_caption.py: the caption against what is drawn."""

import re

import numpy as np
import pytest
from PIL import Image

from viz.maps.reduction.reduce import REDUCTIONS, Reduction, reduce_maps
from viz.take_home.panels import Panel, PhotoPanel, SheetStyle
from viz.take_home.sheet import sheet_figure
from viz.take_home.sheet_caption import caption_of

MAPS = np.random.default_rng(3).standard_normal((9, 5, 6)).astype(np.float32)


def grid(how: Reduction) -> list[list[Panel | PhotoPanel]]:
    """A photo, and two layers of different values."""
    layers = [Panel("", f"net {at}, layer", reduce_maps(MAPS * at, how)) for at in (1, 3)]
    return [[PhotoPanel("", "picture cat", Image.new("RGB", (4, 4))), *layers]]


@pytest.mark.parametrize("how", [each for each in REDUCTIONS if each != "pca"])
def test_each_panels_numbers_are_those_of_its_values(how: Reduction) -> None:
    """Rows, columns, the lowest and the highest, and the formula with its source."""
    said = caption_of(grid(how), SheetStyle())
    assert said.startswith("(a) picture cat; (b) net 1, layer, 5 × 6 values from ")
    numbers = re.findall(r"values from (\S+) to ([^\s;,.]+(?:\.\d+)?)", said.replace("−", "-"))
    for (low, high), panel in zip(numbers, grid(how)[0][1:], strict=True):
        assert isinstance(panel, Panel)
        assert float(low) == pytest.approx(panel.found.values.min(), rel=1e-3)
        assert float(high) == pytest.approx(panel.found.values.max(), rel=1e-3)
    assert f"Formula {how}: " in said
    assert said.endswith(".")


def test_shares_of_components_are_said() -> None:
    """In place of a range, which none of the three has alone."""
    said = caption_of(grid("pca"), SheetStyle())
    panel = grid("pca")[0][1]
    assert isinstance(panel, Panel)
    shares = ", ".join(f"{100 * share:.1f} %" for share in panel.found.explained)
    assert f"components explain {shares} of the variance" in said
    assert "Source of the formula: Oquab" in said


def test_a_shared_scale_is_said_with_the_ends_of_its_bar() -> None:
    """Those of the bar that is drawn."""
    style = SheetStyle(scale="all")
    low, high = sheet_figure(grid("mean"), style).axes[-1].get_ylim()
    said = caption_of(grid("mean"), style).replace("−", "-")
    found = re.search(r"All layers share one scale, from (\S+) to (\S+), in the colours coolwarm", said)
    assert found is not None
    assert [float(each) for each in found.groups()] == pytest.approx([low, high], rel=1e-3)
    rows = caption_of([*grid("l2"), *grid("l2")[:1]], SheetStyle(scale="row"))
    assert len(re.findall(r"from \S+ to \S+(?=,)", rows[rows.index("share one scale") :])) == 2


def test_what_was_chosen_for_a_panel_is_said() -> None:
    """The strongest channels, and the place that others are compared with."""
    top, similar = grid("top")[0][1], grid("similar")[0][1]
    assert isinstance(top, Panel)
    assert isinstance(similar, Panel)
    assert f"channels {', '.join(map(str, top.found.channels))}" in caption_of([[top]], SheetStyle())
    place = "compared with row {}, column {}".format(*(similar.found.at or ()))
    assert place in caption_of([[similar]], SheetStyle())


def test_values_that_are_not_finite_are_said() -> None:
    """As magenta, with their number; no range is made up."""
    some, none = MAPS.copy(), np.full_like(MAPS, np.nan)
    some[0, 1, 2] = np.inf
    panels = [Panel("", f"net {at}", reduce_maps(maps, "l2")) for at, maps in enumerate((some, none))]
    said = caption_of([panels], SheetStyle())
    assert re.search(r"net 0, 5 × 6 values from \S+ to \S+, 1 not finite: magenta;", said)
    assert "net 1, 5 × 6 values, none of them finite: magenta." in said
