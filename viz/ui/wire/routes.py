"""The addresses of pixels: ``/maps/<token>-<layer>-<call>.<form>`` and ``/maps/<token>.seen.png``.

The token of a map set cannot be guessed and ends with its visit; any other token gets "gone".
"""

import base64

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ...catalogue import models
from ...passes.ablation import MOST_ROWS, ablation_facts
from ...passes.gradcam import cam_facts
from ...take_home.exports import EXPORTS, colour_bar_svg, export, overview_file
from ...views.all_layers import Overview
from ...views.drawing import arranged, channel_png
from ...views.one_layer import Values
from ...views.removal import Ablate
from ...views.saliency import Saliency
from ...views.whole_model import Seen
from ..locale.translated import in_each_language
from ..visit.service import engine
from ..visit.visit import MapSet
from .answers import (
    PRIVATE,
    answered,
    attachment,
    facts_of_all,
    limits_of,
    model_said,
    number_in,
    view_of,
    wanted_in,
)
from .routes_comparison import comparison_routes
from .routes_home import home_routes
from .routes_hooks import hook_routes
from .routes_live import live_routes
from .routes_number import number_routes
from .routes_script import script_routes
from .threads import in_thread, result_of


def routes() -> list[Route]:
    """Every route that serves maps."""
    return [
        Route("/maps/{token:str}.seen.png", answered(_seen)),
        Route("/maps/{token:str}.saliency.json", answered(_saliency)),
        Route("/maps/{token:str}.overview.json", answered(_overview)),
        Route("/maps/{token:str}.overview.{form:str}", answered(_overview_figure)),
        Route("/maps/{token:str}-{layer:small}-{call:small}.json", answered(_facts)),
        Route("/maps/{token:str}-{layer:small}-{call:small}.png", answered(_mosaic)),
        Route("/maps/{token:str}-{layer:small}-{call:small}.bar.svg", answered(_bar)),
        Route("/maps/{token:str}-{layer:small}-{call:small}.values", answered(_values)),
        Route("/maps/{token:str}-{layer:small}-{call:small}.channel.png", answered(_channel)),
        Route("/maps/{token:str}-{layer:small}-{call:small}.cam.json", answered(_cam)),
        Route("/maps/{token:str}-{layer:small}-{call:small}.ablation.json", answered(_ablation)),
        Route("/maps/{token:str}-{layer:small}-{call:small}.export.{form:str}", answered(_export)),
        *number_routes(),
        *script_routes(),
        *hook_routes(),
        *live_routes(),
        *comparison_routes(),
        *home_routes(),
    ]


async def _facts(request: Request, map_set: MapSet) -> Response:
    return JSONResponse(in_each_language((await view_of(request, map_set)).facts()), headers=PRIVATE)


async def _mosaic(request: Request, map_set: MapSet) -> Response:
    return Response((await view_of(request, map_set)).png, media_type="image/png", headers=PRIVATE)


async def _bar(request: Request, map_set: MapSet) -> Response:
    view = await view_of(request, map_set)
    ink = request.query_params.get("ink", "808080")
    low, high = view.limits(number_in(request, "channel"))
    svg = await in_thread(map_set, colour_bar_svg, low, high, view.colormap, ink, view.ends)
    return Response(svg, media_type="image/svg+xml", headers=PRIVATE)


async def _seen(_: Request, map_set: MapSet) -> Response:
    wanted = map_set.wanted
    png = await result_of(
        engine().do(Seen(map_set.photo, wanted.model, wanted.weights), visitor=map_set.visitor)
    )
    return Response(png, media_type="image/png", headers=PRIVATE)


async def _saliency(_: Request, map_set: MapSet) -> Response:
    png = await result_of(engine().do(Saliency(map_set.wanted, map_set.photo), visitor=map_set.visitor))
    return JSONResponse({"png": base64.b64encode(png).decode()}, headers=PRIVATE)


async def _cam(request: Request, map_set: MapSet) -> Response:
    wanted = wanted_in(request, map_set)
    values = await result_of(engine().do(Values(wanted, map_set.photo), visitor=map_set.visitor))
    return JSONResponse(await in_thread(map_set, cam_facts, values, wanted.call), headers=PRIVATE)


async def _overview(_: Request, map_set: MapSet) -> Response:
    thumbs = await result_of(engine().do(Overview(map_set.wanted, map_set.photo), visitor=map_set.visitor))
    return JSONResponse(await in_thread(map_set, facts_of_all, thumbs, map_set.wanted), headers=PRIVATE)


async def _overview_figure(request: Request, map_set: MapSet) -> Response:
    form, wanted = request.path_params["form"], map_set.wanted
    thumbs = await result_of(engine().do(Overview(wanted, map_set.photo), visitor=map_set.visitor))
    data = await in_thread(map_set, overview_file, form, thumbs, wanted, model_said(wanted))
    disposition = attachment(f"{wanted.model}-all-layers.{form}")
    return Response(data, media_type=EXPORTS[form], headers=PRIVATE | disposition)


async def _export(request: Request, map_set: MapSet) -> Response:
    form, wanted = request.path_params["form"], wanted_in(request, map_set)
    if form not in EXPORTS:
        return JSONResponse(
            {"error": f"There is no download as {form}; choose {', '.join(EXPORTS)}."}, status_code=422
        )
    values = await result_of(engine().do(Values(wanted, map_set.photo), visitor=map_set.visitor))
    data = await in_thread(map_set, export, form, values, wanted, await limits_of(wanted, map_set))
    disposition = attachment(f"{wanted.model}-{wanted.layer}-call{wanted.call + 1}.{form}")
    return Response(data, media_type=EXPORTS[form], headers=PRIVATE | disposition)


async def _ablation(request: Request, map_set: MapSet) -> Response:
    """What removing some channels from ``first`` on does; the browser continues at ``next``, or stops."""
    first, size = number_in(request, "first"), max(1, min(MOST_ROWS, number_in(request, "size")))
    wanted = wanted_in(request, map_set)
    asked = engine().do(Ablate(wanted, map_set.photo, range(first, first + size)), visitor=map_set.visitor)
    classes = models.describe(wanted.model).classes
    return JSONResponse(ablation_facts(await result_of(asked), classes), headers=PRIVATE)


async def _values(request: Request, map_set: MapSet) -> Response:
    wanted = wanted_in(request, map_set)
    values = await result_of(engine().do(Values(wanted, map_set.photo), visitor=map_set.visitor))
    maps = arranged(values, wanted).maps
    channel = min(number_in(request, "channel"), len(maps) - 1)
    return Response(
        maps[channel].astype("<f4").tobytes(), media_type="application/octet-stream", headers=PRIVATE
    )


async def _channel(request: Request, map_set: MapSet) -> Response:
    """The map of one channel with a pixel for each value, for mosaics with fewer pixels than values."""
    wanted = wanted_in(request, map_set)
    values = await result_of(engine().do(Values(wanted, map_set.photo), visitor=map_set.visitor))
    limits, channel = await limits_of(wanted, map_set), number_in(request, "channel")
    png = await in_thread(map_set, channel_png, values, wanted, channel, limits)
    return Response(png, media_type="image/png", headers=PRIVATE)
