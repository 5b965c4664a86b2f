"""The parts that live in the browser (their code is in ``browser/``): viewer, tree, what the model saw."""

import base64
import html
import io
from collections.abc import Sequence

import msgspec
import streamlit as st
from PIL import Image

from ...catalogue import models
from ...passes.edit_effects import PredictionChange
from ...pictures.photo import Photo
from ...profile.tree import LayerRow
from ...request.edit_request import edits_text
from ...request.inspection import Inspection, Prediction
from ...request.look import Look
from ..browser.modules import browser_part
from ..choose.address import drawn_as, told
from ..choose.choose import words
from ..choose.choose_comparison import choose_before
from ..choose.choose_donors import donors_for_viewer
from ..choose.choose_edits import edits_for_viewer, hear_edits
from ..choose.choose_layer import follow
from ..choose.choose_target import TOP
from ..choose.choose_weights import weights_in_words
from ..locale.translated import translated
from ..locale.words import browser_words
from ..visit.faults import heard
from ..visit.visit import SubjectEntry
from .layer_types import types_in_words

TREE_WORDS = ("tree_label", "language_code", "no_run")  # tree.js needs no others
PICTURE_WIDTH = 400  # screen pixels at most to which a small picture is enlarged

_viewer = browser_part("viewer", "layer/viewer.js")
_tree = browser_part("tree", "tree/tree.js")
_overview = browser_part("overview", "layers/overview.js")
_attribution = browser_part("attribution", "gradients/attribution.js")
_guide = browser_part("guide", "side/guide.js")
_seen = browser_part("seen", "side/seen.js")


def draw_style() -> None:
    """The one word on the page that Streamlit only has in English, for the page's style sheet."""
    st.html(f"<style>:root {{ --lg-upload: '{words('upload_button')}'; }}</style>")


def draw_picture(
    png: bytes,
    text: str,
    *,
    title: str = "",
    exact: bool = True,
    viewport: tuple[int, int] = (PICTURE_WIDTH, 0),
) -> None:
    """A small picture with its text alternative; an exact one is enlarged to whole pixels per value.

    With a height in the ``viewport`` (width, height), width and height are enlarged independently, which a
    signal with one row for each channel needs.
    """
    size = f' style="{_enlarged(png, viewport)}"' if exact else ""
    caption = f"<figcaption>{html.escape(title)}</figcaption>" if title else ""
    source = f"data:image/png;base64,{base64.b64encode(png).decode()}"
    kind = "lg-exact" if exact else "lg-figure"
    image = f'<img class="{kind}" alt="{html.escape(text)}" src="{source}"{size}>'
    st.html(f'<figure class="lg-picture">{image}{caption}</figure>')


def _enlarged(png: bytes, viewport: tuple[int, int]) -> str:
    """The size of a picture with as many whole screen pixels per value as there is room for."""
    width, height = Image.open(io.BytesIO(png)).size
    across = f"width: {width * max(1, viewport[0] // width)}px"
    return f"{across}; height: {height * max(1, viewport[1] // height)}px" if viewport[1] else across


def draw_viewer(subject: SubjectEntry, rows: Sequence[LayerRow], wanted: Inspection) -> None:
    """The feature maps, with everything that the browser can do with them by itself."""
    state = st.session_state
    data = {
        "subject": subject.token,
        "look": look_fields(wanted),
        "pages": [layer_facts(row) for row in rows],
        "layer": wanted.layer,
        "call": wanted.call,
        "channel": state.get("channel"),
        "serial": state["serial"],
        "drawn_as": drawn_as(),
        "heard": state.setdefault("heard", 0),
        "passed": sorted(state["passed"]),
        "heard_edits": state.setdefault("heard_edits", 0),
        "model": wanted.model,
        "edits": edits_for_viewer(wanted.edits),
        "donors": donors_for_viewer(),
        "trained": weights_in_words(wanted.weights, wanted.model),
        "words": browser_words(state["lang"]),
        "gradient": wanted.gradient is not None,
        "present": state["present"],
        "kinds": types_in_words(rows, state["lang"]),
        "signal": models.describe(wanted.model).input_size[0] == 1,
    }
    _viewer(key="viewer", data=data, on_at_change=_viewer_told)


