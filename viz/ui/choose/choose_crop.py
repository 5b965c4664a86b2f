"""Choose the picture's crop, by its frame or by the address."""

import logging

import msgspec
import streamlit as st

from ...answers.message import Notice, heard
from ...answers.subject import FrameMove
from ...errors import RequestError
from ...pictures.photo import Photo
from ..locale.translated import translated
from ..visit.catalogue.known import describe
from ..visit.faults import guarded
from ..visit.jobs.reading import crop_photo
from .address import ask_crop
from .choose import words

log = logging.getLogger(__name__)


def choose_crop(photo: Photo, model: str) -> tuple[Photo, Notice | None]:
    """Return the picture's crop for the model, and a notice about it.

    There is none if it is the crop that was wanted. Another picture is shown whole. A model without a
    window on pictures, such as one of signals, is given all of it; the part is kept for the next model.

    Of a visit's crops before, only the one on screen stays: undo names its crop, which is made again.
    """
    state = st.session_state
    if state.get("crop_of", photo.fingerprint) != photo.fingerprint:
        state["crop"] = ""
    state["crop_of"] = photo.fingerprint
    asked = state.get("crop", "")
    if not asked:
        state.pop("cropped", None)
    if not asked or getattr(describe(model).preprocessing, "window", None) is None:
        return photo, None
    kept = state.get("cropped")
    if kept is None or (kept.original.fingerprint, str(kept.crop)) != (photo.fingerprint, asked):
        state.pop("cropped", None)
        state["visit"].drop_crops()
        try:
            kept = state["cropped"] = crop_photo(photo, asked)
        except RequestError as error:
            state["crop"] = ""
            sentence = words("crop_in_vain", error=translated(str(error), state["lang"]))
            return photo, Notice(sentence, "your-files#why-does-the-model-see-only-a-part-of-it")
    return kept, None


@guarded
def take_frame() -> None:
    """Take the crop from the frame that the visitor has moved."""
    asked = (st.session_state.get("seen") or {}).get("crop")
    if asked:
        try:
            ask_crop(heard(asked, FrameMove).crop)
        except msgspec.DecodeError as error:
            log.warning("a browser framed no part of a picture: %s", error)
