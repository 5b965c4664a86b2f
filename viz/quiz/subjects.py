"""Subjects of the quiz: nets with weights, and pictures that come along."""

from functools import cache
from types import MappingProxyType

from ..pictures.photo import Photo, photograph
from ..pictures.samples import sample
from ..request.look import Level
from .quiz_task import QuizTask

NETS = ("lenet", "photonet", "patchformer", "signalnet")
EASY_NETS = ("efficientnet_lite0", "lenet", "photonet", "patchformer")
PHOTOS = ("cat", "astronaut", "coffee", "rocket", "camera", "coins")
SIGNALS = ("sine", "square", "sawtooth", "triangle", "chirp")


def quiz_task(seed: int, number: int, level: Level = "climb") -> QuizTask:
    """Return the task of an engine for a question, counted from 0."""
    photos, signals = (dict(_photos(names)) for names in (PHOTOS, SIGNALS))  # a view cannot be sent
    return QuizTask(seed, number, NETS, photos, EASY_NETS, level, signals)


@cache
def _photos(names: tuple[str, ...]) -> MappingProxyType[str, Photo]:
    return MappingProxyType({name: photograph(sample(name)) for name in names})
