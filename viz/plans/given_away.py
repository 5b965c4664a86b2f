"""Detection of steps that give away their answers on the page.

They do so in their own words, or in the page's about the layer, or in those of a lesson on screen.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from ..course.lesson import Choice, Lesson
from ..profile.rows import LayerRow
from ..request.look import Look, look_from_query
from .plan import Plan, PlanQuestion, PlanStep

_SIZES = re.compile(r"\d\s*[x×]\s*\d|\(\d+(?:, \d+)*,?\)")
_MARKS = re.compile(r"[`*]")
_SPACES = re.compile(r"\s+")


def telling_checked(
    plans: Sequence[Plan], rows: Callable[[str], Sequence[LayerRow]], lessons: Sequence[Lesson] = ()
) -> list[str]:
    """Return a sentence for each step whose screens show the answer early.

    Args:
        plans: plans in one language.
        rows: a net's name → its layers.
        lessons: the course's, in the same language.
    """
    return [
        f"{plan.path}:{step.line}: {why}"
        for plan in plans
        for step in plan.steps
        for why in _told(step, rows(step.net or plan.net), lessons)
    ]


def hides_sizes(question: PlanQuestion) -> bool:
    """Check whether pages hide sizes until this question is answered.

    The scripts have the same check, ``asksForSizes``.
    """
    return question.kind == "shape" or any(_SIZES.search(choice.words) for choice in question.choices)


def _told(step: PlanStep, rows: Sequence[LayerRow], lessons: Sequence[Lesson]) -> Iterator[str]:
    if step.question is None:
        return
    for text in (step.title, *step.text, step.question.text):
        if _tells(text, step.question):
            yield f"this tells the answer while it is asked: “{text}”"
    look, _ = look_from_query(step.look)
    for text in _of_lesson(look, lessons):
        if _tells(text, step.question):
            yield f"the lesson {look.lesson} tells the answer on the same screen: “{text}”"
    layer = next((row for row in rows if row.name == look.layer), None)
    if layer is not None and look.view == "layer" and not hides_sizes(step.question):
        for text in _of_page(layer):
            if _tells(text, step.question):
                yield f"the page says the answer above the maps of {layer.name}: “{text}”"


def _tells(text: str, question: PlanQuestion) -> bool:
    """Check whether a text names the right answer and no other choice."""
    wrong = [
        form for choice in question.choices if choice.value != question.answer for form in _forms(choice)
    ]
    return _says(text, _right_forms(question)) and not _says(text, wrong)


def _says(text: str, forms: Iterable[str]) -> bool:
    plain = _plain(text)
    return any(
        re.search(rf"(?<![a-z0-9.,×-]){re.escape(form)}(?![a-z0-9×-]|[.,][0-9])", plain) for form in forms
    )


def _of_lesson(look: Look, lessons: Sequence[Lesson]) -> list[str]:
    """Return the texts of a lesson on screen, before its answer."""
    steps = next((lesson.steps for lesson in lessons if lesson.id == look.lesson), ())
    at = (look.lesson_step or 0) - 1
    return [steps[at].title, *steps[at].text, steps[at].question] if 0 <= at < len(steps) else []


def _of_page(row: LayerRow) -> list[str]:
    """Return a layer's settings and sizes as the page writes them."""
    sizes = [str(size) for shape in row.shapes for size in shape or ()]
    whole = [" × ".join(map(str, shape)) for shape in row.shapes if shape]
    return [row.detail.replace("→", " → "), *whole, *sizes]


def _right_forms(question: PlanQuestion) -> list[str]:
    """Return the forms of the right answer in a text."""
    right = question.answer
    match question.kind:
        case "choice":
            return [form for each in question.choices if each.value == right for form in _forms(each)]
        case "map":
            return [form for each in right.split(", ") for form in (f"map {each}", f"{each} 号")]
        case "shape":
            sizes = re.findall(r"\d+", right)
            return [_plain(right), "×".join(sizes), "×".join(sizes[1:])]
    return [right]


def _forms(choice: Choice) -> list[str]:
    """Return a choice's words and its value, leaving out single letters.

    A Chinese yes or no is a part of many words.
    """
    return [
        each for each in (_plain(choice.words), _plain(choice.value)) if len(each) > 1 or each.isdecimal()
    ]


def _plain(text: str) -> str:
    """Return a text in small letters, without marks or spaces around ×."""
    return re.sub(r"\s*[×x]\s*(?=\d)", "×", _SPACES.sub(" ", _MARKS.sub("", text.lower())))
