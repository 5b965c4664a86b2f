"""Routes about one layer: facts, maps, numbers, files, removal of channels."""

from starlette.responses import Response
from starlette.routing import Route

from ....answers.edits import AblationFacts
from ....answers.layer import LayerFacts
from ....answers.message import as_json
from ....findings.ablation_part import MOST_ROWS, ablation_facts
from ....maps.png import with_text
from ....take_home.forms import EXPORTS
from ....views.drawing import arranged, channel_png
from ....views.one_layer import Values
from ....views.removal import Ablate
from ...locale.translated import in_each_language
from ...visit.catalogue.known import describe
from ..answers import PRIVATE, PageQuery, attachment, limits_of, question, refused, view_of, wanted_in
from ..file_titles import model_said, plain_origin
from ..questions import LayerQuestion, RemovalQuestion
from ..threads import in_thread


def questions() -> list[Route]:
    """Their routes."""
    return [
        question("layer.json", _facts, LayerQuestion),
        question("layer.png", _mosaic, LayerQuestion),
        question("values", _values, LayerQuestion),
        question("channel.png", _channel, LayerQuestion),
        question("ablation.json", _ablation, RemovalQuestion),
        question("export.{form:str}", _export, LayerQuestion),
    ]


async def _facts(asked: PageQuery[LayerQuestion]) -> LayerFacts:
    return in_each_language((await view_of(asked)).facts())


async def _mosaic(asked: PageQuery[LayerQuestion]) -> Response:
    """Return the maps in a file that has their facts too."""
    view = await view_of(asked)
    said = with_text(view.png, "layerglass", as_json(in_each_language(view.facts())))
    return Response(said, media_type="image/png", headers=PRIVATE)


async def _export(asked: PageQuery[LayerQuestion]) -> Response:
    form, wanted = asked.request.path_params["form"], await wanted_in(asked)
    if form not in EXPORTS:
        return refused(f"There is no download as {form}; choose {', '.join(EXPORTS)}.", 422)
    values = await asked.answer(Values(wanted, asked.subject.photo))
    limits = await limits_of(asked, wanted)
    data = await asked.apart(
        "take_home.exports:export",
        form,
        values,
        wanted,
        limits,
        origin=plain_origin(asked.subject),
        model=model_said(wanted),
    )
    disposition = attachment(f"{wanted.model}-{wanted.layer}-call{wanted.call + 1}.{form}")
    return Response(data, media_type=EXPORTS[form], headers=PRIVATE | disposition)


async def _ablation(asked: PageQuery[RemovalQuestion]) -> AblationFacts:
    """Remove some channels from ``first`` on, and return the changes."""
    first, size = asked.question.first, max(1, min(MOST_ROWS, asked.question.size))
    wanted = await wanted_in(asked)
    part = await asked.answer(Ablate(wanted, asked.subject.photo, range(first, first + size)))
    return ablation_facts(part, describe(wanted.model).classes)


async def _values(asked: PageQuery[LayerQuestion]) -> Response:
    wanted = await wanted_in(asked)
    maps = arranged(await asked.answer(Values(wanted, asked.subject.photo)), wanted).maps
    channel = min(asked.look.channel or 0, len(maps) - 1)
    return Response(
        maps[channel].astype("<f4").tobytes(), media_type="application/octet-stream", headers=PRIVATE
    )


async def _channel(asked: PageQuery[LayerQuestion]) -> Response:
    """Return one channel's map with a pixel for each value."""
    wanted = await wanted_in(asked)
    values = await asked.answer(Values(wanted, asked.subject.photo))
    limits, channel = await limits_of(asked, wanted), asked.look.channel or 0
    png = await in_thread(asked.subject, channel_png, values, wanted, channel, limits)
    return Response(png, media_type="image/png", headers=PRIVATE)
