"""The engine asked for gradients: passes, places in the cache, and refusals."""

import numpy as np
import pytest
import torch

from tests.viz.subjects import Counting, Shelf, photo, subject, wanted
from viz.engine.engine import Engine, LocalEngine
from viz.engine.limits import Limits
from viz.errors import CaptureError, RequestError, TooLargeError
from viz.hooks.activations import LayerActivations
from viz.passes.attribution import capture_gradients
from viz.request.method import Method
from viz.views.classes.explain import explaining
from viz.views.one_layer import Values, View

SALIENCY = Method("saliency")


def test_values_and_the_gradients_of_each_class_are_kept_apart(engine: Engine, shelf: Shelf) -> None:
    """In any order, each equals a separate run; asking again needs no further pass.

    One pass for the survey, two that see whether looking changes anything, and two whether gradients do.
    """
    picture = photo(1)
    requests = [wanted(picture, "second", gradient=target) for target in (None, 0, 1, None, 1)]
    found = [engine.do(Values(each, picture), visitor="v").result() for each in requests]
    assert shelf.net.passes == 1 + 2 + 2 + 3  # the last ones are those for each of the three
    assert [values.score_of[:11] for values in found[:3]] == ["", "class 'cat'", "class 'dog'"]
    plain, cat, dog, plain_again, dog_again = (each.calls[0]["output"].array for each in found)
    np.testing.assert_array_equal(plain_again, plain)
    np.testing.assert_array_equal(dog_again, dog)
    net = Counting()
    made = subject(net)
    alone = capture_gradients(
        LayerActivations(net, "cpu"), made, made.arguments(picture.image), ["second"], 1
    )
    np.testing.assert_array_equal(dog, alone["second"].calls[0]["output"].array)
    assert not np.array_equal(cat, dog)


def test_a_prefetch_brings_every_layers_gradient_in_one_pass(engine: Engine, shelf: Shelf) -> None:
    """The visitor will flip to the neighbours; Grad-CAM comes along."""
    picture = photo(2)
    engine.do(
        View(wanted(picture, "first", gradient=0), picture, whole=True), visitor="v", urgent=False
    ).result()
    passes = shelf.net.passes
    for layer in ("first", "relu", "second", "last"):
        values = engine.do(Values(wanted(picture, layer, gradient=0), picture), visitor="v").result()
        assert len(values.cams) == len(values.calls)
    assert shelf.net.passes == passes


def test_a_gradients_view_is_drawn_around_zero(engine: Engine) -> None:
    """Also where all values have one sign; a colormap that is asked for is used."""
    picture = photo(3)
    view = engine.do(View(wanted(picture, "last", call=1, gradient=2), picture), visitor="v").result()
    assert (view.colormap, view.vmin, view.vmax) == ("coolwarm", -1, 1)
    assert view.note.startswith("gradient of class 'owl' (probability ")
    hot = wanted(picture, "last", call=1, gradient=2, colormap="hot")
    assert engine.do(View(hot, picture), visitor="v").result().colormap == "hot"


def test_saliency_is_a_map_of_the_inputs_size_for_its_class(engine: Engine) -> None:
    """Eight by eight, different for another class, and the same when asked again."""
    picture = photo(4)
    tasks = [explaining(wanted(picture, gradient=target), picture, SALIENCY) for target in (0, 1, 0)]
    found = [engine.do(task, visitor="v").result() for task in tasks]
    assert found[0].values.shape == found[0].size == (8, 8)
    np.testing.assert_array_equal(found[2].values, found[0].values)
    assert not np.array_equal(found[0].values, found[1].values)


def test_a_class_that_the_model_does_not_have_is_refused(engine: Engine) -> None:
    """In one sentence, for maps and for saliency."""
    picture = photo(5)
    request = wanted(picture, gradient=3)
    for future in (
        engine.do(View(request, picture), visitor="v"),
        engine.do(explaining(request, picture, SALIENCY), visitor="v"),
    ):
        with pytest.raises(RequestError, match="no class 3: this model has classes 0 to 2"):
            future.result()


def test_a_backward_pass_counts_in_what_a_request_costs(local_shelf: Shelf) -> None:
    """A request that fits as values may be too large as gradients, whose pass keeps every output."""
    engine, picture = LocalEngine(local_shelf, device="cpu", limits=Limits(capture=3000)), photo(6)
    assert engine.do(Values(wanted(picture, "last"), picture), visitor="v").result()
    with pytest.raises(TooLargeError, match="more than the"):
        engine.do(Values(wanted(picture, "last", gradient=0), picture), visitor="v").result()
    engine.close()


class Notices(Counting):
    """A model that answers otherwise when its layers have pre-hooks, which gradients need."""

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return scores (N, 3), larger by 2 if the first layer has a pre-hook."""
        return super().forward(images) + 2 * bool(self.first._forward_pre_hooks)


def test_a_model_that_looking_changes_is_refused_in_a_sentence() -> None:
    """In the mode that changes it, every time, after one comparison; its plain maps stay."""
    picture, net = photo(1), Notices()
    engine = LocalEngine(lambda *_: subject(net), device="cpu")

    def ask(gradient: int | None) -> None:
        engine.do(Values(wanted(picture, "second", gradient=gradient), picture), visitor="v").result()

    try:
        ask(None)
        before = net.passes
        for passes in (3, 3):
            with pytest.raises(CaptureError, match=r"changes what it computes \(output differs by up to 2\)"):
                ask(1)
            assert net.passes == before + passes
        ask(None)
    finally:
        engine.close()
