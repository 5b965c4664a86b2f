"""Ablation studies, held to zeroing one channel at a time by hand; each way is right where it is used."""

import threading
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torchvision.models import resnet18, swin_t, vit_b_16

from tests.viz.nets import in_script
from viz.errors import CallError, EditError, RequestError, UnknownLayerError
from viz.findings.ablation_part import MOST_ROWS, SECONDS, AblationPart, ablation_facts, next_size
from viz.hooks.activations import LayerActivations
from viz.passes.ablation import BATCH, FORK, SINGLE, ablate, plan_ablation
from viz.passes.applied_edits import edited
from viz.request.edit_request import edits_from

IMAGE = torch.rand(1, 3, 8, 8, generator=torch.Generator().manual_seed(3))

QUIET = 3  # the channel of Shape's second layer with the smallest values


@in_script
def scripted(before: Tensor, after: Tensor, quiet: int) -> Tensor:
    """Pass on what comes after if a channel is not zero everywhere, else both."""
    if bool(after[:, quiet].max() > 0):
        return after
    return before + after


@in_script
def scripted_loop(before: Tensor, after: Tensor) -> Tensor:
    """Pass on both; neither the loop nor the branch depends on values."""
    for _ in range(3):
        after = after + before
    if after.dim() == 4:
        return after
    return before


# Ways to choose by a quiet channel of the whole batch, in which Python itself asks for no value.
CHOICES: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "script": lambda before, after: scripted(before, after, QUIET),
    "cond": lambda before, after: torch.cond(
        after[:, QUIET].max() > 0, lambda _, b: b.clone(), lambda a, b: a + b, (before, after)
    ),
    "where": lambda before, after: torch.where((after[:, QUIET] == 0).all(), before + after, after),
    "where by axes": lambda before, after: torch.where(
        (after[:, QUIET] == 0).all(-1).all(-1).all(0, keepdim=True), before + after, after
    ),
    "text": lambda before, after: before + after if f"{after[:, QUIET].max():.4f}" == "0.0000" else after,
}


class Shape(nn.Module):
    """A convolution and a shortcut around it; how they are joined decides where a batch may begin.

    ``way`` is ``"add"``: broadcasts; ``"stack"``: wants equal batches; ``"fixed"``: one picture only;
    ``"mixed"``: each row sees its batch, so that no batch gives right scores. In ``"largest"`` the batch's
    largest value of one quiet channel divides all; in ``"early"`` it decides for the whole batch whether to
    leave early, and in the ways of ``CHOICES`` what is passed on. So in a batch of the two loudest channels
    all of these give right scores.
    """

    def __init__(self, way: str) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.way = way
        self.first = nn.Conv2d(3, 6, 3, padding=1)
        self.second = nn.Conv2d(6, 6, 3, padding=1)
        self.relu = nn.ReLU()
        self.head = nn.Linear(12 if way == "stack" else 6, 4)

    def forward(self, images: Tensor) -> Tensor:
        """Return scores (N, 4) of images (N, 3, 8, 8)."""
        before = self.relu(self.first(images))
        after = self.relu(self.second(before))
        if self.way == "loop":
            return self.head(scripted_loop(before, after).mean((2, 3)))
        if self.way == "stack":
            return self.head(torch.cat([before, after], 1).mean((2, 3)))
        if self.way == "fixed":
            return self.head(after.reshape(1, 6, 64).mean(2))
        if self.way == "weights":
            after = after / self.second.weight.abs().mean()
        if self.way == "mixed":
            after = after + after.mean(0, keepdim=True)
        if self.way == "largest":
            after = after / (0.1 + after[:, QUIET].max())
        if self.way in CHOICES:
            return self.head(CHOICES[self.way](before, after).mean((2, 3)))
        if self.way == "early" and after[:, QUIET].max() > 0:
            return self.head(after.mean((2, 3)))
        return self.head((before + after).mean((2, 3)))


