"""viz/passes/training.py, and requests in training mode, against the model in training mode by hand."""

import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from tests.viz.subjects import photo, prepare, subject, wanted
from viz.engine.limits import Limits
from viz.engine.slices import at_once
from viz.errors import CaptureError, RequestError
from viz.hooks.activations import LayerActivations
from viz.passes.forward import BLANK
from viz.passes.loaded import LoadedModel, loaded_model, one_pass, several
from viz.passes.training import check_training, in_mode
from viz.request.edit_request import edits_from
from viz.request.inspection import Inspection
from viz.request.method import Method
from viz.views.all_layers import Overview
from viz.views.classes.explain import explaining
from viz.views.whole_model import Changes

PICTURE = photo(1)
WANTED = wanted(PICTURE, "drop")


class Dropping(nn.Module):
    """A batch normalisation, a dropout and scores; ``counts`` is a buffer that a run in training changes."""

    def __init__(self) -> None:
        super().__init__()
        self.norm, self.drop, self.score = nn.BatchNorm2d(3), nn.Dropout(0.5), nn.Linear(192, 3)
        self.register_buffer("counts", torch.zeros(()))

    def forward(self, images: Tensor) -> Tensor:
        """Return scores (N, 3) of images (N, 3, 8, 8); in training mode they grow with each run."""
        if self.training:
            self.counts += 1
        scores: Tensor = self.score((self.drop(self.norm(images)) + self.counts).flatten(1))
        return scores


class Unwilling(nn.Module):
    """Wants targets in training mode, as detectors do."""

    def forward(self, images: Tensor) -> Tensor:
        """Return the images."""
        if self.training:
            raise AssertionError("targets should not be none")
        return images


@pytest.fixture
def loaded() -> LoadedModel:
    """The dropping net, which is the same in every test."""
    torch.manual_seed(0)
    made = subject(Dropping())
    return loaded_model(made, LayerActivations(made.module, "cpu"))


def by_hand(seed: int, layer: str = "drop") -> np.ndarray:
    """Return the output of a layer of an equal net in training mode."""
    torch.manual_seed(0)
    net, kept = Dropping().train(), []
    net.get_submodule(layer).register_forward_hook(lambda *called: kept.append(called[2].detach().clone()))
    images = prepare(PICTURE.image)
    torch.manual_seed(seed)
    net(images)
    found: np.ndarray = kept[0].numpy()
    return found


def output(loaded: LoadedModel, request: Inspection) -> np.ndarray:
    """Return the wanted layer's output."""
    return one_pass(loaded, request, PICTURE, whole=False)[request.layer].call(0)["output"].array


@pytest.mark.parametrize("seed", [0, 7])
def test_a_request_in_training_mode_shows_the_model_in_training_mode(loaded: LoadedModel, seed: int) -> None:
    """Bit for bit, again and again, alone and among all layers; without the seed the model evaluates."""
    request = dataclasses.replace(WANTED, training=seed)
    for _ in range(2):
        assert np.array_equal(output(loaded, request), by_hand(seed))
    found = several(loaded, request, PICTURE, ["norm", "score"])
    assert np.array_equal(found["score"].call(0)["output"].array, by_hand(seed, "score"))
    assert not np.array_equal(output(loaded, WANTED), by_hand(seed))
    assert not loaded.subject.module.counts.any()


def test_edits_and_their_donors_are_in_training_mode_too(loaded: LoadedModel) -> None:
    """A value from another picture is what the layer makes of it in training mode with the same seed."""
    edits = edits_from("norm:swap:all:camera")
    trained = dataclasses.replace(WANTED, layer="norm", training=3, edits=edits)
    plain = dataclasses.replace(trained, training=None)
    evaluated = output(loaded, plain)
    found = output(loaded, trained)
    assert abs(found.mean()) < 1e-6 < abs(evaluated.mean())  # a batch normalisation leaves no mean
    assert np.array_equal(output(loaded, plain), evaluated)


def test_requests_of_different_modes_are_kept_apart() -> None:
    """Their keys differ, and so do their digests; a seed is a whole number in the usual bounds."""
    requests = [dataclasses.replace(WANTED, training=seed) for seed in (None, 0, 1)]
    assert len({each.place for each in requests}) == len({each.digest for each in requests}) == 3
    for seed in (-1, 1_000_000):
        with pytest.raises(RequestError, match="a seed is a whole number from 0 to 999,999"):
            dataclasses.replace(WANTED, training=seed)


def test_a_model_that_cannot_train_on_one_picture_is_refused() -> None:
    """In a sentence with its own words, and only in training mode; its flags stay as they were."""
    made = subject(Unwilling().eval())
    loaded = loaded_model(made, LayerActivations(made.module, "cpu"))
    for request in (wanted(PICTURE, ""), wanted(PICTURE, "", training=1)):
        if request.training is None:
            assert output(loaded, request).any()
        else:
            with pytest.raises(CaptureError, match=r"cannot run in training mode .*\(targets should not be"):
                output(loaded, request)
    assert not made.module.training


def test_without_a_seed_nothing_is_changed_and_nothing_drawn() -> None:
    """``in_mode`` with None is an empty block, and checking leaves the process's random numbers alone."""
    layers, arguments = LayerActivations(Dropping(), "cpu"), (prepare(BLANK),)
    plain = layers.run(*arguments)
    state = torch.get_rng_state()
    check_training(layers, arguments)
    with in_mode(layers, None):
        assert torch.equal(layers.run(*arguments), plain)
    assert torch.equal(torch.get_rng_state(), state)


def test_all_answers_about_a_request_are_of_its_mode() -> None:
    """Small pictures, saliency, and what edits change: one that multiplies by 1 changes nothing."""
    made = subject(Dropping())
    loaded = loaded_model(made, LayerActivations(made.module, "cpu"))
    request = wanted(PICTURE, "norm", training=1, edits=edits_from("norm:scale:0:1"))
    bench = SimpleNamespace(loaded=lambda *_: loaded, limits=Limits(), remembered=lambda _, work: work())
    assert all(each.before == each.after for each in Changes(request, PICTURE).work(bench))
    plain = dataclasses.replace(request, training=None)
    trained, still = (explaining(each, PICTURE, Method("saliency")) for each in (request, plain))
    assert not np.array_equal(trained.work(bench).values, still.work(bench).values)
    assert trained.key != still.key
    thumbs = {thumb.layer: thumb for thumb in at_once(Overview(request, PICTURE).work(bench))}
    assert thumbs["norm"].map.mean() == pytest.approx(0, abs=1e-6)
