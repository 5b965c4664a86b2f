"""Routes about a figure of several layers: facts and files."""

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace
from starlette.responses import Response
from starlette.routing import Route

from ....answers.other import LoadingProgress
from ....answers.views.figure import FigureFacts, FigurePicture
from ....catalogue import models
from ....errors import CallError, RequestError, UnknownLayerError
from ....layer_names import unknown
from ....maps.figures import FORMATS
from ....profile.rows import LayerRow
from ....request.figure import FigureColumn
from ....request.inspection import Inspection
from ....take_home.desk import SheetFile, layer_panel, photo_panel
from ....take_home.forms import EXPORTS
from ....take_home.panels import Panel, PhotoPanel
from ....views.one_layer import Values
from ....views.whole_model import Survey
from ...locale.translated import in_each_language
from ...visit.catalogue.known import fetched
from ..answers import UNKEPT, PageQuery, attachment, question, refused
from ..figure_plan import FigurePlan, PlannedPicture, pictures_offered, plan_of
from ..other.asking import LoadQuestion, asked_to_load_all
from ..other.routes_other import PATIENCE
from ..questions import FigureQuestion
from ..threads import in_thread

FILE_DPI, SCREEN_DPI = 300, 144
SCREEN_INCHES = 10  # a wider figure has as many pixels on a screen
_INCH = 25.4
Rows = Sequence[LayerRow]


class _Drawn(NamedTuple):
    """A figure's file, and how often each column's layer runs."""

    file: SheetFile
    calls: Sequence[int]


def questions() -> list[Route]:
    """Their routes."""
    # A figure is not kept: a model may be asked about until it is loaded, or an own picture be here.
    return [
        question("figure.json", _facts, FigureQuestion, kept=False),
        question("figure.{form:str}", _file, FigureQuestion, kept=False),
    ]


async def _facts(asked: PageQuery[FigureQuestion]) -> FigureFacts:
    subject, language = asked.subject, asked.question.language
    offered = _listed(await in_thread(subject, pictures_offered, subject, language))
    try:
        plan = await in_thread(subject, plan_of, subject, asked.look, language)
    except RequestError as error:
        return in_each_language(FigureFacts(error=str(error), pictures=(), offered=offered))
    facts = FigureFacts(
        pictures=_listed([(each.name, each.title) for each in plan.pictures]), offered=offered
    )
    if ask := await _asked_to_load(asked, plan):
        return replace(facts, **ask._asdict())
    if loading := await _loading(plan):
        return replace(facts, loading=loading)
    inches = plan.style.width / _INCH
    drawn = await _drawn(asked, plan, "png", round(SCREEN_DPI * min(1, SCREEN_INCHES / inches)))
    return replace(
        facts,
        picture=b64encode(drawn.file.data).decode(),
        caption=drawn.file.caption,
        command=plan.command(drawn.calls),
    )


def _listed(pictures: Iterable[tuple[str, str]]) -> tuple[FigurePicture, ...]:
    return tuple(FigurePicture(name=name, title=title) for name, title in pictures)


async def _file(asked: PageQuery[FigureQuestion]) -> Response:
    form = asked.request.path_params["form"]
    if form not in FORMATS:
        return refused(f"There is no figure as {form}; choose {', '.join(FORMATS)}.", 422)
    subject = asked.subject
    plan = await in_thread(subject, plan_of, subject, asked.look, asked.question.language)
    if ask := await _asked_to_load(asked, plan):
        return refused(ask.ask, 422)
    drawn = await _drawn(asked, plan, form, FILE_DPI)
    headers = UNKEPT | attachment(f"figure.{form}")
    return Response(drawn.file.data, media_type=EXPORTS[form], headers=headers)


async def _asked_to_load(asked: PageQuery[FigureQuestion], plan: FigurePlan) -> LoadQuestion | None:
    """Return the question before loading other models, if any is needed."""
    subject, question = asked.subject, asked.question
    others = tuple(dict.fromkeys(each.model for each in plan.columns if each.model != subject.model))
    agreed = question.agreed.split(",")
    return await in_thread(subject, asked_to_load_all, others, question.language, agreed)


async def _loading(plan: FigurePlan) -> LoadingProgress | None:
    """Return the progress of the first download that a column waits for."""
    for model in dict.fromkeys(each.model for each in plan.columns if each.weights == "pretrained"):
        progress = await fetched(model, PATIENCE)
        if progress is not None:
            return LoadingProgress(**progress._asdict(), model=model)
    return None


async def _drawn(asked: PageQuery[FigureQuestion], plan: FigurePlan, form: str, dpi: int) -> _Drawn:
    """Run the models, and draw the figure in another process."""
    rows = {each: await _row(asked, each) for each in plan.columns}
    grid = [await _grid_row(asked, plan, picture, rows) for picture in plan.pictures]
    file = SheetFile(*await asked.apart("take_home.desk:sheet_file", grid, plan.style, form, dpi))
    return _Drawn(file, [rows[each].calls for each in plan.columns])


async def _row(asked: PageQuery[FigureQuestion], column: FigureColumn) -> LayerRow:
    """Return a column's layer.

    Raises:
        UnknownLayerError: its model has no such layer.
        CallError: the layer has no such call.
    """
    subject = asked.subject
    here = (column.model, column.weights) == (subject.model, subject.weights)
    rows: Rows = subject.rows if here else await asked.answer(Survey(column.model, column.weights))
    found = next((row for row in rows if row.name == column.layer), None)
    if found is None:
        raise UnknownLayerError(unknown(column.layer, tuple(row.name for row in rows)))
    if column.call and column.call >= found.calls:
        raise CallError(
            "{layer} of {model} has no call {call}.",
            layer=column.layer,
            model=column.model,
            call=column.call + 1,
        )
    return found


async def _grid_row(
    asked: PageQuery[FigureQuestion],
    plan: FigurePlan,
    picture: PlannedPicture,
    rows: Mapping[FigureColumn, LayerRow],
) -> list[Panel | PhotoPanel]:
    """Return a picture's panels: the photo, if wanted, and every column."""
    windows = await in_thread(asked.subject, plan.windows, picture)
    over = plan.look.figure_over
    made: list[Panel | PhotoPanel] = []
    if plan.look.figure_photos:
        what = f"picture {picture.file}"
        made.append(await in_thread(asked.subject, photo_panel, what, picture.photo, windows, over=over))
    for column, head, window in zip(plan.columns, plan.heads, windows, strict=True):
        wanted = Inspection(
            picture.photo.fingerprint, column.model, column.weights, rows[column].name, call=column.call
        )
        values = await asked.answer(Values(wanted, picture.photo))
        what = f"{column.model} ({_weights_said(column)}), {column.layer}, picture {picture.file}"
        under = picture.photo if over else None
        reducing = plan.reducing
        made.append(
            await in_thread(
                asked.subject, layer_panel, head, what, values, wanted, reducing, photo=under, window=window
            )
        )
    return made


def _weights_said(column: FigureColumn) -> str:
    """Return words about a column's weights, as the command has them."""
    if column.weights == "random":
        return "untrained"
    return "original weights" if column.model == models.own_model_name() else "trained"
