"""Choice of a question by seed, level and number, the same everywhere."""

import random
from collections.abc import Sequence

from ..engine.slices import Sliced, at_once
from ..errors import RequestError
from ..request.look import Level
from .levels import MAKERS, QUESTIONS, DueQuestion, due
from .question import Question, Runs, Subjects
from .scene import Scene, reads_signals

SEEDS = 1_000_000
TRIES = 40  # most end before a net has run; each takes another net or picture


def question(seed: int, number: int, about: Subjects, runs: Runs, level: Level = "climb") -> Question:
    """Return one question of a quiz, with all tries in a row.

    See ``tried`` for the arguments.
    """
    return at_once(tried(seed, number, about, runs, level))


def tried(seed: int, number: int, about: Subjects, runs: Runs, level: Level = "climb") -> Sliced[Question]:
    """Return one question of a quiz, a try in each slice.

    Args:
        seed: 0 to 999,999.
        number: which question, 0 to 7.
        about: nets and pictures.
        runs: says what the nets do.
        level: whether all questions are of one level; by default they go from easy to hard.

    Raises:
        RequestError: there is no such seed, or no such question.
    """
    if not (0 <= seed < SEEDS and 0 <= number < QUESTIONS):
        raise RequestError(
            "a quiz has a seed from 0 to {last} and {questions} questions.",
            last=SEEDS - 1,
            questions=QUESTIONS,
        )
    asked = due(seed, level)[number]
    chance = random.Random(f"{seed} {level} {number}")  # noqa: S311  (a quiz, not a secret)
    nets = _nets(seed, asked, about)
    for _ in range(TRIES):
        found = MAKERS[asked.kind](chance, _scene(chance, nets, about, runs))
        if found is not None:
            return found
        yield
    raise RequestError("these nets and pictures allow no question of the kind {kind}.", kind=repr(asked.kind))


def _nets(seed: int, asked: DueQuestion, about: Subjects) -> Sequence[str]:
    """Half of the nets; the other half for a kind's second turn.

    So no question comes twice.
    """
    nets = sorted((about.easy or about.nets) if asked.level == "easy" else about.nets)
    random.Random(f"{seed} {asked.kind}").shuffle(nets)  # noqa: S311  (likewise)
    return nets[asked.turn :: 2] or nets


def _scene(chance: random.Random, nets: Sequence[str], about: Subjects, runs: Runs) -> Scene:
    model = chance.choice(nets)
    shown = about.signals if about.signals and reads_signals(runs.rows(model)) else about.photos
    sample = chance.choice(sorted(shown))
    return Scene(model, sample, shown[sample], runs, about.photos)