def draw_attribution(subject: SubjectEntry, rows: Sequence[LayerRow], wanted: Inspection) -> None:
    """Grad-CAM of the layer on screen, and saliency, over what the model saw."""
    data = {
        "subject": subject.token,
        "look": look_fields(wanted),
        "layers": [row.name for row in rows],
        "layer": wanted.layer,
        "call": wanted.call,
        "words": browser_words(st.session_state["lang"]),
    }
    _attribution(key="attribution", data=data)


def draw_overview(subject: SubjectEntry, wanted: Inspection) -> None:
    """Every layer in small; a click shows it large."""
    data = {
        "subject": subject.token,
        "look": look_fields(wanted),
        "words": browser_words(st.session_state["lang"]),
    }
    _overview(key="overview", data=data, on_layer_change=_overview_moved)


def draw_guide(photo: Photo) -> None:
    """The first steps, for anyone new; the browser remembers when they have been put away."""
    words_of_it = browser_words(st.session_state["lang"])
    _guide(key="guide", data={"picture": photo.fingerprint[:16], "words": words_of_it}, width="stretch")


def draw_tree(subject: SubjectEntry, rows: Sequence[LayerRow], layer: str) -> None:
    """The module tree; the layer on screen is its selected item."""
    texts = browser_words(st.session_state["lang"])
    data = {
        "subject": subject.token,
        "model": subject.model,
        "rows": [[row.name, row.type, _shape(row), row.calls, _reason(row)] for row in rows],
        "layer": layer,
        "serial": st.session_state["serial"],
        "words": {name: texts[name] for name in TREE_WORDS},
    }
    _tree(key="tree", data=data, on_layer_change=_tree_moved)


def draw_seen(
    subject: SubjectEntry, prediction: Prediction, changes: Sequence[PredictionChange] | None
) -> None:
    """The picture after preprocessing, and the best predictions as bars; with edits, how they change.

    ``changes`` is None if the model cannot predict anything with the edits.
    """
    untrained = subject.weights == "random"
    note = "prediction_untrained" if untrained else "" if prediction.top else "no_prediction"
    note = "prediction_impossible" if changes is None else note
    data = {
        "subject": subject.token,
        "title": words("what_it_saw"),
        "heading": words("prediction_changed" if changes else "prediction"),
        "note": words(note) if note else "",
        "top": [] if changes is None else [list(share) for share in prediction.top],
        "changes": [[change.label, change.before, change.after] for change in changes or ()],
    }
    _seen(key="seen", data=data)


def look_fields(wanted: Inspection) -> dict[str, object]:
    """The fields of the look that the page chooses, without those at their default; the browser adds its own.

    The most probable class is left out: the server finds it for each picture.
    """
    state, first = st.session_state, msgspec.structs.asdict(Look())
    look = {
        "view": "gradients" if state["view"] == "gradients" else first["view"],
        "colormap": wanted.colormap,
        "scale": wanted.scale,
        "order": wanted.order,
        "edit": edits_text(wanted.edits),
        "target": None if state.get("target", TOP) == TOP else wanted.gradient,
    }
    return {name: value for name, value in look.items() if value != first[name]}


def layer_facts(row: LayerRow) -> list[object]:
    """What the browser has to know about a layer before it asks for its maps."""
    return [row.name, row.type, row.detail, row.calls, _reason(row)]


def _shape(row: LayerRow) -> str:
    shape = next((shape for shape in row.shapes if shape), None)
    if not shape:
        return ""
    # a batch of one picture is not mentioned, as in browser/shape.js
    return " × ".join(map(str, shape[1:] if shape[0] == 1 else shape))


def _reason(row: LayerRow) -> str | None:
    return row.reason and translated(row.reason, st.session_state["lang"])


@heard
def _viewer_told() -> None:
    """The visitor flipped, edited or presented in the browser: take over what is on screen."""
    at = told("viewer", "at")
    if at:
        follow(at)
        hear_edits(at["edits"])
        if at.get("beside"):
            choose_before()


@heard
def _tree_moved() -> None:
    """The visitor chose a layer in the tree: in a view without a viewer, the page follows."""
    layer = told("tree", "layer")
    if layer:
        state = st.session_state
        state["layer"], state["call"], state["channel"] = layer, 1, None


@heard
def _overview_moved() -> None:
    layer = told("overview", "layer")
    if layer:
        state = st.session_state
        state["layer"], state["call"], state["channel"], state["view"] = layer, 1, None, "layer"
