"""The addresses of classrooms: ``/maps/<subject>/class_<what>``, where the subject names the page.

A subject's token cannot be guessed, so nobody speaks for another one's page: neither the teacher nor a
student needs another name than the visitor behind it.
"""

from starlette.routing import Route

from ..wire.answers import question
from ..wire.questions import Question, SpokenQuestion
from .routes_asking import answer, ask, ask_quiz, name, obeyed, results
from .routes_student import events_of, join, leave, say, subject_of_class
from .routes_teacher import QrQuestion, open_classroom, order, point, qr, show, take_classroom


def classroom_routes() -> list[Route]:
    """Their routes."""
    return [
        *(
            question(f"class_{path}.json", handler, Question, method="POST", kept=False)
            for path, handler in (
                ("open", open_classroom),
                ("take", take_classroom),
                ("show", show),
                ("point", point),
                ("order", order),
                ("join", join),
                ("leave", leave),
                ("say", say),
                ("ask", ask),
                ("asking", obeyed),
                ("answer", answer),
                ("name", name),
            )
        ),
        question("class_qr.svg", qr, QrQuestion),
        question("class_quiz.json", ask_quiz, SpokenQuestion, method="POST", kept=False),
        question("class_results.csv", results, SpokenQuestion, kept=False),
        question("class_subject.json", subject_of_class, SpokenQuestion, kept=False),
        question("class_events", events_of, Question, kept=False),
    ]
