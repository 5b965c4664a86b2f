"""Routes of exercises: their list, one, its help, a posted answer."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from starlette.routing import Route

from .....answers.teaching.exercises import AnswerFacts, ExerciseFacts, ExerciseHelp, ExerciseList
from .....errors import RequestError
from .....exercises.folder import find
from .....exercises.subset.bounds import LONGEST_CODE
from ....learning.exercise_facts import answer_found, exercise_facts, exercise_help, exercise_list
from ....visit.frames import Turns
from ....visit.jobs.answering import check_answer, get_ready, may_run_whole
from ...answers import PageQuery, question
from ...questions import ExerciseHelpQuestion, ExerciseQuestion, SpokenQuestion

_MOST_BYTES = 4 * LONGEST_CODE  # of UTF-8
_turns = Turns()
# An answer takes some seconds at most, and waits in threads that serve no other requests.
_waiting = ThreadPoolExecutor(8, "layerglass-answers")


def questions() -> list[Route]:
    """Their routes."""
    return [
        question("exercises.json", _list, SpokenQuestion, kept=False),
        question("exercise.json", _exercise, ExerciseQuestion, kept=False),
        question("exercise_help.json", _help, ExerciseHelpQuestion),
        question("answer.json", _answer, ExerciseQuestion, method="POST", kept=False),
    ]


async def _list(asked: PageQuery[SpokenQuestion]) -> ExerciseList:
    return exercise_list(asked.question.language)


async def _exercise(asked: PageQuery[ExerciseQuestion]) -> ExerciseFacts:
    """Return the exercise; the runner of answers gets ready meanwhile."""
    exercise = find(asked.question.exercise, asked.question.language)
    asyncio.get_running_loop().run_in_executor(_waiting, get_ready)
    return exercise_facts(exercise, whole=may_run_whole(asked.request.scope))


async def _help(asked: PageQuery[ExerciseHelpQuestion]) -> ExerciseHelp:
    return exercise_help(find(asked.question.exercise, asked.question.language), asked.question.help)


async def _answer(asked: PageQuery[ExerciseQuestion]) -> AnswerFacts:
    """Run the posted answer, in the turn of its visitor."""
    exercise, visitor = find(asked.question.exercise, asked.question.language), asked.subject.visitor
    whole = may_run_whole(asked.request.scope)
    code = await _code(asked)
    async with _turns.turn(visitor):
        work = partial(check_answer, exercise, code, asked.subject.photo.image, visitor=visitor, whole=whole)
        found = await asyncio.get_running_loop().run_in_executor(_waiting, work)
    return answer_found(exercise, found, asked.question.language)


async def _code(asked: PageQuery[ExerciseQuestion]) -> str:
    """The posted text.

    Raises:
        RequestError: it is longer than an answer may be, or no text.
    """
    data = bytearray()
    async for chunk in asked.request.stream():
        data += chunk
        if len(data) > _MOST_BYTES:
            raise RequestError("An answer has at most {most} characters.", most=LONGEST_CODE)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise RequestError("An answer is text; this is something else.") from error
