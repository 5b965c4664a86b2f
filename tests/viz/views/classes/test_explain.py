"""One method's map through an engine: its numbers by hand, slices, and nobody waits for more than one."""

from dataclasses import replace
from itertools import count

import numpy as np
import pytest
import torch

from tests.viz.subjects import Counting, Shelf, photo, prepare, wanted
from viz.engine.engine import Engine, LocalEngine
from viz.engine.limits import Limits
from viz.errors import LayoutError, RequestError
from viz.request.edit_request import edits_from
from viz.request.method import KINDS, METHODS, OF_ATTENTION, Method
from viz.views.classes.explain import Explain, Explanation, explaining

PICTURE = photo(2)
REQUEST = wanted(PICTURE, "second", gradient=1)
LONG = tuple(name for name, kind in KINDS.items() if kind.sliced)
EVERYWHERE = tuple(name for name in METHODS if name not in OF_ATTENTION)


def asked(engine: Engine, task: Explain) -> list[Explanation]:
    """Every answer until all is known."""
    found: list[Explanation] = []
    while not found or found[-1].done < found[-1].total:
        found.append(engine.do(task, visitor="v").result())
    return found


@pytest.fixture
def no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slice is one step."""
    monkeypatch.setattr("viz.views.work.explain.SECONDS", 0.0)


@pytest.mark.parametrize("method", EVERYWHERE)
def test_every_method_is_one_number_for_each_place(engine: Engine, method: str) -> None:
    """Of the input, or of the layer's maps; asked again, nothing runs."""
    task = explaining(REQUEST, PICTURE, Method(method, steps=5))
    last = asked(engine, task)[-1]
    places = (4, 4) if method in ("grad-cam", "conductance") else (8, 8)
    assert (last.values.shape, last.size) == (places, (8, 8))
    again = engine.do(task, visitor="v").result()
    np.testing.assert_array_equal(again.values, last.values)
    assert (again.gap, again.bytes) == (last.gap, last.values.nbytes)


def test_occlusion_is_the_fall_of_the_score_by_hand(engine: Engine) -> None:
    """A plain net; windows of four, four apart, do not overlap."""
    found = asked(engine, explaining(REQUEST, PICTURE, Method("occlusion", window=4, stride=4)))[-1]
    net, images = Counting(), prepare(PICTURE.image)
    with torch.no_grad():
        whole = net(images)[0, 1]
        for top in (0, 4):
            for left in (0, 4):
                covered = images.clone()
                covered[..., top : top + 4, left : left + 4] = 0
                fall = float(whole - net(covered)[0, 1])
                np.testing.assert_allclose(found.values[top : top + 4, left : left + 4], fall, atol=1e-6)
    assert found.rise == pytest.approx(float(whole))
    assert found.gap is None


def test_integrated_gradients_add_up_to_the_rise_of_the_score(engine: Engine) -> None:
    """The colours of a pixel together; what is missing is the gap, which more steps close."""
    gaps = []
    for steps in (2, 40):
        found = asked(engine, explaining(REQUEST, PICTURE, Method("integrated-gradients", steps=steps)))[-1]
        assert found.rise is not None
        assert found.gap == pytest.approx(float(found.values.sum()) - found.rise, abs=1e-6)
        gaps.append(abs(found.gap))
    assert gaps[1] <= gaps[0]
    net, images = Counting(), prepare(PICTURE.image)
    with torch.no_grad():
        rise = float((net(images) - net(images * 0))[0, 1])
    assert float(found.values.sum()) == pytest.approx(rise, rel=1e-2)


@pytest.mark.usefixtures("no_time")
@pytest.mark.parametrize("method", LONG)
def test_a_long_method_goes_on_by_a_slice_each_time(local_engine: LocalEngine, method: str) -> None:
    """In steps of one, after the first; another question is answered in between."""
    task = explaining(REQUEST, PICTURE, Method(method, steps=4, window=4, stride=4))
    found = local_engine.do(task, visitor="v").result()
    assert (found.done < found.total, found.gap) == (True, None)
    other = explaining(replace(REQUEST, gradient=2), PICTURE, Method("saliency"))
    assert local_engine.do(other, visitor="w").result().done == 1
    rest = asked(local_engine, task)
    assert [each.done for each in rest] == list(range(found.done + 1, found.total + 1))


