"""Several visitors at once: whatever the timing, everybody gets maps of their own picture."""

import io
import random
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from PIL import Image

from tests.machine import patience
from tests.viz.conftest import Start
from tests.viz.subjects import by_hand, photo, wanted
from viz.engine.engine import Engine, Limits
from viz.errors import SupersededError
from viz.pictures.photo import photograph
from viz.request.inspection import Inspection, LayerView
from viz.views.one_layer import Values, View
from viz.views.whole_model import Predict, Seen

THREADS, REQUESTS = 6, 50
LAYERS = (("first", 0), ("relu", 0), ("second", 0), ("last", 0), ("last", 1))
SPARE, SCARCE = Limits(), Limits(kept=6000)


@pytest.fixture(params=[SPARE, SCARCE], ids=["room for everything", "room for nearly nothing"])
def engine(request: pytest.FixtureRequest, start: Start) -> Engine:
    """An engine that can cache everything, or one that must compute nearly everything again."""
    return start(request.param)[0]


class Visitor:
    """A visitor with a picture, who knows what each layer must return for it."""

    def __init__(self, name: str, seed: int) -> None:
        self.name, self.photo = name, photo(seed)
        self.expected = by_hand(self.photo)

    def is_mine(self, view: LayerView) -> bool:
        """Return whether the view's limits and channels' means are those of my picture's layer."""
        maps = self.expected[view.layer][view.call].reshape(view.geometry.channels, -1)
        means = np.allclose(view.channels.mean, maps.mean(axis=1), rtol=1e-3, atol=1e-5)
        ends = (view.statistics.minimum, view.statistics.maximum)
        return bool(means and np.allclose(ends, (maps.min(), maps.max()), rtol=1e-4, atol=1e-6))

    def looks(self, engine: Engine, chance: random.Random) -> bool:
        """Ask for something, until no newer request of this visitor's other thread takes its place."""
        layer, call = chance.choice(LAYERS)
        request = wanted(self.photo, layer, call=call, colormap=chance.choice(["viridis", "auto"]))
        while True:
            try:
                return self.sees(engine, request, chance)
            except SupersededError:
                continue

    def sees(self, engine: Engine, request: Inspection, chance: random.Random) -> bool:
        """Return whether the answer is right, in one of the ways in which an engine can be asked."""
        if chance.random() < 0.6:
            view = engine.do(
                View(request, self.photo, whole=not chance.random() < 0.5),
                visitor=self.name,
                urgent=chance.random() < 0.5,
            ).result(patience(60))
            return self.is_mine(view)
        if chance.random() < 0.5:
            values = engine.do(Values(request, self.photo), visitor=self.name).result(patience(60))
            found = values.call(request.call)["output"].array
            return np.allclose(found, self.expected[request.layer][request.call], rtol=1e-4, atol=1e-6)
        return self.prediction_is_mine(engine)

    def prediction_is_mine(self, engine: Engine) -> bool:
        """Return whether the best prediction has the probability of my picture's sigmoid, its own."""
        expected = self.expected["last"][1][0].max()
        top = engine.do(Predict(self.photo, "counting", "random"), visitor=self.name).result(patience(60)).top
        return bool(np.isclose(top[0][1], expected, rtol=1e-5))


def test_two_visitors_with_the_same_layers_never_see_each_others_maps(engine: Engine) -> None:
    """Three hundred requests from six threads, checked against convolutions computed by hand."""
    ann, bob = Visitor("ann", 1), Visitor("bob", 2)
    assert not np.allclose(ann.expected["second"][0], bob.expected["second"][0], rtol=1e-2)
    together = threading.Barrier(THREADS)

    def visit(number: int) -> list[bool]:
        chance, visitor = random.Random(number), (ann, bob)[number % 2]
        together.wait(patience(60))
        return [visitor.looks(engine, chance) for _ in range(REQUESTS)]

    with ThreadPoolExecutor(THREADS) as threads:
        right = [each for answers in threads.map(visit, range(THREADS)) for each in answers]
    assert len(right) == THREADS * REQUESTS
    assert all(right)


def test_the_check_above_can_tell_the_visitors_apart(engine: Engine) -> None:
    """Ann's maps are not taken for Bob's."""
    ann, bob = Visitor("ann", 1), Visitor("bob", 2)
    for layer, call in LAYERS:
        view = engine.do(View(wanted(ann.photo, layer, call=call), ann.photo), visitor="ann").result(
            patience(60)
        )
        assert ann.is_mine(view)
        assert not bob.is_mine(view)


def test_pictures_that_differ_in_one_pixel_are_two_pictures(engine: Engine) -> None:
    """A picture's name depends on every pixel."""
    picture = photo(1)
    changed = picture.image.copy()
    changed.putpixel((7, 7), (0, 0, 0))
    other = photograph(changed)
    for each in (picture, other):
        seen = engine.do(Seen(each, "counting", "random"), visitor="ann").result(patience(60))
        np.testing.assert_array_equal(Image.open(io.BytesIO(seen)), each.image)
