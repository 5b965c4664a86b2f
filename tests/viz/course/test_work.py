"""Answers of an engine for steps, beside the same by plain PyTorch and by other means."""

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
import torch
from torch import Tensor, nn

import models
from tests.machine import patience
from viz.course.folder import TEXTS, read_lessons
from viz.course.found import StepResult
from viz.course.tasks import StepRun, StepTask, run_of
from viz.engine.engine import LocalEngine
from viz.engine.limits import Limits
from viz.errors import TooLargeError
from viz.pictures.photo import photograph
from viz.pictures.samples import sample
from viz.pictures.subject import Subject

LESSONS = {lesson.id: lesson for lesson in read_lessons(TEXTS, "en")}
PHOTO = photograph(sample("coffee"))


def _subject(net: str, _: str) -> Subject:
    card = models.describe(net)
    return Subject(models.load(net), card.preprocessing, card.preprocessing.as_seen, card.classes)


@pytest.fixture(scope="module")
def engine() -> Iterator[LocalEngine]:
    """One engine for all of these tests."""
    engine = LocalEngine(_subject, device="cpu")
    yield engine
    engine.close()


def task(lesson: str, number: int) -> StepTask:
    """A step's run."""
    step = LESSONS[lesson].steps[number - 1]
    return StepTask(LESSONS[lesson].net, "pretrained", run_of(step), PHOTO)


def found(engine: LocalEngine, lesson: str, number: int) -> StepResult:
    """Return the engine's answer for a step."""
    given = engine.do(task(lesson, number), visitor="a").result(patience(120))
    assert given.error == ""
    return given


@cache
def chain() -> tuple[nn.Module, Tensor, Tensor, Tensor, Tensor]:
    """A net of our own, and what its first layers make of the picture, called one after the other."""
    net = models.load("efficientnet_lite0").eval()
    picture = models.describe("efficientnet_lite0").preprocessing(PHOTO.image)
    with torch.no_grad():
        conv = net.stem.conv(net.stem.pad(picture))
        bn = net.stem.bn(conv)
        return net, picture, conv, bn, net(picture)


def test_shapes_are_those_of_layers_called_by_hand(engine: LocalEngine) -> None:
    """The first three steps of the first lesson, without any hook."""
    _, _, conv, _, scores = chain()
    assert found(engine, "what-is-a-hook", 1).answer == str(tuple(scores.shape))
    assert found(engine, "what-is-a-hook", 2).printed == ("before the net", "the hook", "after the net")
    third = found(engine, "what-is-a-hook", 3)
    assert third.answer == str(tuple(conv.shape))
    most = np.percentile(conv.abs().numpy(), 99.5, method="higher")
    assert (third.draw[0].low, third.draw[0].high) == pytest.approx((-most, most))


def test_the_share_below_zero_is_that_of_the_normalisation(engine: LocalEngine) -> None:
    """And the reference that was kept is what the ReLU made; a clone is not."""
    _, _, _, bn, _ = chain()
    assert found(engine, "in-place", 1).answer == str(round(100 * (bn < 0).float().mean().item()))
    kept = found(engine, "in-place", 2)
    assert kept.place == 1
    assert kept.draw[0].low == kept.draw[1].low == -6
    assert [found(engine, "in-place", number).answer for number in (3, 4, 5)] == ["False", "True", "True"]


def test_pooling_and_relu_are_called_as_often_as_they_stand_there(engine: LocalEngine) -> None:
    """By the functions that the layers are."""
    _, picture, _, _, _ = chain()
    widths, pooled = [], picture
    for _ in range(3):
        pooled = torch.nn.functional.max_pool2d(pooled, 2)
        widths.append(pooled.shape[-1])
    assert found(engine, "calls", 1).answer == str(widths)
    assert [found(engine, "calls", number).answer for number in (2, 4, 5)] == ["2", "10", "0"]
    assert found(engine, "calls", 3).place == 1


def test_hooks_that_stay_are_counted(engine: LocalEngine) -> None:
    """Three cells, two brackets, an error, a block; and twenty outputs' bytes."""
    _, _, conv, _, _ = chain()
    assert [found(engine, "removal", number).answer for number in (1, 2, 3, 4)] == ["3", "1", "1", "1"]
    assert found(engine, "removal", 5).answer == str(round(20 * conv.numel() * 4 / 1e6))