@pytest.mark.usefixtures("no_time")
def test_whoever_goes_on_leaves_nothing_running(local_engine: LocalEngine, local_shelf: Shelf) -> None:
    """Without another question the model does not run; a slice waits behind whatever somebody looks at."""
    task = explaining(REQUEST, PICTURE, Method("occlusion", window=2, stride=1))
    local_engine.do(task, visitor="v").result()
    local_engine.do(explaining(REQUEST, PICTURE, Method("saliency")), visitor="v").result()
    before = local_shelf.net.passes
    local_engine.do(explaining(REQUEST, PICTURE, Method("saliency")), visitor="v").result()
    assert local_shelf.net.passes == before
    assert task.behind
    assert not explaining(REQUEST, PICTURE, Method()).behind


@pytest.mark.usefixtures("no_time")
def test_what_no_cache_can_hold_is_done_at_once(local_shelf: Shelf) -> None:
    """Otherwise each slice would begin anew, for ever."""
    engine = LocalEngine(local_shelf, device="cpu", limits=Limits(kept=1000))
    found = engine.do(explaining(REQUEST, PICTURE, Method("integrated-gradients", steps=6)), visitor="v")
    assert found.result().done == 6
    engine.close()


def test_edits_are_in_force_in_every_slice(engine: Engine) -> None:
    """Without its first layer the net sees no picture."""
    edited = replace(REQUEST, edits=edits_from("first:zero:0-3"))
    for method, steps in (("occlusion", 0), ("integrated-gradients", 3)):
        task = explaining(edited, PICTURE, Method(method, steps=steps))
        assert not asked(engine, task)[-1].values.any()


def test_each_question_has_a_key_of_its_own() -> None:
    """Another method, setting, class or mode is another answer; another layer only if it is looked at."""
    others = (
        {"gradient": 2},
        {"training": 0},
        {"weights": "pretrained"},
        {"edits": edits_from("first:zero:1")},
    )
    tasks = [explaining(REQUEST, PICTURE, Method(method)) for method in METHODS]
    tasks += [explaining(replace(REQUEST, **more), PICTURE, Method("occlusion")) for more in others]
    tasks += [
        explaining(REQUEST, PICTURE, Method("occlusion", window=n, stride=m)) for n, m in ((2, 1), (2, 2))
    ]
    assert len({task.key for task in tasks}) == len(tasks)
    layers = [replace(REQUEST, layer=layer) for layer in ("first", "second")]
    for method, keys in zip(METHODS, (2, 1, 1, 1, 2, 1, 1), strict=True):
        found = {explaining(each, PICTURE, Method(method)).key for each in layers}
        assert len(found) == keys


def test_layers_without_places_and_settings_that_cannot_be_are_refused(engine: Engine) -> None:
    """In words; a refusal is not kept."""
    nowhere = replace(REQUEST, layer="last")
    for method, said in (("grad-cam", "last has no Grad-CAM"), ("conductance", "conductance of last has no")):
        for _ in range(2):
            with pytest.raises(LayoutError, match=said):
                engine.do(explaining(nowhere, PICTURE, Method(method)), visitor="v").result()
    for method in OF_ATTENTION:
        with pytest.raises(LayoutError, match="no attention among all places"):
            engine.do(explaining(REQUEST, PICTURE, Method(method)), visitor="v").result()
    with pytest.raises(RequestError, match="does not fit"):
        engine.do(explaining(REQUEST, PICTURE, Method("occlusion", window=9)), visitor="v").result()
    for number in count(3):
        with pytest.raises(RequestError, match=f"no class {number}"):
            engine.do(
                explaining(replace(REQUEST, gradient=number), PICTURE, Method("occlusion")), visitor="v"
            ).result()
        break
