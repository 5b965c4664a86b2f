"""The page: choose, inspect, draw. Runs from top to bottom for every change that a visitor makes."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ..catalogue import models
from ..errors import SupersededError, VizError
from ..pictures.photo import Photo
from ..profile.tree import LayerRow
from ..request.edit_request import edits_text
from ..request.inspection import Inspection
from .choose import address
from .choose.choose import choose_language, choose_picture
from .choose.choose_comparison import comparison_in_address
from .choose.choose_donors import hold_own
from .choose.choose_edits import chosen_edits, edits_in_words
from .choose.choose_files import draw_emptied_boxes, is_box_to_empty
from .choose.choose_layer import (
    choose_drawing,
    choose_layer,
    choose_operations,
    choose_view,
    chosen_call,
    kept_drawing,
)
from .choose.choose_model import choose_model
from .choose.choose_target import VIEWS_BACK, choose_target, target_in_address
from .choose.costs import asking_first, may_draw_all, may_draw_gradients, may_scale
from .choose.loading import predict_changes, predict_top, ready_model
from .locale.translated import translated
from .stage.components import (
    draw_attribution,
    draw_guide,
    draw_overview,
    draw_seen,
    draw_style,
    draw_tree,
    draw_viewer,
)
from .stage.draw_comparison import draw_comparison
from .stage.draw_learning import LEARNING, WITHOUT_MAPS, draw_learning, learning_in_address
from .visit.faults import CONTROL, callback_faults, reported
from .visit.markdown import escaped
from .visit.own_weights import is_own_weights
from .visit.visit import SubjectEntry, Visit


def draw_page() -> None:
    """Draw everything; an error of ours is one sentence, a bug is a sentence with a number for the log."""
    st.set_page_config(page_title="Layerglass", layout="wide", initial_sidebar_state="auto")
    try:
        _draw()
    except SupersededError:
        pass  # a newer run of this page is under way and draws what the visitor wants now
    except (VizError, models.ModelError) as error:
        say_problem(str(error))
    except CONTROL:
        raise
    except BaseException as error:  # noqa: BLE001  the last defence: SystemExit would leave the page waiting
        say_problem(reported("page", error))
    draw_emptied_boxes()


def say_problem(sentence: str) -> None:
    """One sentence about what is wrong; its text is shown as it is, never as Markdown."""
    st.error(escaped(translated(sentence, st.session_state.get("lang", "en"))))


def say_notices(*sentences: str) -> None:
    """A warning for each sentence that is not empty, such as about a layer that does not exist.

    They keep their place even when there are none: if what stands below moved down, it would be built again.
    """
    with st.container():
        for sentence in filter(None, sentences):
            st.warning(escaped(sentence))


def this_visit() -> Visit:
    """The stay of the visitor whose page this is."""
    context, state = get_script_run_ctx(), st.session_state
    if "visit" not in state:
        state["visit"] = Visit(context.session_id if context else "")
    visit: Visit = state["visit"]
    return visit


def _draw() -> None:
    notices = [*address.restore(), *callback_faults()]
    draw_style()
    visit = this_visit()
    with st.sidebar:
        _draw_title()
        seen_place = st.container(key="seen_place")
        photo, problem = choose_picture()
        hold_own(photo, st.session_state["source"], problem)
        model, weights, misfit = choose_model(visit)
        layer_place = st.container(key="layer_place")
    say_notices(*notices, problem, misfit)
    with st.container():  # a fixed place, so that nothing below moves when there is a message
        rows = ready_model(model, weights, visit.visitor)
    if rows is None:
        return
    subject = visit.subject(photo, model, weights, tuple(rows))
    with layer_place:
        rows = choose_operations(rows)
        layer, notice = choose_layer(rows, model)
        draw_tree(subject, rows, layer)
    call, more = chosen_call(rows, layer)
    edits, refusal = chosen_edits(rows, model)
    say_notices(notice, *more, refusal)
    wanted = Inspection(photo.fingerprint, model, weights, layer, call, edits=edits)
    wanted = _draw_maps(visit, subject, rows, wanted)
    with seen_place:
        draw_seen(subject, predict_top(wanted, photo, visit), predict_changes(wanted, photo, visit))
    if not is_box_to_empty():
        address.write(_view(wanted))


def _draw_title() -> None:
    with st.container(
        key="title", horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
    ):
        st.markdown("Layerglass", width="content")
        choose_language()


def _draw_maps(
    visit: Visit, subject: SubjectEntry, rows: Sequence[LayerRow], wanted: Inspection
) -> Inspection:
    """Draw the main part of the page, one layer or all; the complete request."""
    view, target = _choose_view(visit, subject.photo, wanted)
    place = st.container(key="viewer_place")
    drawing = kept_drawing() if view in WITHOUT_MAPS else choose_drawing(rows, compared=view == "compare")
    colormap, scale, order = drawing
    wanted = replace(wanted, colormap=colormap, scale=scale, order=order, gradient=target)
    with place:
        if view not in WITHOUT_MAPS and not may_scale(rows, wanted):
            return wanted
        if view == "layers":
            if wanted.in_force:
                st.caption(escaped(edits_in_words(wanted.in_force)))
            if may_draw_all(rows, wanted):
                draw_overview(subject, wanted)
        elif view in LEARNING:
            draw_learning(view, visit, subject, rows, wanted)
        elif target is not None:
            if may_draw_gradients(rows, wanted):
                _draw_gradients(subject, asking_first(rows, wanted), wanted)
        elif view == "compare":
            draw_comparison(visit, subject, rows, wanted)
        elif view == "layer":
            draw_viewer(subject, asking_first(rows, wanted), wanted)
    return wanted


def _choose_view(visit: Visit, photo: Photo, wanted: Inspection) -> tuple[str, int | None]:
    """The view, and the class whose gradients it shows; None if it shows none."""
    with st.container(key="view_row", horizontal=True, vertical_alignment="center"):
        view = choose_view()
        if view == "layer":
            draw_guide(photo)
        if view not in VIEWS_BACK:
            return view, None
        prediction = predict_top(wanted, photo, visit)
        target, notice = choose_target(models.describe(wanted.model).classes, prediction)
    if view == "gradients" or target is not None:  # hooks also work without a class
        say_notices(notice)
    return view, target


def _draw_gradients(subject: SubjectEntry, rows: Sequence[LayerRow], wanted: Inspection) -> None:
    """The maps of gradients, and beside them where on the picture the class is seen."""
    with st.container(key="gradients", horizontal=True, vertical_alignment="top"):
        with st.container(key="attribution_place", width=190):
            draw_attribution(subject, rows, wanted)
        with st.container(key="gradient_maps", width="stretch"):
            draw_viewer(subject, rows, wanted)


def _view(wanted: Inspection) -> dict[str, str]:
    """The address of what is on screen; an uploaded picture is never part of it."""
    state = st.session_state
    return {
        "model": wanted.model,
        "weights": "" if is_own_weights(wanted.weights) else wanted.weights,
        "layer": wanted.layer,
        "call": str(wanted.call + 1) if wanted.call else "",
        "channel": "" if state.get("channel") is None else str(state["channel"]),
        "edit": edits_text(wanted.edits),
        "colormap": wanted.colormap if wanted.colormap != "auto" else "",
        "view": state["view"] if state["view"] != "layer" else "",
        "present": "1" if state["present"] else "",
        "target": target_in_address(),
        **learning_in_address(),
        "scale": wanted.scale if wanted.scale != "layer" else "",
        "order": state["order"] if state["order"] != "index" else "",
        "sample": state["sample"] if state["source"] == "sample" else "",
        "lang": state["lang"] if state["lang"] != address.preferred_language() else "",
        **comparison_in_address(),
    }
