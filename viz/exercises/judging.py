"""Judgement of an answer against its goal: each problem in one sentence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from ..sentences import Sentence, counted
from .comparing import difference
from .exercise import Goal
from .subset.values import kind_of
from .subset.walking import AnswerRun

Classes = Sequence[str]
PAIR = 2


@dataclass(frozen=True)
class Problem:
    """Problem of an answer, and its line.

    Lines are counted from 1; 0 stands for none.
    """

    says: Sentence
    line: int = 0


@dataclass(frozen=True)
class UnhookedNet:
    """The net without any hook: its scores, and its classes.

    The scores are (1, classes). The classes' names are empty if there are none.
    """

    scores: Any
    classes: Classes = ()

    def named(self, scores: Tensor) -> str:
        """Return the name of the class with the highest score."""
        place = int(scores.detach().flatten().argmax())
        return self.classes[place] if place < len(self.classes) else str(place)


def problems(goal: Goal, answer: AnswerRun, wanted: AnswerRun, unchanged: UnhookedNet) -> tuple[Problem, ...]:
    """Return the problems of an answer; none if it reaches its goal.

    If it stopped early, that is all there is to say, and what it left behind.
    """
    return tuple(_problems(goal, answer, wanted, unchanged))


def _problems(goal: Goal, answer: AnswerRun, wanted: AnswerRun, unchanged: UnhookedNet) -> Iterator[Problem]:
    if answer.error is not None:
        yield Problem(_sentence(answer.error), answer.error.line)
        return
    wrong = _wrong_values(goal, answer, wanted)
    yield from map(Problem, wrong)
    yield from _hooks(goal, answer)
    for name in goal.uses:
        if name not in answer.used:
            yield Problem(_unused(name, right=bool(goal.same) and not wrong))
    if goal.guess is not None:
        yield from _guess(goal, answer, unchanged)
    if goal.runs and answer.runs > goal.runs:
        yield Problem(
            Sentence("The net ran {runs} times; {most} is enough.", runs=answer.runs, most=goal.runs)
        )


def _wrong_values(goal: Goal, answer: AnswerRun, wanted: AnswerRun) -> list[Sentence]:
    """Return each value's problem; two swapped values are one sentence."""
    found = {
        name: _missing(name, answer, wanted) or difference(name, answer.values[name], wanted.values.get(name))
        for name in goal.same
    }
    wrong = {name: says for name, says in found.items() if says is not None}
    if len(wrong) != PAIR:
        return list(wrong.values())
    first, second = wrong
    if not _are_swapped(first, second, answer, wanted):
        return list(wrong.values())
    return [Sentence("You have `{first}` and `{second}` the wrong way round.", first=first, second=second)]


def _are_swapped(first: str, second: str, answer: AnswerRun, wanted: AnswerRun) -> bool:
    ours, theirs = answer.values, wanted.values
    if first not in ours or second not in ours:
        return False
    crossed = (
        difference(first, ours[second], theirs[first]),
        difference(second, ours[first], theirs[second]),
    )
    return crossed == (None, None)


def _unused(name: str, *, right: bool) -> Sentence:
    if right:
        return Sentence(
            "What you made is right. But this exercise is about another way to it: call `{name}`.", name=name
        )
    return Sentence("This exercise wants you to call `{name}`.", name=name)


def _sentence(error: Exception) -> Sentence:
    said = str(error)
    return said if isinstance(said, Sentence) else Sentence("Python stops here: `{error}`", error=said)


def _missing(name: str, answer: AnswerRun, wanted: AnswerRun) -> Sentence | None:
    """Report a name without a value at the end, with a reason."""
    empty = answer.values.get(name) is None and wanted.values.get(name) is not None
    if empty and name in answer.inside:
        return Sentence(
            "`{name}` gets its value only inside a function, and that value ends with the call. Keep it in a "
            "list or a dict that is made outside, or write `global {name}` first.",
            name=name,
        )
    if name in answer.values:
        return None
    return Sentence("Nothing is named `{name}` at the end: give that name to what was asked for.", name=name)


def _hooks(goal: Goal, answer: AnswerRun) -> Iterator[Problem]:
    left = len(answer.left)
    if left > goal.hooks:
        handle = answer.left[0]
        yield Problem(
            counted(
                "{count} hook is still registered at the end, on `{where}`: it would run on every picture "
                "from now on. Remove it.",
                "{count} hooks are still registered at the end, the first on `{where}`: they would run on "
                "every picture from now on. Remove them.",
                count=left,
                where=handle.where,
            ),
            handle.line,
        )
    elif left < goal.hooks:
        yield Problem(
            counted(
                "{count} hook must be left at the end; there are {left}.",
                "{count} hooks must be left at the end; there are {left}.",
                count=goal.hooks,
                left=left,
            )
        )


def _guess(goal: Goal, answer: AnswerRun, unchanged: UnhookedNet) -> Iterator[Problem]:
    name, what = goal.guess or ("", "same")
    scores = answer.values.get(name)
    if type(scores) is not Tensor:
        yield Problem(
            Sentence("`{name}` must be what the net returned; it is {kind}.", name=name, kind=kind_of(scores))
        )
    elif scores.shape != unchanged.scores.shape:
        yield Problem(
            Sentence(
                "`{name}` has the shape `{shape}`; `{wanted}` was asked for.",
                name=name,
                shape=str(tuple(scores.shape)),
                wanted=str(tuple(unchanged.scores.shape)),
            )
        )
    else:
        before, after = unchanged.named(unchanged.scores), unchanged.named(scores)
        if (before != after) != (what == "changed"):
            yield Problem(
                Sentence("The net still guesses {guess}.", guess=after)
                if what == "changed"
                else Sentence(
                    "The net guesses {after} now; it must stay at {guess}.", after=after, guess=before
                )
            )
