"""Checks that a net clearly bears out the right answer alone."""

import ast
from collections.abc import Iterator, Mapping

from .plan import PlanQuestion

CLEAR = 0.25  # how far a right answer's score stands above any other's, as a share of their range
Scores = Mapping[str, float]
"""An answer that can be given → how right it is, on any scale."""


def answer_wrong(question: PlanQuestion, printed: str, *, within: float = 0.0) -> Iterator[str]:
    """Yield a sentence for each answer not borne out by a net.

    Args:
        question: with its right answer.
        printed: the last line that the step's code printed.
        within: how far off a number may be, in addition to the digits that the plan does not write.
    """
    scores = _scores(printed)
    if question.kind == "map" or scores is not None:
        yield from _scores_wrong(question, scores)
    elif not _is_right(question, printed, within):
        yield f"the net says {printed}, and the plan {question.answer}."


def _scores(printed: str) -> Scores | None:
    """Return a line's scores by answer; None if it has none."""
    try:
        found = ast.literal_eval(printed)
    except (ValueError, SyntaxError):
        return None
    pairs = found.items() if isinstance(found, dict) else enumerate(found) if isinstance(found, list) else ()
    scores = {str(answer): score for answer, score in pairs}
    return scores if scores and all(isinstance(each, int | float) for each in scores.values()) else None


def _scores_wrong(question: PlanQuestion, scores: Scores | None) -> Iterator[str]:
    if scores is None:
        yield "its last printed line is no list with a number for each map: how well it fits the question."
        return
    if question.kind == "choice" and set(scores) != {choice.value for choice in question.choices}:
        yield f"the code scores {', '.join(scores)}, and these are not the choices."
        return
    right = question.answer.split(", ") if question.kind == "map" else [question.answer]
    if missing := [answer for answer in right if answer not in scores]:
        yield f"the code scores {len(scores)} maps: there is no map {missing[0]}."
        return
    least = min(right, key=lambda answer: scores[answer])
    needed = scores[least] - CLEAR * (max(scores.values()) - min(scores.values()))
    for answer, score in scores.items():
        if answer not in right and score >= needed:
            far = f"{answer} has {score:.2f}, and the right answer {least} has {scores[least]:.2f}"
            yield f"{far}: too near to be told by looking."


def _is_right(question: PlanQuestion, printed: str, within: float) -> bool:
    """Check whether the net gives the right answer.

    A number counts as far as the plan writes its digits.
    """
    if question.kind != "number":
        return printed == question.answer
    digits = len(question.answer.partition(".")[2])
    try:
        off = abs(round(float(printed), digits) - float(question.answer))
    except ValueError:
        return False
    return off <= within * (1 + 1e-9)
