"""The view of hooks, which lives in the browser: a pass as a timeline, its maps, what is left in memory."""

from dataclasses import replace

import streamlit as st

from viz.inspection import Inspection
from viz.ui.address import acted
from viz.ui.scripts import browser_part
from viz.ui.visit import Book, Visit
from viz.ui.words import browser_words

_hooks = browser_part(
    "hooks",
    css=("hooks.css",),
    js=("said.js", "pages.js", "room.js", "mosaic.js", "keys.js", "timeline.js", "memory.js", "hooks.js"),
)


def draw_hooks(visit: Visit, book: Book, wanted: Inspection) -> None:
    """Every hook of one pass; ``book`` has the gradients of ``wanted``'s class if it has one."""
    there = visit.book(book.photo, replace(wanted, gradient=None), book.pages)
    data = {
        "book": there.token,
        "back": book.token if wanted.gradient is not None else "",
        "layers": [page.layer for page in book.pages],
        "layer": wanted.layer,
        "call": wanted.call,
        "words": browser_words(st.session_state["lang"]),
    }
    _hooks(key="hooks", data=data, on_layer_change=_chosen)


def _chosen() -> None:
    """The visitor went to another layer in the browser: the page follows, and stays in this view."""
    layer = st.session_state["hooks"].get("layer")
    if layer:
        acted()
        state = st.session_state
        state["layer"], state["call"], state["channel"] = layer, 1, None
        state["serial"] += 1
