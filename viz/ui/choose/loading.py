"""Getting a model ready: its weights with a progress bar, and its layers."""

from collections.abc import Sequence

import streamlit as st

from ...catalogue import models
from ...profile.tree import LayerRow
from ...views.whole_model import Survey
from ..locale.translated import translated
from ..visit.faults import guarded
from ..visit.markdown import escaped
from ..visit.service import engine
from .choose import words
from .costs import may_load


def ready_model(model: str, weights: str, visitor: str) -> Sequence[LayerRow] | None:
    """Every layer of the model, or None after saying why it cannot be loaded, or what it would take."""
    if not may_load(model):
        return None
    try:
        if weights == "pretrained":
            _download(model)
    except models.ModelError as error:
        st.error(escaped(translated(str(error), st.session_state["lang"])))
        st.button(words("use_untrained"), key="untrained", type="primary", on_click=_go_untrained)
        return None
    survey = engine().do(Survey(model, weights), visitor=visitor)
    if survey.done():
        return survey.result()
    with st.spinner(escaped(words("loading_model", model=model))):
        return survey.result()


def _download(model: str) -> None:
    """Fetch the weights unless they are here already, with a progress bar that disappears when it is done."""
    place = st.empty()

    def progress(done: int, total: int) -> None:
        share = min(1.0, done / total) if total else 0.0
        text = words("downloading", model=model, done=done >> 20, total=(total >> 20) or "?")
        place.progress(share, escaped(text))

    models.download(model, progress=progress)
    place.empty()


@guarded
def _go_untrained() -> None:
    st.session_state["weights"] = "random"
