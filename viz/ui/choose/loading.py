"""Getting a model ready: its weights with a progress bar, its layers, its prediction."""

from collections.abc import Sequence

import streamlit as st

from ...catalogue import models
from ...errors import EditError
from ...passes.edit_effects import PredictionChange
from ...pictures.photo import Photo
from ...profile.tree import LayerRow
from ...request.inspection import Inspection, Prediction
from ...views.whole_model import Changes, Predict, Survey
from ..locale.translated import translated
from ..visit.faults import heard
from ..visit.markdown import escaped
from ..visit.service import engine
from ..visit.visit import Visit
from .choose import moved, words
from .costs import may_load


def ready_model(model: str, weights: str, visitor: str, side: str = "") -> Sequence[LayerRow] | None:
    """Every layer of the model, or None after saying why it cannot be loaded, or what it would take.

    ``side`` is the prefix of the keys under which another model or other weights can be chosen instead.
    """
    if not may_load(model, f"{side}model"):
        return None
    try:
        if weights == "pretrained":
            _download(model)
    except models.ModelError as error:
        st.error(escaped(translated(str(error), st.session_state["lang"])))
        st.button(
            words("use_untrained"), key="untrained", type="primary", on_click=_go_untrained, args=(side,)
        )
        return None
    survey = engine().do(Survey(model, weights), visitor=visitor)
    if survey.done():
        return survey.result()
    with st.spinner(escaped(words("loading_model", model=model))):
        return survey.result()


def predict_top(wanted: Inspection, photo: Photo, visit: Visit) -> Prediction:
    """The model's best predictions for the picture."""
    return engine().do(Predict(photo, wanted.model, wanted.weights), visitor=visit.visitor).result()


def predict_changes(wanted: Inspection, photo: Photo, visit: Visit) -> Sequence[PredictionChange] | None:
    """What the edits do to the best predictions; nothing without edits.

    None if the model does not run to its end with them; the reason stands where the maps would be.
    """
    if not wanted.forward.in_force:
        return ()
    try:
        return engine().do(Changes(wanted, photo), visitor=visit.visitor).result()
    except EditError:
        return None


def _download(model: str) -> None:
    """Fetch the weights unless they are here already, with a progress bar that disappears when it is done."""
    place = st.empty()

    def progress(done: int, total: int) -> None:
        share = min(1.0, done / total) if total else 0.0
        text = words("downloading", model=model, done=done >> 20, total=(total >> 20) or "?")
        place.progress(share, escaped(text))

    models.download(model, progress=progress)
    place.empty()


@heard
def _go_untrained(side: str) -> None:
    st.session_state[f"{side}weights"] = "random"
    moved()
