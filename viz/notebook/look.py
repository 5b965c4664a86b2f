"""A model's layers in a notebook's cell: the page's own stage, and the same numbers as arrays."""

import base64
import contextlib
import json
from collections.abc import Mapping
from html import escape
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from weakref import finalize

import numpy as np
import traitlets
from msgspec.structs import replace
from numpy.typing import NDArray
from PIL import Image
from torch import nn

from ..answers.message import as_plain
from ..catalogue import models
from ..errors import RequestError, UnknownLayerError
from ..findings.edit_checks import check_edits
from ..layer_names import unknown
from ..pictures.own_donors import own_name
from ..pictures.photo import photograph
from ..profile.rows import first_layer
from ..request.edit_request import edits_from
from ..request.look import Look, look_from_query, look_to_query
from ..ui.browser.modules import widget_script
from ..ui.stage.frame import frame_facts
from ..ui.stage.subject_facts import facts_of
from ..ui.visit.catalogue.known import describe
from ..ui.visit.service import engine, run_models_here
from ..ui.visit.visit import SubjectEntry, Visit
from ..ui.wire.inspecting import cannot_be, inspection_of
from ..ui.wire.questions import OneLayer
from ..views.drawing import arranged
from ..views.one_layer import Values
from ..views.whole_model import Survey
from .answering import Answer, answer, soon
from .pictures import picture_or_arguments

if TYPE_CHECKING:
    from anywidget import AnyWidget
else:
    try:
        from anywidget import AnyWidget
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            "look() needs anywidget: pip install anywidget, and run the cell again", name=missing.name
        ) from missing


class LookView(AnyWidget):
    """A look at one model with one picture, on the page and in Python at once.

    Attributes:
        layer: the dotted name of the layer on screen.
        channel: the channel that is shown large; None for the one that the page chooses.
        look: everything on screen, as the text of a link: see ``viz.request.look.Look``.
    """

    layer = traitlets.Unicode()
    channel = traitlets.Int(None, allow_none=True, min=0)
    look = traitlets.Unicode().tag(sync=True)
    _subject = traitlets.Unicode().tag(sync=True)
    _still = traitlets.Unicode().tag(sync=True)  # what a saved notebook shows without a kernel

    def __init__(self, entry: SubjectEntry, visit: Visit, look: Look) -> None:
        """Show a look; ``look()`` makes one."""
        self._entry, self._visit = entry, visit
        first = replace(look, layer=look.layer or first_layer(entry.rows))
        super().__init__(
            look=look_to_query(first),
            layer=first.layer,
            channel=first.channel,
            _subject=json.dumps(as_plain(_subject_facts(entry))),
            _esm=widget_script(),
        )
        self.on_msg(self._asked)
        self._keep_still()

    @property
    def values(self) -> NDArray[np.float32]:
        """The maps on screen: (channels, height, width), or with a ``channel`` (height, width).

        Raises:
            VizError: the layer has no maps, or the model fails.
        """
        look = look_from_query(self.look)[0]
        wanted = soon(inspection_of(self._entry, look, OneLayer())).result()
        asked = engine().do(Values(wanted, self._entry.photo), visitor=self._entry.visitor)
        maps = arranged(asked.result(), wanted).maps.astype(np.float32)
        return maps if look.channel is None else maps[min(look.channel, len(maps) - 1)]

    def code(self) -> str:
        """Return the view as a script of plain PyTorch hooks."""
        return self._file("code.py").decode()

    def html(self) -> str:
        """Return all layers as one HTML page that needs no kernel and no network."""
        return self._file("home.html").decode()

    def close(self) -> None:
        """End the view, and forget the copy of the model and the picture."""
        self._visit.end()
        models.own.take_back(self._entry.model)
        super().close()

    @traitlets.validate("look")
    def _possible(self, proposal: Mapping[str, Any]) -> str:
        look, vain = look_from_query(proposal["value"])
        if vain:
            raise cannot_be(vain[0])
        return look_to_query(self._checked(look))

    @traitlets.validate("layer")
    def _known(self, proposal: Mapping[str, Any]) -> str:
        return self._checked(Look(layer=proposal["value"])).layer

    def _checked(self, look: Look) -> Look:
        names = tuple(row.name for row in self._entry.rows)
        if look.layer and look.layer not in names:
            raise UnknownLayerError(unknown(look.layer, names))
        check_edits(edits_from(look.edit), self._entry.rows)
        return replace(look, layer=look.layer or first_layer(self._entry.rows))

    @traitlets.observe("look")
    def _look_changed(self, change: Mapping[str, Any]) -> None:
        now = look_from_query(change["new"])[0]
        with contextlib.suppress(traitlets.TraitError):
            self.set_trait("layer", now.layer)
            self.set_trait("channel", now.channel)
        self._keep_still()

    @traitlets.observe("layer", "channel")
    def _chosen(self, _: Mapping[str, Any]) -> None:
        now = look_from_query(self.look)[0]
        asked = replace(now, layer=self.layer, channel=self.channel)
        if asked.layer != now.layer:
            asked = replace(asked, call=0, leaf="", row=0, index=0, kind="auto")
        self.look = look_to_query(asked)

    def _keep_still(self) -> None:
        """Draw the layer on screen for a notebook that is read without a kernel, as soon as there is time."""
        coming = answer(f"maps/{self._entry.token}/layer.png?{self.look}", prefetch=True)

        def keep(done: Any) -> None:
            found = None if done.exception() else done.result()
            if found and found.status == HTTPStatus.OK:
                self._still = base64.b64encode(found.body).decode()

        coming.add_done_callback(keep)

    def _repr_mimebundle_(self, **given: Any) -> Any:
        """Return what a notebook shows: the widget, or the picture where no widget can be shown."""
        found = super()._repr_mimebundle_(**given)
        data = found[0] if isinstance(found, tuple) else found
        if data is not None:
            shown = f"{escape(self.layer)} of {escape(self._entry.model)}"
            source = f"data:image/png;base64,{self._still}"
            data["text/html"] = f'<img alt="Feature maps of {shown}" src="{source}">'
        return found

    def _file(self, question: str) -> bytes:
        found = answer(f"maps/{self._entry.token}/{question}?{self.look}").result()
        if found.status != HTTPStatus.OK:
            said = json.loads(found.body)["error"]
            raise RequestError(said)
        return found.body

    def _asked(self, _: object, content: Mapping[str, Any], buffers: list[memoryview]) -> None:
        """Answer a request of the page; the kernel goes on meanwhile."""
        headers = dict(content.get("headers", ()))
        coming = answer(
            content["address"],
            content["method"],
            bytes(buffers[0]) if buffers else b"",
            prefetch="x-layerglass-prefetch" in headers,
        )

        def tell(done: Any) -> None:
            found = Answer(500, "", b"") if done.exception() else done.result()
            about = {"view": content["view"], "answered": content["asked"]}
            self.send({**about, "status": found.status, "kind": found.kind}, [found.body])

        coming.add_done_callback(tell)


