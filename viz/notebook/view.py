"""The widget of a look: shared traits, and answers to the page."""

import base64
import json
import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, wait
from html import escape
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import numpy as np
import traitlets
from msgspec.structs import replace
from numpy.typing import NDArray

from ..answers.message import as_plain
from ..catalogue import models
from ..errors import RequestError, UnknownLayerError
from ..findings.edit_checks import check_edits
from ..layer_names import unknown
from ..pictures.own_donors import own_name
from ..profile.rows import first_layer
from ..request.edit_request import edits_from
from ..request.look import Look, look_from_query, look_to_query
from ..script.code_inputs import reads_picture
from ..ui.browser.modules import widget_script
from ..ui.locale.words import browser_words
from ..ui.stage.frame import frame_facts
from ..ui.stage.subject_facts import facts_of
from ..ui.visit.catalogue.known import describe, forget
from ..ui.visit.service import engine
from ..ui.visit.visit import SubjectEntry, Visit
from ..ui.wire.inspecting import cannot_be, inspection_of
from ..ui.wire.questions import LayerQuestion
from ..views.drawing import arranged
from ..views.one_layer import Values
from .answering import Answer, answer, soon

if TYPE_CHECKING:
    from anywidget import AnyWidget
else:
    try:
        from anywidget import AnyWidget
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            "look() needs anywidget: pip install anywidget, and run the cell again", name=missing.name
        ) from missing


FIRST_SECONDS = 20.0  # for which a cell waits for its first picture
log = logging.getLogger(__name__)


class LookView(AnyWidget):
    """A look at one model with one picture.

    It is on the page and in Python at once.

    Attributes:
        layer: the dotted name of the layer on screen.
        channel: the channel that is shown large; None for the one that the page chooses.
        look: everything on screen, as the text of a link, such as
            ``"layer=conv1&channel=3"``.

    >>> view = lg.look(model, images, layer="conv2")
    >>> view.layer, view.values.shape
    ('conv2', (16, 10, 10))
    >>> view.close()
    """

    layer = traitlets.Unicode()
    channel = traitlets.Int(None, allow_none=True, min=0)
    look = traitlets.Unicode().tag(sync=True)
    _subject = traitlets.Unicode().tag(sync=True)
    _still = traitlets.Unicode().tag(sync=True)  # what a saved notebook shows without a kernel

    def __init__(self, entry: SubjectEntry, visit: Visit, look: Look, names: Sequence[str]) -> None:
        """Show a look at models of these names; ``look()`` makes one."""
        self._entry, self._visit, self._names = entry, visit, names
        first = replace(look, layer=look.layer or first_layer(entry.rows))
        super().__init__(
            look=look_to_query(first),
            layer=first.layer,
            channel=first.channel,
            _subject=json.dumps(as_plain(_subject_facts(entry))),
            _esm=widget_script(),
        )
        self.on_msg(self._asked)
        self._drawing = self._drawn(prefetch=False)

    @property
    def values(self) -> NDArray[np.float32]:
        """The maps on screen: (channels, height, width).

        With a ``channel``, it is that map (height, width).

        Raises:
            RequestError: there is no such channel.
            VizError: the layer has no maps, or the model fails.
        """
        look = look_from_query(self.look)[0]
        wanted = soon(inspection_of(self._entry, look, LayerQuestion())).result()
        asked = engine().do(Values(wanted, self._entry.photo), visitor=self._entry.visitor)
        maps: NDArray[np.float32] = arranged(asked.result(), wanted).maps.astype(np.float32)
        if look.channel is None:
            return maps
        if look.channel >= len(maps):
            raise RequestError(
                "{layer} has {count} channels, counted from 0: there is no channel {channel}",
                layer=look.layer,
                count=len(maps),
                channel=look.channel,
            )
        chosen: NDArray[np.float32] = maps[look.channel]
        return chosen

    def code(self) -> str:
        """Return the view as a script of plain PyTorch hooks."""
        return self._file("code.py").decode()

    def html(self) -> str:
        """Return all layers as one HTML page.

        It needs no kernel and no network.
        """
        return self._file("home.html").decode()

    def close(self) -> None:
        """End the view, and forget the models' copies and the picture."""
        self._visit.end()
        for name in self._names:
            models.own.take_back(name)
            engine().forget(name)
        forget()  # which models there are, and their cards
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
        with self.hold_trait_notifications():  # each alone would write the other's old value into the look
            self.layer, self.channel = now.layer, now.channel
        self._drawing = self._drawn(prefetch=True)

    @traitlets.observe("layer", "channel")
    def _chosen(self, _: Mapping[str, Any]) -> None:
        now = look_from_query(self.look)[0]
        asked = replace(now, layer=self.layer, channel=self.channel)
        if asked != now and asked.optimised == "drawn":  # that picture is another channel's
            asked = replace(asked, optimised="open", optimised_aim="channel", optimised_minus=None)
        if asked.layer != now.layer:
            asked = replace(asked, channel=None, call=0, leaf="", row=0, index=0, kind="auto")
        self.look = look_to_query(asked)

    def _drawn(self, *, prefetch: bool) -> Future[Answer]:
        """Draw the layer for a notebook that is read without a kernel."""
        asked = self.look
        coming = answer(f"maps/{self._entry.token}/layer.png?{asked}", prefetch=prefetch)

        def keep(done: Future[Answer]) -> None:
            if not done.exception() and done.result().status == HTTPStatus.OK and self.look == asked:
                self._still = base64.b64encode(done.result().body).decode()

        coming.add_done_callback(keep)
        self._let_run(coming)
        return coming

    def _let_run(self, coming: Future[Answer]) -> None:
        """Wait for a pass in training mode.

        Its random numbers would mix with those of the next cell.
        """
        if look_from_query(self.look)[0].training is not None:
            wait([coming])

    def _repr_mimebundle_(self, **given: Any) -> Any:
        """Return the widget, or the picture where no widget can be shown."""
        found = super()._repr_mimebundle_(**given)
        data = found[0] if isinstance(found, tuple) else found
        wait([self._drawing], FIRST_SECONDS)
        if data is not None and self._still:
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
        about = {"view": content["view"], "answered": content["asked"]}
        if "address" not in content:  # a sign of life is all that is wanted
            self.send({**about, "status": HTTPStatus.NO_CONTENT, "kind": ""}, [b""])
            return
        headers = dict(content.get("headers", ()))
        coming = answer(
            content["address"],
            content["method"],
            bytes(buffers[0]) if buffers else b"",
            prefetch="x-layerglass-prefetch" in headers,
        )

        def tell(done: Future[Answer]) -> None:
            if problem := done.exception():
                log.error("a look was not answered", exc_info=problem)
            found = Answer(500, "", b"{}") if problem else done.result()
            self.send({**about, "status": found.status, "kind": found.kind}, [found.body])

        coming.add_done_callback(tell)
        self._let_run(coming)


def _subject_facts(entry: SubjectEntry) -> Any:
    facts, preprocessing = facts_of(entry, "en"), describe(entry.model).preprocessing
    return replace(
        facts,
        donors=facts.donors if reads_picture(preprocessing) else (),
        address={"model": entry.model, "weights": entry.weights},
        picture=own_name(entry.photo),
        frame=frame_facts(entry.photo, preprocessing),
        words=browser_words("en"),
    )
