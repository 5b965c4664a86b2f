"""Questions from the engine, and their subject in plain torch: separate hooks on a separate net."""

import io
import random
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np
import torch
from PIL import Image
from torch import Tensor, nn

import models
from viz.engine.engine import LocalEngine
from viz.hooks.activations import LayerActivations
from viz.pictures.photo import photograph
from viz.pictures.samples import sample
from viz.pictures.subject import Subject
from viz.quiz import FatesTask, Level, Picture, Question, Runs, Subjects, question
from viz.quiz.scene import Scene
from viz.receptive.places.known import known_arrangements
from viz.request.arrangement import Arrangements
from viz.views.hook_tasks import TimelineTask
from viz.views.one_layer import Values
from viz.views.whole_model import Seen, Survey

NETS = ("lenet", "photonet", "patchformer", "signalnet")
EASY_NETS = ("efficientnet_lite0", "lenet", "photonet", "patchformer")
PHOTOS = {name: photograph(sample(name)) for name in ("cat", "coffee", "rocket", "camera")}
PRINTS = {name: photo.fingerprint for name, photo in PHOTOS.items()}
ABOUT = Subjects(NETS, PRINTS, EASY_NETS)
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


@cache
def known(net: str, size: tuple[int, int]) -> Arrangements:
    """Return the known layouts of a net on pictures of this size, from a net that nothing else runs."""
    given = models.describe(net).preprocessing(Image.new("RGB", size))
    return known_arrangements(LayerActivations(models.load(net), "cpu"), given)


def runs() -> Runs:
    """The engine's answers about runs."""
    photos = {photo.fingerprint: photo for photo in PHOTOS.values()}

    def seen(net: str, image: str) -> bytes:
        return engine().do(Seen(photos[image], net, "pretrained"), visitor="test").result()

    def do(task: type[TimelineTask | FatesTask]) -> Callable[[Any], Any]:
        return lambda wanted: engine().do(task(wanted, photos[wanted.image]), visitor="test").result()

    return Runs(
        rows=lambda net: engine().do(Survey(net, "pretrained"), visitor="test").result(),
        values=lambda wanted: engine().do(Values(wanted, photos[wanted.image]), visitor="test").result(),
        events=do(TimelineTask),
        fates=do(FatesTask),
        seen=seen,
        known=lambda net, image: known(net, photos[image].image.size),
    )


@cache
def asked(seed: int, number: int, level: Level = "climb") -> Question:
    """One question of a quiz, made once for all tests."""
    return question(seed, number, ABOUT, runs(), level)


def several(make: Maker, *nets: str, photos: Sequence[str] = ("cat",)) -> list[Question]:
    """Questions of one kind about these nets on these pictures, and no fewer than three about each net."""
    found = []
    for net in nets:
        made = [
            make(random.Random(f"{net} {chance}"), Scene(net, name, PRINTS[name], runs(), PRINTS))
            for chance in CHANCES
            for name in photos
        ]
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
    """Return the outputs of every layer of the question's net, some of them changed, by forward hooks."""
    if change is None:
        return dict(_unchanged(found.model, found.sample))
    changes, (net, given) = change, net_and_input(found)
    seen: dict[str, Tensor] = {}

    def listen(name: str, layer: nn.Module) -> None:
        def keep(_: object, __: object, output: Tensor) -> Tensor:
            new = changes.get(name, lambda value: value)(output)
            seen[name] = new.clone()
            return new

        layer.register_forward_hook(keep)

    for name, layer in net.named_modules():
        listen(name, layer)
    with torch.no_grad():
        net(given)
    return seen


@lru_cache(8)  # a large net's take 120 MB
def _unchanged(model: str, picture: str) -> dict[str, Tensor]:
    """Return what ``passed`` does with no change; nobody writes into it."""
    return passed(Question("", model, picture, "", "", (), 0, "", ""), {})


def came_back(found: Question, zeroed: str = "") -> dict[str, Tensor]:
    """The gradient of the likeliest class at every layer's output, by plain tensor hooks.

    The gradient at the output of ``zeroed`` is set to zero. Beside the picture runs a second one: of a single
    one, PyTorch misreads gradients at norms in front of tokens.
    """
    net, given = net_and_input(found)
    seen: dict[str, Tensor] = {}

    def listen(name: str, layer: nn.Module) -> None:
        def keep(gradient: Tensor) -> Tensor | None:
            seen[name] = gradient[:1].clone()
            return torch.zeros_like(gradient) if name == zeroed else None

        layer.register_forward_hook(lambda _, __, output: (output.register_hook(keep), None)[1])

    for name, layer in net.named_modules():
        if name and not list(layer.children()):
            listen(name, layer)
    scores = net(torch.cat([given, given]).requires_grad_())
    scores[0, scores[0].argmax()].backward()
    return seen


def pixels(picture: Picture) -> np.ndarray:
    """The picture's colours, (height, width, 4) uint8."""
    return np.asarray(Image.open(io.BytesIO(picture.png)).convert("RGBA"))


def wrong(found: Question) -> list[str]:
    """The answers that are not right."""
    return [choice for place, choice in enumerate(found.choices) if place != found.right]