def by_hand(layers: LayerActivations, images: Tensor, layer: str, channels: int, call: int = 0) -> np.ndarray:
    """The scores without each channel, one pass for each, zeroed by plain indexing."""
    rows = []
    for channel in range(channels):

        def remove(value: Tensor, channel: int = channel) -> Tensor:
            new = value.clone()
            new[:, channel] = 0
            return new

        with layers.edit(layer, output=remove, call=call):
            rows.append(layers.run(images)[0].numpy())
    return np.stack(rows)


@pytest.mark.parametrize(
    ("way", "expected"),
    [
        *(("add", FORK), ("loop", FORK), ("weights", FORK), ("stack", BATCH)),
        *((way, SINGLE) for way in ("fixed", "mixed", "largest", "early", *CHOICES)),
    ],
)
def test_each_channels_scores_are_those_of_removing_it_alone(way: str, expected: str) -> None:
    """We take the cheapest way that gives right scores, and no other."""
    layers = LayerActivations(Shape(way), device="cpu")
    assert plan_ablation(layers, (IMAGE,), "second").way == expected
    study = ablate(layers, IMAGE, layer="second")
    np.testing.assert_allclose(study.scores, by_hand(layers, IMAGE, "second", 6), rtol=1e-4, atol=1e-6)
    np.testing.assert_array_equal(study.baseline, layers.run(IMAGE)[0].numpy())


@pytest.mark.parametrize(("build", "layer"), [(resnet18, "layer3.0.conv1"), (swin_t, "features.1.0.mlp.0")])
def test_usual_nets_go_in_batches(build: type[nn.Module], layer: str) -> None:
    """None of their code asks what a tensor holds, nor mixes rows of a batch."""
    layers = LayerActivations(build(), device="cpu")
    assert plan_ablation(layers, (torch.rand(1, 3, 64, 64),), layer).way == FORK


def test_one_call_of_a_reused_layer_loses_its_channels() -> None:
    """The ReLU's second call, not its first."""
    layers = LayerActivations(Shape("add"), device="cpu")
    study = ablate(layers, IMAGE, layer="relu", call=1)
    np.testing.assert_allclose(study.scores, by_hand(layers, IMAGE, "relu", 6, call=1), rtol=1e-4, atol=1e-6)
    with pytest.raises(CallError):
        ablate(layers, IMAGE, layer="relu", call=2)


def test_a_channel_that_is_zero_already_costs_no_pass() -> None:
    """Its removal changes nothing, exactly."""
    net = Shape("add")
    with torch.no_grad():
        net.second.weight[2], net.second.bias[2] = 0, 0
    study = ablate(LayerActivations(net, device="cpu"), IMAGE, layer="second")
    assert study.passed == 5
    np.testing.assert_array_equal(study.scores[2], study.baseline)


def test_other_edits_stay_in_force() -> None:
    """A study within an edit's block is a study of the edited model."""
    layers = LayerActivations(Shape("add"), device="cpu")
    with edited(layers, edits_from("first:zero:0,1;second:scale:all:2")):
        study, expected = ablate(layers, IMAGE, layer="second"), by_hand(layers, IMAGE, "second", 6)
    np.testing.assert_allclose(study.scores, expected, rtol=1e-4, atol=1e-6)
    assert not np.allclose(study.baseline, ablate(layers, IMAGE, layer="second").baseline)


def test_progress_is_told_and_a_study_can_be_stopped() -> None:
    """A stopped study returns what is done by then."""
    layers, told, stopped = LayerActivations(Shape("add"), device="cpu"), [], threading.Event()

    def progress(done: int, total: int) -> None:
        told.append((done, total))
        if done >= 3:
            stopped.set()

    part = ablate(layers, IMAGE, layer="second", progress=progress, stopped=stopped)
    assert told == [(1, 6), (3, 6)]
    assert part.channels == range(3)
    np.testing.assert_allclose(part.scores, by_hand(layers, IMAGE, "second", 3), rtol=1e-4, atol=1e-6)
    stopped.set()
    assert ablate(layers, IMAGE, layer="second", stopped=stopped).scores.shape == (0, 4)


