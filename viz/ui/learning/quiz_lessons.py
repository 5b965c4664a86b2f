"""Which lesson of the course teaches what a kind of questions asks: one table for all of them."""

from ..locale.words import say

EVERY_LAYER, IN_AND_OUT, GRADIENTS, CHANGING = 1, 2, 3, 4  # the lessons' numbers
LESSONS = {
    "photo": EVERY_LAYER,
    "outlines": EVERY_LAYER,
    "depth": EVERY_LAYER,
    "relu": IN_AND_OUT,
    "pool": IN_AND_OUT,
    "output": IN_AND_OUT,
    "layer": EVERY_LAYER,
    "shape": IN_AND_OUT,
    "channel": CHANGING,
    "edit": CHANGING,
    "fires": IN_AND_OUT,
    "sees": IN_AND_OUT,
    "fate": GRADIENTS,
    "gate": GRADIENTS,
}


def lesson_of(kind: str, language: str) -> tuple[int, str]:
    """The number of the lesson that teaches what a kind of questions asks, and its title."""
    number = LESSONS[kind]
    return number, say(language, f"course_title_{number}")
