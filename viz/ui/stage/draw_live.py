"""A lesson on the visitor's own model, picture and layer: what the layer's hooks were given."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from ...pictures.photo import Photo
from ...profile.cost import budget, graph_cost
from ...profile.events import Event
from ...profile.tree import LayerRow
from ...request.inspection import Inspection
from ...views.hook_tasks import MemoryTask, TimelineTask
from ...views.memory_pictures import MemoryPictures
from ...views.one_layer import View
from ...views.whole_model import Predict
from ..choose.choose import words
from ..visit.service import engine
from ..visit.visit import Visit
from .components import draw_picture
from .html_tables import as_html, table

VIEWPORT = (800, 600)  # pixels of the screen: the picture is part of the text
CODE = {"reference": "`output`"} | {way: f"`output.{way}()`" for way in ("detach", "cpu", "clone")}


def draw_live(visit: Visit, photo: Photo, rows: Sequence[LayerRow], wanted: Inspection, number: int) -> None:
    """The hooks of the chosen layer as they fire on this picture, and what else the lesson is about."""
    plain = replace(wanted, gradient=None)
    st.markdown(f"### {words('course_live')}")
    events = _events(visit, photo, rows, plain)
    if not events:
        st.caption(words("course_live_silent"))
        return
    st.markdown(words("course_live_text", model=wanted.model, layer=wanted.layer))
    heads = [words(f"course_live_{name}") for name in ("hook", "given")]
    st.html(table(heads, [[as_html(words(_key(event))), _given(event)] for event in events]))
    if number == 0:
        _draw_memory(engine().do(MemoryTask(plain, photo), visitor=visit.visitor).result())
    if number == 1:
        view = (
            engine()
            .do(View(replace(plain, colormap="hot", viewport=VIEWPORT), photo), visitor=visit.visitor)
            .result()
        )
        draw_picture(view.png, words("course_live_hot", layer=wanted.layer))


def _events(visit: Visit, photo: Photo, rows: Sequence[LayerRow], wanted: Inspection) -> list[Event]:
    """The events of the layer's call; with the backward pass if there are classes, and memory for it."""
    found = engine().do(Predict(photo, wanted.model, wanted.weights), visitor=visit.visitor).result()
    if found.classes and graph_cost(rows) <= budget().ask:
        wanted = replace(wanted, gradient=found.classes[0])
    events = engine().do(TimelineTask(wanted, photo), visitor=visit.visitor).result()
    return [event for event in events if (event.layer, event.call) == (wanted.layer, wanted.call)]


def _key(event: Event) -> str:
    return f"hook_{event.kind.replace(' ', '_').replace('-', '_')}"


def _given(event: Event) -> str:
    """Every shape that the hook was given, in the order of its arguments."""
    shapes = event.inputs + event.outputs + event.input_gradients + event.output_gradients
    return " · ".join("–" if shape is None else str(shape) for shape in shapes)


def _draw_memory(kept: MemoryPictures) -> None:
    heads = [words(f"course_live_{name}") for name in ("way", "wrong")]
    st.html(table(heads, [[as_html(CODE[each.way]), f"{100 * each.wrong:.3g} %"] for each in kept.kept]))
