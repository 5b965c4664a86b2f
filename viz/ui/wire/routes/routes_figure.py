"""Routes about a figure of several layers: facts and files."""

from base64 import b64encode
from collections.abc import Iterable, Sequence

from msgspec import UNSET
from msgspec.structs import replace
from starlette.responses import Response
from starlette.routing import Route

from ....answers.other import LoadingProgress, OtherOption
from ....answers.views.figure import FigureFacts
from ....catalogue import models
from ....errors import CallError, RequestError, SupersededError, UnknownLayerError, VizError
from ....layer_names import unknown
from ....maps.figures import FORMATS
from ....profile.cost import budget, layer_cost
from ....profile.rows import LayerRow
from ....request.figure import FigureColumn
from ....request.inspection import Inspection
from ....take_home.desk import SheetFile, Window, layer_panel, photo_panel
from ....take_home.forms import EXPORTS
from ....take_home.panels import Panel, PhotoPanel
from ....views.one_layer import Values
from ....views.whole_model import Survey
from ...locale.translated import in_each_language
from ...visit.picture_titles import pictures_in_words
from ..answers import UNKEPT, PageQuery, attachment, question, refused
from ..figure_plan import FigurePlan, PlannedPicture, plan_of
from ..other.asking import CostQuestion, asked_about, asked_to_load_all, loading_of
from ..questions import FigureQuestion
from ..threads import in_thread

FILE_DPI, SCREEN_DPI = 300, 144
SCREEN_INCHES = 10  # a wider figure has as many pixels on a screen
_INCH = 25.4
Rows = Sequence[LayerRow]


def questions() -> list[Route]:
    """Their routes."""
    # A figure is not kept: a model may be asked about until it is loaded, or an own picture be here.
    return [
        question("figure.json", _facts, FigureQuestion, kept=False),
        question("figure.{form:str}", _file, FigureQuestion, kept=False),
    ]


async def _facts(asked: PageQuery[FigureQuestion]) -> FigureFacts:
    subject, language = asked.subject, asked.question.language
    offered = pictures_in_words(subject.pictures, language)
    facts = FigureFacts(pictures=(), offered=_listed(offered.items()))
    try:
        plan = await in_thread(subject, plan_of, subject, asked.look, language)
        facts = replace(facts, pictures=_listed((each.name, each.title) for each in plan.pictures))
        return await _facts_of(asked, plan, facts)
    except SupersededError:
        raise
    except (VizError, models.ModelError) as error:
        return in_each_language(replace(facts, error=str(error), document=error.document or UNSET))


async def _facts_of(asked: PageQuery[FigureQuestion], plan: FigurePlan, facts: FigureFacts) -> FigureFacts:
    """Return the figure, or what it waits for."""
    rows = await _rows(asked, plan)
    if isinstance(rows, CostQuestion):
        return replace(facts, **rows._asdict())
    if isinstance(rows, LoadingProgress):
        return replace(facts, loading=rows)
    inches = plan.style.width / _INCH
    file = await _drawn(asked, plan, rows, "png", round(SCREEN_DPI * min(1, SCREEN_INCHES / inches)))
    return replace(
        facts,
        picture=b64encode(file.data).decode(),
        caption=file.caption,
        command=plan.command([row.calls for row in rows]),
    )


def _listed(titles: Iterable[tuple[str, str]]) -> tuple[OtherOption, ...]:
    return tuple(OtherOption(name=name, label=title) for name, title in titles)


async def _file(asked: PageQuery[FigureQuestion]) -> Response:
    form = asked.request.path_params["form"]
    if form not in FORMATS:
        return refused(f"There is no figure as {form}; choose {', '.join(FORMATS)}.", 422)
    plan = await in_thread(asked.subject, plan_of, asked.subject, asked.look, asked.question.language)
    rows = await _rows(asked, plan)
    if isinstance(rows, CostQuestion):
        return refused(rows.ask, 422)
    if isinstance(rows, LoadingProgress):
        raise RequestError("The weights of this figure's models are on their way; try again in a moment.")
    file = await _drawn(asked, plan, rows, form, FILE_DPI)
    headers = UNKEPT | attachment(f"figure.{form}")
    return Response(file.data, media_type=EXPORTS[form], headers=headers)


async def _rows(asked: PageQuery[FigureQuestion], plan: FigurePlan) -> Rows | CostQuestion | LoadingProgress:
    """Return each column's layer, or a question or progress instead.

    Raises:
        UnknownLayerError, CallError: there is no such layer or call.
    """
    subject, language, agreed = asked.subject, asked.question.language, asked.question.agreed.split(",")
    needed = dict.fromkeys((each.model, each.weights) for each in plan.columns)
    others = tuple(each for each in needed if each != (subject.model, subject.weights))
    if ask := await in_thread(subject, asked_to_load_all, others, language, agreed):
        return ask
    for model, weights in needed:
        if loading := await loading_of(model, weights):
            return loading
    rows = [await _row(asked, each) for each in plan.columns]
    costs = {
        f"{column.model} {column.layer}": layer_cost(row)
        for column, row in zip(plan.columns, rows, strict=True)
    }
    costly = [each for each, cost in costs.items() if cost > budget().ask and each not in agreed]
    if costly:  # they run one after the other
        return asked_about("cost_show_all", costly, max(costs[each] for each in costly), language)
    return rows


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


async def _drawn(
    asked: PageQuery[FigureQuestion], plan: FigurePlan, rows: Rows, form: str, dpi: int
) -> SheetFile:
    """Run the models in turn; draw the figure in another process."""
    calls = [row.calls for row in rows]
    heads, layers = plan.heads(calls), plan.layers(calls)
    windows = [await in_thread(asked.subject, plan.windows, each) for each in plan.pictures]
    grid: list[list[Panel | PhotoPanel]] = [
        [await in_thread(asked.subject, _photo, plan, picture, seen)] if plan.look.figure_photos else []
        for picture, seen in zip(plan.pictures, windows, strict=True)
    ]
    for at, column in enumerate(plan.columns):
        for row, picture, seen in zip(grid, plan.pictures, windows, strict=True):
            what = f"{column.model} ({_weights_said(column)}), {layers[at]}, picture {picture.file}"
            row.append(await _panel(asked, plan, column, picture, heads[at], what, seen[at]))
    return SheetFile(*await asked.apart("take_home.desk:sheet_file", grid, plan.style, form, dpi))


def _photo(plan: FigurePlan, picture: PlannedPicture, windows: Sequence[Window]) -> PhotoPanel:
    what = f"picture {picture.file}"
    return photo_panel(what, picture.photo, windows, over=plan.look.figure_over)


async def _panel(
    asked: PageQuery[FigureQuestion],
    plan: FigurePlan,
    column: FigureColumn,
    picture: PlannedPicture,
    head: str,
    what: str,
    window: Window,
) -> Panel:
    """Return a column's layer on one picture.

    It is not urgent: a figure asks for many, and would push its own aside.
    """
    photo = picture.photo
    wanted = Inspection(photo.fingerprint, column.model, column.weights, column.layer, call=column.call)
    values = await asked.answer(Values(wanted, photo), urgent=False)
    under = photo if plan.look.figure_over else None
    reducing = plan.reducing
    return await in_thread(
        asked.subject, layer_panel, head, what, values, wanted, reducing, photo=under, window=window
    )


def _weights_said(column: FigureColumn) -> str:
    """Return words about a column's weights, as the command has them."""
    if column.weights == "random":
        return "untrained"
    return "original weights" if column.model == models.own_model_name() else "trained"
