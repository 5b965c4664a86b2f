"""A quiz's question as a task of an engine.

Everybody with the same seed gets the same answer, which is made once.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..engine import task
from ..engine.slices import Sliced, at_once
from ..pictures.photo import Photo
from ..request.look import Level
from ..views.hook_tasks import TimelineTask
from ..views.whole_model import Seen
from .drawing import tried
from .fates import FatesTask
from .question import Question, Runs, Subjects


@dataclass(frozen=True)
class QuizTask(task.Question[Question]):
    """One question of a quiz about these nets and pictures.

    Attributes:
        seed: which quiz.
        number: which question of it.
        nets: names of nets.
        photos: pictures by their names.
        easy: names of the nets that easy questions are about.
        level: how hard the quiz is.
        signals: pictures of waveforms by their names, for nets that read signals.
    """

    seed: int
    number: int
    nets: tuple[str, ...]
    photos: Mapping[str, Photo] = field(repr=False)
    easy: tuple[str, ...] = ()
    level: Level = "climb"
    signals: Mapping[str, Photo] = field(default_factory=dict, repr=False)

    @property
    def key(self) -> Hashable:
        """See ``viz.engine.task.Task``."""
        shown = sorted((name, photo.fingerprint) for name, photo in self._all.items())
        return ("quiz", self.seed, self.level, self.number, self.nets, self.easy, tuple(shown))

    def work(self, bench: task.Bench) -> Sliced[Question]:
        """See ``viz.engine.task.Task``; see ``viz.quiz.question`` for errors."""
        about, signals = (
            {name: photo.fingerprint for name, photo in photos.items()}
            for photos in (self.photos, self.signals)
        )
        subjects = Subjects(self.nets, about, self.easy, signals)
        return (yield from tried(self.seed, self.number, subjects, self._runs(bench), self.level))

    @property
    def _all(self) -> Mapping[str, Photo]:
        return {**self.photos, **self.signals}

    def _runs(self, bench: task.Bench) -> Runs:
        photos = {photo.fingerprint: photo for photo in self._all.values()}

        def remembered(asked: TimelineTask | FatesTask | Seen) -> Any:
            return bench.remembered(asked.key, lambda: at_once(asked.work(bench)))

        return Runs(
            rows=lambda net: bench.loaded(net, "pretrained").rows,
            values=lambda wanted: bench.captured(wanted, photos[wanted.image], whole=False),
            events=lambda wanted: remembered(TimelineTask(wanted, photos[wanted.image])),
            fates=lambda wanted: remembered(FatesTask(wanted, photos[wanted.image])),
            seen=lambda net, image: remembered(Seen(photos[image], net, "pretrained")),
            known=lambda net, image: bench.loaded(net, "pretrained").known(photos[image]),
        )
