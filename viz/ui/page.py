"""The page: Streamlit chooses the subject, and the browser shows the stage.

The subject is a picture, a model and its weights.
"""

from collections.abc import Sequence

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ..answers.message import Notice
from ..catalogue import models
from ..errors import SupersededError, VizError
from ..profile.rows import LayerRow, first_of_chance
from .choose import address
from .choose.choose import choose_language, choose_picture, keep_undrawn, more, words
from .choose.choose_crop import choose_crop
from .choose.choose_donors import choose_other_picture, hold_own
from .choose.choose_files import draw_emptied_boxes
from .choose.choose_model import choose_model
from .choose.loading import ready_model
from .choose.refused import draw_refused, take_back
from .locale.catalogues import ENGLISH
from .locale.translated import translated
from .stage.stage import draw_seen, draw_side, draw_stage, draw_style
from .visit.faults import CONTROL, callback_faults, reported
from .visit.markdown import escaped
from .visit.visit import Visit

BEGUN = "page_begun"  # in the session's state, for as long as there is one


def draw_page() -> None:
    """Draw the page, and show errors as sentences.

    A bug is a sentence with a number for the log.
    """
    st.set_page_config(page_title="Layerglass", layout="wide", initial_sidebar_state="auto")
    st.session_state[BEGUN] = True
    try:
        _draw()
        st.session_state["notices"] = []  # all have been drawn
    except SupersededError:
        pass  # a newer run of this page is under way and draws what the visitor wants now
    except (VizError, models.ModelError) as error:
        say_problem(Notice(str(error), error.document))
    except CONTROL:
        raise
    except BaseException as error:  # noqa: BLE001  the last defence: SystemExit would leave the page waiting
        if BEGUN not in st.session_state:
            return  # Streamlit has taken the state of a visitor who left: nobody sees this page any more
        say_problem(reported("page", error))
    keep_undrawn()
    draw_emptied_boxes()


def say_problem(problem: Notice) -> None:
    """Show a problem's sentence as it is, with a link to more.

    It is never read as Markdown.
    """
    said = translated(problem.text, st.session_state.get("lang", ENGLISH))
    st.error(escaped(said) + more(problem.document))


def say_notices(*notices: Notice) -> None:
    """Show a warning for each non-empty sentence, with a link to more.

    They keep their place even when there are none: if what stands below moved down, it would be built again.
    """
    with st.container():
        for notice in notices:
            if notice.text:
                st.warning(escaped(notice.text) + more(notice.document))


def this_visit() -> Visit:
    """The stay of the visitor whose page this is."""
    context, state = get_script_run_ctx(), st.session_state
    if "visit" not in state:
        state["visit"] = Visit(context.session_id if context else "")
    visit: Visit = state["visit"]
    return visit


def _draw() -> None:
    visit = this_visit()
    notices = _notices()
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
    say_notices(Notice(problem, "your-files"), Notice(choose_other_picture(), "your-files"))
    say_notices(Notice(misfit, "open-a-file"))
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


def _notices() -> list[Notice]:
    """Return sentences about the address and callbacks.

    They are kept until a run has drawn them: it may be ended, or refuse a model's weights, before it does.
    """
    state = st.session_state
    said = [*state.get("notices", ()), *address.restore(), *callback_faults()]
    notices = state["notices"] = list(dict.fromkeys(said))
    return notices


def _chance_said(model: str, rows: Sequence[LayerRow]) -> Notice | None:
    layer = first_of_chance(rows)
    sentence = words("by_chance", model=model, layer=layer) if layer else ""
    return Notice(sentence, "questions#why-do-i-get-another-result-each-time") if sentence else None


def _draw_title() -> None:
    with st.container(
        key="title", horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
    ):
        st.markdown("Layerglass", width="content")
        choose_language()
