"""Loading of a model: its weights with progress, and its layers."""

from collections.abc import Sequence

import streamlit as st

from ...catalogue import models
from ...profile.rows import LayerRow
from ...views.whole_model import Survey
from ..visit.catalogue.known import download
from ..visit.markdown import escaped
from ..visit.service import engine
from .choose import words
from .costs import may_load
from .refused import note_shown, refuse


def ready_model(model: str, weights: str, visitor: str) -> Sequence[LayerRow] | None:
    """Return the model's layers; None after a notice of its cost.

    If its trained weights cannot be had, the run ends and what is on screen stays: see ``refused``.
    """
    if not may_load(model):
        return None
    try:
        if weights == "pretrained":
            _download(model)
        rows = _surveyed(model, weights, visitor)
    except (models.WeightsUnavailableError, models.WeightsDamagedError) as error:
        if weights != "pretrained":
            raise
        refuse(model, error)
        return None
    note_shown()
    return rows


def _surveyed(model: str, weights: str, visitor: str) -> Sequence[LayerRow]:
    survey = engine().do(Survey(model, weights), visitor=visitor)
    if survey.done():
        return survey.result()
    with st.spinner(escaped(words("loading_model", model=model))):
        return survey.result()


def _download(model: str) -> None:
    """Fetch the weights if needed, with a progress bar meanwhile."""
    place = st.empty()

    def progress(done: int, total: int) -> None:
        share = min(1.0, done / total) if total else 0.0
        text = words("downloading", model=model, done=done >> 20, total=(total >> 20) or "?")
        place.progress(share, escaped(text))

    download(model, progress=progress)
    place.empty()
