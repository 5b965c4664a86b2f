"""The lens as a whole, on captures of which it is known what each layer says."""

import tracemalloc

import numpy as np
import pytest

from tests.viz.lens.made import calls_of, capture_of, in_classes
from viz.answers.folders.lens import LensFacts
from viz.errors import RequestError
from viz.exemplars.finished.card import Call
from viz.lens import lens as module
from viz.lens.capture import Capture, innermost
from viz.lens.chance import chance_scores
from viz.lens.facts import grouped, layer_facts, layer_found, whole_found
from viz.lens.labels import Labels, by_folder
from viz.lens.lens import lens, similarity
from viz.lens.similarity import Similarity, minibatches
from viz.lens.tables import alike_table
from viz.lens.told import lens_facts

PICTURES = in_classes(3, 20)


def capture() -> Capture:
    """Three layers: noise; one whose channels say the class, one twice and one dead; the same, turned."""
    random = np.random.default_rng(0)
    numbers = np.repeat([0, 1, 2], 20)
    noise = random.normal(size=(60, 4))
    said = 4 * np.eye(3)[numbers] + random.normal(size=(60, 3))
    good = np.column_stack([said, 2 * said[:, 1] + 5, np.zeros(60)])
    turned = said @ np.linalg.qr(random.normal(size=(3, 3)))[0]
    return capture_of(np.column_stack([noise, good, turned]), calls_of(4, 5, 3), PICTURES)


def test_each_layer_is_what_it_was_made_to_be() -> None:
    """Noise is at chance, the classes' own channels stand for them, and what is dead or double is found."""
    made = capture()
    advanced: list[None] = []
    found = lens(made, by_folder(made.pictures), lambda: advanced.append(None))
    assert len(advanced) == 3
    noise, good, turned = found.layers
    assert noise.probe is not None
    assert good.probe is not None
    assert turned.probe is not None
    assert noise.probe.low < 1 / 3 < noise.probe.high
    assert good.probe.accuracy > 0.9 < turned.probe.accuracy
    assert good.dead.tolist() == [False] * 4 + [True]
    assert (good.groups, good.spare) == (((1, 3),), 1)
    assert good.classes is not None
    assert np.nanargmax(good.classes.score[:4], axis=1).tolist() == [0, 1, 2, 1]
    assert good.classes.order[-1] == 4  # dead channels come last
    assert sorted(found.class_order) == [0, 1, 2]


def test_layers_that_say_the_same_are_alike() -> None:
    """The directions of the layers do not matter; noise is like neither of them."""
    matrix, count = similarity(capture())
    assert count == 60
    np.testing.assert_allclose(matrix, matrix.T)
    np.testing.assert_allclose(matrix.diagonal(), 1)
    assert abs(matrix[0, 1]) < 0.2
    assert matrix[1, 2] > 0.7


def test_two_captures_are_compared_on_the_pictures_that_both_have() -> None:
    """In any order of theirs; a picture that one layer did not see is left out."""
    made = capture()
    rows = np.random.default_rng(1).permutation(60)[:40]
    values = made.mean[rows].copy()
    values[3, 4:9] = np.nan
    other = capture_of(values, made.calls, [made.pictures[row] for row in rows])
    matrix, count = similarity(made, other)
    assert count == 39
    np.testing.assert_allclose(matrix.diagonal(), 1)
    apart = capture_of(values[:3], made.calls, ["x", "y", made.pictures[0]])
    with pytest.raises(RequestError, match=r"have 1 pictures in common .* 4 are needed"):
        similarity(made, apart)


def test_captures_of_other_pictures_are_refused() -> None:
    """So is a layer that ran on none; the rest of its lens is found."""
    made = capture()
    apart = capture_of(made.mean[:3], made.calls, ["x", "y", "z"])
    with pytest.raises(RequestError, match=r"have 0 pictures in common .* 4 are needed"):
        similarity(made, apart)
    made.mean[:, 4:9] = np.nan
    with pytest.raises(RequestError, match=r"have 0 pictures in common .* 4 are needed"):
        similarity(made)
    assert lens(made, by_folder(made.pictures)).similarity is None


@pytest.mark.parametrize("apart", [0.0, 1e-4])
def test_copies_of_pictures_make_no_channels_redundant(apart: float) -> None:
    """Four pictures ten times each are four, be the copies equal or saved anew: too few to say."""
    random = np.random.default_rng(0)
    often = np.tile(random.normal(size=(4, 60)), (10, 1))
    made = capture_of(often + apart * random.normal(size=often.shape), calls_of(60), in_classes(2, 20))
    labels = by_folder(made.pictures)
    (found,) = lens(made, labels).layers
    assert (found.pictures, found.groups, found.spare) == (4, None, None)
    assert found.classes is not None
    assert (found.classes.chance == chance_scores(np.array([4, 4]), 60)).all()
    facts = layer_facts(made.only(0), labels, made.signature())
    assert (facts.pictures, facts.too_few, facts.groups) == (4, True, ())
    assert not any(each.alike for each in facts.channels)
    assert not alike_table(made).num_rows


