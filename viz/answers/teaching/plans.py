"""Lesson plans for a teacher, as texts."""

from ..message import Answer, Message


class LessonPlan(Message, frozen=True, kw_only=True):
    """A plan's file.

    Attributes:
        id: its name.
        text: all of the file; the browser reads it, as it reads plans that teachers open there.
    """

    id: str
    text: str


class LessonPlans(Answer, frozen=True, kw_only=True):
    """plans.json: the plans that come along, in the visitor's language."""

    plans: tuple[LessonPlan, ...]
