"""Questions from the engine, and their subject in plain torch: separate hooks on a separate net."""

import io
import random
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import torch
from PIL import Image
from torch import Tensor, nn

import models
from viz.engine.engine import LocalEngine
from viz.pictures.photo import photograph
from viz.pictures.samples import sample
from viz.pictures.subject import Subject
from viz.quiz import FatesTask, Picture, Question, Runs, Subjects, question
from viz.quiz.scene import Scene
from viz.views.hook_tasks import TimelineTask
from viz.views.one_layer import Values
from viz.views.whole_model import Survey

NETS = ("lenet", "photonet", "patchformer", "signalnet")
PHOTOS = {name: photograph(sample(name)) for name in ("cat", "coffee")}
ABOUT = Subjects(NETS, {name: photo.fingerprint for name, photo in PHOTOS.items()})
CHANCES = range(12)
Maker = Callable[[random.Random, Scene], Question | None]
Change = Callable[[Tensor], Tensor]


def _subject(net: str, _: str) -> Subject:
    card = models.describe(net)
    return Subject(models.load(net), card.preprocessing, card.preprocessing.as_seen, card.classes)


@cache
def engine() -> LocalEngine:
    """One engine for all of these tests; its threads end with the process."""
    return LocalEngine(_subject, device="cpu")


def runs() -> Runs:
    """The engine's answers about runs."""
    photos = {photo.fingerprint: photo for photo in PHOTOS.values()}

    def do(task: type[TimelineTask | FatesTask]) -> Callable[[Any], Any]:
        return lambda wanted: engine().do(task(wanted, photos[wanted.image]), visitor="test").result()

    return Runs(
        rows=lambda net: engine().do(Survey(net, "pretrained"), visitor="test").result(),
        values=lambda wanted: engine().do(Values(wanted, photos[wanted.image]), visitor="test").result(),
        events=do(TimelineTask),
        fates=do(FatesTask),
    )


@cache
def asked(seed: int, number: int) -> Question:
    """One question of a quiz, made once for all tests."""
    return question(seed, number, ABOUT, runs())


def several(make: Maker, *nets: str) -> list[Question]:
    """Questions of one kind about these nets, and no fewer than three about each."""
    found = []
    for net in nets:
        scene = Scene(net, "cat", PHOTOS["cat"].fingerprint, runs())
        made = [make(random.Random(f"{net} {chance}"), scene) for chance in CHANCES]
        some = [each for each in made if each is not None]
        assert len(some) >= 3, f"{net}: {len(some)} questions"
        found += some
    return found


def net_and_input(found: Question) -> tuple[nn.Module, Tensor]:
    """A separate net, with gradients for its weights, and the question's picture as its input."""
    return models.load(found.model).eval().requires_grad_(), models.describe(found.model).preprocessing(
        sample(found.sample)
    )


def passed(found: Question, change: dict[str, Change] | None = None) -> dict[str, Tensor]:
    """What every layer of the question's net returns, some of them changed, by plain forward hooks."""
    net, given = net_and_input(found)
    seen: dict[str, Tensor] = {}

    def listen(name: str, layer: nn.Module) -> None:
        def keep(_: object, __: object, output: Tensor) -> Tensor:
            new = (change or {}).get(name, lambda value: value)(output)
            seen[name] = new.clone()
            return new

        layer.register_forward_hook(keep)

    for name, layer in net.named_modules():
        listen(name, layer)
    with torch.no_grad():
        net(given)
    return seen


def came_back(found: Question, zeroed: str = "") -> dict[str, Tensor]:
    """The gradient of the likeliest class at every layer's output, by plain tensor hooks.

    The gradient at the output of ``zeroed`` is set to zero.
    """
    net, given = net_and_input(found)
    seen: dict[str, Tensor] = {}

    def listen(name: str, layer: nn.Module) -> None:
        def keep(gradient: Tensor) -> Tensor | None:
            seen[name] = gradient.clone()
            return torch.zeros_like(gradient) if name == zeroed else None

        layer.register_forward_hook(lambda _, __, output: (output.register_hook(keep), None)[1])

    for name, layer in net.named_modules():
        if name and not list(layer.children()):
            listen(name, layer)
    scores = net(given.requires_grad_())
    scores[0, scores.argmax()].backward()
    return seen


def pixels(picture: Picture) -> np.ndarray:
    """The picture's colours, (height, width, 4) uint8."""
    return np.asarray(Image.open(io.BytesIO(picture.png)).convert("RGBA"))


def wrong(found: Question) -> list[str]:
    """The answers that are not right."""
    return [choice for place, choice in enumerate(found.choices) if place != found.right]
