"""Routes about a subject: layers, input, prediction, maps in small."""

import io
from collections.abc import Sequence

from PIL import Image
from starlette.responses import Response
from starlette.routing import Route

from ....answers.model import (
    PlacedShare,
    PredictionChange,
    PredictionFacts,
    RibbonFacts,
    Share,
    Thumb,
    TreeRow,
)
from ....answers.views.graph import GraphFacts
from ....errors import EditError
from ....layer_names import is_operation
from ....profile.rows import LayerRow
from ....take_home.forms import EXPORTS
from ....views.all_layers import Overview, Ribbon
from ....views.graph.graph import GraphTask
from ....views.whole_model import Changes, Predict, Seen
from ...locale.translated import in_each_language
from ..answers import PRIVATE, PageQuery, attachment, facts_of_all, question, wanted_in
from ..file_titles import model_said, plain_captions
from ..questions import ModelQuestion, Question, TreeQuestion
from ..threads import in_thread

_SMALL, _QUALITY = 560, 88  # pixels: twice the sidebar's width on a screen with fine pixels


def questions() -> list[Route]:
    """Their routes."""
    return [
        question("tree.json", _tree, TreeQuestion),
        question("graph.json", _graph, ModelQuestion),
        question("seen.png", _seen, Question),
        question("photo.jpg", _photo, Question),
        question("prediction.json", _prediction, ModelQuestion),
        question("overview.json", _overview, ModelQuestion),
        question("ribbon.json", _ribbon, ModelQuestion),
        question("overview.{form:str}", _overview_figure, ModelQuestion),
    ]


async def _tree(asked: PageQuery[TreeQuestion]) -> Sequence[TreeRow]:
    """Return every layer like ``viz layers --json``, with ``operations`` also those between them."""
    rows = [row for row in asked.subject.rows if asked.question.operations or not is_operation(row.name)]
    return [in_each_language(_row_facts(row)) for row in rows]


def _row_facts(row: LayerRow) -> TreeRow:
    return TreeRow(
        name=row.name,
        type=row.type,
        detail=row.detail,
        parameters=row.parameters,
        calls=row.calls,
        shapes=row.shapes,
        reason=row.reason,
        evidence=row.evidence,
    )


async def _graph(asked: PageQuery[ModelQuestion]) -> GraphFacts:
    return await asked.answer(GraphTask(await wanted_in(asked), asked.subject.photo))


async def _seen(asked: PageQuery[Question]) -> Response:
    subject = asked.subject
    png = await asked.answer(Seen(subject.photo, subject.model, subject.weights))
    return Response(png, media_type="image/png", headers=PRIVATE)


async def _photo(asked: PageQuery[Question]) -> Response:
    """The whole picture in small, for the frame on it."""
    jpeg = await in_thread(asked.subject, _small, asked.subject.photo.original.image)
    return Response(jpeg, media_type="image/jpeg", headers=PRIVATE)


def _small(image: Image.Image) -> bytes:
    small, buffer = image.convert("RGB"), io.BytesIO()
    small.thumbnail((_SMALL, _SMALL))
    small.save(buffer, "JPEG", quality=_QUALITY)
    return buffer.getvalue()


async def _prediction(asked: PageQuery[ModelQuestion]) -> PredictionFacts:
    """Return the most probable classes, and their changes under edits.

    ``changes`` is empty without edits, and null if the model does not run to its end with them; the reason
    stands where the maps would be.
    """
    subject, wanted = asked.subject, (await wanted_in(asked)).forward
    found = await asked.answer(Predict(subject.photo, subject.model, subject.weights))
    changes: tuple[PredictionChange, ...] | None = ()
    if wanted.in_force:
        try:
            changes = await asked.answer(Changes(wanted, subject.photo))
        except EditError:
            changes = None
    top = zip(found.top, found.classes, strict=True)
    facts = PredictionFacts(
        top=tuple(PlacedShare(label=label, share=share, place=place) for (label, share), place in top),
        changes=changes,
        meaning=found.meaning,
        problem=found.problem,
        reason=found.reason,
    )
    return in_each_language(facts)


async def _ribbon(asked: PageQuery[ModelQuestion]) -> RibbonFacts:
    wanted = await wanted_in(asked)
    thumbs = await asked.answer(Ribbon(wanted, asked.subject.photo))
    links = await in_thread(asked.subject, facts_of_all, thumbs, wanted)
    return RibbonFacts(links=tuple(links), top=_answer(await _prediction(asked)))


def _answer(found: PredictionFacts) -> tuple[Share, ...]:
    """The most probable classes, best first, with the edits in force."""
    if not found.changes:
        return tuple(Share(label=each.label, share=each.share) for each in found.top)
    changed = sorted(found.changes, key=lambda each: -each.after)
    return tuple(Share(label=each.label, share=each.after) for each in changed)


async def _overview(asked: PageQuery[ModelQuestion]) -> Sequence[Thumb]:
    wanted = await wanted_in(asked)
    thumbs = await asked.answer(Overview(wanted, asked.subject.photo))
    return await in_thread(asked.subject, facts_of_all, thumbs, wanted)


async def _overview_figure(asked: PageQuery[ModelQuestion]) -> Response:
    form, wanted = asked.request.path_params["form"], await wanted_in(asked)
    thumbs = await asked.answer(Overview(wanted, asked.subject.photo))
    title = " · ".join((model_said(wanted), *plain_captions(asked.subject, wanted)))
    data = await asked.apart("take_home.exports:overview_file", form, thumbs, wanted, title)
    disposition = attachment(f"{wanted.model}-all-layers.{form}")
    return Response(data, media_type=EXPORTS[form], headers=PRIVATE | disposition)
