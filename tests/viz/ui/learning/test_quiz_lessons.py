"""Which lesson teaches what a question asks."""

import pytest

from viz.lessons.course import LESSONS
from viz.quiz import KINDS
from viz.ui.learning.course_facts import course_facts
from viz.ui.learning.quiz_lessons import LESSONS as TAUGHT
from viz.ui.learning.quiz_lessons import lesson_of


def test_every_kind_of_question_has_a_lesson_that_there_is() -> None:
    """None is forgotten, and none leads nowhere."""
    assert set(TAUGHT) == set(KINDS)
    assert all(0 <= number < len(LESSONS) for number in TAUGHT.values())


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_lesson_has_the_title_that_the_course_gives_it(kind: str, language: str) -> None:
    """So that whoever follows the link finds what it says."""
    number, title = lesson_of(kind, language)
    assert title == course_facts(number, language).title
