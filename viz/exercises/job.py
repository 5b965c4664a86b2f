"""The job of a reading process: run an answer and judge it.

The process has limits that the system keeps, holds nothing else, and lives for one answer. Nets that were
loaded before it was forked (``ready``) are shared with it; an answer's changes to them end with it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from functools import partial
from typing import Any

import torch
from PIL import Image

from ..hooks.values.norms import right_norms
from ..pictures.subject import Loader, Subject
from ..receptive.places.known import made_arrangements
from ..request.arrangement import Arrangement
from ..sentences import Sentence
from .asked import RunRequest
from .exercise import DEFAULT_NET, Goal
from .judging import Problem, UnhookedNet, problems
from .painting import painted
from .refusal import CodeError
from .subset.session import layers_of
from .subset.walking import AnswerRun, run_answer
from .whole import run_whole

WEIGHTS = "pretrained"
TOKENS = 3  # axes (N, tokens, features)
MOST_TRIED = 3  # known mistakes that are run beside an answer
_subjects: dict[str, Subject] = {}


@dataclass(frozen=True)
class AnswerResult:
    """Result of an answer.

    Attributes:
        problems: its problems; none for a right answer.
        advice: help if it is a known mistake.
        printed: the lines that it printed.
        pairs: values to show beside each other, as ``painting.DrawnPair`` made plain.
        guesses: the net's guess without hooks, and by the answer's scores, if the exercise is about it.
    """

    problems: tuple[Problem, ...]
    advice: str
    printed: tuple[str, ...]
    pairs: tuple[dict[str, Any], ...]
    guesses: tuple[str, ...] = ()

    def to_plain(self) -> dict[str, Any]:
        """Return it as values that JSON can hold."""
        said = [{"says": each.says.to_plain(), "line": each.line} for each in self.problems]
        plain = {"printed": self.printed, "pairs": self.pairs, "guesses": self.guesses}
        return plain | {"problems": said, "advice": self.advice}


def ready(load: Loader, names: tuple[str, ...] = (DEFAULT_NET,)) -> None:
    """Load nets ahead, run each once, and draw.

    What a process does first takes longest.
    """
    torch.set_num_threads(1)  # a process with several threads cannot be copied
    for name in names:
        subject = _subject(load, name)
        with torch.no_grad():
            subject.module(*subject.arguments(Image.new("RGB", (64, 64))))
    painted("", torch.eye(2)[None, None], None)


def check(load: Loader, asked: RunRequest, image: Image.Image) -> AnswerResult:
    """Return the result of an answer on a picture.

    Raises:
        CodeError: the exercise's own solution cannot run.
    """
    torch.set_num_threads(1)
    subject = _subject(load, asked.net)
    (picture,) = subject.arguments(image)
    run = partial(_run, subject, picture, gradients=asked.gradients)
    with torch.no_grad():
        unchanged = UnhookedNet(subject.module(picture), subject.classes)
    wanted = run(asked.solution)
    if wanted.error is not None:
        raise CodeError(
            Sentence("This exercise's own solution fails: {error}", error=wanted.error), wanted.error.line
        )
    answer = run(asked.code, whole=asked.whole)
    wrong = problems(asked.goal, answer, wanted, unchanged)
    return AnswerResult(
        problems=wrong,
        advice=_advice(asked, wrong, lambda code: problems(asked.goal, run(code), wanted, unchanged)),
        printed=answer.printed,
        pairs=_pairs(asked, answer, wanted, picture, lambda: run(asked.solution)),
        guesses=_guesses(asked.goal, answer, unchanged),
    )


def _subject(load: Loader, name: str) -> Subject:
    if name not in _subjects:
        _subjects[name] = load(name, WEIGHTS)
        _subjects[name].module.eval()
    return _subjects[name]


def _run(subject: Subject, picture: Any, code: str, *, gradients: bool, whole: bool = False) -> AnswerRun:
    """Run code on the net, with a picture of its own."""
    torch.manual_seed(0)
    mine = picture.detach().clone().requires_grad_(gradients)
    given = {"picture": mine, "classes": list(subject.classes)}
    with torch.set_grad_enabled(gradients), right_norms():
        if whole:
            return run_whole(code, {**given, "net": subject.module, "torch": torch}, subject.module)
        return run_answer(code, {**given, "net": layers_of(subject.module)})


def _advice(
    asked: RunRequest, wrong: tuple[Problem, ...], judged: Callable[[str], tuple[Problem, ...]]
) -> str:
    """Return the advice on the known mistake nearest to the answer.

    That mistake must also go wrong like the answer. An answer that is still more like the code to begin with
    is no known mistake. If several are nearest by their lines, letters choose the ones to try, and their
    order.
    """
    if not wrong or not asked.mistakes:
        return ""
    alike = {mistake: _likeness(_bare(mistake.code), _bare(asked.code)) for mistake in asked.mistakes}
    if max(alike.values()) < _likeness(_bare(asked.start), _bare(asked.code)):
        return ""
    nearest = [mistake for mistake in asked.mistakes if alike[mistake] == max(alike.values())]
    nearest.sort(key=lambda mistake: -_likeness(mistake.code, asked.code))
    said = [each.says for each in wrong]
    found = (each for each in nearest[:MOST_TRIED] if [its.says for its in judged(each.code)] == said)
    return next((each.text for each in found), "")


def _likeness(code: Sequence[str], other: Sequence[str]) -> float:
    """Return the likeness, from 0 to 1, of two texts or lines."""
    return SequenceMatcher(None, code, other, autojunk=False).ratio()


def _bare(code: str) -> list[str]:
    """The lines of a text, without comments and spaces."""
    lines = (line.partition("#")[0].strip() for line in code.splitlines())
    return [line for line in lines if line]


def _pairs(
    asked: RunRequest, answer: AnswerRun, wanted: AnswerRun, picture: Any, again: Callable[[], AnswerRun]
) -> tuple[dict[str, Any], ...]:
    names = asked.goal.draw
    known = _arrangements(names, wanted, picture, again)
    return tuple(
        asdict(painted(name, answer.values.get(name), wanted.values.get(name), known.get(name)))
        for name in names
    )


def _arrangements(
    names: Sequence[str], wanted: AnswerRun, picture: Any, again: Callable[[], AnswerRun]
) -> Mapping[str, Arrangement]:
    """Return the places of the solution's tokens on the picture.

    The solution runs again, followed, if it draws any.
    """
    if all(getattr(wanted.values.get(name), "ndim", 0) != TOKENS for name in names):
        return {}

    def make() -> Mapping[str, Any]:
        values = again().values
        return {name: values[name] for name in names}

    return made_arrangements(make, picture)


def _guesses(goal: Goal, answer: AnswerRun, unchanged: UnhookedNet) -> tuple[str, ...]:
    if goal.guess is None:
        return ()
    scores = answer.values.get(goal.guess[0])
    if not isinstance(scores, torch.Tensor) or scores.shape != unchanged.scores.shape:
        return ()
    return unchanged.named(unchanged.scores), unchanged.named(scores)
