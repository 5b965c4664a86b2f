"""Figures of the lens: what is drawn is what was found, read from the figures themselves."""

from functools import cache

import matplotlib as mpl
import numpy as np
from scipy import stats

from tests.viz.lens.test_lens import capture
from viz.lens.figures import heat_figure, heat_pages, probe_figure, similarity_figure
from viz.lens.labels import by_folder
from viz.lens.lens import Lens, lens

MADE = capture()


@cache
def found_lens() -> Lens:
    """Return the lens's findings in the capture, for all tests; not before one of them asks."""
    return lens(MADE, by_folder(MADE.pictures))


def test_the_curve_has_each_layers_accuracy_and_the_chance_level() -> None:
    """In per cent."""
    axes = probe_figure(found_lens(), "title").axes[0]
    curve, chance = axes.lines
    expected = [100 * each.probe.accuracy for each in found_lens().layers if each.probe]
    np.testing.assert_allclose(curve.get_ydata(), expected)
    np.testing.assert_allclose(chance.get_ydata(), 100 / 3)
    assert [label.get_text() for label in axes.get_xticklabels()] == ["layer0", "layer1", "layer2"]


def test_the_matrix_is_drawn_upwards() -> None:
    """As on a chart, from 0 to 1."""
    assert found_lens().similarity is not None
    axes = similarity_figure(found_lens().similarity, MADE.calls, MADE.calls[:3], "$title").axes[0]
    image = axes.images[0]
    np.testing.assert_array_equal(image.get_array(), found_lens().similarity)
    assert (image.get_clim(), image.origin) == ((0, 1), "lower")


def test_the_heat_map_has_channels_and_classes_in_their_orders() -> None:
    """Its colours are symmetrical, and a dead channel has none."""
    one = found_lens().layers[1]
    assert one.classes is not None
    axes = heat_figure(one, found_lens(), "lenet, $own").axes[0]
    assert axes.get_title() == "lenet, $own · layer1"
    image = axes.images[0]
    expected = one.classes.score[one.classes.order][:, found_lens().class_order]
    np.testing.assert_array_equal(np.ma.filled(image.get_array(), np.nan), expected)
    low, high = image.get_clim()
    assert low == -high == -np.nanmax(np.abs(expected))
    names = [found_lens().labels.classes[number] for number in found_lens().class_order]
    assert [label.get_text() for label in axes.get_xticklabels()] == names


def test_what_chance_reaches_has_the_colour_of_nothing() -> None:
    """Most cells of a layer of noise, by hand: the class's mean less all, over the deviation, by t."""
    one = found_lens().layers[0]
    assert one.classes is not None
    image = heat_figure(one, found_lens(), "noise").axes[0].images[0].get_array()
    limit = stats.t.isf(0.05 / 2 / 12, 58)
    limit = limit / np.sqrt(58 + limit**2) * np.sqrt(40 / 20)
    drawn = one.classes.score[one.classes.order][:, found_lens().class_order]
    np.testing.assert_array_equal(np.asarray(image) == 0, np.abs(drawn) <= limit)
    assert (np.asarray(image) == 0).sum() > 6


def test_a_page_for_each_layer_and_the_same_bytes_each_time() -> None:
    """And nothing is left in pyplot's list of figures, which nobody uses."""
    pages = heat_pages(found_lens(), "lenet")
    assert pages == heat_pages(found_lens(), "lenet")
    assert pages.count(b"/Type /Page ") == 3 or pages.count(b"/Type /Page\n") == 3
    assert "matplotlib.pyplot" not in str(mpl.get_backend)
