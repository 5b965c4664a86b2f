"""Labels of a comparison's sides: model, weights, picture and prediction."""

from collections.abc import Sequence

from ....answers.other import Labels
from ....engine.task import Answer_co, Task
from ....errors import EditError
from ....request.inspection import Inspection
from ....views.whole_model import Changes, Predict
from ...locale.words import say
from ...visit.service import engine
from ...visit.visit import SubjectEntry
from ...visit.weights_words import weights_named
from ..threads import in_thread, result_of


async def labels_of(
    sides: tuple[SubjectEntry, SubjectEntry],
    wanted: tuple[Inspection, Inspection],
    titles: tuple[str, str],
    language: str,
) -> Labels:
    """Return the labels of both sides; ``titles`` are those of their pictures."""
    return Labels(*[await _label(*side, language) for side in zip(sides, wanted, titles, strict=True)])


def titled(title: str, language: str, *, edited: bool) -> str:
    """Return a picture's title with a note about the side's edits."""
    return " · ".join((title, say(language, "with_the_edits" if edited else "without_edits")))


async def _label(side: SubjectEntry, wanted: Inspection, title: str, language: str) -> str:
    best = (await _predictions(side, wanted))[:1] if side.weights != "random" else ()
    predicted = [say(language, "guess", label=label, share=f"{100 * share:.0f}") for label, share in best]
    weights = await in_thread(side, weights_named, side.weights, side.model, language)
    return " · ".join((side.model, weights, title, *predicted))


async def _predictions(side: SubjectEntry, wanted: Inspection) -> Sequence[tuple[str, float]]:
    """Return the predictions, best first; empty if the edited model fails."""
    forward = wanted.forward
    if forward.in_force:
        try:
            changes = await _answer(side, Changes(forward, side.photo))
        except EditError:
            return ()
        if changes:
            return sorted(((each.label, each.after) for each in changes), key=lambda share: -share[1])
    return (await _answer(side, Predict(side.photo, side.model, side.weights))).top


async def _answer(side: SubjectEntry, task: Task[Answer_co]) -> Answer_co:
    found: Answer_co = await result_of(engine().do(task, visitor=side.visitor))
    return found
