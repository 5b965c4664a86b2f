"""The ways of looking that teach: hooks on the chosen model, the course, the quiz."""

from collections.abc import Sequence

from ...profile.tree import LayerRow
from ...request.inspection import Inspection
from ..choose.costs import may_draw_hooks
from ..visit.visit import SubjectEntry, Visit
from .draw_course import draw_course, lesson_in_address
from .draw_hooks import draw_hooks, step_in_address
from .draw_quiz import draw_quiz, seed_in_address

WITHOUT_MAPS = ("course", "quiz")  # which draw no layer of the chosen model
LEARNING = ("hooks", *WITHOUT_MAPS)


def draw_learning(
    view: str, visit: Visit, subject: SubjectEntry, rows: Sequence[LayerRow], wanted: Inspection
) -> None:
    """One of ``LEARNING``."""
    match view:
        case "course":
            draw_course(visit, subject.photo, rows, wanted)
        case "quiz":
            draw_quiz(visit)
        case "hooks":
            if may_draw_hooks(rows, wanted):
                draw_hooks(subject, wanted)


def learning_in_address() -> dict[str, str]:
    """What the address says about these views."""
    return {"lesson": lesson_in_address(), "seed": seed_in_address(), "step": step_in_address()}
