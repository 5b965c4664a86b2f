"""From the seed and the number to the question, the same everywhere, because it depends on nothing else."""

import random
from collections.abc import Callable

from ..engine.slices import Sliced, at_once
from ..errors import RequestError
from .changes import which_edit
from .channels import which_channel
from .fates import which_fate
from .gates import which_gradient
from .layers import which_layer, which_shape
from .order import what_it_sees, which_fires
from .question import Question, Runs, Subjects
from .scene import Scene

Maker = Callable[[random.Random, Scene], Question | None]
"""Makes a question about a net and a picture; None if they do not allow one that could be answered."""

MAKERS: dict[str, Maker] = {
    "layer": which_layer,
    "shape": which_shape,
    "channel": which_channel,
    "edit": which_edit,
    "fires": which_fires,
    "sees": what_it_sees,
    "fate": which_fate,
    "gate": which_gradient,
}
KINDS = tuple(MAKERS)
QUESTIONS = len(KINDS)
SEEDS = 1_000_000
TRIES = 40  # most end before a net has run; each takes another net or picture


def question(seed: int, number: int, about: Subjects, runs: Runs) -> Question:
    """Return one question of the quiz with this seed, as ``tried`` says, all tries in a row."""
    return at_once(tried(seed, number, about, runs))


def tried(seed: int, number: int, about: Subjects, runs: Runs) -> Sliced[Question]:
    """Return one question of the quiz with this seed, a try in each slice; a quiz has one of each kind.

    Args:
        seed: 0 to 999,999.
        number: which question, 0 to 7.
        about: nets and pictures.
        runs: says what the nets do.

    Raises:
        RequestError: there is no such seed, or no such question.
    """
    if not (0 <= seed < SEEDS and 0 <= number < QUESTIONS):
        raise RequestError(
            "a quiz has a seed from 0 to {last} and {questions} questions.",
            last=SEEDS - 1,
            questions=QUESTIONS,
        )
    chance = random.Random(f"{seed} {number}")  # noqa: S311  (a quiz, not a secret)
    kinds = [*KINDS]
    random.Random(seed).shuffle(kinds)  # noqa: S311  (likewise)
    for _ in range(TRIES):
        found = MAKERS[kinds[number]](chance, _scene(chance, about, runs))
        if found is not None:
            return found
        yield
    raise RequestError(
        "these nets and pictures allow no question of the kind {kind}.", kind=repr(kinds[number])
    )


def _scene(chance: random.Random, about: Subjects, runs: Runs) -> Scene:
    model, sample = chance.choice(sorted(about.nets)), chance.choice(sorted(about.photos))
    return Scene(model, sample, about.photos[sample], runs)
