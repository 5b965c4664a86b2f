"""Checked requests to the engine, from a subject, look and question."""

from typing import TypeVar

from msgspec.structs import replace

from ...errors import EditError, RequestError, UnknownLayerError, VizError
from ...findings.edit_checks import check_edits
from ...layer_names import unknown
from ...maps.colour.tables import AUTO, AUTO_ON_DARK, check_colormap, unstretched
from ...pictures.own_donors import NOT_HERE, is_own_picture
from ...profile.rows import first_layer
from ...request.edit_request import EditRequest, edits_from
from ...request.inspection import Inspection, Prediction
from ...request.look import Look, look_from_query
from ...request.query import VainField, fields_in, pairs_in
from ...request.views import VIEWS
from ...sentences import Sentence
from ...views.whole_model import Predict
from ..visit.catalogue.known import describe
from ..visit.service import engine
from ..visit.visit import SubjectEntry
from .questions import LayerQuestion, ModelQuestion, Question
from .threads import result_of

Kind = TypeVar("Kind", bound=Question)


def read_query(text: str, kind: type[Kind], *, lenient: bool = False) -> tuple[Look, Kind]:
    """The look and the question in an address.

    Raises:
        RequestError: part of it cannot be; if it is ``lenient``, that is left at its default.
    """
    look, vain = look_from_query(text)
    said, more_vain = fields_in(pairs_in(text), kind)
    for each in () if lenient else (*vain, *more_vain):
        raise cannot_be(each)
    return look, kind(**said)


async def inspection_of(
    subject: SubjectEntry, look: Look, question: ModelQuestion | LayerQuestion
) -> Inspection:
    """The request behind a look.

    Raises:
        EditError: the model cannot be edited like this, or this visit does not hold a picture that it needs.
        RequestError: there is no such colormap or class.
        UnknownLayerError: the model has no such layer.
    """
    one_layer = isinstance(question, LayerQuestion)
    look = look if one_layer else _of_whole_model(look)
    return Inspection(
        subject.photo.fingerprint,
        subject.model,
        subject.weights,
        _layer(subject, look),
        look.call,
        leaf=look.leaf,
        kind=look.kind,
        index=look.index,
        row=look.row,
        colormap=_colormap(look.colormap, page_colours(question)),
        scale=look.scale,
        order=look.order,
        columns=question.columns if isinstance(question, LayerQuestion) else 0,
        viewport=question.viewport if isinstance(question, LayerQuestion) else (0, 0),
        gradient=await _gradient(subject, look, back=question.back),
        edits=_edits(subject, look.edit),
        show=look.show,
        training=look.training,
    )


def cannot_be(vain: VainField) -> RequestError:
    """Return the error for an impossible value in an address."""
    said = "".join(filter(str.isprintable, vain.value[:40]))
    return RequestError(
        "This address says {name}={value}, which cannot be; open the page again.", name=vain.name, value=said
    )


def _of_whole_model(look: Look) -> Look:
    """Return the look without the fields about one layer alone."""
    first = Look()
    return replace(
        look,
        layer="",
        call=0,
        leaf="",
        kind=first.kind,
        row=0,
        index=0,
        show=first.show,
    )


def _layer(subject: SubjectEntry, look: Look) -> str:
    names = [row.name for row in subject.rows]
    if look.layer and look.layer not in names:
        raise UnknownLayerError(unknown(look.layer, tuple(names)))
    return look.layer or first_layer(subject.rows)


def page_colours(question: ModelQuestion | LayerQuestion) -> str:
    """Return the usual colormap for a page, dark or light."""
    return AUTO_ON_DARK if question.dark else AUTO


def _colormap(name: str, usual: str) -> str:
    check_colormap(name)
    return usual + name.removeprefix(AUTO) if unstretched(name) == AUTO else name


def _edits(subject: SubjectEntry, text: str) -> tuple[EditRequest, ...]:
    """The edits in force.

    Anyone may send any edit, so a picture that belongs to another visit is refused here, with the same
    sentence as one that nobody holds.
    """
    try:
        edits = edits_from(text)
        check_edits(edits, subject.rows)
    except VizError as error:
        raise EditError(str(error)) from error
    own = [edit.donor for edit in edits if is_own_picture(edit.donor)]
    if any(subject.pictures.find(name) is None for name in own):
        raise EditError(NOT_HERE)
    subject.pictures.use(own)
    return edits


def no_target(found: Prediction) -> Sentence:
    """Return the reason why a prediction without classes has no gradient."""
    return Sentence(
        "{problem} Choose a classification model to see the gradient of a class.", problem=found.problem
    )


async def _gradient(subject: SubjectEntry, look: Look, *, back: bool) -> int | None:
    """Return the gradient's class, counted from 0; None for the values.

    Going back through the hooks of a model that names no classes has nothing to begin with, so it stays with
    the values.
    """
    if not (of_gradient := VIEWS[look.view].gradient) and not back:
        return None
    task = Predict(subject.photo, subject.model, subject.weights)
    found = await result_of(engine().do(task, visitor=subject.visitor))
    best = found.classes
    if not best:
        if not of_gradient:
            return None
        raise RequestError(no_target(found))
    last = len(describe(subject.model).classes) - 1
    if look.target is not None and look.target > last:
        raise RequestError(
            "classes are counted from 0: the last one is {last}, so there is no class {place}.",
            last=last,
            place=look.target,
        )
    return int(best[0]) if look.target is None else look.target
