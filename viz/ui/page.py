"""The page: Streamlit chooses the subject (picture, model, weights), the stage in the browser shows it."""

from collections.abc import Sequence

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ..catalogue import models
from ..errors import SupersededError, VizError
from ..profile.rows import LayerRow, first_of_chance
from .choose import address
from .choose.choose import choose_language, choose_picture, words
from .choose.choose_crop import choose_crop
from .choose.choose_donors import choose_other_picture, hold_own
from .choose.choose_files import draw_emptied_boxes
from .choose.choose_model import choose_model
from .choose.loading import ready_model
from .choose.refused import draw_refused, take_back
from .locale.translated import translated
from .stage.stage import draw_seen, draw_side, draw_stage, draw_style
from .visit.faults import CONTROL, callback_faults, reported
from .visit.markdown import escaped
from .visit.visit import Visit

BEGUN = "page_begun"  # in the session's state, for as long as there is one


def draw_page() -> None:
    """Draw everything; an error of ours is one sentence, a bug is a sentence with a number for the log."""
    st.set_page_config(page_title="Layerglass", layout="wide", initial_sidebar_state="auto")
    st.session_state[BEGUN] = True
    try:
        _draw()
    except SupersededError:
        pass  # a newer run of this page is under way and draws what the visitor wants now
    except (VizError, models.ModelError) as error:
        say_problem(str(error))
    except CONTROL:
        raise
    except BaseException as error:  # noqa: BLE001  the last defence: SystemExit would leave the page waiting
        if BEGUN not in st.session_state:
            return  # Streamlit has taken the state of a visitor who left: nobody sees this page any more
        say_problem(reported("page", error))
    draw_emptied_boxes()


def say_problem(sentence: str) -> None:
    """Show a sentence about a problem as it is, never as Markdown."""
    st.error(escaped(translated(sentence, st.session_state.get("lang", "en"))))


def say_notices(*sentences: str) -> None:
    """A warning for each sentence that is not empty, such as about a model that does not exist.

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
    visit = this_visit()
    notices = [*address.restore(), *callback_faults()]
    take_back()
    draw_style()
    with st.sidebar:
        _draw_title()
        seen_place = st.container(key="seen_place")
        photo, problem = choose_picture()
        hold_own(photo, st.session_state["source"], problem)
        model, weights, misfit = choose_model(visit)
        photo, not_there = choose_crop(photo, model)
        layer_place = st.container(key="layer_place")
    say_notices(problem, misfit, choose_other_picture())
    with st.container():  # a fixed place, so that nothing below moves when there is a message
        draw_refused()
    with st.container():  # likewise
        rows = ready_model(model, weights, visit.visitor)
        if rows is None:
            say_notices(*notices)
            return
    subject = visit.subject(photo, model, weights, tuple(rows))
    with seen_place:
        draw_seen(subject)
    with layer_place:
        draw_side(subject)
    draw_stage(subject, [*notices, *filter(None, [not_there, _chance_said(model, rows)])])


def _chance_said(model: str, rows: Sequence[LayerRow]) -> str:
    layer = first_of_chance(rows)
    return words("by_chance", model=model, layer=layer) if layer else ""


def _draw_title() -> None:
    with st.container(
        key="title", horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
    ):
        st.markdown("Layerglass", width="content")
        choose_language()
