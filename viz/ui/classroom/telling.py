"""A class's question for all its pages, and the answers for the teacher."""

from ...answers.teaching.asking import (
    AskedQuestion,
    ClassroomAnswers,
    ClassroomAsking,
    Given,
    Revealed,
    Tally,
)
from .asking import AskedOnce
from .classroom import Classroom


def asking_of(room: Classroom, visitor: str) -> ClassroomAsking:
    """The question that is open, as one page sees it; of answers it has that page's own alone."""
    student = room.student_of(visitor)
    mine = room.asking.mine(student.number) if student else ()
    asked = room.asking.now
    return ClassroomAsking(
        names=room.names,
        nickname=student.nickname if student and room.names else "",
        question=_question(asked, mine) if asked else None,
    )


def answers_of(room: Classroom) -> ClassroomAnswers:
    """Return the answers so far, for the teacher; unmarked until the right one is revealed."""
    asked = room.asking.now
    if asked is None:
        return ClassroomAnswers(asked=0, given=(), results=room.asking.has_results)
    return ClassroomAnswers(
        asked=asked.number,
        given=tuple(
            Given(
                number=number,
                value=each.value,
                right=asked.is_right(each.value) if asked.shown else None,
            )
            for number, each in asked.answers.items()
        ),
        results=room.asking.has_results,
    )


def _question(asked: AskedOnce, mine: tuple[float, ...]) -> AskedQuestion:
    question = asked.question
    return AskedQuestion(
        asked=asked.number,
        kind=question.kind,
        text=question.text,
        choices=question.choices,
        layer=question.layer,
        maps=question.maps,
        quiz=asked.quiz,
        mine=mine,
        revealed=_revealed(asked) if asked.shown else None,
    )


def _revealed(asked: AskedOnce) -> Revealed:
    return Revealed(
        right=asked.question.right,
        within=asked.question.within,
        explanation=asked.question.explanation,
        answers=tuple(Tally(value=value, count=count) for value, count in asked.tally()),
    )
