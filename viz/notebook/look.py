"""A model's layers in a notebook's cell: the page's stage, and arrays."""

import warnings
from typing import Any

from msgspec.structs import replace
from PIL import Image
from torch import nn

from ..catalogue import models
from ..errors import RequestError
from ..pictures.photo import photograph
from ..request.look import Look
from ..ui.visit.catalogue.known import describe, forget
from ..ui.visit.service import engine, run_models_here
from ..ui.visit.visit import Visit
from ..views.whole_model import Survey
from .pictures import picture_or_arguments
from .view import LookView

MIXED = "some layers are in training mode and others are not; all are shown in evaluation mode"
Shown = Image.Image | tuple[Any, ...]  # a picture to prepare, or a model's arguments


def look(
    model: nn.Module,
    image: Any,
    *,
    layer: str = "",
    channel: int | None = None,
    edits: str = "",
    against: nn.Module | None = None,
    **said: Any,
) -> LookView:
    """Show every layer of a model for a picture in a notebook.

    A copy of the model is shown, in the mode that it is in; the model stays as it is. What it raises with
    this input is raised.

    Args:
        model: any module.
        image: a Pillow picture, a file's path, an array (height, width, 3) of uint8, a tensor that the model
            takes, a tuple of its positional arguments, or a dict of its keyword arguments.
        layer: the one to begin with.
        channel: the one to show large.
        edits: what is changed on the way, as a link says it: ``"conv1:zero:0,3"``.
        against: another model, shown beside it with the same input; edits, arrays and files are of the first.
        said: what a factory says of a model, such as ``classes``, ``input_size``, ``mean``, ``std``,
            ``preprocessing``.

    Raises:
        ImageError: the image cannot be read.
        ModelError: the model cannot be copied, or something that is said of it is not known.
        RequestError: the model does not take these arguments.
        UnknownLayerError: there is no such layer.
        EditError: an edit cannot be made.

    >>> view = lg.look(model, images, layer="conv2")
    >>> view.values.shape
    (16, 10, 10)
    """
    given = _models(model, *([] if against is None else [against]))
    first = Look(layer=layer, channel=channel, edit=edits, training=_seed(given))
    return _handed_over([(each, picture_or_arguments(image, each)) for each in given], first, said)


def _models(*given: Any) -> tuple[nn.Module, ...]:
    for each in given:
        if not isinstance(each, nn.Module):
            raise RequestError("a model is a torch.nn.Module, and this is a {kind}", kind=type(each).__name__)
    return given


def _handed_over(given: list[tuple[nn.Module, Shown]], first: Look, said: dict[str, Any]) -> LookView:
    """Show copies of models, which are forgotten with the view."""
    run_models_here()
    names = list[str]()
    try:
        for model, shown in given:
            names.append(models.own.hand_over(model, said, shown if isinstance(shown, tuple) else None))
        forget()  # which models there are
        return _view(names, given[0][1], first)
    except BaseException:
        for name in names:
            models.own.take_back(name)
        raise


def _view(names: list[str], shown: Shown, first: Look) -> LookView:
    """Show models that were handed over, with a picture or arguments."""
    picture = describe(names[0]).preprocessing.as_seen(shown) if isinstance(shown, tuple) else shown
    if len(names) > 1:
        first = replace(first, view="compare", with_model=names[1], with_weights="pretrained")
    visit = Visit("")
    rows, *_ = [engine().do(Survey(name, "pretrained"), visitor=visit.visitor).result() for name in names]
    entry = visit.subject(photograph(picture), names[0], "pretrained", tuple(rows))
    return LookView(entry, visit, first, names)


def _seed(given: tuple[nn.Module, ...]) -> int | None:
    """Return the seed for training mode; None in evaluation mode."""
    modes = {layer.training for model in given for layer in model.modules()}
    if len(modes) > 1:
        warnings.warn(MIXED, stacklevel=3)
    return 0 if modes == {True} else None
