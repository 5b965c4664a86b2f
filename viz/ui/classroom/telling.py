"""A class's question for all pages, and answers for the teacher."""

from ...answers.teaching.asking import (
    AnswerEntry,
    AskedQuestion,
    ClassroomAnswers,
    ClassroomAsking,
    RevealedAnswers,
    Tally,
)
from .asking import QuestionRound
from .classroom import Classroom


def asking_of(room: Classroom, visitor: str) -> ClassroomAsking:
    """Return the open question, with the page's own answer alone."""
    student = room.student_of(visitor)
    mine = room.asking.mine(student.number) if student else ()
    asked = room.asking.now
    return ClassroomAsking(
        names=room.names,
        nickname=student.nickname if student and room.names else "",
        question=_question(asked, mine) if asked else None,
    )


def answers_of(room: Classroom) -> ClassroomAnswers:
    """Return the answers for the teacher, unmarked until the reveal."""
    asked = room.asking.now
    if asked is None:
        return ClassroomAnswers(asked=0, given=(), results=room.asking.has_results)
    return ClassroomAnswers(
        asked=asked.number,
        given=tuple(
            AnswerEntry(
                number=number,
                value=each.value,
                right=asked.is_right(each.value) if asked.shown else None,
            )
            for number, each in asked.answers.items()
        ),
        results=room.asking.has_results,
    )


def _question(asked: QuestionRound, mine: tuple[float, ...]) -> AskedQuestion:
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


def _revealed(asked: QuestionRound) -> RevealedAnswers:
    return RevealedAnswers(
        right=asked.question.right,
        within=asked.question.within,
        explanation=asked.question.explanation,
        answers=tuple(Tally(value=value, count=count) for value, count in asked.tally()),
    )
