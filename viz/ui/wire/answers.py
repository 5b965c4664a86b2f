"""How a request about a map set is read, and answered: with what was asked for, or with one sentence."""

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from ...catalogue import models
from ...errors import EditError, SupersededError, VizError
from ...maps.colouring import Range
from ...request.inspection import SHOWS, Inspection, LayerView
from ...sentences import Sentence
from ...views.model_range import ModelRange
from ...views.one_layer import View
from ...views.overview import Thumbnail, joint_limits, thumbnail_facts
from ..locale.translated import in_each_language
from ..visit.service import engine
from ..visit.visit import MapSet, find_map_set
from .threads import result_of

PRIVATE = {"cache-control": "private, max-age=3600, immutable"}
LONGEST_NAME = 200
GONE = Sentence("This picture belongs to a visit that has ended; open the page again.")

Handler = Callable[[Request, MapSet], Awaitable[Response]]


class _SmallNumber(Convertor[int]):
    """A whole number in an address; with more digits than Python reads, it would cause a server error."""

    regex = "[0-9]{1,9}"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


register_url_convertor("small", _SmallNumber())


def answered(handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    """The handler, given the map set of its request; our own errors become answers of one sentence."""

    async def answer(request: Request) -> Response:
        map_set = find_map_set(request.path_params["token"])
        if map_set is None:
            return JSONResponse(in_each_language({"error": GONE}), status_code=410)
        try:
            return await handler(request, map_set)
        except ClientDisconnect:  # the browser left while it was sending: nobody reads the answer
            return Response(status_code=400)
        except SupersededError as error:
            return JSONResponse(in_each_language({"error": str(error), "superseded": True}), status_code=409)
        except EditError as error:
            return JSONResponse(in_each_language({"error": str(error), "of_edit": True}), status_code=422)
        except (VizError, models.ModelError) as error:
            return JSONResponse(in_each_language({"error": str(error)}), status_code=422)

    return answer


def attachment(name: str) -> dict[str, str]:
    """The header that saves an answer under a name, without characters that some file systems refuse."""
    return {"content-disposition": f'attachment; filename="{re.sub("[^A-Za-z0-9._-]+", "-", name)}"'}


def number_in(request: Request, name: str) -> int:
    """A small whole number from the query, 0 if there is none."""
    asked = request.query_params.get(name, "")
    return int(asked) if re.fullmatch("[0-9]{1,5}", asked) else 0


def seed_in(request: Request, map_set: MapSet) -> int | None:
    """The seed of training mode, said in the query as ``training=7``; without it, the mode of the map set."""
    asked = request.query_params.get("training", "")
    return int(asked) if re.fullmatch("[0-9]{1,6}", asked) else map_set.wanted.training


def model_said(wanted: Inspection) -> str:
    """The model and its weights, for the title of a file: ``"lenet, pretrained weights"``."""
    weights = wanted.weights.partition(":")[0]
    if weights == "pretrained" and wanted.model == models.own_model_name():
        weights = "original"  # nobody knows here whether they were trained
    return f"{wanted.model}, {weights} weights"


def viewport_in(request: Request) -> tuple[int, int]:
    """The pixels that a mosaic may have, said in the query as ``640x400``; zeros if it says nothing."""
    asked = re.fullmatch("([0-9]{1,5})x([0-9]{1,5})", request.query_params.get("room", ""))
    return (int(asked.group(1)), int(asked.group(2))) if asked else (0, 0)


def wanted_in(request: Request, map_set: MapSet) -> Inspection:
    """The request behind an address, as the path and the query say it."""
    asked, path = request.query_params, request.path_params
    return map_set.inspection(
        path["layer"],
        path["call"],
        columns=number_in(request, "columns"),
        viewport=viewport_in(request),
        index=number_in(request, "index"),
        row=number_in(request, "row"),
        leaf=asked.get("leaf", "")[:LONGEST_NAME],
        kind=asked.get("kind", "auto")[:LONGEST_NAME],
        training=seed_in(request, map_set),
        show=next((show for show in SHOWS if show == asked.get("show")), SHOWS[0]),
    )


async def view_of(request: Request, map_set: MapSet) -> LayerView:
    """The view behind an address; a prefetch waits until everything that visitors look at is done."""
    wanted, urgent = wanted_in(request, map_set), "x-layerglass-prefetch" not in request.headers
    view: LayerView = await result_of(
        engine().do(View(wanted, map_set.photo, whole=not urgent), visitor=map_set.visitor, urgent=urgent)
    )
    return view


async def limits_of(wanted: Inspection, map_set: MapSet) -> Range | None:
    """The limits of the scale for the whole model, if that scale is wanted."""
    if wanted.scale != "model":
        return None
    limits: Range = await result_of(engine().do(ModelRange(wanted, map_set.photo), visitor=map_set.visitor))
    return limits


def facts_of_all(
    thumbs: Sequence[Thumbnail], wanted: Inspection, scaled_by: Sequence[Thumbnail] = ()
) -> list[dict[str, Any]]:
    """What the browser needs to show all layers in small, each on its own scale.

    If one scale is wanted for all of them, it is that of ``scaled_by``, or their own if that is empty.
    """
    limits = joint_limits(scaled_by or thumbs) if wanted.scale == "model" else None
    return [in_each_language(thumbnail_facts(thumb, wanted.colormap, limits)) for thumb in thumbs]
