"""``script``: a layer, or a class's attribution, as plain PyTorch."""

import io
import sys
from collections.abc import Hashable

from ..engine.limits import Limits
from ..engine.slices import at_once
from ..engine.task import Bench
from ..errors import RequestError
from ..findings.values import LayerValues
from ..hooks.activations import LayerActivations
from ..passes.loaded import LoadedModel, loaded_model, one_pass
from ..pictures.photo import Photo
from ..pictures.subject import Subject
from ..request.inspection import Inspection
from ..request.method import OF_LAYERS, Method
from ..script.attribution.code import attribution_script
from ..script.attribution.facts import Attribute
from ..script.code import Card, script
from ..script.script_facts import Facts
from ..views.drawing import draw_view
from ..views.one_layer import View


def check_asked(method: str | None, layer: str | None, target: int | None) -> None:
    """Check that all is given that the script needs.

    This comes before any work.

    Raises:
        RequestError: a class or a layer is missing.
    """
    if method is not None and target is None:
        raise RequestError("{method} is told for a class: choose one with --target", method=method)
    if layer is None and (method is None or method in OF_LAYERS):
        raise RequestError("{what} looks at a layer: choose one with --layer", what=method or "this script")


def script_text(
    subject: Subject,
    layers: LayerActivations,
    wanted: Inspection,
    photo: Photo,
    card: Card,
    *,
    method: str | None = None,
    stem: str = "",
) -> str:
    """Return the script of a layer's view, or of an attribution.

    An attribution is by one of ``METHODS``, for the class ``wanted.gradient``. ``viz.script.code``,
    ``viz.script.attribution`` and the tasks of both say what is raised.

    Args:
        subject: the model.
        layers: its layers.
        wanted: what is wanted.
        photo: the picture.
        card: the model's card.
        method: how to tell what counts for the class.
        stem: what the names of the script's files begin with, such as that of ``picture_name(stem)``.
    """
    paths = {
        "image_path": picture_name(stem),
        "values_path": _named(stem, "values.npy"),
        "maps_path": _named(stem, "maps.png"),
    }
    bench = _bench(loaded_model(subject, layers))
    if method is None:
        view, facts = at_once(View(wanted, photo).work(bench)), at_once(Facts(wanted, photo).work(bench))
        return script(wanted, view, card, facts, crop=photo.crop, **paths)
    found = at_once(Attribute(wanted, photo, Method(method)).work(bench))
    layer = draw_view(found.layer, wanted) if found.layer else None
    return attribution_script(Method(method), wanted, card, found, layer, crop=photo.crop, **paths)


def picture_name(stem: str) -> str:
    """Return the name of the picture that a script reads."""
    return _named(stem, "picture.png")


def _named(stem: str, name: str) -> str:
    return f"{stem}-{name}" if stem else name


def picture_bytes(photo: Photo) -> bytes:
    """Return the whole picture that a script reads, as PNG."""
    buffer = io.BytesIO()
    photo.original.image.save(buffer, "PNG")
    return buffer.getvalue()


def _bench(loaded: LoadedModel) -> Bench:
    """A bench for one model, with as much memory as there is.

    It keeps the passes of one script.
    """
    passes: dict[Hashable, LayerValues] = {}

    def captured(wanted: Inspection, photo: Photo, *, whole: bool) -> LayerValues:
        if wanted.place not in passes:
            passes[wanted.place] = one_pass(loaded, wanted, photo, whole=whole)[wanted.layer]
        return passes[wanted.place]

    return Bench(
        loaded=lambda *_: loaded,
        captured=captured,
        kept=lambda wanted: passes.get(wanted.place),
        answered=lambda _: None,
        remembered=lambda _, work: work(),
        limits=Limits(capture=sys.maxsize),
    )
