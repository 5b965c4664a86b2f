"""Two sides beside each other: ``/maps/<left>/pair.json?<look>&with=<right>``.

Both subjects must belong to the same visit; otherwise the answer is "gone".
"""

import re
from dataclasses import replace
from typing import get_args

from msgspec.structs import replace as changed
from starlette.responses import Response
from starlette.routing import Route

from ....answers.layer import PairFacts
from ....errors import RequestError, UnknownLayerError
from ....layer_names import unknown
from ....profile.rows import first_layer
from ....request.inspection import LayerView
from ....request.look import Look, Order
from ....request.query import VainField
from ....views.comparison import FARTHEST, SIDES, Comparison, ComparisonView
from ...locale.translated import in_each_language
from ...visit.visit import SubjectEntry
from ..answers import GONE, PRIVATE, PageQuery, question, wanted_in
from ..inspecting import cannot_be, inspection_of
from ..questions import LayerQuestion, PairQuestion
from ..threads import subject_of

SAME, WITHOUT = "same", "none"


def questions() -> list[Route]:
    """Every route that serves two sides beside each other."""
    return [
        question("pair.json", _facts, PairQuestion),
        question("pair.{side:str}.png", _mosaic, PairQuestion),
    ]


async def _facts(asked: PageQuery[PairQuestion]) -> PairFacts:
    return in_each_language((await _comparison(asked)).facts())


async def _mosaic(asked: PageQuery[PairQuestion]) -> Response:
    return Response((await _side(asked)).png, media_type="image/png", headers=PRIVATE)


async def _side(asked: PageQuery[PairQuestion]) -> LayerView:
    """One of the three views.

    Raises:
        RequestError: there is no such side, or this pair does not have it.
    """
    side = asked.request.path_params["side"]
    view: LayerView | None = getattr(await _comparison(asked), side) if side in SIDES else None
    if view is None:
        raise RequestError(
            "there is no {side} to be shown of this pair; open the page again.", side=repr(side[:20])
        )
    return view


async def _comparison(asked: PageQuery[PairQuestion]) -> ComparisonView:
    """Both sides.

    Raises:
        RequestError: the address names no second side of this visit.
    """
    subject, other = asked.subject, await subject_of(asked.question.other)
    if other is None or other.visitor != subject.visitor:
        raise RequestError(GONE)
    order = _order(asked.look)
    left = replace(await wanted_in(asked), order=order)
    question = asked.question
    theirs = LayerQuestion(room=question.room, columns=question.with_columns, dark=question.dark)
    right = await inspection_of(other, _other_look(subject, other, asked.look, left.layer), theirs)
    task = Comparison(
        left,
        replace(right, order=order),
        (subject.photo, other.photo),
        whole=not asked.urgent,
        only=asked.question.only,
    )
    return await asked.answer(task, urgent=asked.urgent)


def _order(look: Look) -> str:
    """The order of both sides' channels.

    Raises:
        RequestError: there is no such order.
    """
    orders = (FARTHEST, *get_args(Order))
    if look.with_order and look.with_order not in orders:
        raise cannot_be(VainField("with_order", look.with_order))
    return look.with_order or FARTHEST


def _other_look(subject: SubjectEntry, other: SubjectEntry, look: Look, left: str) -> Look:
    """Return the other side's look, with its own layer and call."""
    layer = _other_layer(other, look.with_layer, left)
    follows = look.with_edits in ("", SAME) and other.model == subject.model
    return changed(
        look,
        layer=layer,
        call=_other_call(other, layer, look),
        leaf="",
        kind=Look().kind,
        row=0,
        index=0,
        edit=look.edit if follows else "",
        show=Look().show,
    )


def _other_layer(other: SubjectEntry, said: str, left: str) -> str:
    """Return the chosen layer, else the left side's, else the first."""
    names = tuple(row.name for row in other.rows)
    if said not in ("", SAME):
        if said not in names:
            raise UnknownLayerError(unknown(said, names))
        return said
    return left if left in names else first_layer(other.rows)


def _other_call(other: SubjectEntry, layer: str, look: Look) -> int:
    """Return the chosen call, else the left side's, counted from 0."""
    if look.with_call in ("", SAME):
        calls = next(row.calls for row in other.rows if row.name == layer)
        return max(0, min(look.call, calls - 1))
    if not re.fullmatch("[1-9][0-9]{0,4}", look.with_call):
        raise cannot_be(VainField("with_call", look.with_call))
    return int(look.with_call) - 1
