"""Detection of answers that a view tells by itself.

While a question is open, pages hide the parts that a rule of their style sheet names. That very rule is read
here, and the parts that it leaves on screen are checked.
"""

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ..course.found import StepResult
from ..request.look import Look, look_from_query
from .answers import answer_wrong
from .checking import Each, alone
from .plan import Plan, PlanQuestion, PlanStep

SHEET = Path(__file__).parents[1] / "ui/browser/class_questions/asking.css"
CLASSES, FIGURES, BESIDE = ".lg-classes", ".lg-figures", ".lg-side-facts"
HOOKS = dict.fromkeys((".lg-event", ".lg-memory", ".lg-hooks-said"), "hooks")
PARTS = HOOKS | {CLASSES: "layer", FIGURES: "layer", BESIDE: "compare"}
"""A part that may tell an answer → the view that has it."""
_RULE = re.compile(r"\.lg-untold :is\((.*?)\) \{ visibility: hidden; \}")
_SCREEN = """
kept, layers = [], dict(net.named_modules())
if {layer!r} in layers:
    layers[{layer!r}].register_forward_hook(lambda _, inputs, output: kept.append(output.detach().clone()))
scores = net(picture).detach()
values = kept[{call}] if len(kept) > {call} else scores[:0]
zeros = (values == 0).sum().item()
range_of = [each.item() for each in (values.min(), values.max(), values.mean())] if values.numel() else []
named = [*classes] if values.shape == scores.shape else []
listed = [*scores[0].tolist(), *(100 * scores[0].softmax(-1)).tolist()] if named else []
shares = [zeros, 100 * zeros / values.numel()] if zeros else []
finite = [each for each in (*range_of, *shares) if abs(each) < float("inf")]
print(dict(figures=finite, named=named, listed=[each for each in listed if abs(each) < float("inf")]))
"""


def parts_shown(sheet: str) -> frozenset[str]:
    """Return the telling parts that a style sheet does not hide."""
    return frozenset(PARTS).difference(*(re.split(r",\s*", rule) for rule in _RULE.findall(sheet)))


def screens_checked(
    plans: Sequence[Plan], picture: Callable[[str], str], each: Each, sheet: str | None = None
) -> list[str]:
    """Return a sentence for each step whose view tells its answer.

    What a look edits is left as it was: numbers are those of the whole net.

    Args:
        plans: plans in one language.
        picture: a sample's name → its file.
        each: runs code, each in a fresh process.
        sheet: the page's style sheet; None for the one that is served.
    """
    shown = parts_shown(SHEET.read_text("utf-8") if sheet is None else sheet)
    steps = [(plan, step, look_from_query(step.look)[0]) for plan in plans for step in plan.steps]
    steps = [(plan, step, look) for plan, step, look in steps if step.question and _parts(look, shown)]
    run = [_SCREEN.format(layer=look.layer, call=look.call) for _, _, look in steps]
    found = each([alone(plan, step, code, picture) for (plan, step, _), code in zip(steps, run, strict=True)])
    return [
        f"{plan.path}:{step.line}: {why}"
        for (plan, step, look), screen in zip(steps, found, strict=True)
        for why in _told(step, _parts(look, shown), screen)
    ]


def _parts(look: Look, shown: frozenset[str]) -> set[str]:
    """Return the parts among those shown that a look has."""
    return {part for part in shown if PARTS[part] == look.view}


def _told(step: PlanStep, parts: set[str], screen: StepResult) -> Iterator[str]:
    if step.question is None or screen.error:
        yield from [f"its screen cannot be made: {screen.error}"] if screen.error else []
        return
    if parts & HOOKS.keys():
        if "_hook(" in step.code:
            yield "the view of hooks says of the event on screen when its hook is called."
        return
    found: dict[str, Any] = ast.literal_eval(screen.printed[-1])
    if parts & {FIGURES, BESIDE} and _is_among(found["figures"], step.question):
        yield f"the figures above the maps tell the answer {step.question.answer}."
    choices = {choice.value for choice in step.question.choices}
    if CLASSES in parts and (
        (choices and choices <= {*found["named"]}) or _is_among(found["listed"], step.question)
    ):
        yield f"the list of classes by their score tells the answer {step.question.answer}."


def _is_among(numbers: Sequence[float], question: PlanQuestion) -> bool:
    """Check whether a number on screen is the right answer.

    What only rounds to zero does not say none.
    """
    return question.kind == "number" and any(
        not [*answer_wrong(question, str(each))] and (each == 0) == (float(question.answer) == 0)
        for each in numbers
    )