def look(
    model: nn.Module,
    image: Any,
    *,
    layer: str = "",
    channel: int | None = None,
    edits: str = "",
    **said: Any,
) -> LookView:
    """Show what every layer of a model makes of a picture, in the output of a notebook's cell.

    A copy of the model is shown, in the mode that it is in; the model stays as it is. What it raises with
    this input is raised.

    Args:
        model: any module.
        image: a Pillow picture, a file's path, an array (height, width, 3) of uint8, a tensor that the model
            takes, or a tuple of its positional arguments.
        layer: the one to begin with.
        channel: the one to show large.
        edits: what is changed on the way, as a link says it: ``"conv1:zero:0,3"``.
        said: what a factory says of a model, such as ``classes``, ``input_size``, ``mean``, ``std``,
            ``preprocessing``: see ``models.own.own_model.OwnModelFamily``.

    Raises:
        ImageError: the image cannot be read.
        ModelError: the model cannot be copied, or something that is said of it is not known.
        UnknownLayerError: there is no such layer.
        EditError: an edit cannot be made.

    >>> view = lg.look(model, "cat.jpg", layer="layer1.0")
    >>> view.values.shape
    (64, 56, 56)
    """
    if not isinstance(model, nn.Module):
        raise RequestError("a model is a torch.nn.Module, and this is a {kind}", kind=type(model).__name__)
    first = Look(layer=layer, channel=channel, edit=edits, training=0 if model.training else None)
    return _handed_over(model, picture_or_arguments(image), first, said)


def _handed_over(
    model: nn.Module, shown: Image.Image | tuple[Any, ...], first: Look, said: dict[str, Any]
) -> LookView:
    """Show a copy of a model, which is forgotten with the view."""
    run_models_here()
    name = models.own.hand_over(model, said, shown if isinstance(shown, tuple) else None)
    try:
        view = _view(name, shown, first)
    except BaseException:
        models.own.take_back(name)
        raise
    finalize(view, models.own.take_back, name)
    return view


def _view(name: str, shown: Image.Image | tuple[Any, ...], first: Look) -> LookView:
    """Show a model that was handed over with a picture, or with its arguments."""
    picture = describe(name).preprocessing.as_seen(shown) if isinstance(shown, tuple) else shown
    visit = Visit("")
    rows = engine().do(Survey(name, "pretrained"), visitor=visit.visitor).result()
    return LookView(visit.subject(photograph(picture), name, "pretrained", tuple(rows)), visit, first)


def _subject_facts(entry: SubjectEntry) -> Any:
    facts = facts_of(entry, "en")
    return replace(
        facts,
        address={"model": entry.model, "weights": entry.weights},
        picture=own_name(entry.photo),
        frame=frame_facts(entry.photo, describe(entry.model).preprocessing),
    )
