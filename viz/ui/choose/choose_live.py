"""The live camera: frames become maps, a frozen one the picture."""

import base64
import logging

import msgspec
import streamlit as st

from ...answers.message import as_plain
from ...answers.subject import CameraFacts, FrozenFrame
from ...catalogue import models
from ...errors import ImageError
from ..browser.modules import browser_part
from ..locale.words import say, words_named
from ..visit.catalogue.known import describe
from ..visit.faults import guarded
from ..visit.frames import MOST_BYTES, photo_of_frame, too_long
from .choose_files import forget_refusals

SHORTEST, LONGEST = 128, 384  # pixels of a frame's short side
log = logging.getLogger(__name__)

_live = browser_part("live", "live/live.js")


def choose_live() -> bool:
    """Draw the camera's switch and part; return whether the maps follow it."""
    language = st.session_state["lang"]
    if not st.toggle(say(language, "live"), key="live_on"):
        return False
    facts = CameraFacts(side=frame_side(st.session_state.get("model")), words=words_named(language))
    _live(key="live", data=as_plain(facts), on_frozen_change=_frozen)
    return True


def frame_side(model: str | None) -> int:
    """Return a frame's short side in pixels, as preprocessing needs it."""
    try:
        # Preprocessing mostly resizes the short side to 256 pixels before it cuts out 224.
        needed = max(describe(model).input_size) * 8 // 7 if model else 0
    except models.ModelError:
        needed = 0  # further down, the page says what is wrong with the model
    return min(LONGEST, max(SHORTEST, needed))


@guarded
def _frozen() -> None:
    """Take the frame on screen as the picture from now on."""
    asked = (st.session_state.get("live") or {}).get("frozen")
    if not asked:
        return
    state = st.session_state
    try:
        jpeg = msgspec.convert(asked, FrozenFrame).jpeg
        state["frozen"] = photo_of_frame(_decoded(jpeg), state["visit"].visitor)
    except ImageError:
        state["live_on"] = False  # the browser's part has ended its camera
        raise
    except (ValueError, msgspec.ValidationError):
        log.warning("a frozen frame could not be read")
        return
    state["source"] = state["own_source"] = "frozen"
    forget_refusals()
    state["sample"], state["live_on"], state["camera_on"] = None, False, False


def _decoded(jpeg: str) -> bytes:
    """Return a frame's bytes from base64, if it is short enough."""
    if len(jpeg) > 4 * (MOST_BYTES // 3 + 1):
        raise too_long()
    return base64.b64decode(jpeg, validate=True)