@pytest.mark.parametrize(
    ("seconds", "size"), [(0.0, 2 * 20), (SECONDS, 2 * 20), (1.5 * SECONDS, 20), (3 * SECONDS, 10)]
)
def test_batches_grow_and_shrink_with_the_time_they_take(seconds: float, size: int) -> None:
    """So stopping a study takes only one short batch."""
    part = AblationPart(range(20), np.zeros((20, 4)), np.zeros(4), 20, 100, seconds)
    assert next_size(part) == size
    assert next_size(replace(part, once=3 * SECONDS)) == 40
    assert next_size(AblationPart(range(64), np.zeros((64, 4)), np.zeros(4), 64, 100, 0.0)) == MOST_ROWS


def test_the_browser_is_told_scores_and_probabilities_of_the_best_classes() -> None:
    """Best first, by name; those of the class's softmax by hand."""
    study = ablate(LayerActivations(Shape("add"), device="cpu"), IMAGE, layer="second")
    told, best = ablation_facts(study, ("a", "b", "c", "d")), np.argsort(-study.baseline)
    shares = torch.from_numpy(study.scores).softmax(1) - torch.from_numpy(study.baseline).softmax(0)
    assert list(told.classes) == ["abcd"[place] for place in best]
    assert (told.total, told.next, told.changes.channel) == (6, 6, tuple(range(6)))
    for channel in told.changes.channel:
        logits = (study.scores[channel] - study.baseline)[best]
        np.testing.assert_allclose(told.changes.logits[channel], logits, atol=1e-5)
        probabilities = shares[channel][best.tolist()]
        np.testing.assert_allclose(told.changes.probabilities[channel], probabilities, atol=1e-5)


def test_what_cannot_be_ablated_says_why() -> None:
    """No such layer; an output without channels; a model without class scores."""
    layers = LayerActivations(Shape("add"), device="cpu")
    with pytest.raises(UnknownLayerError, match="did you mean second"):
        ablate(layers, IMAGE, layer="secnd")
    with pytest.raises(RequestError, match="one score per class"):
        ablate(LayerActivations(nn.Sequential(nn.Conv2d(3, 2, 3)), device="cpu"), IMAGE, layer="0")
    with pytest.raises(EditError, match="no tensor of real numbers"):
        ablate(LayerActivations(Rounded(), device="cpu"), IMAGE, layer="round")


class Rounded(nn.Module):
    """Has a layer that passes whole numbers on."""

    def __init__(self) -> None:
        super().__init__()
        self.round = nn.Identity()
        self.head = nn.Linear(3, 2)

    def forward(self, images: Tensor) -> Tensor:
        """Return scores (N, 2) of images (N, 3, 8, 8)."""
        scores: Tensor = self.head(self.round((9 * images).long()).float().mean((2, 3)))
        return scores


@pytest.mark.models
@pytest.mark.slow
@pytest.mark.parametrize(
    ("build", "layer", "side", "axis"),
    [
        (resnet18, "layer4.0.conv1", 64, 1),
        (vit_b_16, "encoder.layers.encoder_layer_10.mlp.0", 224, -1),
        (swin_t, "features.7.0.mlp.1", 64, -1),
        (swin_t, "features.5.0.attn", 64, -1),
    ],
)
def test_real_architectures_give_the_scores_of_one_at_a_time(
    build: type[nn.Module], layer: str, side: int, axis: int
) -> None:
    """A residual net, tokens, and shifted windows; three channels by hand."""
    torch.manual_seed(0)
    layers, image = LayerActivations(build(), device="cpu"), torch.rand(1, 3, side, side)
    plan = plan_ablation(layers, (image,), layer)
    assert plan.axis in (axis, axis - 4)
    stopped = threading.Event()
    study = ablate(
        layers, image, layer=layer, stopped=stopped, progress=lambda done, _: done > 6 and stopped.set()
    )
    for channel in (0, 2, 6):
        with layers.edit(layer, output=lambda value, at=channel: without(value, at, axis)):
            expected = layers.run(image)[0].numpy()
        np.testing.assert_allclose(study.scores[channel], expected, rtol=1e-3, atol=1e-4)


def without(value: Tensor, channel: int, axis: int) -> Tensor:
    """The value with one channel set to zero."""
    new = value.clone()
    new.select(axis, channel).zero_()
    return new
