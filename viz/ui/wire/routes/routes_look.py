"""Routes about a look: its possible part, edits, and classes."""

from starlette.routing import Route

from ....answers.attribution import NamesFacts, NamingCall
from ....answers.edits import EditsFacts, EditText, LookFacts
from ....answers.model import ClassesFacts
from ....request.look import look_to_query
from ....views.classes.names import Names
from ....views.whole_model import Predict
from ...locale.translated import in_each_language
from ...visit.catalogue.known import describe
from ..answers import PageQuery, question, wanted_in
from ..arriving import possible_look
from ..edit_words import edit_in_words
from ..inspecting import no_target
from ..questions import Question, SpokenModelQuestion, SpokenQuestion


def questions() -> list[Route]:
    """Their routes."""
    return [
        question("look.json", _look, SpokenQuestion, lenient=True),
        question("edits.json", _edits, SpokenModelQuestion),
        question("classes.json", _classes, Question),
        question("names.json", _names, Question),
    ]


async def _look(asked: PageQuery[SpokenQuestion]) -> LookFacts:
    """Return a look without its impossible parts, and a sentence for each."""
    look, notices = possible_look(asked.request.url.query, asked.subject, asked.question.language)
    return LookFacts(look=look_to_query(look), notices=tuple(notices))


async def _edits(asked: PageQuery[SpokenModelQuestion]) -> EditsFacts:
    """Return the look's edits in words; ``backward`` ones change gradients alone."""
    edits, language = (await wanted_in(asked)).edits, asked.question.language
    said = ((edit_in_words(edit, asked.subject.pictures, language), edit.backward) for edit in edits)
    return EditsFacts(edits=tuple(EditText(label=label, backward=backward) for label, backward in said))


async def _classes(asked: PageQuery[Question]) -> ClassesFacts:
    """Return the model's classes and the picture's best one, if any."""
    subject = asked.subject
    found = await asked.answer(Predict(subject.photo, subject.model, subject.weights))
    classes = describe(subject.model).classes if found.classes else ()
    best = found.top[0][0] if found.classes else ""
    problem = "" if found.classes else no_target(found)
    return in_each_language(ClassesFacts(classes=tuple(classes), best=best, problem=problem))


async def _names(asked: PageQuery[Question]) -> NamesFacts:
    """The layers whose channels are the classes."""
    subject = asked.subject
    found = await asked.answer(Names(subject.photo, subject.model, subject.weights))
    classes = describe(subject.model).classes if found else ()
    return NamesFacts(classes=tuple(classes), calls=tuple(NamingCall(*call) for call in found))