def test_a_layer_of_one_channel_counts_as_many_pictures_as_all_others() -> None:
    """By one number alone, chains of nearly equal ones would make one picture of many."""
    random = np.random.default_rng(0)
    made = capture_of(random.normal(size=(60, 21)), calls_of(20, 1), PICTURES)
    labels = by_folder(made.pictures)
    found = lens(made, labels).layers[1]
    facts = layer_facts(made.only(1), labels, made.signature())
    assert (found.pictures, facts.pictures) == (60, 60)
    assert found.classes is not None
    np.testing.assert_allclose(facts.class_chance, found.classes.chance, atol=1e-4)


def test_copies_of_pictures_make_no_layers_alike() -> None:
    """Five pictures of noise, twelve times each, are five: layers of noise are as alike as on those."""
    noise = np.random.default_rng(0).normal(size=(5, 12))
    once, often = (capture_of(each, calls_of(4, 5, 3)) for each in (noise, np.tile(noise, (12, 1))))
    matrix, count = similarity(often)
    assert count == 5
    np.testing.assert_allclose(matrix, similarity(once)[0])
    sample = whole_found(often, by_folder(often.pictures), []).sample
    assert sample is not None
    assert (sample.pictures, sample.pictures < sample.needed) == (5, True)


def test_without_classes_the_rest_is_found() -> None:
    """Dead and redundant channels, and how alike layers are."""
    made = capture()
    flat = capture_of(made.mean, made.calls)
    found = lens(flat, by_folder(flat.pictures))
    assert found.split is None
    assert all(each.classes is None and each.probe is None for each in found.layers)
    assert found.layers[1].groups == ((1, 3),)
    assert found.similarity is not None
    told = told_of(flat, by_folder(flat.pictures), 60)
    assert (told.classes, told.chance, len(told.similarity)) == ((), None, 3)
    assert layer_facts(flat.only(0), by_folder(flat.pictures), flat.signature()).classes == ()


def test_layers_around_others_are_not_innermost() -> None:
    """A name that another one only begins with is not around it."""
    calls = [Call(name, "", 0, 1) for name in ("a", "a.b", "a.b.c", "ab", "a.b2")]
    assert [calls[number].layer for number in innermost(calls)] == ["a.b.c", "ab", "a.b2"]


def told_of(made: Capture, labels: Labels, pictures: int) -> LensFacts:
    """Return the browser's facts once each layer was looked at by itself, and all of them together."""
    same, by = grouped(made.signature(), labels)
    layers = [layer_found(made.only(number), labels, same, by) for number in range(len(made.calls))]
    scores = [each.scores for each in layers if each.scores is not None]
    return lens_facts(labels, pictures, len(layers), layers, whole_found(made, labels, scores))


def test_what_the_browser_is_told_is_what_was_found() -> None:
    """Of the whole model, and of one layer, whose channels stand in the heat map's order."""
    made = capture()
    labels = by_folder(made.pictures)
    found, told = lens(made, labels), told_of(made, labels, 100)
    assert (told.pictures, told.used, told.unlabelled, told.held_out) == (100, 60, 0, 60)
    assert [each.name for each in told.classes] == [labels.classes[number] for number in found.class_order]
    assert [each.accuracy for each in told.layers] == [
        each.probe and each.probe.accuracy for each in found.layers
    ]
    np.testing.assert_allclose(np.array(told.similarity), found.similarity, atol=1e-4)
    layer = layer_facts(made.only(1), labels, made.signature())
    classes = found.layers[1].classes
    assert classes is not None
    assert [each.channel for each in layer.channels] == classes.order.tolist()
    same, by = grouped(made.signature(), labels)
    found_first = layer_found(made.only(0), labels, same, by)
    first = lens_facts(labels, 100, 3, [found_first], None)
    assert (first.complete, first.calls, first.layers, first.similarity) == (False, 3, told.layers[:1], ())
    assert (first.chance, first.held_out, told.complete) == (told.chance, told.held_out, True)
    assert [each.name for each in first.classes] == list(labels.classes)
    dead = layer.channels[-1]
    assert (dead.channel, dead.dead, dead.scores, dead.alike) == (4, True, (None, None, None), ())
    twin = next(each for each in layer.channels if each.channel == 3)
    assert (twin.group, twin.alike[0].channel) == (0, 1)
    np.testing.assert_allclose(twin.scores, classes.score[3], atol=1e-4)
    np.testing.assert_allclose(layer.class_chance, classes.chance, atol=1e-4)
    assert (layer.used, layer.dead_share) == (60, pytest.approx(1 - 0.05 ** (1 / 60), abs=1e-4))


def test_a_minibatch_is_copied_and_not_every_layer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 32 MB of numbers, less than a third; with the CKA of all layers held at once."""
    random = np.random.default_rng(0)
    values = random.normal(size=(4000, 2000)).astype(np.float32)
    values[:, 7] = np.nan
    values[:, 8] = 3
    made = capture_of(values, calls_of(*[100] * 20), [f"{number}.png" for number in range(4000)])
    monkeypatch.setattr(module, "_MOST_AT_ONCE", 200_000)
    tracemalloc.start()
    try:
        matrix, _ = similarity(made)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < values.nbytes / 3 + 2 * 20 * 256 * 256 * 8  # and the kernels of a minibatch
    values[:, 7:9] = 0
    sums = Similarity()
    for batch in minibatches(4000):
        sums.add([values[batch][:, made.columns(number)] for number in range(20)])
    np.testing.assert_allclose(matrix, sums.cka())