def test_the_gradient_is_that_of_autograd(engine: LocalEngine) -> None:
    """By ``torch.autograd.grad``, and the sum by its formula."""
    net, picture, _, _, _ = chain()
    asked = picture.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(net(asked)[0].max(), asked)
    first = found(engine, "gradients", 1)
    assert first.answer == str(tuple(gradient.shape))
    drawn = gradient.abs().amax(1)[0].sqrt().numpy()
    assert (first.draw[1].low, first.draw[1].high) == pytest.approx(
        (drawn.min(), np.percentile(drawn, 99.5, method="higher")), rel=1e-3, abs=1e-6
    )
    assert found(engine, "gradients", 2).answer == str([2 * 2.0 / 4] * 4)
    assert found(engine, "gradients", 3).answer == str([1 / 4] * 4)
    assert found(engine, "gradients", 4).answer == "head"


def test_a_channel_without_which_the_guess_changes_is_one(engine: LocalEngine) -> None:
    """The rest of the net is called by hand on maps that lack the channel."""
    net, _, _, bn, scores = chain()
    maps = torch.nn.functional.relu6(bn)
    rest = nn.Sequential(*list(net.children())[1:])
    changed = []
    with torch.no_grad():
        for channel in range(32):
            less = maps.clone()
            less[:, channel] = 0
            if rest(less).argmax() != scores.argmax():
                changed.append(channel)
    assert found(engine, "editing", 3).answer == str(len(changed))
    assert [found(engine, "editing", number).answer for number in (1, 2, 5)] == ["True"] * 3


def test_the_transformers_tokens_are_those_of_its_parts(engine: LocalEngine) -> None:
    """The stream and what is added to it, by calling the parts of its blocks."""
    net = models.load("patchformer").eval()
    picture = models.describe("patchformer").preprocessing(PHOTO.image)
    with torch.no_grad():
        tokens = net.blocks[0](net.positions(net.tokens(net.stem(picture))))
        block = net.blocks[1]
        change = block.attention(block.norm1(tokens))
    share = round(100 * (change.norm() / tokens.norm()).item())
    assert found(engine, "transformer", 4).answer == str(share)
    assert found(engine, "transformer", 1).answer == str((1, 65, 128))
    assert found(engine, "transformer", 5).answer == str((3, *tokens.shape))


def test_a_step_leaves_no_hook_and_no_change_in_the_net_that_is_kept(engine: LocalEngine) -> None:
    """The same step gives the same again, although it hangs up hooks and never takes them down."""
    first = found(engine, "removal", 1)
    again = engine.do(StepTask(*_but_code(task("removal", 1))), visitor="a").result(patience(120))
    assert (first.answer, again.answer) == ("3", "3")


def _but_code(task: StepTask) -> tuple[str, str, object, object]:
    """The same with a comment more, so that nothing that is kept answers it."""
    from dataclasses import replace

    return task.model, task.weights, replace(task.run, code=f"{task.run.code}\n# again"), task.photo


def test_a_step_on_a_machine_without_memory_is_refused() -> None:
    """Before it runs."""
    engine = LocalEngine(_subject, device="cpu", limits=Limits(capture=1))
    try:
        with pytest.raises(TooLargeError, match="this step of the lesson would take about"):
            engine.do(task("transformer", 1), visitor="a").result(patience(60))
    finally:
        engine.close()


def test_a_step_has_the_right_gradient_where_pytorch_alone_misreads_one(engine: LocalEngine) -> None:
    """In front of a transformer's tokens, as from two equal pictures, of which PyTorch is right."""
    code = "asked = picture.clone().requires_grad_()\nnet(asked)[0, 3].backward()"
    run = StepRun(code, answer="asked.grad.abs().sum().item()")
    given = engine.do(StepTask("patchformer", "pretrained", run, PHOTO), visitor="a").result(patience(120))
    pair = models.describe("patchformer").preprocessing(PHOTO.image).repeat(2, 1, 1, 1).requires_grad_()
    (both,) = torch.autograd.grad(models.load("patchformer").eval()(pair)[:, 3].sum(), pair)
    assert float(given.answer) == pytest.approx(both[0].abs().sum().item(), rel=1e-4)
