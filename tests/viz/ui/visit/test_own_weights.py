"""Visitors' own weights on the server: shared by content alone, bounded together, gone with their visits."""

import gc
from weakref import WeakValueDictionary

import pytest
import safetensors.torch
import torch

from models import OwnWeightsError
from tests.models.uploads import saved, state
from viz.errors import RequestError
from viz.hooks.activations import LayerActivations
from viz.passes.forward import predict, survey_subject
from viz.pictures.photo import photograph
from viz.pictures.samples import sample
from viz.ui.visit import own_weights as module
from viz.ui.visit.own_weights import find_weights, is_own_weights, own_weights
from viz.ui.visit.service import load_subject
from viz.ui.visit.visit import GRACE_SECONDS, Visit, end_abandoned_visits

FILE = safetensors.torch.save(state(21))


def test_weights_are_known_by_their_content() -> None:
    """The same file is the same weights, a different one is not, whatever they are called."""
    mine, same, other = own_weights(FILE), own_weights(bytes(FILE)), own_weights(saved(state(21)))
    assert mine is same
    assert mine.id != other.id
    assert is_own_weights(mine.id)
    assert not is_own_weights("pretrained")
    assert find_weights(mine.id) is mine


def test_weights_die_with_the_last_visit_that_has_them() -> None:
    """One of two visitors leaves, then the other."""
    visits = [Visit(name) for name in ("ann", "bob")]
    for visit in visits:
        visit.own = own_weights(FILE)
    name = visits[0].own.id
    visits[0].end()
    gc.collect()
    assert find_weights(name) is visits[1].own
    end_abandoned_visits(lambda _: False, 0.0)
    end_abandoned_visits(lambda _: False, GRACE_SECONDS + 1)
    gc.collect()
    with pytest.raises(RequestError, match="ended"):
        find_weights(name)


def test_a_model_with_own_weights_has_their_numbers() -> None:
    """The engine loads them by the visitor's id of them; after the visit, it says so in one sentence."""
    mine = own_weights(FILE)
    subject = load_subject("lenet", mine.id)
    assert all(torch.equal(value, state(21)[name]) for name, value in subject.module.state_dict().items())
    name = mine.id
    del mine
    gc.collect()
    with pytest.raises(RequestError, match="upload the file again"):
        load_subject("lenet", name)


@pytest.mark.parametrize(
    ("left_out", "layer"), [("fc3.", "fc3"), ("conv1.weight", "conv1"), ("fc3.bias", "fc3"), ("nothing", "")]
)
def test_a_prediction_through_a_layer_without_given_weights_is_doubted(left_out: str, layer: str) -> None:
    """A part of the file is left out, or its head is another one; the sentence names the layer."""
    given = {name: value for name, value in state(21).items() if not name.startswith(left_out)}
    files = [given, given | {"fc3.weight": torch.ones(7, 84), "fc3.bias": torch.ones(7)}]
    for weights, named in zip(files, (layer, "fc3"), strict=True):
        mine = own_weights(saved(weights))
        subject = load_subject("lenet", mine.id)
        layers = LayerActivations(subject.module, "cpu")
        found = predict(layers, subject, photograph(sample("cat")), survey_subject(layers, subject))
        assert len(found.top) == 5
        said = f"Your file has no weights for {named}: this prediction means nothing."
        assert found.reason == (said if named else "")


def test_visitors_together_get_no_more_memory_than_is_set_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four files of the largest size; when one goes there is room again."""
    monkeypatch.setattr(module, "_shelf", WeakValueDictionary())  # other tests' visits may still hold theirs
    monkeypatch.setenv("LAYERGLASS_WEIGHTS_MB", "1")
    files = [saved({"weight": torch.full((240_000,), float(number))}) for number in range(5)]
    kept = [own_weights(file) for file in files[:4]]
    with pytest.raises(OwnWeightsError, match="fill the memory"):
        own_weights(files[4])
    assert own_weights(files[0]) is kept[0]
    kept.pop()
    gc.collect()
    assert own_weights(files[4]).bytes == len(files[4])


def test_a_model_beyond_the_limit_is_refused_before_it_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """RegNet of 645 million numbers would take five gigabytes."""
    monkeypatch.setenv("LAYERGLASS_REFUSE_MB", "1000")
    with pytest.raises(MemoryError, match="regnet_y_128gf would take about 5,159 MB"):
        load_subject("regnet_y_128gf", "random")
