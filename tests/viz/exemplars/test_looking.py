"""One picture through the model: everything that is asked for, or why there is nothing."""

import numpy as np
import pytest
from PIL import Image
from torch import nn

from tests.viz.exemplars.folders import Small
from tests.viz.exemplars.test_search import Choosy
from tests.viz.subjects import subject
from viz.exemplars.chosen import ChosenLayer
from viz.exemplars.looked import Channels
from viz.exemplars.looking import PassOptions, looking
from viz.exemplars.reading import PreparedPicture
from viz.hooks.activations import LayerActivations


def ready(net: nn.Module, colour: tuple[int, int, int]) -> PreparedPicture:
    """A picture of one colour as the net takes it."""
    image = Image.new("RGB", (8, 8), colour)
    return PreparedPicture(7, "a.png", subject(net).arguments(image), image.size, thumbnail=b"small")


def test_a_picture_has_its_peaks_its_maps_and_its_shape() -> None:
    """Of the layers that are asked for, and no others."""
    net = Small()
    wanted = PassOptions(
        (ChosenLayer("first", "Conv2d", "maps"),), maps=(ChosenLayer("second", "Conv2d", "maps"),)
    )
    with looking(LayerActivations(net, "cpu"), wanted) as look:
        seen = look(ready(net, (200, 100, 0)))
    assert seen[:5] == (7, "a.png", (8, 8), b"small", "")
    assert seen.shapes == ((1, 3, 8, 8),)
    assert seen.peaks is not None
    assert seen.peaks.calls == (Channels("first", 0, 5),)
    assert not seen.peaks.more
    (maps,) = seen.maps
    assert (maps.layer, maps.values.shape, maps.values.dtype) == ("second", (4, 6, 6), np.float32)


@pytest.mark.parametrize(("colour", "calls"), [((0, 250, 0), 2), ((0, 0, 0), 1)])
def test_calls_are_those_of_this_picture(colour: tuple[int, int, int], calls: int) -> None:
    """Nothing of the one before is left."""
    net, layer = Choosy(), (ChosenLayer("layer", "Conv2d", "maps"),)
    with looking(LayerActivations(net, "cpu"), PassOptions(layer, maps=layer, statistics=True)) as look:
        for _ in range(2):
            seen = look(ready(net, colour))
            assert [maps.call for maps in seen.maps] == list(range(calls))
        failed = look(ready(net, (255, 0, 0)))
    assert failed.problem == "ZeroDivisionError: too bright"
    assert (failed.peaks, failed.maps, failed.thumbnail) == (None, (), b"small")


def test_the_reason_of_a_picture_that_cannot_be_read_is_kept() -> None:
    """In one line; the model is not asked."""
    net = Small()
    with looking(LayerActivations(net, "cpu"), PassOptions(())) as look:
        seen = look(PreparedPicture(0, "a\udcff.png", problem="no\n such  file"))
    assert (seen.picture, seen.problem, seen.peaks) == ("a\\xff.png", "no such file", None)
